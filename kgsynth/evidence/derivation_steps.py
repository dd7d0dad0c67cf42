"""The steps of a derivation, and the error that one raises that does not hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgsynth.base.errors import KgsynthError

Step = Mapping[str, Any]


class DerivationError(KgsynthError):
    """A derivation that is invalid for the documents; the message says why in one sentence."""

    exit_code = 1


def steps_of(derivation: Step, fewest: int, most: int | None = None, key: str = "steps") -> Sequence[Step]:
    """Return the steps of a derivation, from ``fewest`` to ``most`` of them; raise DerivationError otherwise."""
    steps = derivation.get(key)
    if not isinstance(steps, list | tuple) or not all(isinstance(step, Mapping) for step in steps):
        raise DerivationError(f"{key} is {steps!r}, not a list of objects")
    if len(steps) < fewest or (most is not None and len(steps) > most):
        wanted = str(fewest) if most == fewest else f"{fewest} or more"
        raise DerivationError(f"operator {derivation.get('operator')!r} has {len(steps)} {key} and needs {wanted}")
    return steps
