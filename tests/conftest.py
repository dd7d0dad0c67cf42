"""What several test files share and is slow to make: a small corpus, and one undisturbed run over it."""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browsing import browser  # noqa: F401
from doubles import HashingEncoder
from hypothesis import HealthCheck, settings
from llama_server import llama_server

from kgsynth.base.config import Config
from kgsynth.base.thresholds import LIMITS

if TYPE_CHECKING:
    from llm_runs import Prepared

# No deadline: the first example loads tables, and a busy machine is no fault.
settings.register_profile("usual", deadline=None, derandomize=True)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("EXAMPLES", "300")),
    print_blob=True,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("usual")

HANDBOOK = Path(__file__).parent.parent / "corpora" / "handbook"


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A cache of embeddings for the tests, which do not touch the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGSYNTH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Hashed vectors in place of the embedding model, where what they are does not matter."""
    for module, name in (("kgsynth.models.encoder", "load_encoder"), ("kgsynth.auditing.resources", "_encoder")):
        monkeypatch.setattr(importlib.import_module(module), name, lambda name="": HashingEncoder())
    yield


@pytest.fixture
def move(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, float], None]:
    """``move("limit", 3)`` sets a limit to another value until the end of the test."""

    def to(limit: str, value: float) -> None:
        assert getattr(LIMITS, limit) != value, f"{limit} is {value} already"
        monkeypatch.setattr(LIMITS, limit, value)

    return to


@pytest.fixture(scope="session")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixteen documents of prose, or a few more: enough to be parsed by two processes when these are allowed."""
    folder = tmp_path_factory.mktemp("corpus") / "docs"
    for part in ("people", "products"):
        shutil.copytree(HANDBOOK / part, folder / part)
    for page in ("index.md", "about/glossary.md"):
        shutil.copy(HANDBOOK / page, folder)
    assert sum(path.is_file() for path in folder.rglob("*.*")) >= 16
    return folder


@pytest.fixture(scope="session")
def undisturbed(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of 12 questions over ``docs`` with hashed vectors; not to be changed."""
    out = tmp_path_factory.mktemp("runs") / "undisturbed"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            importlib.import_module("kgsynth.models.encoder"), "load_encoder", lambda name="": HashingEncoder()
        )
        config = Config(n=12, processes=1, fill=True)
        importlib.import_module("kgsynth.generation.flow").generate(docs, out, config=config)
    return out


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A run over a few documents with the real models, up to where a language model is asked; not to be changed."""
    from llm_runs import prepare

    return prepare(tmp_path_factory.mktemp("prepared"))


@pytest.fixture(scope="session")
def gemma() -> Iterator[str]:
    """The URL of a server with a real language model, one so small that it talks nonsense; for tests marked llm."""
    pytest.importorskip("xllamacpp", reason="`make test-llm` installs it")
    with llama_server("gemma") as url:
        yield url
