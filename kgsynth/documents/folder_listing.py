"""Which files of a folder are documents, in a fixed order, together with everything that is skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Skipped
from kgsynth.documents.unsupported import reason_to_skip

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

# Which files of a folder are documents: patterns of the user, .kgsynthignore, and folders of other people's code.
#
# Patterns are those of .gitignore: ``*.md``, ``drafts/``, ``/docs/**/old``, ``!keep.md``.

IGNORE_FILE = ".kgsynthignore"
"""The file in a folder of documents that names what is not to be read."""

LEFT_OUT = "left out: "
"""How the reason begins for a file that the user chose not to read."""

_INSTALLED_FOLDERS = frozenset(
    "node_modules bower_components jspm_packages __pycache__ __pypackages__ venv site-packages dist-packages".split()
)
_LOCK_FILES = frozenset(
    "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json conda-lock.yml deno.lock bun.lock "
    "composer.lock cargo.lock gemfile.lock pipfile.lock poetry.lock uv.lock yarn.lock".split()
)


@dataclass(frozen=True, slots=True)
class FileSelection:
    """The patterns for one folder; None where there are none.

    Example:
        >>> chosen = FileSelection.of(Path("docs"), include=["*.md"], exclude=["drafts/"])
        >>> [chosen.reason_to_skip(path, is_folder=path.endswith("/")) for path in ("a.md", "drafts/", "a.txt")]
        ['', "left out: matches --exclude 'drafts/'", 'left out: matches no --include pattern']
    """

    include: GitIgnoreSpec | None = None
    exclude: GitIgnoreSpec | None = None
    ignored: GitIgnoreSpec | None = None

    @classmethod
    def of(cls, folder: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> FileSelection:
        """Return the selection for ``folder``, with what its .kgsynthignore says.

        Raises:
            ConfigError: a pattern is invalid.
            InputError: .kgsynthignore cannot be read, or has an invalid line.
        """
        path = folder / IGNORE_FILE
        ignored = None
        if path.is_file():
            try:
                ignored = _patterns(path.read_text("utf-8-sig").splitlines())
            except (OSError, ValueError) as error:
                raise InputError(f"{path} cannot be used ({error}): correct it, one pattern on each line") from error
        given: dict[str, GitIgnoreSpec | None] = {}
        for option, patterns in (("--include", include), ("--exclude", exclude)):
            try:
                given[option] = _patterns(patterns) if patterns else None
            except ValueError as error:
                raise ConfigError(f"{option}: {error}; write patterns as in .gitignore, such as '*.md'") from error
        return cls(given["--include"], given["--exclude"], ignored)

    def reason_to_skip(self, path: str, *, is_folder: bool) -> str:
        """Return why a file or folder below the folder is not read, or "" if it is."""
        name = path.rstrip("/").rpartition("/")[2]
        full = f"{path.rstrip('/')}/" if is_folder else path
        for spec, what in ((self.exclude, "--exclude"), (self.ignored, IGNORE_FILE)):
            found = spec.check_file(full) if spec else None
            if spec and found and found.include and found.index is not None:
                return f"{LEFT_OUT}matches {what} {str(spec.patterns[found.index].pattern)!r}"
        if is_folder:
            return f"a folder of installed packages ({name})" if name.lower() in _INSTALLED_FOLDERS else ""
        if name.lower() in _LOCK_FILES:
            return "a lock file, which a program wrote"
        if self.include and not self.include.match_file(full):
            return f"{LEFT_OUT}matches no --include pattern"
        return ""


def _patterns(lines: Sequence[str]) -> GitIgnoreSpec:
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


# List the files of a folder in a fixed order, together with everything that is skipped.
#
# Nothing is skipped in silence: a hidden file or folder, one that is left out, a link that leads outside and a folder
# that cannot be opened each give one record. The contents of a folder that is not entered are not listed.


def list_files(
    folder: Path, include: Sequence[str] = (), exclude: Sequence[str] = ()
) -> list[tuple[str, Path | Skipped]]:
    """Return everything below ``folder``, sorted: its path with forward slashes, and the file or why it is skipped.

    ``include`` and ``exclude`` are patterns, as ``file_selection`` reads them.

    Raises:
        ConfigError: a pattern is invalid.
        InputError: ``folder`` is missing, not a folder, or cannot be listed.
    """
    if not folder.exists():
        raise InputError(f"There is no folder {str(folder)!r}; give the folder that holds the documents.")
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is not a folder; give the folder that holds the file.")
    try:
        with os.scandir(folder):
            pass
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise InputError(f"The folder {str(folder)!r} cannot be read ({reason}); check its permissions.") from error
    selection = FileSelection.of(folder, include, exclude)
    return sorted(_entries(folder, folder.resolve(), "", selection), key=lambda entry: entry[0])


def _entries(folder: Path, root: Path, parent: str, selection: FileSelection) -> Iterator[tuple[str, Path | Skipped]]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder))
    except OSError as error:
        yield parent, Skipped(parent, f"a folder that cannot be opened ({error.strerror})")
        return
    for name in names:
        path = folder / name
        key = f"{parent}/{name}" if parent else name
        try:
            key.encode()
        except UnicodeEncodeError:
            printable = os.fsencode(key).decode(errors="backslashreplace")
            yield printable, Skipped(printable, "its name is not UTF-8")
            continue
        if key == IGNORE_FILE:
            continue
        reason = reason_to_skip(path, root) or selection.reason_to_skip(key, is_folder=path.is_dir())
        if reason:
            yield key, Skipped(key, reason)
        elif path.is_dir():
            yield from _entries(path, root, key, selection)
        else:
            yield key, path
