"""A cache of embeddings for all commands and folders: what a text's vector is under one model, to the last bit.

It is one SQLite file in ``KGSYNTH_CACHE``, otherwise in the user's cache folder; ``KGSYNTH_CACHE=off`` turns it off. It
only saves time: a vector that is missing or damaged is computed again, a damaged file is replaced, and one that cannot
be used is ignored.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kgsynth.base.database import Database, used_bytes
from kgsynth.base.errors import DamagedDatabaseError, InputError

MAX_CACHE_BYTES = 512 * 2**20
"""The size at which vectors are deleted, those first that were not used for the longest time; a vector has 1.5 kB."""

_KEPT_SHARE = 0.8  # of the vectors, when some are deleted, so that it does not happen at every call
_FILE = "vectors-1.sqlite"  # the number is the version of the schema
_KIND = 0x6B677663
_SCHEMA = (
    "CREATE TABLE vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE INDEX by_use ON vectors (used)",
)
_KEYS_PER_QUERY = 500
_SECONDS_PER_USE = 3600  # a use is recorded once in this time, so that reading rarely writes
_CHECKSUM_BYTES = 4

Vector = NDArray[np.float32]


def cache_folder() -> Path | None:
    """Return the folder of the cache, None if it is turned off or there is no home folder."""
    given = os.environ.get("KGSYNTH_CACHE", "")
    if given:
        return None if given.lower() == "off" else Path(given)
    base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", "")
    if Path(base).is_absolute():
        return Path(base) / "kgsynth"
    try:
        return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "kgsynth"
    except RuntimeError:
        return None


class VectorCache:
    """The vectors in ``folder``, by text and by ``identity`` of the model; ``clock`` gives the time in seconds.

    Example:
        >>> import tempfile
        >>> folder = tempfile.TemporaryDirectory()
        >>> cache = VectorCache(Path(folder.name))
        >>> cache.put("model", ["Ada"], np.array([[0.6, 0.8]], np.float32))
        >>> {text: vector.tolist() for text, vector in cache.get("model", ["Ada", "Bo"], 2).items()}
        {'Ada': [0.6000000238418579, 0.800000011920929]}
        >>> cache.clear(), len(cache)
        (None, 0)
        >>> folder.cleanup()
    """

    def __init__(self, folder: Path, max_bytes: int = MAX_CACHE_BYTES, clock: Callable[[], float] = time.time) -> None:
        self.path = folder / _FILE
        self.max_bytes = max_bytes
        self._clock = clock
        self._database = Database(self.path, _SCHEMA, _KIND, wal=True)

    def get(self, identity: str, texts: Iterable[str], dimension: int) -> dict[str, Vector]:
        """Return the vectors of the texts that the cache has; they have shape (dimension,)."""
        keys = {_key(identity, text): text for text in texts}
        found: dict[str, Vector] = {}
        old: list[bytes] = []
        now = int(self._clock())
        with self._usable():
            with self._database.snapshot() as connection:
                wanted = list(keys)
                for some in (wanted[at : at + _KEYS_PER_QUERY] for at in range(0, len(wanted), _KEYS_PER_QUERY)):
                    marks = ",".join("?" * len(some))
                    query = f"SELECT key, vector, used FROM vectors WHERE key IN ({marks})"
                    for key, stored, used in connection.execute(query, some):
                        content = _unpacked(stored)
                        if content is not None and len(content) == 4 * dimension:
                            found[keys[key]] = np.frombuffer(content, "<f4").astype(np.float32)
                            old += [key] if used <= now - _SECONDS_PER_USE else []
            if old:
                with self._database.transaction() as connection:
                    connection.executemany("UPDATE vectors SET used = ? WHERE key = ?", [(now, key) for key in old])
        return found

    def put(self, identity: str, texts: Sequence[str], vectors: Vector) -> None:
        """Add the vectors of texts, shape (texts, dimension); delete old ones if the cache has become too large."""
        now = int(self._clock())
        contents = (np.ascontiguousarray(row, "<f4").tobytes() for row in vectors)
        rows = [(_key(identity, text), _packed(each), now) for text, each in zip(texts, contents, strict=True)]
        with self._usable(), self._database.transaction() as connection:
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            if used_bytes(connection) > self.max_bytes:
                (count,) = connection.execute("SELECT count(*) FROM vectors").fetchone()
                kept = int(count * _KEPT_SHARE * self.max_bytes / used_bytes(connection))
                oldest = "SELECT key FROM vectors ORDER BY used, key LIMIT ?"
                connection.execute(f"DELETE FROM vectors WHERE key IN ({oldest})", (count - kept,))

    def recall(self, name: str) -> bytes | None:
        """Return the content that was remembered by a name, None if there is none."""
        with self._usable(), self._database.snapshot() as connection:
            row = connection.execute("SELECT vector FROM vectors WHERE key = ?", (_key("", name),)).fetchone()
            return _unpacked(row[0]) if row else None
        return None

    def remember(self, name: str, content: bytes) -> None:
        """Keep a short content by a name, as long as vectors are kept."""
        row = (_key("", name), _packed(content), int(self._clock()))
        with self._usable(), self._database.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", row)

    def __len__(self) -> int:
        """Return the number of vectors."""
        with self._usable(), self._database.snapshot() as connection:
            return int(connection.execute("SELECT count(*) FROM vectors").fetchone()[0])
        return 0

    def size(self) -> int:
        """Return the size of the files in bytes."""
        return sum(path.stat().st_size for path in self._files() if path.is_file())

    def clear(self) -> None:
        """Delete the files; another process that has them open goes on with what it has.

        Raises:
            OSError: a file cannot be deleted.
        """
        self._database.close()
        for path in self._files():
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return [self.path.with_name(self.path.name + end) for end in ("", "-wal", "-shm")]

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Replace a damaged file, and go on without one that cannot be used."""
        try:
            yield
        except DamagedDatabaseError:
            with suppress(OSError):
                self.clear()
        except (InputError, OSError):
            self._database.close()


def open_cache() -> VectorCache | None:
    """Return the cache of this user, None if it is turned off."""
    folder = cache_folder()
    return VectorCache(folder) if folder else None


def identity_of(signature: str, max_tokens: int, versions: Mapping[str, str | None], probe: Vector) -> str:
    """Return what the vectors of a model depend on besides the text, as a hash.

    ``probe`` is the vector of a fixed text: it differs if anything else does, such as the processor or the tokenizer.
    """
    parts = [signature, str(max_tokens), *(f"{name}={version}" for name, version in sorted(versions.items()))]
    return hashlib.sha256("\0".join(parts).encode() + np.ascontiguousarray(probe, "<f4").tobytes()).hexdigest()


def _key(identity: str, text: str) -> bytes:
    return hashlib.sha256(f"{identity}\0{text}".encode("utf-8", "surrogatepass")).digest()


def _packed(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "big") + content


def _unpacked(stored: object) -> bytes | None:
    """Return a stored content, None if it is damaged."""
    if not isinstance(stored, bytes):
        return None
    checksum, content = stored[:_CHECKSUM_BYTES], stored[_CHECKSUM_BYTES:]
    return content if zlib.crc32(content).to_bytes(_CHECKSUM_BYTES, "big") == checksum else None
