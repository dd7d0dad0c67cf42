"""Wrong names of settings and metrics: an error that names the nearest right one."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from typing import TypeVar

from kgsynth.base.errors import UnknownNameError

_MIN_LIKENESS = 0.5  # of difflib, which by itself takes 0.6: too much for short names

Value = TypeVar("Value")


def suggestion(name: str, known: Collection[str]) -> str:
    """Return what may have been meant by an unknown name.

    Example:
        >>> suggestion("chunk_sise", ["n", "chunk_size"]), suggestion("num", ["n", "chunk_size"])
        ('did you mean chunk_size?', 'did you mean n?')
        >>> suggestion("top", ["n", "chunk_size"])
        'known are n, chunk_size'
    """
    near = difflib.get_close_matches(name, known, n=1, cutoff=_MIN_LIKENESS)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"


class MetricValues(dict[str, Value]):
    """Metrics by name; an unknown name raises ``UnknownNameError``, which is a ``KeyError``, with the nearest one.

    Example:
        >>> MetricValues({"recall@5": 0.9})["recal@5"]
        Traceback (most recent call last):
        kgsynth.base.errors.UnknownNameError: no metric recal@5; did you mean recall@5?
    """

    def __missing__(self, name: str) -> Value:
        raise UnknownNameError(f"no metric {name}; {suggestion(name, self)}")
