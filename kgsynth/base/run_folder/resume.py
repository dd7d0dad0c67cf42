"""Where an interrupted run resumes: records and rows are computed only if the run folder does not have them yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.folder import RunFolder, decode_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

In = TypeVar("In")
Out = TypeVar("Out")

_ROWS_PER_BLOCK = 512


def resume_records(
    folder: RunFolder,
    name: str,
    inputs: Iterable[In],
    *,
    key: Callable[[In], str],
    make: Callable[[Iterator[In]], Iterable[Out]],
    encode: Callable[[Out], str],
    decode: Callable[[str], Out],
    on_progress: Callable[[int], object] = lambda _: None,
) -> Iterator[Out]:
    """Yield one result per input, in the order of the inputs, and write them all to ``NAME.jsonl`` at the end.

    ``make`` receives the inputs that have no result yet and returns their results in the same order; it may read ahead.
    Each result is in the journal before it is yielded. ``on_progress`` is called with 1 for each.

    Raises:
        ValueError: two inputs have the same key, or ``make`` returns more or fewer results than it received inputs.
    """
    if folder.done(f"{name}.jsonl"):
        folder.forget([f"{name}.part.jsonl"])
        for result in folder.read(name, decode):
            on_progress(1)
            yield result
        return
    journal = folder.journal(name)
    order: dict[str, None] = {}
    waiting: deque[tuple[str, bool]] = deque()  # the keys whose results were not yielded yet; in the journal already?

    def missing() -> Iterator[In]:
        for each in inputs:
            found = key(each)
            if found in order:
                raise ValueError(f"two inputs of {name} have the key {found!r}")
            order[found] = None
            waiting.append((found, found in journal))
            if found not in journal:
                yield each

    def from_journal() -> Iterator[Out]:
        while waiting and waiting[0][1]:
            on_progress(1)
            yield decode_line(journal.path, decode, journal[waiting.popleft()[0]])

    for result in make(missing()):
        yield from from_journal()
        if not waiting:
            raise ValueError(f"{name} returned more results than it received inputs")
        journal.append(waiting.popleft()[0], encode(result))
        on_progress(1)
        yield result
    yield from from_journal()
    if waiting:
        raise ValueError(f"{name} returned no result for {waiting[0][0]!r}")
    folder.commit(name, order)


def resume_array(
    folder: RunFolder,
    name: str,
    items: Sequence[In],
    *,
    make: Callable[[Sequence[In]], NDArray[np.float32]],
    block: int = _ROWS_PER_BLOCK,
    on_progress: Callable[[int], object] = lambda _: None,
) -> NDArray[np.float32]:
    """Return one row per item, and write them to ``NAME.npy`` at the end.

    Rows are computed in blocks of ``block`` items (``NAME.part-000.npy`` …), and only the blocks that are missing. The
    blocks are the same whether or not the run was interrupted, so the rows are the same to the last bit.

    Raises:
        ValueError: ``make`` returns more or fewer rows than it received items.
        InputError: a complete array is that of other items, since a file of the run was changed.
    """
    import numpy as np

    starts = range(0, len(items), block)
    parts = [f"{name}.part-{number:03d}" for number in range(len(starts))]
    if not folder.done(f"{name}.npy"):
        for part, start in zip(parts, starts, strict=True):
            piece = items[start : start + block]
            if not folder.done(f"{part}.npy"):
                rows = make(piece)
                if len(rows) != len(piece):
                    raise ValueError(f"{name} returned {len(rows)} rows for {len(piece)} items")
                folder.save_array(part, rows)
            on_progress(len(piece))
        blocks = [folder.load_array(part) for part in parts]
        folder.save_array(name, np.concatenate(blocks or [np.zeros((0, 0), np.float32)]))
    folder.forget([f"{part}.npy" for part in parts])
    made = folder.load_array(name)
    if len(made) != len(items):
        path = folder.folder / f"{name}.npy"
        raise InputError(f"{path} has {len(made)} rows for {len(items)} items; add --fresh to start over")
    return made
