"""Which passages from elsewhere are shown when an answer is verified."""

from __future__ import annotations

from doubles import HashingEncoder, context_of
from planted import knowledge_of

from kgsynth.base.records import Item, Span
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.asking.context import ChunkWords, beside
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.scenes.passages import Scene

RAIN = {f"rain{n}.md": f"# Rain {n}\n\nHow do I make a shed that keeps rain number {n} off?\n" for n in range(6)}
PAGES = {
    "make.md": "# Make a shed\n\nHow do I make a shed? Saw the planks, see [the rules](rules.md).\n",
    "rules.md": "# Rules\n\nNobody saws before the bell has rung at noon.\n",
    "glue.md": "# Glue\n\nPlanks hold with Xylofix only if they are warm.\n",
    **RAIN,
}
KNOWN = knowledge_of(PAGES)
QUESTION, ANSWER = "How do I make a shed that keeps rain off?", "Saw the planks and use Xylofix."


def whole(doc: str, known: Knowledge = KNOWN) -> Span:
    return known.documents[doc].span(0, len(known.documents[doc].text))


def context() -> FilterContext:
    return context_of(KNOWN, HashingEncoder().encode)


def shown(answer: str = ANSWER, doc: str = "make.md") -> list[str]:
    scene = Scene("simple", "section_fact", (whole(doc),))
    answers = (answer,) if answer else ()
    item = Item("q", QUESTION, answers, "simple", "section_fact", "en", (), answerable=bool(answer))
    return [span.doc for span in beside(item, scene, context())]


def test_rivals_are_close_to_the_question_and_additions_to_the_answer_or_linked() -> None:
    found = shown()
    assert len(found) == len(set(found)) == 6 and "make.md" not in found
    assert set(found[:3]) <= set(RAIN), "the three that are like the question"
    assert found[3] == "rules.md", "linked from the scene, though it has no word of question or answer but one"
    assert "glue.md" in found[4:], "has the rare word of the answer"


def test_what_is_not_linked_leaves_its_place_to_others() -> None:
    found = shown(doc="glue.md")
    assert "make.md" in found[3:] and "glue.md" not in found, "by its words, since nothing is linked"


def test_a_question_without_an_answer_has_rivals_only() -> None:
    assert shown(answer="") == shown()[:3]


def test_words_are_searched_with_the_headings_above_and_rare_ones_count_more() -> None:
    words = KNOWN.derived(ChunkWords)
    docs = [KNOWN.chunks[number].doc for number in words.best("Glue for rain and a shed")]
    assert docs[0] == "glue.md" and set(docs[1:]) >= set(RAIN)
    assert words.best("Zanzibar") == []
    assert (words.share("glue"), words.share("rain")) == (1 / 9, 6 / 9), "each page is a chunk"
