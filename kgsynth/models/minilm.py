"""The default model by torch alone, since transformers and sentence_transformers take five seconds to import.

all-MiniLM-L6-v2 is a BERT (Devlin et al. 2019) whose vector is the mean of those of the tokens. The operations are
those of transformers and sentence_transformers in their order, so every vector is theirs to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.json_reading import parse_json

if TYPE_CHECKING:
    from torch import Tensor

_LIMITS = "sentence_bert_config"
_NOT_DIVIDED_BY_ZERO = 1e-12


class MiniLM:
    """The model in a folder, with the names of a SentenceTransformer: ``preprocess``, ``forward``, ``tokenizer``."""

    def __init__(self, folder: Path) -> None:
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        config, limits = (parse_json((folder / f"{name}.json").read_bytes()) for name in ("config", _LIMITS))
        self.max_seq_length = int(limits["max_seq_length"])
        self._layers, self._heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])
        self._weights = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(self.max_seq_length)
        self._tokenizer.no_padding()

    @property
    def all_special_ids(self) -> list[int]:
        """The numbers of the tokens that stand for no text."""
        added = self._tokenizer.get_added_tokens_decoder()
        return sorted(number for number, token in added.items() if token.special)

    def preprocess(self, texts: Sequence[str]) -> dict[str, Tensor]:
        """Return the numbers of the tokens of texts that have equally many: ``input_ids``, shape (texts, tokens)."""
        import torch

        return {"input_ids": torch.tensor([each.ids for each in self._tokenizer.encode_batch(list(texts))])}

    def forward(self, features: dict[str, Any]) -> dict[str, Tensor]:
        """Return ``token_embeddings``, shape (texts, tokens, dimension), and ``sentence_embedding``, of length 1."""
        from torch.nn.functional import normalize

        tokens = self._tokens(features["input_ids"])
        mean = tokens.sum(1) / tokens.shape[1]
        return {"token_embeddings": tokens, "sentence_embedding": normalize(mean, dim=1, eps=_NOT_DIVIDED_BY_ZERO)}

    def _tokens(self, ids: Tensor) -> Tensor:
        words, kinds, places = (
            self._weights[f"embeddings.{name}_embeddings.weight"] for name in ("word", "token_type", "position")
        )
        found = self._normed(words[ids] + kinds[0] + places[: ids.shape[1]], "embeddings")
        for layer in range(self._layers):
            found = self._after(found, f"encoder.layer.{layer}")
        return found

    def _after(self, before: Tensor, layer: str) -> Tensor:
        """Return what a layer makes of the vectors of tokens."""
        from torch.nn.functional import gelu, scaled_dot_product_attention

        def by_head(name: str) -> Tensor:
            whole = self._linear(before, f"{layer}.attention.self.{name}")
            return whole.view(*before.shape[:2], self._heads, -1).transpose(1, 2)

        by_heads = scaled_dot_product_attention(by_head("query"), by_head("key"), by_head("value"))
        seen = by_heads.transpose(1, 2).reshape(before.shape)
        name = f"{layer}.attention.output"
        between = self._normed(self._linear(seen, f"{name}.dense") + before, name)
        inner = gelu(self._linear(between, f"{layer}.intermediate.dense"))
        return self._normed(self._linear(inner, f"{layer}.output.dense") + between, f"{layer}.output")

    def _linear(self, before: Tensor, name: str) -> Tensor:
        from torch.nn.functional import linear

        return linear(before, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normed(self, before: Tensor, name: str) -> Tensor:
        from torch.nn.functional import layer_norm

        weight, bias = (self._weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return layer_norm(before, before.shape[-1:], weight, bias, self._epsilon)
