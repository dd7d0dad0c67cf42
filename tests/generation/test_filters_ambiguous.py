"""ambiguous: what counts as another copy of the evidence, what as another answer, and what as neither."""

from __future__ import annotations

import pytest
from doubles import context_of
from hypothesis import given
from hypothesis import strategies as st
from planted import knowledge_of
from planted_facts import Page, candidate, encoder, knowledge, p, v

from kgsynth.base.records import Fact, Item, Phrase, Rejection, Scenario, Span
from kgsynth.evidence import other_answers
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.filters import by_words
from kgsynth.generation.writing import Candidate

NAMED = "nominal named proper"
LOGS = p("subject", "access logs", "nominal modified")
QUESTION = "For how long are access logs kept?"


def keeps(page: Page, value: str, *more: Phrase, subject: Phrase = LOGS, negated: bool = False) -> Fact:
    form = "are not kept" if negated else "are kept"
    verb = v("keep", form, "VBP", passive=True, negated=negated)
    return page.say(subject, verb, p("time", value, "nominal number", "for"), *more)


def judged(
    known: Knowledge,
    fact: Fact,
    asked: int = 1,
    question: str = QUESTION,
    limit: float = 0.8,
    rivals: tuple[Fact, ...] = (),
) -> Item | Rejection:
    scenario = Scenario("simple", "factoid", (fact,), asked, rivals=rivals)
    return by_words.check_ambiguous(
        candidate(known, scenario, question), context_of(known, encoder(), {"ambiguous": limit})
    )


def spans(known: Knowledge, *facts: Fact) -> tuple[Span, ...]:
    return tuple(known.documents[fact.doc].span(fact.start, fact.end) for fact in facts)


def two_pages(one: str, other: str, **more: object) -> tuple[Knowledge, Fact, Fact]:
    first, second = Page("a.md"), Page("b.md")
    fact, twin = keeps(first, one), keeps(second, other, **more)  # type: ignore[arg-type]
    return knowledge(first, second), fact, twin


@pytest.mark.parametrize("other", ["for five years", "for 5 years", "for 60 months"])
def test_the_same_value_on_another_page_is_more_evidence(other: str) -> None:
    known, fact, twin = two_pages("for five years", other)
    item = judged(known, fact)
    assert isinstance(item, Item)
    assert item.evidence == (spans(known, fact, twin),)
    assert item.metadata["scores"]["copies"] == 1.0


def test_a_copy_of_the_evidence_changes_no_id() -> None:
    known, fact, _ = two_pages("for five years", "for five years")
    before = candidate(known, Scenario("simple", "factoid", (fact,), 1), QUESTION).item
    after = judged(known, fact)
    assert isinstance(after, Item)
    assert after.metadata["scores"]["copies"] == 1.0
    assert after.id == before.id
    alone, lone, _ = two_pages("for five years", "for five years", subject=p("subject", "door keys"))
    same = judged(alone, lone)
    assert isinstance(same, Item)
    assert same.id == candidate(alone, Scenario("simple", "factoid", (lone,), 1), QUESTION).item.id
    assert same.metadata["scores"]["copies"] == 0.0


@pytest.mark.parametrize("other", ["for ten years", "for five months", "for 25 years", "for fifty years"])
def test_another_value_on_another_page_is_ambiguous(other: str) -> None:
    known, fact, twin = two_pages("for five years", other)
    assert judged(known, fact) == Rejection("ambiguous", f"b.md:{twin.start} says {other!r}", 1.0, 0.8)


NUMBERS = "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty".split()


@given(st.sampled_from(NUMBERS), st.sampled_from(NUMBERS), st.sampled_from(["years", "days", "sites"]))
def test_only_an_equal_figure_is_the_same_value(one: str, other: str, unit: str) -> None:
    known, fact, twin = two_pages(f"for {one} {unit}", f"for {other} {unit}")
    verdict = judged(known, fact)
    if one == other:
        assert isinstance(verdict, Item)
        assert verdict.evidence == (spans(known, fact, twin),)
    else:
        assert isinstance(verdict, Rejection)
        assert verdict.detail == f"b.md:0 says 'for {other} {unit}'"


