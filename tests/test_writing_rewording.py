"""Questions in other words: what may change, what must not, and what the rule for meaning rejects."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from doubles import context_of
from planted import knowledge_of
from planted_facts import Page, candidate, knowledge, p, v

from kgsynth.base.records import Item, Rejection, Scenario
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.filters import by_vector
from kgsynth.generation.writing import compose, overlap
from kgsynth.generation.writing.english.rephrasing import NOUNS, OTHERS, VERBS, reworded
from kgsynth.language.english.morphology import lemma_of


def pairs(text: str, subtype: str = "factoid") -> dict[str, str]:
    """Reworded question -> the plain one."""
    known = knowledge_of({"a.md": f"# Pumps\n\n{text}"})
    found = compose(EVOLUTIONS[subtype](known), known, every_form=True)
    return {c.item.question: c.item.metadata["plain"] for c in found if "plain" in c.item.metadata}


def test_verbs_and_adjectives_are_replaced_in_the_same_form() -> None:
    found = pairs("The Oslo depot purchased numerous small vehicles in 1931.")
    assert found["In which year did the Oslo depot buy many small vehicles?"] == (
        "In which year did the Oslo depot purchase numerous small vehicles?"
    )


def test_the_asked_phrase_and_its_span_stay() -> None:
    known = knowledge_of({"a.md": "# Pumps\n\nThe Oslo depot purchased the old garment factory in 1931."})
    for entry in compose(EVOLUTIONS["factoid"](known), known, every_form=True):
        answer = entry.item.golden_answers[0].removeprefix("the ")
        assert answer in entry.item.evidence[0][0].text, "an answer has no synonyms"


def test_a_name_is_replaced_by_its_acronym() -> None:
    text = "The Append Only File (AOF) keeps every write. The Append Only File was added to the Pike server in 2009."
    assert any("AOF" in question and "Append Only File" in plain for question, plain in pairs(text).items())


def test_names_numbers_and_ambiguous_verbs_keep_their_words() -> None:
    assert pairs("The Building Company returns 40 values.") == {}
    assert pairs("Ada Lovelace wrote nine letters.") == {}


def test_subjects_that_answer_are_not_reworded() -> None:
    page = Page("a.md")
    fact = page.say(p("subject", "the old factory", "nominal"), v("purchase", "purchased", "VBD"), p("time", "in 1931"))
    scenario = Scenario("simple", "definition", (fact, fact), 1, (("", 1, 1),))
    other = reworded(scenario, knowledge(page))
    assert other is not None and [f.phrases[0].text for f in other.facts] == ["the old factory"] * 2
    assert [f.verb.form for f in other.facts] == ["bought", "bought"]


def test_an_article_agrees_with_the_new_word() -> None:
    page = Page("a.md")
    fact = page.say(
        p("subject", "Ada Lind", "named"),
        v("see", "saw", "VBD"),
        p("object", "an uprising for an LLM", "nominal"),
        p("time", "in May"),
    )
    other = reworded(Scenario("simple", "factoid", (fact,), 2), knowledge(page))
    assert other is not None and other.facts[0].phrases[1].text == "a revolt for an LLM"


def test_the_lexicon_is_consistent() -> None:
    assert all(word.islower() and other.islower() for word, other in (VERBS | NOUNS).items())
    assert all(word != other for word, other in (VERBS | NOUNS | OTHERS).items())
    assert [noun for noun in NOUNS if lemma_of(noun, "NOUN") != noun and not noun.endswith("s")] == []


def test_overlap_is_the_share_of_copied_content_words() -> None:
    page = Page("a.md")
    fact = page.say(p("subject", "the mill"), v("employ", "employs"), p("object", "nine smiths"))
    known: Knowledge = knowledge(page)
    span = known.documents["a.md"].span(fact.start, fact.end)
    assert overlap("How many smiths does the mill employ?", ((span,),), "en") == 1.0
    assert overlap("How many workers does the mill hire?", ((span,),), "en") == pytest.approx(1 / 3, abs=1e-4)


@pytest.mark.parametrize(("cosine", "passes"), [(0.95, True), (0.8, True), (0.7, False)])
def test_a_rewording_with_another_meaning_is_not_faithful(cosine: float, passes: bool) -> None:
    page = Page("a.md")
    fact = page.say(p("subject", "the mill"), v("employ", "employs"), p("object", "nine smiths"))
    known = knowledge(page)
    vectors = {"Plain?": [1.0, 0.0], "Other?": [cosine, (1 - cosine**2) ** 0.5]}
    context = context_of(
        known, lambda questions: np.array([vectors[q] for q in questions], np.float32), {"faithful": 0.7999}
    )
    entry = candidate(known, Scenario("simple", "factoid", (fact,), 1), "Other?")
    other = entry._replace(item=replace(entry.item, metadata={**entry.item.metadata, "plain": "Plain?"}))
    verdict = by_vector.check_faithful(other, context)
    assert isinstance(verdict, Item if passes else Rejection)
    if isinstance(verdict, Rejection):
        assert (verdict.detail, verdict.score) == ("does not mean the same as 'Plain?'", 0.7)
    assert by_vector.check_faithful(entry, context) is entry.item, "a question that was not reworded passes"
