"""The cache of embeddings: it changes no vector, several processes use it, and damage costs only time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from kgsynth.cli import main
from kgsynth.models.vector_cache import VectorCache, cache_folder, identity_of, open_cache

TEXTS = [f"text {n}" for n in range(6)]
ROWS = np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)


@pytest.fixture
def cache(tmp_path: Path) -> VectorCache:
    """A cache with six vectors of eight numbers."""
    made = VectorCache(tmp_path / "cache")
    made.put("model", TEXTS, ROWS)
    return made


def found(cache: VectorCache, identity: str = "model", dimension: int = 8) -> list[str]:
    """The texts that the cache has; their vectors are those that were put there, to the last bit."""
    vectors = cache.get(identity, TEXTS, dimension)
    assert all(vector.tobytes() == ROWS[TEXTS.index(text)].tobytes() for text, vector in vectors.items())
    return sorted(vectors)


def test_the_model_and_the_dimension_are_part_of_the_key(cache: VectorCache) -> None:
    assert found(cache) == TEXTS
    assert found(cache, "another model") == [] == found(cache, dimension=9)
    probe = ROWS[0]
    same = identity_of("m", 256, {"torch": "2"}, probe)
    assert same == identity_of("m", 256, {"torch": "2"}, probe.copy())
    others = [("n", 256, "2", probe), ("m", 128, "2", probe), ("m", 256, "3", probe), ("m", 256, "2", ROWS[1])]
    assert len({identity_of(name, most, {"torch": version}, row) for name, most, version, row in others} - {same}) == 4


def test_a_damaged_vector_is_computed_again(cache: VectorCache) -> None:
    with sqlite3.connect(cache.path) as connection:
        (key, stored) = connection.execute("SELECT key, vector FROM vectors").fetchone()
        flipped = stored[:9] + bytes([stored[9] ^ 1]) + stored[10:]
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", (flipped, key))
    left = found(cache)
    assert len(left) == 5
    cache.put("model", TEXTS, ROWS)
    assert found(cache) == TEXTS


@pytest.mark.parametrize("content", [b"not a database" * 99, b"SQLite format 3\0" + b"x" * 5000, b""])
def test_a_damaged_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    cache = VectorCache(tmp_path)
    cache.path.write_bytes(content)
    assert found(cache) == []
    cache.put("model", TEXTS, ROWS)
    assert found(cache) == TEXTS


def test_a_database_of_another_kind_is_replaced(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path)
    with sqlite3.connect(cache.path) as connection:
        connection.execute("CREATE TABLE other (name TEXT)")
    assert found(cache) == []
    cache.put("model", TEXTS, ROWS)
    assert found(cache) == TEXTS


def test_a_folder_that_cannot_be_used_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = VectorCache(tmp_path / "file" / "below")
    cache.put("model", TEXTS, ROWS)
    assert found(cache) == [] and len(cache) == 0


def test_the_vectors_not_used_for_the_longest_time_are_deleted(tmp_path: Path) -> None:
    now = [0.0]
    cache = VectorCache(tmp_path, max_bytes=300_000, clock=lambda: now[0])
    rows = np.ones((20, 384), np.float32)
    for hour in range(30):
        now[0] = hour * 7200.0
        cache.put("model", [f"{hour} {n}" for n in range(20)], rows)
        assert len(cache.get("model", ["0 0", "0 1"], 384)) == 2, "they are used all the time"
    kept = [hour for hour in range(30) if cache.get("model", [f"{hour} 5"], 384)]
    assert kept == list(range(kept[0], 30)) and 3 <= len(kept) <= 10, "about 190 vectors fit"
    assert cache.size() < 2 * 300_000 + 4_200_000, "a write-ahead log of up to 4 MB beside it"


_WRITE = """
import sys
import numpy as np
from pathlib import Path
from kgsynth.models.vector_cache import VectorCache
cache, name = VectorCache(Path(sys.argv[1])), sys.argv[2]
for n in range(60):
    cache.put("model", [f"{name} {n}", f"both {n}"], np.full((2, 8), n, np.float32))
    assert cache.get("model", [f"{name} {n}"], 8)
"""


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _WRITE, str(tmp_path)]
    started = [subprocess.Popen([*command, name]) for name in ("one", "two", "three")]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    assert len(VectorCache(tmp_path)) == 4 * 60


def test_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KGSYNTH_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("KGSYNTH_CACHE", "off")
    assert cache_folder() is None and open_cache() is None
    monkeypatch.delenv("KGSYNTH_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "kgsynth"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "kgsynth", "as the XDG specification says"


def test_the_command_shows_and_clears_the_cache(
    cache: VectorCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KGSYNTH_CACHE", str(tmp_path / "cache"))
    shown = CliRunner().invoke(main, ["cache"])
    assert shown.output.startswith(f"{cache.path}: 6 embeddings, 0.") and "of at most 512 MB" in shown.output
    assert CliRunner().invoke(main, ["cache", "--clear"]).output.startswith(f"deleted {cache.path}: 6 embeddings")
    assert not cache.path.exists()
    assert CliRunner().invoke(main, ["cache"]).output.startswith(f"{cache.path}: 0 embeddings, 0.0 MB")
    monkeypatch.setenv("KGSYNTH_CACHE", "off")
    assert CliRunner().invoke(main, ["cache"]).output == "the cache is off\n"
