"""The encoder: a text always has the same unit vector, and a local copy needs no network."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from doubles import HashingEncoder, local
from numpy.typing import NDArray

from kgsynth.base.errors import InputError, SystemUnreachableError
from kgsynth.models import torch_encoder as module
from kgsynth.models.encoder import Encoder, load_encoder
from kgsynth.models.vector_cache import VectorCache


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    """The default model; no vector comes from the cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KGSYNTH_CACHE", "off")
        return load_encoder()


def sentences(count: int) -> list[str]:
    rng = random.Random(7)
    words = "the cache holds a key until its lease ends and another node asks for it in vain".split()
    return [" ".join(rng.choices(words, k=rng.randint(1, 30))) for _ in range(count)]


@local
def test_no_texts_give_an_array_of_the_right_width(encoder: Encoder) -> None:
    vectors = encoder.encode([])
    assert vectors.shape == (0, 384)
    assert vectors.dtype == np.float32


@local
def test_vectors_from_the_cache_are_the_same_to_the_last_bit_and_computed_once(
    encoder: Encoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["a lease ends", "", "a node asks", "a lease ends", "word " * 600]
    without = encoder.encode(texts)
    monkeypatch.setattr(encoder, "_cache", VectorCache(tmp_path))
    ticks: list[int] = []
    first = encoder.encode(texts[:3], progress=ticks.append)
    some = encoder.encode(texts, progress=ticks.append)
    assert sum(ticks) == 3 + 5 and len(VectorCache(tmp_path)) == 4
    assert (first.tobytes(), some.tobytes()) == (without[:3].tobytes(), without.tobytes())

    def refuse(*_: object) -> NDArray[np.float32]:
        raise AssertionError("it is computed again")

    monkeypatch.setattr(module.TorchEncoder, "_compute", refuse)
    again = encoder.encode(texts)
    assert (again.tobytes(), again.dtype, again.shape) == (without.tobytes(), without.dtype, without.shape)
    assert encoder.encode(texts[:1]).tobytes() == without[:1].tobytes()
    with pytest.raises(AssertionError, match="computed again"):
        encoder.encode_questions(texts[:1])  # its time is measured by score


@local
def test_the_model_is_loaded_only_to_compute_a_vector(tmp_path: Path) -> None:
    """What is known of the model is in the cache too, by its files, this machine and the versions of the libraries."""
    start = "import sys\nfrom kgsynth.models.encoder import load_encoder\nencoder = load_encoder()\n"
    end = "print('loaded', len(encoder.encode(texts)), encoder.dimension, encoder.max_tokens, 'torch' in sys.modules)"
    environment = os.environ | {"KGSYNTH_CACHE": str(tmp_path)}

    def loaded(texts: list[str]) -> str:
        code = f"{start}texts = {texts}\n{end}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
        return done.stdout.strip()

    assert loaded(["a key", "a lease"]) == "loaded 2 384 256 True"
    assert loaded(["a lease", "a key"]) == "loaded 2 384 256 False"
    assert loaded(["a key", "a door"]) == "loaded 2 384 256 True", "the new text is computed"
    with sqlite3.connect(next(tmp_path.glob("*.sqlite"))) as connection:
        connection.execute("DELETE FROM vectors WHERE length(vector) < 4 * 384")
    assert loaded(["a key", "a door"]) == "loaded 2 384 256 True", "nothing is known of the model"


@local
def test_other_files_of_a_model_are_another_model(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "modules.json").write_text("[]")
    before = module.known_key("name", tmp_path, "sha")
    assert before == module.known_key("name", tmp_path, "sha") != module.known_key("name", tmp_path, "other")
    (tmp_path / "vocab.txt").write_text("a")
    assert module.known_key("name", tmp_path, "sha") != before


@local
def test_rows_have_length_one_even_for_an_empty_text(encoder: Encoder) -> None:
    vectors = encoder.encode(["", " ", "a key", "word " * 2000])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


@local
def test_the_vector_of_a_text_does_not_depend_on_the_other_texts(encoder: Encoder) -> None:
    texts = sentences(60)
    order = list(range(60))
    random.Random(1).shuffle(order)
    together = encoder.encode(texts)
    assert np.array_equal(encoder.encode([texts[i] for i in order]), together[order])
    assert np.array_equal(encoder.encode(texts[:7]), together[:7])
    assert np.array_equal(encoder.encode(texts, batch=3), together)
    assert np.array_equal(np.concatenate([encoder.encode([text]) for text in texts[:20]]), together[:20])


@local
def test_how_many_texts_are_tokenized_together_changes_nothing(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = sentences(23)
    whole = encoder.encode(texts)
    monkeypatch.setattr(module, "MAX_TEXTS_AT_ONCE", 5)
    assert np.array_equal(encoder.encode(texts), whole)


@local
def test_the_vectors_agree_with_those_of_sentence_transformers(encoder: Encoder) -> None:
    texts = [*sentences(20), "word " * 400]
    theirs = encoder._model.encode(texts, batch_size=8, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(encoder.encode(texts) - theirs).max() < 1e-6


@local
def test_similar_texts_have_similar_vectors(encoder: Encoder) -> None:
    query, near, far = encoder.encode(["How do I reset my password?", "Recovering a lost login", "The cat sat down."])
    assert query @ near > query @ far + 0.2


@local
def test_progress_adds_up_and_the_number_of_threads_is_restored(encoder: Encoder) -> None:
    import torch

    before = torch.get_num_threads()
    seen: list[int] = []
    encoder.encode(sentences(30), batch=4, progress=seen.append)
    assert sum(seen) == 30
    assert max(seen) <= 4
    assert torch.get_num_threads() == before


@local
def test_the_signature_names_model_weights_and_dimension(encoder: Encoder) -> None:
    assert encoder.signature == "all-MiniLM-L6-v2|sha256:53aa51172d14|dim:384"
    assert encoder.max_tokens == 256


@local
def test_loading_a_local_copy_uses_no_network_and_prints_nothing() -> None:
    script = """
        import socket
        def refuse(*args, **kwargs):
            raise SystemExit("the network was tried")
        socket.socket.connect = refuse
        socket.getaddrinfo = refuse
        from kgsynth.models.encoder import load_encoder
        assert load_encoder().encode(["a"]).shape == (1, 384)
    """
    environment = {name: value for name, value in os.environ.items() if name != "HF_HUB_OFFLINE"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=environment, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_error_of_an_unavailable_model_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sentence_transformers

    def unreachable(name: str, **_: object) -> None:
        raise OSError("We couldn't connect to the hub\nand more")

    monkeypatch.setattr(sentence_transformers, "SentenceTransformer", unreachable)
    with pytest.raises(
        SystemUnreachableError, match=r"'no-such-model'.*couldn't connect.*kgsynth\[offline\]"
    ) as caught:
        load_encoder("no-such-model")
    assert "\n" not in str(caught.value)


def test_a_folder_without_a_model_is_named(tmp_path: object) -> None:
    with pytest.raises(InputError, match=r"contains no sentence-transformers model.*modules\.json"):
        load_encoder(str(tmp_path))


def test_the_encoder_for_tests_is_deterministic_and_distinguishes_words() -> None:
    double = HashingEncoder()
    one, same, other = double.encode(["Red fox runs", "fox red RUNS", "blue whale dives"])
    assert np.array_equal(one, same)
    assert abs(float(one @ other)) < 0.5
    assert double.encode([]).shape == (0, 256)
    assert np.allclose(np.linalg.norm(double.encode(["", "a b"]), axis=1), 1)
