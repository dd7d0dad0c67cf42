"""What holds the blocks of a document: tables, cells, lists, notes, one inside the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kgsynth.base.vocabulary import ContainerKind


@dataclass(frozen=True, slots=True)
class Container:
    """Something that holds blocks: a table, a list, a note.

    ``parent`` is the index of the container around it, -1 for none. ``name`` is the kind of a note, or the language of
    code. A cell stands in ``row`` and ``column``, counted from 0, and reaches over ``rows`` and ``columns`` of them;
    ``head`` is whether it is marked as the head of a row or column. ``indent`` counts how far its text stands in from
    those above and below it.
    """

    kind: ContainerKind
    parent: int
    start: int
    end: int
    name: str = ""
    row: int = 0
    column: int = 0
    rows: int = 1
    columns: int = 1
    head: bool = False
    indent: int = 0


def containers_around(containers: Sequence[Container], number: int) -> Iterator[int]:
    """Yield the index of a container and of those around it, the innermost first; nothing for -1.

    Example:
        >>> table, cell = Container(ContainerKind.TABLE, -1, 0, 9), Container(ContainerKind.CELL, 0, 2, 5)
        >>> list(containers_around([table, cell], 1)), list(containers_around([table, cell], -1))
        ([1, 0], [])
    """
    while number >= 0:
        yield number
        number = containers[number].parent
