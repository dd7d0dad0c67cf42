"""What a setting must be: small checks, each of which returns its faults as sentences, to be told all at once."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

Check = Callable[[str, Any], list[str]]


def whole(low: int, high: int | None = None, *, optional: bool = False) -> Check:
    """Check a whole number within limits."""

    def check(key: str, value: Any) -> list[str]:
        if optional and value is None:
            return []
        fits = isinstance(value, int) and not isinstance(value, bool) and value >= low
        if fits and (high is None or value <= high):
            return []
        limit = f"of {low} or more" if high is None else f"from {low} to {high}"
        return [f"{key} is {value!r}; give a whole number {limit}"]

    return check


def one_of(names: tuple[str, ...]) -> Check:
    """Check one of a few words."""

    def check(key: str, value: Any) -> list[str]:
        return [] if value in names else [f"{key} is {value!r}; give one of {', '.join(names)}"]

    return check


def name(key: str, value: Any) -> list[str]:
    """Check a text that is not empty."""
    return [] if isinstance(value, str) and value.strip() else [f"{key} is {value!r}; give a name or a path"]


def file(key: str, value: Any) -> list[str]:
    """Check a file that is there, or None."""
    if value is None or (isinstance(value, str | Path) and Path(value).is_file()):
        return []
    return [f"{key} names {str(value)!r}, which is no file; check the path"]


def files(key: str, value: Any) -> list[str]:
    """Check several files that are there."""
    if not isinstance(value, tuple):
        return [f"{key} is {value!r}; give a list of files"]
    return [fault for each in value for fault in file(key, each or "")]


def optional_name(key: str, value: Any) -> list[str]:
    """Check a text that is not empty, or None."""
    return [] if value is None else name(key, value)


def flag(key: str, value: Any) -> list[str]:
    """Check a yes or no."""
    return [] if isinstance(value, bool) else [f"{key} is {value!r}; give true or false"]


def share(key: str, value: Any) -> list[str]:
    """Check a number from 0 to 1."""
    return [] if _is_number(value) and 0 <= value <= 1 else [f"{key} is {value!r}; give a number from 0 to 1"]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def shares(noun: str, known: Collection[str]) -> Check:
    """Check shares of things by name, which sum to 1."""

    def check(key: str, value: Any) -> list[str]:
        return _shares(key, value, noun, known)

    return check


def _shares(key: str, value: Any, noun: str, known: Collection[str]) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{key} is {value!r}; give a share for each {noun}, such as {next(iter(known))}=0.4"]
    faults = [unknown(f"{noun} in {key}", name, known) for name in value if name not in known]
    wrong = {name: share for name, share in value.items() if not _is_number(share) or share < 0}
    faults += [f"{key} gives {name} a share of {share!r}; give a number from 0 to 1" for name, share in wrong.items()]
    if not wrong and abs(math.fsum(value.values()) - 1) > 1e-6:
        faults.append(f"{key} sums to {math.fsum(value.values()):.6g}; give shares that sum to 1")
    return faults


def numbers(known: Collection[str]) -> Check:
    """Check numbers of rules by name."""

    def check(key: str, value: Any) -> list[str]:
        return _numbers(key, value, known)

    return check


def _numbers(key: str, value: Any, known: Collection[str]) -> list[str]:
    if not isinstance(value, Mapping):
        return [f"{key} is {value!r}; give a number for each rule, such as leaking = 0.5"]
    faults = [unknown(f"rule in {key}", name, known) for name in value if name not in known]
    return faults + [
        f"{key} gives {name} as {each!r}; give a number" for name, each in value.items() if not _is_number(each)
    ]


def unknown(what: str, name: object, known: Collection[str], where: str = "") -> str:
    """Say that a name is not known, and which one may have been meant."""
    near = difflib.get_close_matches(str(name), known, n=1)
    return f"unknown {what}{where}: {name}; " + (
        f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    )
