"""The steps of a derivation, and the error that one raises that does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgsynth.base.errors import KgsynthError

Step = Mapping[str, Any]
Place = tuple[str, int, int]


class DerivationError(KgsynthError):
    """A derivation that is invalid for the documents; the message says why in one sentence."""

    exit_code = 1


def place_in(value: object) -> Place | None:
    """Return the span ``{"doc", "start", "end"}`` that a value of a derivation is, None if it is none.

    Example:
        >>> place_in({"doc": "a.md", "start": 0, "end": 3}), place_in({"doc": "a.md", "start": None, "end": 3})
        (('a.md', 0, 3), None)
    """
    if not isinstance(value, Mapping):
        return None
    doc, start, end = (value.get(key) for key in ("doc", "start", "end"))
    return (doc, start, end) if isinstance(doc, str) and type(start) is int and type(end) is int else None


def steps_in(derivation: Step) -> list[Step]:
    """Return the steps of a derivation that was not checked, without those that are no objects.

    Example:
        >>> steps_in({"steps": [{"fact": "f-1"}, 5]}), steps_in({"steps": 5})
        ([{'fact': 'f-1'}], [])
    """
    steps = derivation.get("steps")
    return [step for step in steps if isinstance(step, Mapping)] if isinstance(steps, list | tuple) else []


def steps_of(derivation: Step, fewest: int, most: int | None = None, key: str = "steps") -> Sequence[Step]:
    """Return the steps of a derivation, from ``fewest`` to ``most`` of them; raise DerivationError otherwise."""
    steps = derivation.get(key)
    if not isinstance(steps, list | tuple) or not all(isinstance(step, Mapping) for step in steps):
        raise DerivationError(f"{key} is {steps!r}, not a list of objects")
    if len(steps) < fewest or (most is not None and len(steps) > most):
        wanted = str(fewest) if most == fewest else f"{fewest} or more"
        raise DerivationError(f"operator {derivation.get('operator')!r} has {len(steps)} {key} and needs {wanted}")
    return steps
