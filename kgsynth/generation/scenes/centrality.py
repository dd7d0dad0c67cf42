"""How much the corpus speaks of what a passage is about, from 0 to 1."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes.passages import SectionPassages, passages_of
from kgsynth.language.passage_words import is_set_aside

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BY_SIMILAR, _BY_LINKS, _BY_PLACE, _BY_LENGTH = 0.4, 0.2, 0.2, 0.2
_ASIDE_SHARE = 0.5  # of what was rejected, is open or a story: interviews, drawbacks
_FULL_WORDS = 150  # words of a passage that is long enough to matter


def centralities(knowledge: Knowledge) -> NDArray[np.float64]:
    """Return for each passage of ``passages_of`` how central it is, shape (passages,).

    The sum of four parts: the passages similar to it and the links to its section, and the links to its document, as
    ranks; how early in its document it stands; and its length. What is set aside counts half.
    """
    import numpy as np

    passages = knowledge.derived(passages_of)
    similar, linked = _degrees(knowledge, passages)
    places = Counter[str]()
    early = np.zeros(len(passages))
    for number, passage in enumerate(passages):
        early[number] = 1 / (1 + places[passage.span.doc] / 4)
        places[passage.span.doc] += 1
    length = np.array([min(1.0, passage.words / _FULL_WORDS) for passage in passages])
    found = _BY_SIMILAR * _ranks(similar) + _BY_LINKS * _ranks(linked) + _BY_PLACE * early + _BY_LENGTH * length
    aside = np.array([any(map(is_set_aside, passage.path)) for passage in passages], dtype=bool)
    return np.round(np.where(aside, _ASIDE_SHARE, 1.0) * found, 4)


def _degrees(knowledge: Knowledge, passages: SectionPassages) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each passage the weight of the chunks similar to its own, and the links to its document."""
    import numpy as np

    weights: Counter[str] = Counter()
    pages: Counter[str] = Counter()
    sections: Counter[str] = Counter()
    for source, target, data in knowledge.graph.edges(data=True):
        if data["kind"] == "similar":
            weights[source] += data["weight"]
            weights[target] += data["weight"]
        elif data["kind"] == "see" and source != target:
            node = knowledge.graph.nodes[target]
            pages[node.get("doc", target)] += 1
            sections[target] += 1
    similar = np.zeros(len(passages))
    linked = np.zeros(len(passages))
    for number, passage in enumerate(passages):
        own = [weights[knowledge.chunks[chunk].id] for chunk in sorted(passages.chunks[number])]
        section = knowledge.documents[passage.span.doc].sections[passage.section].id
        similar[number] = sum(own) / max(1, len(own)) + 2 * sections[section]
        linked[number] = pages[passage.span.doc]
    return similar, linked


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of the values below each one, half of them if all are equal."""
    import numpy as np

    order = np.sort(np.round(values, 6))
    below = np.searchsorted(order, np.round(values, 6), "left")
    upto = np.searchsorted(order, np.round(values, 6), "right")
    return np.asarray((below + upto) / 2 / max(1, len(values)))