def test_a_value_is_not_assembled_from_two_phrases() -> None:
    """ "for ten years at five sites" holds "five" and "years", but not "five years"."""
    first, second = Page("a.md"), Page("b.md")
    fact = keeps(first, "for five years")
    keeps(second, "for ten years", p("place", "at five sites", "nominal number", "at"))
    known = knowledge(first, second)
    assert judged(known, fact) == Rejection("ambiguous", "b.md:0 says 'for ten years'", 1.0, 0.8)


@pytest.mark.parametrize(
    ("answer", "text", "found"),
    [
        ("five years", "kept five years", True),
        ("5 years", "kept five years", True),
        ("five years", "kept twenty five years", False),
        ("25 years", "kept twenty five years", True),
        ("five years", "kept ten years", False),
        ("five years", "ten years five sites", False),
        ("1,200 euros", "costs 1200 euros", True),
        ("200 euros", "costs 1200 euros", False),
        ("repair workshop", "the repair workshop there", True),
        ("repair workshop", "a workshop to repair", False),
    ],
)
def test_within(answer: str, text: str, found: bool) -> None:
    words = [tuple(part.rstrip("s") for part in side.split()) for side in (answer, text)]
    assert other_answers._within(words[0], words[1], "en") is found


def test_a_denial_is_neither_copy_nor_rival() -> None:
    for value in ("for five years", "for ten years"):
        known, fact, _ = two_pages("for five years", value, negated=True)
        item = judged(known, fact)
        assert isinstance(item, Item)
        assert item.evidence == (spans(known, fact),), value


def test_a_sentence_about_something_else_is_neither() -> None:
    """ "The desk in Aveiro keeps it for 48 hours" and "the desk in Gdansk for 24": most words are shared."""
    first, second = Page("a.md"), Page("b.md")
    crates = "wooden parcel claim desk of"
    fact = keeps(first, "for 48 hours", subject=p("subject", f"{crates} Aveiro", NAMED))
    keeps(second, "for 24 hours", subject=p("subject", f"{crates} Gdansk", NAMED))
    keeps(second, "for 48 hours", subject=p("subject", f"{crates} Halifax", NAMED))
    known = knowledge(first, second)
    item = judged(known, fact, limit=0.5)
    assert isinstance(item, Item)
    assert item.evidence == (spans(known, fact),)
    third = Page("c.md")
    twin = keeps(third, "for 24 hours", subject=p("subject", f"{crates} Aveiro", NAMED))
    verdict = judged(knowledge(first, third), fact, limit=0.5)
    assert verdict == Rejection("ambiguous", f"c.md:{twin.start} says 'for 24 hours'", 1.0, 0.5)


def test_a_figure_of_the_question_must_be_in_a_copy() -> None:
    """Low limit: the sentence with 9 crates has most of the words, and Ada in the place of the answer."""
    first, second = Page("a.md"), Page("b.md")
    about = "wooden parcel claim desk crate"
    fact = first.say(p("subject", "Ada", NAMED), v("send", "sends"), p("object", f"5 {about}"))
    second.say(p("subject", "Ada", NAMED), v("ship", "ships"), p("object", f"9 {about}"))
    known = knowledge(first, second)
    item = judged(known, fact, asked=0, question="Who sends 5 crates?", limit=0.5)
    assert isinstance(item, Item)
    assert item.evidence == (spans(known, fact),)


def test_sentences_with_a_stop_word_as_predicate_are_compared() -> None:
    """ "is" is a stop word of every sentence: two pages that say what the ceiling is must still be set side by side."""
    first, second = Page("new.md"), Page("old.md")
    subject, verb = p("subject", "the hotel ceiling", "nominal definite modified"), v("be", "is")
    fact = first.say(subject, verb, p("attribute", "1,900 kroner", "nominal number"))
    second.say(subject, verb, p("attribute", "1,700 kroner", "nominal number"))
    known = knowledge(first, second)
    verdict = judged(known, fact, question="What is the hotel ceiling?")
    assert verdict == Rejection("ambiguous", "old.md:0 says '1,700 kroner'", 1.0, 0.8)


