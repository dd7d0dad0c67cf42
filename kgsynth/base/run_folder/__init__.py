"""The run folder: what a run has done so far, so that a killed one goes on and ends with the same bytes.

A stage writes its results to a journal (``NAME.part.jsonl``) as they come, and when all are there to ``NAME.jsonl``, in
the order of its inputs. ``state.json`` says whose run this is, which files are whole, and which were written by kgsynth
at all: no other file is ever removed. Left out: what the records look like, and which stages there are.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.journal import Journal, replacing
from kgsynth.base.run_folder.state import (
    STATE,
    differences,
    few,
    locked,
    new_state,
    pretty,
    read_state,
    remove,
    strangers,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

In = TypeVar("In")
Out = TypeVar("Out")


def _no_tick(_: int) -> None:
    """Take no notice of progress."""


class Workspace:
    """One run's folder, held by one process at a time; use it as a context manager.

    Names given to its methods are without ending: ``stream("analysis", …)`` writes ``analysis.jsonl``.
    """

    def __init__(self, folder: Path, state: dict[str, Any], lock: IO[str]) -> None:
        self.folder = folder
        self.timings: dict[str, float] = {}
        self._state = state
        self._lock = lock
        self._journals: dict[str, Journal] = {}

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        config: Mapping[str, object],
        inputs: Mapping[str, str],
        fresh: bool = False,
        command: str = "generate",
    ) -> Workspace:
        """Open the folder of a run, to begin it or to go on with it.

        ``config`` is what influences the output (``Config.identity()``), ``inputs`` the sha256 of each document.
        ``fresh`` removes what kgsynth wrote there before, and nothing else.

        Raises:
            InputError: when the folder holds something else, another run (the sentence names what differs), or is
                in use by another process.
        """
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file, not a folder; give another output folder")
        if folder.exists() and not (folder / STATE).exists() and strangers(folder):
            found = few(strangers(folder))
            raise InputError(f"{folder} is not empty and holds no kgsynth run ({found}); give another output folder")
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            lock = stack.enter_context(locked(folder))
            state = new_state(command, config, inputs)
            old = read_state(folder)
            if old and old["command"] != command:
                held = f"a {old['command']} run, not a {command} run"
                raise InputError(f"{folder} holds {held}; give another output folder")
            if old and fresh:
                remove(folder, old["files"])
            elif old:
                told = ", and ".join(differences(old, state))
                if told:
                    advice = "add --fresh to start over, or give another folder"
                    raise InputError(f"{folder} holds another run: {told}; {advice}")
                state = old
            workspace = cls(folder, state, lock)
            workspace._save()
            stack.pop_all()
        return workspace

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def inputs(self) -> Mapping[str, str]:
        """The documents of this run: id -> sha256."""
        inputs: Mapping[str, str] = self._state["inputs"]
        return inputs

    def close(self) -> None:
        """Give the folder free; what was finished stays."""
        for journal in self._journals.values():
            journal.close()
        self._journals.clear()
        self._lock.close()

    # ---- whole files -------------------------------------------------------------------------------

    def done(self, file: str) -> bool:
        """Say whether ``file`` (with its ending) was written whole; one deleted since counts as not written.

        Raises:
            InputError: when the file is there but has another size than it was written with.
        """
        path = self.folder / file
        if file not in self._state["done"] or not path.exists():
            return False
        if path.stat().st_size != self._state["done"][file]:
            raise InputError(f"{path} was changed since kgsynth wrote it; add --fresh to start over")
        return True

    @contextmanager
    def replacing(self, file: str) -> Iterator[Path]:
        """Give a temporary path to write ``file`` to; it appears under its own name when the block ends well."""
        self._register([file])
        (self.folder / file).parent.mkdir(exist_ok=True)
        if self._state["done"].pop(file, None) is not None:
            self._save()
        with replacing(self.folder / file) as temporary:
            yield temporary
        self._state["done"][file] = (self.folder / file).stat().st_size
        self._save()

    def write_manifest(self, **told: object) -> None:
        """Write ``manifest.json``: what the caller tells, the versions, the inputs, and the seconds of each stage.

        The timings are here and nowhere else, so every other file of two equal runs is equal.
        """
        about = {key: self._state[key] for key in ("kgsynth", "command", "inputs", "packages")}
        about["python"] = sys.version.split()[0]
        about["timings_s"] = {name: round(seconds, 3) for name, seconds in self.timings.items()}
        with self.replacing("manifest.json") as path:
            path.write_text(pretty({**told, **about}), encoding="utf-8")

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the seconds that the block takes to the timings of ``stage``."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + time.perf_counter() - begun

    # ---- results, one by one -----------------------------------------------------------------------

    def stream(
        self,
        name: str,
        inputs: Iterable[In],
        *,
        key: Callable[[In], str],
        make: Callable[[Iterator[In]], Iterable[Out]],
        encode: Callable[[Out], str],
        decode: Callable[[str], Out],
        tick: Callable[[int], object] = _no_tick,
    ) -> Iterator[Out]:
        """Yield one result per input, in the order of the inputs, computing only those not yet on file.

        ``make`` gets the inputs that are missing and gives their results in the same order; it may take them one by
        one or ahead. Each result is on file before it is yielded; after the last one the stage is whole.
        ``tick`` is called with 1 for each.

        Raises:
            ValueError: when two inputs have one key, or ``make`` gives more or fewer results than it got inputs.
        """
        if self.done(f"{name}.jsonl"):
            self.forget([f"{name}.part.jsonl"])
            for result in self.read(name, decode):
                tick(1)
                yield result
            return
        journal = self.lines(name)
        order: dict[str, None] = {}
        waiting: deque[tuple[str, bool]] = deque()

        def missing() -> Iterator[In]:
            for each in inputs:
                found = key(each)
                if found in order:
                    raise ValueError(f"two inputs of {name} have the key {found!r}")
                order[found] = None
                waiting.append((found, found in journal))
                if not waiting[-1][1]:
                    yield each

        def on_file() -> Iterator[Out]:
            while waiting and waiting[0][1]:
                tick(1)
                yield _decoded(journal.path, decode, journal[waiting.popleft()[0]])

        for result in make(missing()):
            yield from on_file()
            if not waiting:
                raise ValueError(f"{name} gave more results than it got inputs")
            journal.append(waiting.popleft()[0], encode(result))
            tick(1)
            yield result
        yield from on_file()
        if waiting:
            raise ValueError(f"{name} gave no result for {waiting[0][0]!r}")
        self.commit(name, order)

    def read(self, name: str, decode: Callable[[str], Out]) -> Iterator[Out]:
        """Yield the results of a finished stage again."""
        path = self.folder / f"{name}.jsonl"
        with path.open("rb") as file:
            for line in file:
                yield _decoded(path, decode, line)

    def lines(self, name: str) -> Journal:
        """Return the journal of a stage, for results that come in an order of their own; ``commit`` ends it."""
        if name not in self._journals:
            self._register([f"{name}.part.jsonl"])
            self._journals[name] = Journal(self.folder / f"{name}.part.jsonl")
        return self._journals[name]

    def commit(self, name: str, order: Iterable[str]) -> None:
        """Write the journal's values to ``NAME.jsonl`` in the order of their keys, and end the journal."""
        journal = self.lines(name)
        with self.replacing(f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            for key in order:
                file.write(journal[key] + "\n")
        self._journals.pop(name).close()
        self.forget([journal.path.name])

    # ---- arrays ------------------------------------------------------------------------------------

    def array(
        self,
        name: str,
        items: Sequence[In],
        *,
        make: Callable[[Sequence[In]], NDArray[np.float32]],
        block: int = 512,
        tick: Callable[[int], object] = _no_tick,
    ) -> NDArray[np.float32]:
        """Return one row per item, computing only the blocks not yet on file (``NAME.part-000.npy`` …).

        The blocks are the same whether or not the run was broken off, so the rows are too, to the last bit.
        """
        import numpy as np

        starts = range(0, len(items), block)
        parts = [f"{name}.part-{number:03d}" for number in range(len(starts))]
        if not self.done(f"{name}.npy"):
            for part, start in zip(parts, starts, strict=True):
                piece = items[start : start + block]
                if not self.done(f"{part}.npy"):
                    rows = make(piece)
                    if len(rows) != len(piece):
                        raise ValueError(f"{name} gave {len(rows)} rows for {len(piece)} items")
                    self.save_array(part, rows)
                tick(len(piece))
            blocks = [self.load_array(part) for part in parts]
            self.save_array(name, np.concatenate(blocks or [np.zeros((0, 0), np.float32)]))
        self.forget([f"{part}.npy" for part in parts])
        return self.load_array(name)

    def save_array(self, name: str, array: NDArray[np.float32]) -> None:
        """Write an array to ``NAME.npy``, whole or not at all."""
        import numpy as np

        with self.replacing(f"{name}.npy") as path, path.open("wb") as file:
            np.save(file, array, allow_pickle=False)

    def load_array(self, name: str) -> NDArray[np.float32]:
        """Return the array of ``NAME.npy``, read from the disk as it is used."""
        import numpy as np

        array: NDArray[np.float32] = np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        return array

    # ---- the state ---------------------------------------------------------------------------------

    def file(self, name: str, *beside: str) -> Path:
        """Return the path of a file that something else writes in its own way, with those it keeps ``beside``."""
        self._register([name, *beside])
        return self.folder / name

    def _register(self, names: Iterable[str]) -> None:
        new = set(names) - set(self._state["files"])
        if new:
            self._state["files"] = sorted({*self._state["files"], *new})
            self._save()

    def forget(self, names: Iterable[str]) -> None:
        """Remove files of the run that are no longer needed; others stay."""
        gone = set(names) & set(self._state["files"])
        for name in gone:
            (self.folder / name).unlink(missing_ok=True)
            self._state["done"].pop(name, None)
        if gone:
            self._state["files"] = sorted(set(self._state["files"]) - gone)
            self._save()

    def _save(self) -> None:
        with replacing(self.folder / STATE) as path:
            path.write_text(pretty(self._state), encoding="utf-8")


def _decoded(path: Path, decode: Callable[[str], Out], line: str | bytes) -> Out:
    try:
        return decode(line if isinstance(line, str) else line.decode())
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}); add --fresh to start over") from error
