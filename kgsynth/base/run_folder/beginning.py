"""Which state a run begins with: a new one, that of the run in its folder, or that without what is stale."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder.state import changed_settings, checksum, differences, read_state, remove_files


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