def test_two_descriptions_of_one_thing_do_not_exclude_each_other() -> None:
    first, second = Page("a.md"), Page("b.md")
    fact = first.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a small sensor", "nominal modified"))
    second.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a blue toy", "nominal modified"))
    assert isinstance(judged(knowledge(first, second), fact, question="What is Pike?"), Item)
    third = Page("c.md")
    third.say(p("subject", "Pike", NAMED), v("be", "is"), p("attribute", "a large sensor", "nominal modified"))
    verdict = judged(knowledge(first, third), fact, question="What is Pike?")
    assert verdict == Rejection("ambiguous", "c.md:0 says 'a large sensor'", 1.0, 0.8)


def test_another_preposition_or_role_is_no_other_value() -> None:
    first, second = Page("a.md"), Page("b.md")
    fact = keeps(first, "for five years")
    second.say(LOGS, v("keep", "are kept", passive=True), p("place", "in Oslo", NAMED, "in"))
    assert isinstance(judged(knowledge(first, second), fact), Item)


def test_what_repeats_the_question_is_no_other_value() -> None:
    first, second = Page("a.md"), Page("b.md")
    fact = first.say(p("subject", "contract papers"), v("lie", "lie"), p("place", "in Manifest", NAMED, "in"))
    second.say(p("subject", "Manifest", NAMED), v("lie", "lies"), p("place", "by itself", "", "by"))
    item = judged(knowledge(first, second), fact, asked=0, question="What lies in Manifest?")
    assert isinstance(item, Item)


def test_a_question_that_names_a_heading_is_not_compared_with_other_headings() -> None:
    norway, canada = Page("norway.md").under("Leave", "Norway"), Page("canada.md").under("Leave", "Canada")
    fact = keeps(norway, "for five years")
    twin = keeps(canada, "for ten years")
    known = knowledge(norway, canada)
    assert isinstance(judged(known, fact, question="For Norway, for how long are access logs kept?"), Item)
    for question in (QUESTION, "For leave, for how long are access logs kept?"):
        verdict = judged(known, fact, question=question)
        assert verdict == Rejection("ambiguous", f"canada.md:{twin.start} says 'for ten years'", 1.0, 0.8), question


def test_an_intended_rival_is_ignored() -> None:
    known, fact, twin = two_pages("for five years", "for ten years")
    assert isinstance(judged(known, fact), Rejection)
    assert isinstance(judged(known, fact, rivals=(twin,)), Item)


def test_the_threshold_is_the_share_of_words() -> None:
    first, second = Page("a.md"), Page("b.md")
    fact = keeps(first, "for five years", p("place", "in Oslo cellars", NAMED, "in"))
    keeps(second, "for ten years")
    known = knowledge(first, second)
    scenario = candidate(known, Scenario("simple", "factoid", (fact,), 1), QUESTION)
    assert isinstance(by_words.check_ambiguous(scenario, context_of(known, encoder(), {"ambiguous": 0.9})), Item)
    verdict = by_words.check_ambiguous(scenario, context_of(known, encoder(), {"ambiguous": 0.3}))
    assert isinstance(verdict, Rejection)
    assert (verdict.detail, verdict.threshold) == ("b.md:0 says 'for ten years'", 0.3)


# ---- conditions ------------------------------------------------------------------------------------


def storm(page: Page, thing: str, days: str, condition: str = "if the river floods") -> Fact:
    when = p("condition", condition, "verbal", "if")
    return page.say(p("subject", thing), v("close", "closes"), p("time", days, "nominal number", "for"), when)


def what_happens(known: Knowledge, fact: Fact) -> Candidate:
    outcome = fact.text[: fact.text.index(" if ")]
    step = {"find": {"doc": fact.doc, "start": fact.start, "end": fact.start + len(outcome)}}
    scenario = Scenario("conditional", "explicit", (fact,), 2)
    more = {"derivation": {"operator": "condition", "steps": [step]}}
    return candidate(known, scenario, "What happens if the river floods?", outcome, **more)


