"""hop_necessity: a multi-context question needs every hop, and no single chunk answers it.

Without its first hop, a bridge question must have several possible answers: the last fact without its bridge must
match other sentences of the corpus too.
"""

from __future__ import annotations

from kgsynth.base.records import Item, Rejection, Scenario
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.passage_distance import extent
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language


def judge(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a multi-context question that one chunk, or one hop, answers."""
    item, knowledge = candidate.item, context.knowledge
    if item.question_type != "multi_context":
        return item
    common = set.intersection(*(knowledge.chunks.holding(group) for group in item.evidence))
    if common:
        return Rejection("hop_necessity", f"chunk {knowledge.chunks[min(common)].id} contains every hop")
    apart, most = extent(item), LIMITS.passage_characters
    if apart is not None and apart <= most:
        return Rejection("hop_necessity", "a passage of a common size contains every hop", apart, most)
    if not traits_of(candidate.scenario.subtype).hidden_link:
        return item
    answer = item.golden_answers[0].lower()
    before = [knowledge.documents[s.doc].plain(s.start, s.end).lower() for group in item.evidence[:-1] for s in group]
    if any(answer in text for text in before):
        return Rejection("hop_necessity", "an earlier hop already contains the answer")
    for ident, _, _ in candidate.scenario.links:
        name = knowledge.entities[ident].name.lower()
        if name in item.question.lower():
            return Rejection("hop_necessity", f"the question names the bridge {name!r}")
    share, number = _most_complete_chunk(item, knowledge)
    if share >= LIMITS.bridge_words_in_chunk:
        detail = f"chunk {knowledge.chunks[number].id}, which contains the answer, also contains most of the question"
        return Rejection("hop_necessity", detail, round(share, 4), LIMITS.bridge_words_in_chunk)
    matches = _matches_without_bridge(knowledge, candidate.scenario, context.thresholds["hop_necessity"])
    if matches < LIMITS.rivals_without_bridge:
        detail = "the last hop can be found without the bridge: no other sentence matches the rest of the question"
        return Rejection("hop_necessity", detail, matches, LIMITS.rivals_without_bridge)
    return with_scores(item, rivals_without_bridge=matches)


def _most_complete_chunk(item: Item, knowledge: Knowledge) -> tuple[float, int]:
    """Return the greatest share of the question's words in one chunk with the answer, and the chunk's number."""
    content = language(item.language).content_stems
    asked = set(content(item.metadata.get("plain") or item.question))
    chunks = sorted(knowledge.chunks.holding(item.evidence[-1]))
    shares = [len(asked & set(content(knowledge.chunks[n].text))) / max(len(asked), 1) for n in chunks]
    return max(zip(shares, chunks, strict=True), default=(0.0, -1))


def _matches_without_bridge(knowledge: Knowledge, scenario: Scenario, share: float) -> int:
    """Return how many sentences, the evidence included, match the last fact without its bridge and answer."""
    fact, omitted = scenario.facts[-1], {scenario.links[-1][2], scenario.asked}
    left = [n for n, phrase in enumerate(fact.phrases) if n not in omitted and phrase.role != Role.MANNER]
    if any(fact.phrases[n].lemmas for n in left):
        return sum(1 for _ in knowledge.statements.containing(knowledge.statements.search_terms(fact, left), share))
    asked = (fact.phrases[scenario.asked].role, fact.phrases[scenario.asked].marker)
    same_verb = knowledge.statements.facts_by_verb[fact.verb.lemma]
    return sum(asked in {(p.role, p.marker) for p in other.phrases} for other in same_verb)
