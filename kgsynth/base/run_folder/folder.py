"""The folder of one run: its complete files, its journals, its lock and its state.

A file that kgsynth did not write is never removed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from kgsynth.base.atomic_files import replacing
from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.beginning import Continue, begin_or_resume, put_in_place
from kgsynth.base.run_folder.journal import Journal
from kgsynth.base.run_folder.lock import lock_folder
from kgsynth.base.run_folder.state import (
    STATE,
    abbreviate,
    checksum,
    foreign_files,
    new_state,
    pretty_json,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Out = TypeVar("Out")


class RunFolder:
    """The folder of one run, used by one process at a time; a context manager.

    ``replacing``, ``done``, ``file`` and ``forget`` take file names; the other methods take names without extension:
    ``read("chunks", …)`` reads ``chunks.jsonl``. ``changes`` are the settings that changed since the run in the folder.
    """

    def __init__(self, folder: Path, state: dict[str, Any], lock: IO[str]) -> None:
        self.folder = folder
        self.timings: dict[str, float] = {}
        self.changes: tuple[str, ...] = ()
        self._state = state
        self._lock = lock
        self._journals: dict[str, Journal] = {}
        self._verified: dict[str, int] = {}  # the files whose checksum was compared, with their size

    @classmethod
    def open(
        cls,
        folder: Path,
        *,
        config: Mapping[str, object],
        inputs: Mapping[str, str],
        fresh: bool = False,
        command: str = "generate",
        settings_of: Mapping[str, Collection[str]] | None = None,
        continue_with: Continue | None = None,
    ) -> RunFolder:
        """Open the folder to begin a run, or to resume the run in it.

        ``config`` holds the settings that influence the output (``Config.identity()``), ``inputs`` the sha256 of each
        document. ``fresh`` removes the files that kgsynth wrote there before, and no others. When settings changed,
        the files that depend on them are written again: ``settings_of`` names the settings of each file, by its name
        up to the first dot; a file that it does not name depends on all. Without it, changed settings are an error.

        Changed documents are an error too, unless ``continue_with`` is given. It is called with the folder, the state
        of the run in it and the new state, may write files of the run, and returns their names. It raises InputError to
        refuse. When documents changed, only these files, and those that depend on nothing, are kept.

        Raises:
            InputError: the folder contains something else or another run, or another process is using it.
        """
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file, not a folder; give another output folder")
        if folder.exists() and not (folder / STATE).exists() and (found := foreign_files(folder)):
            raise InputError(
                f"{folder} is not empty and contains no kgsynth run ({abbreviate(found)}); give another output folder"
            )
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_folder(folder)
        try:
            new = new_state(command, config, inputs)
            state, changes = begin_or_resume(folder, new, fresh, settings_of, continue_with)
            run = cls(folder, state, lock)
            run.changes = changes
            run._save()
            put_in_place(folder, state)
        except BaseException:
            lock.close()
            raise
        return run

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the journals and release the lock; all results stay."""
        for journal in self._journals.values():
            journal.close()
        self._journals.clear()
        self._lock.close()

    # ---- complete files ----------------------------------------------------------------------------

    def done(self, file: str) -> bool:
        """Check whether ``file`` was written completely; a file that was deleted since does not count.

        Raises:
            InputError: the file no longer has the content with which it was written.
        """
        path = self.folder / file
        if file not in self._state["done"] or not path.exists():
            return False
        size = path.stat().st_size
        if self._verified.get(file) != size:
            if not path.is_file() or checksum(path) != self._state["done"][file]:
                raise InputError(f"{path} was changed since kgsynth wrote it; add --fresh to start over")
            self._verified[file] = size
        return True

    def intact(self, file: str) -> bool:
        """Check whether ``file`` has the content with which it was written."""
        path = self.folder / file
        return file in self._state["done"] and path.is_file() and checksum(path) == self._state["done"][file]

    @contextmanager
    def replacing(self, file: str) -> Iterator[Path]:
        """Yield a temporary path to write ``file`` to; when the block succeeds, the file is in place and is done."""
        self._register([file])
        (self.folder / file).parent.mkdir(exist_ok=True)
        if self._state["done"].pop(file, None) is not None:
            self._save()
        with replacing(self.folder / file) as temporary:
            yield temporary
            written = checksum(temporary)
        self._state["done"][file] = written
        self._verified[file] = (self.folder / file).stat().st_size
        self._save()

    def read(self, name: str, decode: Callable[[str], Out]) -> Iterator[Out]:
        """Yield the records of ``NAME.jsonl``."""
        path = self.folder / f"{name}.jsonl"
        with path.open("rb") as file:
            for line in file:
                yield decode_line(path, decode, line)

    def save_array(self, name: str, array: NDArray[np.float32]) -> None:
        """Write an array to ``NAME.npy``."""
        import numpy as np

        with self.replacing(f"{name}.npy") as path, path.open("wb") as file:
            np.save(file, array, allow_pickle=False)

    def load_array(self, name: str) -> NDArray[np.float32]:
        """Return the array in ``NAME.npy``, memory-mapped."""
        import numpy as np

        array: NDArray[np.float32] = np.load(self.folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
        return array

    def write_manifest(self, **entries: object) -> None:
        """Write ``manifest.json``: the given entries, the versions, the documents, and the seconds of each stage.

        Timings are in no other file, so that all other files of two runs with the same input are the same.
        """
        about = {key: self._state[key] for key in ("kgsynth", "command", "inputs", "packages")}
        about["python"] = sys.version.split()[0]
        about["timings_s"] = {name: round(seconds, 3) for name, seconds in self.timings.items()}
        with self.replacing("manifest.json") as path:
            path.write_text(pretty_json({**entries, **about}), encoding="utf-8")

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Add the seconds that the block takes to the timing of ``stage``."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.timings[stage] = self.timings.get(stage, 0.0) + time.perf_counter() - begun

    # ---- journals ----------------------------------------------------------------------------------

    def journal(self, name: str) -> Journal:
        """Return the journal ``NAME.part.jsonl``, which keeps results until all are there; ``commit`` ends it."""
        if name not in self._journals:
            self._register([f"{name}.part.jsonl"])
            self._journals[name] = Journal(self.folder / f"{name}.part.jsonl")
        return self._journals[name]

    def commit(self, name: str, order: Iterable[str]) -> None:
        """Write the values of the journal to ``NAME.jsonl``, in the given order of their keys, and remove it."""
        journal = self.journal(name)
        with self.replacing(f"{name}.jsonl") as path, path.open("w", encoding="utf-8", newline="") as file:
            for key in order:
                file.write(journal[key] + "\n")
        self._journals.pop(name).close()
        self.forget([journal.path.name])

    # ---- the state ---------------------------------------------------------------------------------

    def file(self, name: str, *beside: str) -> Path:
        """Return the path of a file that other code writes; ``beside`` are the files it keeps next to it."""
        self._register([name, *beside])
        return self.folder / name

    def forget(self, names: Iterable[str]) -> None:
        """Remove files of the run that are no longer needed; other files stay."""
        gone = set(names) & set(self._state["files"])
        for name in gone:
            (self.folder / name).unlink(missing_ok=True)
            self._state["done"].pop(name, None)
        if gone:
            self._state["files"] = sorted(set(self._state["files"]) - gone)
            self._save()

    def _register(self, names: Iterable[str]) -> None:
        new = set(names) - set(self._state["files"])
        if new:
            self._state["files"] = sorted({*self._state["files"], *new})
            self._save()

    def _save(self) -> None:
        with replacing(self.folder / STATE) as path:
            path.write_text(pretty_json(self._state), encoding="utf-8")


def decode_line(path: Path, decode: Callable[[str], Out], line: str | bytes) -> Out:
    """Decode one line of the file ``path``.

    Raises:
        InputError: the line cannot be decoded.
    """
    try:
        return decode(line if isinstance(line, str) else line.decode())
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}); add --fresh to start over") from error
