"""The bench candidates are judged on: the corpus, the thresholds, the questions' vectors, and what was accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from kgsynth.base.config import DEFAULT_THRESHOLDS
from kgsynth.base.records import Item
from kgsynth.evidence.answer_likelihood import Reader
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.words import shingles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PERMUTATIONS = 64  # of a MinHash; the estimate of a Jaccard of 0.8 is good to 0.05
_BLOCK = 64  # questions whose cosines with all chunks are computed in one product


class Bench:
    """What the rules look things up in; it remembers the questions already accepted."""

    def __init__(
        self,
        knowledge: Knowledge,
        encode: Callable[[Sequence[str]], NDArray[np.float32]],
        thresholds: Mapping[str, float] | None = None,
        avoid: Sequence[str] = (),
    ) -> None:
        from datasketch import MinHashLSH

        self.knowledge = knowledge
        self.thresholds = {**DEFAULT_THRESHOLDS, **(thresholds or {})}
        self._encoder = encode
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._places: dict[str, int] = {}
        self._block: dict[str, NDArray[np.float32]] = {}
        self.accepted: list[str] = []
        self._rows: NDArray[np.float32] | None = None
        self._index = MinHashLSH(threshold=self.thresholds["duplicate"], num_perm=_PERMUTATIONS)
        self._signatures: list[Any] = []
        self._readers: dict[str, Reader] = {}
        self.asked: dict[object, str] = {}
        self.encode(avoid)
        for question in avoid:
            self.accept(question)

    def encode(self, questions: Sequence[str]) -> None:
        """Compute the vectors of questions in one call, for ``vector`` to find."""
        new = [question for question in dict.fromkeys(questions) if question not in self._vectors]
        if new:
            self._places.update(zip(new, range(len(self._places), len(self._places) + len(new)), strict=True))
            self._vectors.update(zip(new, self._encoder(new), strict=True))

    def vector(self, question: str) -> NDArray[np.float32]:
        """Return the normalised embedding of a question, shape (d,)."""
        self.encode([question])
        return self._vectors[question]

    def reader(self, code: str) -> Reader:
        """Return the reader of a language, who knows how rare each word is in the corpus; made on first use."""
        if code not in self._readers:
            self._readers[code] = Reader((sentence.text for sentence in self.knowledge.sentences), code)
        return self._readers[code]

    def scores(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of every chunk with a question, shape (chunks,).

        One matrix product serves the questions encoded next to it, which are as a rule asked about next.
        """
        import numpy as np

        self.encode([question])
        if question not in self._block:
            first = self._places[question] // _BLOCK * _BLOCK
            names = list(islice(self._places, first, first + _BLOCK))
            rows = np.stack([self._vectors[name] for name in names]) @ self.knowledge.vectors.T
            self._block = dict(zip(names, rows, strict=True))
        return self._block[question]

    def accept(self, question: str) -> None:
        """Remember a question, so that a later one like it is a duplicate."""
        import numpy as np

        number, row = len(self.accepted), self.vector(question)
        self._signatures.append(minhash(shingles(question), _PERMUTATIONS))
        self._index.insert(str(number), self._signatures[number])
        if self._rows is None or number == len(self._rows):  # room for twice as many, so that growing stays linear
            grown = np.zeros((max(64, 2 * number), len(row)), np.float32)
            grown[:number] = self._rows if self._rows is not None else 0.0
            self._rows = grown
        self._rows[number] = row
        self.accepted.append(question)

    def alike(self, question: str) -> tuple[float, str] | None:
        """Return the accepted question that shares most of its words with this one, with the share, or None."""
        own = minhash(shingles(question), _PERMUTATIONS)
        rivals = [(float(own.jaccard(self._signatures[int(key)])), -int(key)) for key in self._index.query(own)]
        share, number = max(rivals, default=(0.0, 0))
        return (share, self.accepted[-number]) if rivals else None

    def nearest(self, question: str) -> tuple[float, str] | None:
        """Return the accepted question nearest in meaning, with the cosine, or None when there is none."""
        if self._rows is None:
            return None
        cosines = self._rows[: len(self.accepted)] @ self.vector(question)
        best = int(cosines.argmax())
        return float(cosines[best]), self.accepted[best]


def scored(item: Item, **scores: float) -> Item:
    """Return the item with more scores on record, rounded to four digits."""
    known = dict(item.metadata.get("scores", {}))
    known.update({name: round(float(value), 4) for name, value in scores.items()})
    return replace(item, metadata={**item.metadata, "scores": known})


def minhash(shingles: frozenset[str], permutations: int) -> Any:
    """Return the MinHash of a set of shingles; the same shingles give the same one, whatever their order."""
    from datasketch import MinHash

    signature = MinHash(num_perm=permutations, seed=1)
    signature.update_batch([shingle.encode("utf-8", "surrogatepass") for shingle in sorted(shingles)])
    return signature
