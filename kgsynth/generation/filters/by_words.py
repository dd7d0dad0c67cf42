"""The rules that need the folder's words but no model, in the order in which they are applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.records import Fact, Item, Rejection, Scenario, Sentence
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role
from kgsynth.evidence.citing import extent, with_alternatives
from kgsynth.evidence.derivation import recompute, same_answer
from kgsynth.evidence.derivation_steps import DerivationError
from kgsynth.evidence.entities import EntityRole
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.other_answers import AskedFact, other_sentences, other_value, scope_of, states
from kgsynth.evidence.question_checks import copied, leaked_words, repeats_clause, wording_problem
from kgsynth.generation.filters.context import FilterContext, evidence_text, headings_of
from kgsynth.generation.writing import Candidate
from kgsynth.golden.metadata import with_scores
from kgsynth.golden.subtypes import traits_of
from kgsynth.language import language
from kgsynth.language.detection import guess_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.text_words import offers_choice


def check_well_formed(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question or an answer that is malformed."""
    item = candidate.item
    answer = item.golden_answers[0] if item.answerable else None
    problem = problem_of(item.question, answer, item.language)
    return Rejection("well_formed", problem) if problem else item


def problem_of(question: str, answer: str | None, code: str) -> str:
    """Return the problem with the form of a question or its answer, "" for none; ``answer`` is None if it has none."""
    if problem := language(code).malformed(question):
        return problem
    if answer is None:
        return ""
    if guess_language(answer) not in (code, DEFAULT_LANGUAGE):  # names and code in Latin letters answer in any language
        return "its answer is in another language"
    return "" if answer.strip(" .,;:") else "its answer is empty"