def test_two_different_outcomes_of_a_condition_are_ambiguous() -> None:
    first, second, third = Page("a.md"), Page("b.md"), Page("c.md")
    fact = storm(first, "the mill", "for two days")
    same, other = storm(second, "the mill", "for two days"), storm(third, "the shop", "for one day")
    known = knowledge(first, second)
    item = by_words.check_ambiguous(what_happens(known, fact), context_of(known, encoder()))
    assert isinstance(item, Item)
    assert item.evidence == (spans(known, fact, same),)
    known = knowledge(first, third)
    verdict = by_words.check_ambiguous(what_happens(known, fact), context_of(known, encoder()))
    assert verdict == Rejection("ambiguous", f"c.md:0 says {other.text!r}", 1.0, 0.8)


def test_a_fact_with_another_or_no_condition_is_no_rival() -> None:
    first, second = Page("a.md"), Page("b.md")
    fact = storm(first, "the mill", "for two days")
    storm(second, "the mill", "for nine days", "if the tax office asks")
    second.say(p("subject", "the mill"), v("close", "closes"), p("time", "for one day", "nominal number", "for"))
    known = knowledge(first, second)
    item = by_words.check_ambiguous(what_happens(known, fact), context_of(known, encoder()))
    assert isinstance(item, Item)
    low = context_of(known, encoder(), {"ambiguous": 0.3})
    for asked, question in ((1, "For how long does the mill close if the river floods?"), (0, "What closes?")):
        scenario = Scenario("conditional", "explicit", (fact,), asked)
        assert isinstance(by_words.check_ambiguous(candidate(known, scenario, question), low), Item)


def test_near_duplicate_pages_of_real_prose() -> None:
    texts = {
        f"{year}.md": f"Access logs are kept for {value} years.\n" for year, value in ((2021, "five"), (2024, "5"))
    }
    known = knowledge_of(texts)
    for fact in known.statements.facts:
        place = next(n for n, phrase in enumerate(fact.phrases) if phrase.role == "time")
        item = judged(known, fact, place)
        assert isinstance(item, Item)
        assert {span.doc for span in item.evidence[0]} == {"2021.md", "2024.md"}
    known = knowledge_of(texts | {"2024.md": "Access logs are kept for ten years.\n"})
    for fact in known.statements.facts:
        place = next(n for n, phrase in enumerate(fact.phrases) if phrase.role == "time")
        other = "2024.md:0 says 'for ten years'" if fact.doc == "2021.md" else "2021.md:0 says 'for five years'"
        assert judged(known, fact, place) == Rejection("ambiguous", other, 1.0, 0.8)


def test_an_active_and_a_passive_subject_are_not_rivals() -> None:
    """ "Ada pays" and "the pool is paid": one predicate, but its subjects answer different questions."""
    first, second = Page("a.md"), Page("b.md")
    clerk = p("place", "at the desk", "nominal", "at")
    fact = first.say(p("subject", "the profit pool"), v("pay", "is paid", passive=True), clerk)
    second.say(p("subject", "Ada Lind", NAMED), v("pay", "pays"), clerk)
    item = judged(knowledge(first, second), fact, asked=0, question="What is paid at the desk?")
    assert isinstance(item, Item)


@pytest.mark.parametrize(("month", "rival"), [("in May", True), ("in June", False)])
def test_a_rival_must_contain_a_name_without_lemmas(month: str, rival: bool) -> None:
    """ "May" is a stop word, so "pay" alone is left to find rivals by; the text of the phrase decides then."""
    first, second = Page("a.md"), Page("b.md")
    fact = first.say(
        p("subject", "the profit pool"), v("pay", "is paid"), p("time", "in May", NAMED, "in", lemmas=(), head="may")
    )
    second.say(p("subject", "every invoice"), v("pay", "is paid"), month)
    verdict = judged(knowledge(first, second), fact, asked=0, question="What is paid in May?")
    assert isinstance(verdict, Rejection if rival else Item)
