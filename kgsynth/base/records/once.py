"""Compute something once for each document, and keep it as long as the document lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

Record = TypeVar("Record")
Made = TypeVar("Made")


def once(make: Callable[[Record], Made]) -> Callable[[Record], Made]:
    """Return ``make``, computed on first use for each record; what it made is freed with the record.

    A ``functools.lru_cache`` would keep documents alive after their run, and forget those of a large folder.

    Example:
        >>> from kgsynth.base.records import Document
        >>> made = []
        >>> length = once(lambda page: made.append(page.id) or len(page.text))
        >>> page = Document("a.md", "Ada leads it.", "A", "md", "", (), ())
        >>> length(page), length(page), made
        (13, 13, ['a.md'])
    """
    kept: WeakKeyDictionary[Record, Made] = WeakKeyDictionary()

    @wraps(make)
    def made(record: Record) -> Made:
        if record not in kept:
            kept[record] = make(record)
        return kept[record]

    return made
