"""Questions beside one another, and beside their answers: duplicates and questions that give themselves away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from kgsynth.dataset import Dataset
from kgsynth.language import LANGUAGES, language
from kgsynth.language.words import words
from kgsynth.records import Document, Finding, Item

NEAR = 0.8
"""The Jaccard similarity of two questions' word pairs from which on they are near duplicates."""

_KEEP_ONE = "keep the better of the two"
_YES_NO = frozenset({"yes", "no", "true", "false", "是", "否"})


def duplicates(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items that ask, word for word, what an earlier one asks."""
    first: dict[tuple[str, ...], Item] = {}
    for item in dataset:
        if not words(item.question):
            continue
        earlier = first.setdefault(tuple(words(item.question)), item)
        if earlier is not item:
            same = (
                set(earlier.golden_answers) & set(item.golden_answers) or earlier.golden_answers == item.golden_answers
            )
            message = f"asks the same as {earlier.id}{'' if same else ' and has another answer'}: {item.question!r}"
            yield Finding("duplicate", "error", item.id, message, _KEEP_ONE)


def near_duplicates(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items whose word pairs are nearly those of an earlier one (MinHash LSH, then the exact Jaccard)."""
    from datasketch import MinHash, MinHashLSH

    index = MinHashLSH(threshold=NEAR, num_perm=128)
    held: dict[str, tuple[tuple[str, ...], frozenset[str]]] = {}
    for item in dataset:
        tokens = tuple(words(item.question))
        pairs = frozenset(" ".join(tokens[n : n + 2]) for n in range(max(1, len(tokens) - 1)))
        signature = MinHash(num_perm=128, seed=1)
        signature.update_batch([pair.encode("utf-8", "surrogatepass") for pair in sorted(pairs)])
        alike = [
            (len(pairs & other) / len(pairs | other), earlier)
            for earlier, (theirs, other) in ((key, held[key]) for key in sorted(index.query(signature)))
            if theirs != tokens
        ]
        share, earlier = max(alike, key=lambda pair: pair[0], default=(0.0, ""))
        if share >= NEAR:
            message = f"{item.question!r} is like {dataset[earlier].question!r} of {earlier} ({share:.2f})"
            yield Finding("near_duplicate", "warning", item.id, message, _KEEP_ONE)
        index.insert(item.id, signature)
        held[item.id] = tokens, pairs


def leaking(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield the items whose question holds every content word of the golden answer; comparisons name their answers."""
    for item in dataset:
        if not item.golden_answers or item.subtype.endswith(("comparison", "temporal_order")):
            continue
        answer = _content(item.golden_answers[0], item.language)
        question = _content(item.question, item.language)
        if answer and set(answer) <= set(question) and not _YES_NO & set(words(item.golden_answers[0])):
            message = f"{item.question!r} holds its answer {item.golden_answers[0]!r}"
            yield Finding("leaking", "warning", item.id, message, "ask without the words of the answer")


def _content(text: str, code: str) -> list[str]:
    """Return the content words of a text; for a language without a reader every word, and every pair of characters."""
    if code in LANGUAGES:
        return language(code).content(text)
    tokens = words(text)
    return [a + b for a, b in pairwise(tokens)] or tokens
