"""Where models are found: a folder, a package that contains it, the download; and the errors."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from kgsynth.base.errors import InputError, SystemUnreachableError
from kgsynth.models import local_models as models


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the import path for packages that must never be imported."""
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def package(site: Path, name: str, **files: str) -> Path:
    folder = site / name
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    for path, text in files.items():
        file = folder / path.replace("__", "/").replace("_json", ".json")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_a_folder_is_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"lang": "en", "name": "own", "version": "1.2"}')
    (tmp_path / "modules.json").write_text("[]")
    assert models.resolve_spacy(str(tmp_path)) == tmp_path
    assert models.resolve_embedding(str(tmp_path)) == str(tmp_path)
    assert models.spacy_version(str(tmp_path)) == "en_own 1.2"


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no spaCy model: meta\.json is missing"):
        models.resolve_spacy(str(tmp_path))


def test_an_installed_spacy_model_is_found_without_importing_it(site: Path) -> None:
    package(site, "xx_made_up", meta_json='{"lang": "xx", "name": "made_up", "version": "0.1"}')
    assert models.resolve_spacy("xx_made_up") == "xx_made_up"
    assert models.spacy_version("xx_made_up") == "xx_made_up 0.1"
    assert "xx_made_up" not in sys.modules


def test_a_model_is_found_in_the_package_that_contains_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(site, "xx_carrier", **{"xx_made_up-0.1__meta_json": "{}", "model__config_json": "{}"})
    monkeypatch.setitem(models.SPACY_PACKAGES, "xx_made_up2", "xx_carrier")
    monkeypatch.setitem(models.EMBEDDING_PACKAGES, "made-up", "xx_carrier")
    assert models.resolve_spacy("xx_made_up2") == folder / "xx_made_up-0.1"
    assert models.resolve_embedding("made-up") == str(folder / "model")
    assert models.resolve_embedding("sentence-transformers/made-up") == str(folder / "model")
    assert "xx_carrier" not in sys.modules


def test_an_unknown_embedding_model_is_left_to_the_library() -> None:
    assert models.resolve_embedding("someone/some-model") == "someone/some-model"


def test_the_error_of_a_failed_spacy_download_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []

    def failing(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 1, "", "trace\nno route to host\n")

    monkeypatch.setattr(subprocess, "run", failing)
    with pytest.raises(SystemUnreachableError, match=r"'xx_absent'.*\(no route to host\).*kgsynth\[offline\]"):
        models.resolve_spacy("xx_absent")
    assert commands == [[sys.executable, "-m", "spacy", "download", "xx_absent"]]


def test_a_download_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(command: list[str], **_: object) -> None:
        raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(SystemUnreachableError, match="TimeoutExpired"):
        models.resolve_spacy("xx_absent")


def test_the_hash_is_of_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    assert models.weights_sha256(str(tmp_path)) == hashlib.sha256(b"weights").hexdigest()


def test_other_weights_of_a_known_model_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"tampered")
    with pytest.raises(InputError, match=r"sha256 .*53aa51172d14.*install the model again"):
        models.check_weights("all-MiniLM-L6-v2", str(tmp_path))
    assert models.check_weights("a model nobody knows", str(tmp_path))
