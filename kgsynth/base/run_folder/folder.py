"""The folder of one run: its complete files, its journals, its lock and its state.

A file that kgsynth did not write is never removed.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, KeysView, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from types import NoneType
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar

from kgsynth.base.atomic_files import naming, read_array, replacing
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json, value_at
from kgsynth.base.version import __version__

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOCK_FILE = ".lock"


def lock_folder(folder: Path) -> IO[str]:
    """Lock the folder for this process until it closes the returned file or ends, however it ends.

    The lock (POSIX ``lockf``) belongs to this process alone: forked children do not keep it after a kill. On Windows
    there is no lock.

    Raises:
        InputError: another process has locked the folder.
    """
    file = (folder / LOCK_FILE).open("a")
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError) as error:
            file.close()
            raise InputError(
                f"another kgsynth process is working in {folder}; wait for it, or give another output folder"
            ) from error
    return file


STATE = "state.json"
FORMAT = 2
"""The format of ``state.json``; a run in a folder of another format cannot be resumed."""

_KINDS: Mapping[str, type] = {
    "format": int, "kgsynth": str, "command": str, "packages": dict, "config": dict, "inputs": dict, "files": list,
    "done": dict,
}  # fmt: skip
"""The keys of ``state.json``; ``done`` has the checksum of each complete file."""

PACKAGES = ("datasketch", "networkx", "numpy", "scikit-learn", "scipy", "sentence-transformers", "spacy", "torch")
"""The packages whose version can change what a run writes."""


def versions(packages: Iterable[str] = PACKAGES) -> dict[str, str | None]:
    """Return the installed version of each package, None for one that is not installed."""
    found: dict[str, str | None] = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = None
    return found


def new_state(command: str, config: Mapping[str, object], inputs: Mapping[str, str]) -> dict[str, Any]:
    """Return the state of a run that has not written anything yet."""
    state = {"format": FORMAT, "kgsynth": __version__, "packages": versions(), "files": [], "done": {}}
    state |= {"command": command, "config": dict(config), "inputs": dict(inputs)}
    plain: dict[str, Any] = parse_json(json.dumps(state))
    return plain


def read_state(folder: Path) -> dict[str, Any] | None:
    """Return the state of the run in ``folder``, None if there is no run.

    Raises:
        InputError: ``state.json`` is damaged, or has another format.
    """
    path = folder / STATE
    if not path.exists():
        return None
    try:
        state = parse_json(path.read_bytes())
    except ValueError as error:
        raise InputError(f"{path} is damaged ({error}); give another output folder") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT or set(state) != set(_KINDS):
        raise InputError(f"{path} was not written by this version of kgsynth; give another output folder")
    for key, kind in _KINDS.items():
        if type(state[key]) is not kind or not _has_texts(state, key):
            raise InputError(f"{path} is damaged ({key} is {str(state[key])[:40]!r}); give another output folder")
    return state


def is_generate_run(folder: Path) -> bool:
    """Check whether a folder is a run of ``generate`` that this version can read."""
    try:
        state = read_state(folder)
    except (InputError, OSError):
        return False
    return state is not None and state["command"] == "generate"


def _has_texts(state: Mapping[str, Any], key: str) -> bool:
    """Check whether the members of an entry are texts, where they must be."""
    entry = state[key]
    members = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ()
    allowed = (str, NoneType) if key == "packages" else str
    return key == "config" or all(isinstance(each, allowed) for each in members)


def checksum(path: Path) -> str:
    """Return the checksum under which ``state.json`` records a complete file."""
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"


def check_unchanged(folder: Path, names: Iterable[str]) -> None:
    """Check that files of a run have the content with which they were written, if there is a readable ``state.json``.

    Raises:
        InputError: a file was changed.
    """
    try:
        state = read_state(folder)
    except InputError:
        return
    for name in names:
        path = folder / name
        if state and name in state["done"] and path.is_file() and checksum(path) != state["done"][name]:
            raise InputError(f"{path} was changed since kgsynth wrote it; run generate again with --fresh")


def foreign_files(folder: Path) -> list[str]:
    """Return the names in ``folder`` that cannot come from a run killed before it wrote its first state."""
    return sorted(path.name for path in folder.iterdir() if path.name not in (LOCK_FILE, f"{STATE}.tmp"))


def remove_files(folder: Path, names: Iterable[str]) -> None:
    """Remove files below ``folder`` and what a kill left of writing them; a name that leads outside is ignored."""
    for name in names:
        for path in (folder / name, folder / f"{name}.tmp"):
            if path.is_file() and path.resolve().is_relative_to(folder.resolve()):
                path.unlink()


def changed_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return each setting that differs between two states, with a sentence that says how."""
    return _changed(old["config"], new["config"])


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    found = {}
    for key in sorted({*old, *new}):
        there, here = old.get(key), new.get(key)
        if isinstance(there, Mapping) and isinstance(here, Mapping):
            if parts := _changed(there, here):
                found[key] = "; ".join(f"{key}.{part}" for part in parts.values())
        elif there != here:
            there, here = (json.dumps(each, ensure_ascii=False) for each in (there, here))
            found[key] = f"{key} was {there} and is now {here}"
    return found


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Name the documents and versions that differ between two states; a run goes on only over the same ones."""
    found = [*_changed(old["packages"], new["packages"]).values()]
    if old["kgsynth"] != new["kgsynth"]:
        found.append(f"kgsynth was {old['kgsynth']} and is now {new['kgsynth']}")
    before, now = old["inputs"], new["inputs"]
    for verb, names in (
        ("changed", [name for name in now if name in before and now[name] != before[name]]),
        ("were added", [name for name in now if name not in before]),
        ("were removed", [name for name in before if name not in now]),
    ):
        if names:
            found.append(f"documents {verb} ({abbreviate(sorted(names))})")
    return found


def abbreviate(names: Sequence[str]) -> str:
    """Return the first three names, and the number of the others.

    Example:
        >>> abbreviate(["a", "b", "c", "d", "e"])
        'a, b, c and 2 more'
    """
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def pretty_json(value: object) -> str:
    """Return indented JSON with sorted keys: the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


