"""The lock of a run folder: one process at a time works in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from kgsynth.base.errors import InputError

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
