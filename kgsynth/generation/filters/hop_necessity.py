"""hop_necessity: a multi-context question needs every hop, and no single chunk suffices.

Without its first hop a bridge must leave the asker with several answers to choose from: the last fact, its bridge
struck out, must match other sentences of the corpus too. An intersection has that by construction; only its
chunks are checked.
"""

from __future__ import annotations

from kgsynth.base.records import Fact, Item, Rejection, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.passage_distance import extent
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language

_SUFFICES = 0.7
"""Share of a bridge question's words beyond which a chunk that holds its answer answers it alone."""


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Turn away a multi-context question that one chunk, or one hop, answers."""
    item, knowledge = candidate.item, context.knowledge
    if item.question_type != "multi_context":
        return item
    common = set.intersection(*(knowledge.chunks.holding(group) for group in item.evidence))
    if common:
        return Rejection("hop_necessity", f"chunk {knowledge.chunks[min(common)].id} holds every hop")
    apart, most = extent(item), LIMITS.passage_characters
    if apart is not None and apart <= most:
        return Rejection("hop_necessity", "a passage of a common size holds every hop", apart, most)
    if not traits_of(candidate.scenario.subtype).hidden_link:
        return item
    answer = item.golden_answers[0].lower()
    before = [knowledge.documents[s.doc].plain(s.start, s.end).lower() for group in item.evidence[:-1] for s in group]
    if any(answer in text for text in before):
        return Rejection("hop_necessity", "an earlier hop already holds the answer")
    for ident, _, _ in candidate.scenario.links:
        name = knowledge.entities[ident].name.lower()
        if name in item.question.lower():
            return Rejection("hop_necessity", f"the question names the bridge {name!r}")
    held, number = _most_held(item, knowledge)
    if held >= _SUFFICES:
        detail = f"chunk {knowledge.chunks[number].id}, which holds the answer, speaks of the rest of the question too"
        return Rejection("hop_necessity", detail, round(held, 4), _SUFFICES)
    matches = _without_bridge(knowledge, candidate.scenario, context.thresholds["hop_necessity"])
    if matches < 2:
        detail = "the last hop is found without the bridge: no other sentence matches the rest of the question"
        return Rejection("hop_necessity", detail, matches, 2)
    return with_scores(item, rivals_without_bridge=matches)


def _most_held(item: Item, knowledge: Knowledge) -> tuple[float, int]:
    """Return the greatest share of the question's words that a chunk with the answer holds, and that chunk's number."""
    content = language(item.language).content_stems
    asked = set(content(item.metadata.get("plain") or item.question))
    chunks = sorted(knowledge.chunks.holding(item.evidence[-1]))
    shares = [len(asked & set(content(knowledge.chunks[n].text))) / max(len(asked), 1) for n in chunks]
    return max(zip(shares, chunks, strict=True), default=(0.0, -1))


def _without_bridge(knowledge: Knowledge, scenario: Scenario, share: float) -> int:
    """Return how many sentences, the evidence among them, match the last fact with bridge and answer struck out."""
    fact, struck = scenario.facts[-1], {scenario.links[-1][2], scenario.asked}
    left = [n for n, phrase in enumerate(fact.phrases) if n not in struck and phrase.role != Role.MANNER]
    if any(fact.phrases[n].lemmas for n in left):
        return sum(1 for _ in knowledge.statements.containing(knowledge.statements.search_terms(fact, left), share))
    return sum(
        1 for other in knowledge.statements.facts_by_verb[fact.verb.lemma] if _could_answer(other, fact, scenario.asked)
    )


def _could_answer(other: Fact, fact: Fact, asked: int) -> bool:
    wanted = fact.phrases[asked]
    return any((p.role, p.marker) == (wanted.role, wanted.marker) for p in other.phrases)