# Results by key in one append-only file that a kill at any moment leaves readable.
#
# A line is ``["key",value,"checksum"]``. When the file is opened, an incomplete last line, which a kill can leave, is
# removed, and so is a damaged line with all that follow it: what they held is computed again.

_ENDING_BYTES = 13


class Journal:
    """An append-only file of JSON values by key; opening it again gives back every complete line.

    Only the keys and the offsets of their values are in memory.

    Example:
        >>> from tempfile import mkdtemp
        >>> journal = Journal(Path(mkdtemp()) / "answers.part.jsonl")
        >>> journal.append("q-1", '{"answer":"Ada"}')
        >>> "q-1" in journal, journal["q-1"]
        (True, '{"answer":"Ada"}')
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[int, int]] = {}
        with naming(path):
            self._file = path.open("a+b", buffering=0)
            self._end = self._read_places()
            self._file.truncate(self._end)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __getitem__(self, key: str) -> str:
        start, length = self._places[key]
        self._file.seek(start)
        return self._file.read(length).decode()

    def keys(self) -> KeysView[str]:
        """Return the keys, in the order in which they were first added."""
        return self._places.keys()

    def append(self, key: str, value: str) -> None:
        """Add a value, which is one line of JSON; a later value of a key replaces the earlier one."""
        head = f"[{json.dumps(key)},".encode()
        body = value.encode()
        line = memoryview(head + body + _ending(head + body))
        written = 0
        try:
            with naming(self.path):
                while written < len(line):
                    written += self._file.write(line[written:])
        finally:  # ask the file, not ``written``: an interrupt may have come before the last write was counted
            if self.path.stat().st_size < self._end + len(line):
                self._file.truncate(self._end)
        self._places[key] = (self._end + len(head), len(body))
        self._end += len(line)

    def close(self) -> None:
        """Close the file; its content stays."""
        self._file.close()

    def _read_places(self) -> int:
        """Find every complete line, and return the offset where the last one ends."""
        end = 0
        with self.path.open("rb") as file:
            for line in file:
                if not line.startswith(b'["') or line[-_ENDING_BYTES:] != _ending(line[:-_ENDING_BYTES]):
                    break
                try:  # keys are written in ASCII, so an offset in the Latin-1 text is the offset in the bytes
                    key, stop = value_at(line.decode("latin-1"), 1)
                except JsonError:
                    break
                self._places[key] = (end + stop + 1, len(line) - stop - 1 - _ENDING_BYTES)
                end += len(line)
        return end


def _ending(line: bytes) -> bytes:
    """Return what ends a line: its checksum (CRC-32), and the bracket."""
    return b',"%08x"]\n' % zlib.crc32(line)


# Which state a run begins with: a new one, that of the run in its folder, or that without what is stale.


class CarriedFiles(NamedTuple):
    """The names of the files that were written to a folder before a run goes on in it, and what else changed there.

    The ``complete`` files are still called NAME.tmp: they replace older ones only when the state of the new run is
    written, so that a run that is killed before has the files of its old state.
    """

    complete: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Check whether anything was written."""
        return bool(self.complete or self.journals)