def check_self_contained(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that refers to the text or does not say what it is about."""
    item = candidate.item
    problem = wording_problem(item.question, item.language, define=traits_of(item.subtype).single_word)
    if not problem and (phrase := _unspecific_phrase(candidate)):
        problem = f"{phrase!r} refers to something outside the question"
    if not problem and (name := _missing_heading_name(candidate, context.knowledge)):
        problem = f"the fact holds for {name!r} only, which the question does not name"
    return Rejection("self_contained", problem) if problem else item


def _unspecific_phrase(candidate: Candidate) -> str:
    """Return a phrase of the question that does not say which one is meant, "" for none or if a heading says it."""
    item = candidate.item
    if traits_of(item.subtype).heading_scope:
        return ""
    question = item.question.casefold()
    unspecific = (p.text for fact in candidate.scenario.facts for p in fact.phrases if p.has(Flag.LOOSE))
    return next((text for text in unspecific if text.casefold() in question), "")


def _missing_heading_name(candidate: Candidate, knowledge: Knowledge) -> str:
    """Return the name in the heading above the evidence that a question without names must contain, "" for none.

    Under "Norway", next to "Canada" and "Poland", a sentence on "full-time employees" is about those in Norway.
    """
    question = candidate.item.question.casefold()
    for fact in candidate.scenario.facts:
        known = (p for n, p in enumerate(fact.phrases) if n != candidate.scenario.asked)
        if any(p.flags & {Flag.NAMED, Flag.CODE} and p.role != Role.TIME for p in known):
            continue
        headings = _name_headings(fact, knowledge, candidate.item.language)
        name = next((title for title in headings if title.casefold() not in question), "")
        if name:
            return name
    return ""


def _name_headings(fact: Fact, knowledge: Knowledge, code: str) -> list[str]:
    """Return the headings above a fact that are names in a list of names."""
    sections, path = knowledge.documents[fact.doc].sections, knowledge.statements.section_of(fact).path
    found = []
    for depth in range(1, len(path)):
        siblings = {s.path[depth] for s in sections if len(s.path) == depth + 1 and s.path[:depth] == path[:depth]}
        short = (title for title in siblings if length_in_words(title) <= LIMITS.name_heading_words)
        names = [title for title in short if knowledge.entities.is_name(title) or language(code).is_name(title)]
        enough = max(LIMITS.name_headings_min, LIMITS.name_heading_share * len(siblings))
        if path[depth] in names and len(names) >= enough:
            found.append(path[depth])
    return found


def check_grounded(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject an item with a wrong span or derivation."""
    item, documents = candidate.item, context.knowledge.documents
    for group in item.evidence:
        for span in group:
            if documents[span.doc].text[span.start : span.end] != span.text:
                return Rejection("grounded", f"the span at {span.doc}:{span.start} is not verbatim")
    try:
        answers = recompute(item.derivation, documents)
    except DerivationError as error:
        return Rejection("grounded", str(error))
    if item.answerable and not any(same_answer(answer, item.golden_answers[0], item.language) for answer in answers):
        return Rejection("grounded", f"the derivation yields {answers[0]!r}")
    return item


def check_leaking(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with too many of the answer's content words."""
    item, limit = candidate.item, context.thresholds["leaking"]
    if offers_choice(item.question.replace(item.golden_answers[0], "")):
        return item
    share, leaked = leaked_words(item.question, item.golden_answers[0], item.language)
    if share >= limit:
        detail = f"contains {', '.join(leaked)} of the answer" if leaked else "the answer adds nothing to the question"
        return Rejection("leaking", detail, round(share, 4), limit)
    return with_scores(item, leaking=share)


def check_copied(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question most of whose words repeat a sentence of its evidence in the same order, unless it must."""
    item, limit = candidate.item, context.thresholds["copied"]
    if repeats_clause(item):
        return item
    share = max((copied(item.question, item.golden_answers, fact.text) for fact in candidate.scenario.facts), default=0)
    if share >= limit:
        return Rejection("copied", "repeats the words of its evidence in the same order", round(share, 4), limit)
    return with_scores(item, copied=share)


def check_answerable(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that its evidence alone does not answer.

    The golden answer must be of the kind that is asked for, and complete. A question that cannot be judged is
    rejected.
    """
    item = candidate.item
    if candidate.scenario.structure:
        return item
    reader = language(item.language)
    kind = reader.answer_kind(item.question)
    if not kind:
        return Rejection("answerable", "no clear kind of answer is asked for")
    if not reader.fits_kind(kind, item.golden_answers[0]):
        return Rejection("answerable", f"asks for a {kind}, but the answer is {item.golden_answers[0]!r}")
    text, answer = evidence_text(item, context.knowledge), item.golden_answers[0]
    evidence = set(reader.content_stems(text))
    found = answer in text  # where words are not spaced, an answer may be cut otherwise than in its sentence
    missing = [] if found else [word for word in reader.content_stems(answer) if word not in evidence]
    if missing:
        return Rejection("answerable", f"{missing[0]!r} of the answer is not in the evidence")
    if rest := _cut_off(candidate, context):
        return Rejection("answerable", f"the sentence continues the answer: {rest[:60]!r}")
    asked = set(reader.content_stems(item.question))
    headings = set(reader.content_stems(headings_of(candidate.scenario, context.knowledge)))
    share = len(asked & (evidence | headings)) / len(asked) if asked else 0.0
    limit = context.thresholds["answerable"]
    if share < limit:
        return Rejection("answerable", "the evidence does not cover the question", round(share, 4), limit)
    return with_scores(item, answerable=share)


def _cut_off(candidate: Candidate, context: FilterContext) -> str:
    """Return the rest of the sentence if it continues the answer, "" if the answer is complete."""
    knowledge = context.knowledge
    by_id = {fact.id: fact for fact in candidate.scenario.facts}
    for step in candidate.item.derivation["steps"]:
        fact, span = by_id.get(str(step.get("fact"))), step.get("find")
        if fact is not None and span is not None:
            rest = knowledge.documents[fact.doc].plain(span["end"], fact.end).strip()
            reader = language(candidate.item.language)
            if _is_open(knowledge, fact, span["end"]) and reader.continues(rest, clause=_is_clause(fact, span)):
                return rest
    return ""


def _is_open(knowledge: Knowledge, fact: Fact, end: int) -> bool:
    """Check whether the text after an answer may belong to it: no other phrase or verb of the sentence begins there."""
    facts = knowledge.statements.facts_ending_at(fact.doc, fact.end)
    starts = [start for other in facts for start in (other.verb.start, *(p.start for p in other.phrases))]
    near = (start for start in starts if end <= start < end + LIMITS.answer_gap_chars)
    gaps = (knowledge.documents[fact.doc].plain(end, start) for start in near)
    return not any(length_in_words(gap) <= LIMITS.answer_gap_words and not any(map(str.isdigit, gap)) for gap in gaps)


def _is_clause(fact: Fact, span: Mapping[str, Any]) -> bool:
    """Check whether an answer is a whole clause, or a stretch of text that is not in a single phrase."""
    phrase = next((p for p in fact.phrases if p.start == span["start"] and span["end"] <= p.end), None)
    return phrase is None or phrase.role in {Role.CAUSE, Role.PURPOSE, Role.CONDITION, Role.OUTCOME}


def check_ambiguous(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question with another answer elsewhere; add the copies of its evidence to the evidence groups.

    Every sentence is examined that contains most of the question's words, weighted by rarity. If it states the same
    answer, it is another copy of the evidence. If it has another value in place of the answer, the question is
    ambiguous. If it denies the fact or is about something else, it is neither. Other answers in a sentence that shares
    neither words nor predicate are not found.
    """
    if candidate.scenario.structure or not candidate.item.answerable:
        return with_alternatives(candidate.item, ())
    item, statements, limit = candidate.item, context.knowledge.statements, context.thresholds["ambiguous"]
    on_purpose = {(rival.doc, rival.end) for rival in candidate.scenario.rivals}
    sought, copies = sought_of(candidate), []
    scope = scope_of(item, sought.fact, statements)
    for share, sentence, others in other_sentences(sought, scope, statements, limit):
        if (sentence.doc, sentence.end) in on_purpose:
            continue
        if states(sentence, others, sought):
            copies.append(statements.documents[sentence.doc].span(sentence.start, sentence.end))
        elif rival := other_value(others, sought):
            return Rejection("ambiguous", f"{sentence.doc}:{sentence.start} says {rival!r}", round(share, 4), limit)
    item = replace(item, evidence=(tuple(dict.fromkeys((*item.evidence[0], *copies))),))
    return with_alternatives(item, ())


def sought_of(candidate: Candidate) -> AskedFact:
    """Return which phrases of its fact the question contains and which it asks for."""
    item, scenario = candidate.item, candidate.scenario
    fact, answer = scenario.facts[0], item.golden_answers[0]
    if item.derivation.get("operator") == "condition":
        condition = fact.place(Role.CONDITION)
        if fact.kind == FactKind.OUTCOME or scenario.asked == condition:
            return AskedFact(fact, (condition,), None, answer, item.language)
    place = scenario.asked
    known = tuple(n for n, phrase in enumerate(fact.phrases) if n != place and phrase.role != Role.MANNER)
    return AskedFact(fact, known, fact.phrases[place], answer, item.language)


def check_absent(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a question that a sentence may answer although it does not name the subject.

    ``grounded`` has searched the sentences that name the subject. This rule searches all others: a sentence that
    contains most of the question's other words, weighted by rarity, and does not state them about another named
    thing may mean the subject. If the question has only one other word, only documents that name the subject count.
    """
    item, scenario, knowledge = candidate.item, candidate.scenario, context.knowledge
    if item.answerable:
        return item
    limit, entity = context.thresholds["absent"], knowledge.entities[scenario.links[0][0]]
    docs = {mention.doc for mention in entity.mentions}
    terms = set() if traits_of(scenario.subtype).topic_only else _terms(scenario, knowledge)
    searched = 0
    for share, sentence in knowledge.statements.containing(terms, limit):
        searched += 1
        if (len(terms) > 1 or sentence.doc in docs) and not _about_another(sentence, scenario, knowledge):
            detail = f"{sentence.doc}:{sentence.start} may be about {entity.name!r} under another name"
            return Rejection("absent", detail, round(share, 4), limit)
    return with_scores(item, documents_naming=len(docs), sentences_searched=searched)


def _terms(scenario: Scenario, knowledge: Knowledge) -> set[str]:
    """Return the lemmas of the fact without those of its subject, of the asked phrase and of manner."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    without = {scenario.asked}
    if EntityRole(scenario.rivals[0], place, scenario.cuts[0]).whole:
        without.add(place)
    return knowledge.statements.search_terms(
        fact, [n for n, p in enumerate(fact.phrases) if n not in without and p.role != Role.MANNER]
    )


def _about_another(sentence: Sentence, scenario: Scenario, knowledge: Knowledge) -> bool:
    """Check whether a sentence with the same predicate is about another named thing."""
    fact, place = scenario.facts[0], scenario.links[0][1]
    facts = knowledge.statements.facts_ending_at(sentence.doc, sentence.end)
    phrases = [p for f in facts if f.verb.lemma == fact.verb.lemma for p in f.phrases]
    subjects = [p for p in phrases if p.role == fact.phrases[place].role]
    return bool(subjects) and all(p.flags & {Flag.NAMED, Flag.CODE} for p in subjects)


def check_hop_necessity(candidate: Candidate, context: FilterContext) -> Rejection | Item:
    """Reject a multi-context question whose evidence one chunk, or one passage of a common size, contains."""
    item, knowledge = candidate.item, context.knowledge
    if item.question_type != "multi_context":
        return item
    common = set.intersection(*(knowledge.chunks.holding(group) for group in item.evidence))
    if common:
        return Rejection("hop_necessity", f"chunk {knowledge.chunks[min(common)].id} contains every hop")
    apart, most = extent(item), LIMITS.passage_characters
    if apart is not None and apart <= most:
        return Rejection("hop_necessity", "a passage of a common size contains every hop", apart, most)
    return item
