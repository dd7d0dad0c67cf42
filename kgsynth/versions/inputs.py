"""Read a golden set, of kgsynth or of another tool, to compare it with others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.records import Document
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.exchange import read
from kgsynth.golden.exchange.open_set import open_set


class NamedSet(NamedTuple):
    """A set, the name that messages use for it, and ``notes`` on what is missing from a file of another tool."""

    name: str
    dataset: Dataset
    notes: tuple[str, ...] = ()


def read_set(place: Path, docs: Path | Sequence[Document] | None = None) -> NamedSet:
    """Read a set in any format that ``audit`` reads; ``docs`` is where the evidence of a foreign one is located.

    Raises:
        InputError: the file cannot be read, or no format fits.
    """
    own = read(place).own
    if own is not None:
        return NamedSet(str(place), own)
    found = open_set(place, docs)
    return NamedSet(str(place), found.dataset, tuple(f"{place}: {note}" for note in found.notes))