Continue = Callable[[Path, Mapping[str, Any], Mapping[str, Any]], CarriedFiles]
"""What ``RunFolder.open`` calls with a folder, the state of the run in it, and the new state."""


def begin_or_resume(
    folder: Path,
    new: dict[str, Any],
    fresh: bool,
    settings_of: Mapping[str, Collection[str]] | None,
    continue_with: Continue | None,
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the state to continue with, new or from the run in the folder, and the settings that changed.

    Raises:
        InputError: the folder contains another run, and ``fresh`` is not set.
    """
    old = read_state(folder)
    if old is None:
        return new, ()
    put_in_place(folder, old)
    if old["command"] != new["command"]:
        raise InputError(
            f"{folder} contains a {old['command']} run, not a {new['command']} run; give another output folder"
        )
    if fresh:
        remove_files(folder, old["files"])
        return new, ()
    changes = changed_settings(old, new)
    comparable = {**old, "inputs": new["inputs"]} if continue_with else old
    if found := [*(changes.values() if settings_of is None else ()), *differences(comparable, new)]:
        raise InputError(
            f"{folder} contains another run: {', '.join(found)}; add --fresh to start over, or give another folder"
        )
    written = continue_with(folder, old, new) if continue_with else CarriedFiles()
    if not changes and not written and old["inputs"] == new["inputs"]:
        return old, ()
    return _continued(folder, old, new, changes, settings_of or {}, written), (
        *changes.values(),
        *written.changes,
    )


def put_in_place(folder: Path, state: Mapping[str, Any]) -> None:
    """Let the files that were written for a state (NAME.tmp) replace the older ones, also after a kill."""
    for name, sum_ in state["done"].items():
        temporary = folder / f"{name}.tmp"
        if temporary.is_file() and checksum(temporary) == sum_:
            temporary.replace(folder / name)


def _continued(
    folder: Path,
    old: dict[str, Any],
    new: dict[str, Any],
    changes: Collection[str],
    settings_of: Mapping[str, Collection[str]],
    written: CarriedFiles,
) -> dict[str, Any]:
    """Return the state of a run with other settings or documents, without the files that are stale."""
    other_documents = old["inputs"] != new["inputs"]

    def is_stale(file: str) -> bool:
        settings = settings_of.get(file.partition(".")[0])
        return settings is None or bool(set(changes) & set(settings)) or (other_documents and bool(settings))

    stale = (name for name in old["files"] if ".part" in name and is_stale(name) and name not in written.journals)
    remove_files(folder, stale)
    done = {name: sum_ for name, sum_ in old["done"].items() if not is_stale(name)}
    done |= {name: checksum(folder / f"{name}.tmp") for name in written.complete}
    files = sorted({*old["files"], *written.complete, *written.journals})
    return {**old, "config": new["config"], "inputs": new["inputs"], "done": done, "files": files}


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
        return read_array(self.folder / f"{name}.npy")

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
