"""A small set to review: twenty questions on two pages, one of which holds what a browser must not run."""

from __future__ import annotations

from kgsynth.base.records import Document, Item, Section, item_id
from kgsynth.reviewing.judgement import Judgement
from kgsynth.reviewing.store import Said

EVIL = (
    "<script>window.ran = 'script'</script> <img src=x onerror=\"window.ran = 'image'\"> "
    "</script><script>window.ran = 'closed'</script> {{ 7 * 7 }}"
)
KINDS = ("simple", "reasoning", "conditional", "multi_context")


def page(name: str, text: str) -> Document:
    return Document(name, text, name, "md", "", (), (Section(f"s-{name}", name, name, 0, (name,), 0, len(text)),))


def sentence(number: int) -> str:
    return f"Depot {number} keeps {number + 40} barrels in hall {chr(65 + number)}."


PLAIN = page("depots.md", " ".join(sentence(number) for number in range(10)))
MARKED = page("marked.md", f"{EVIL} " + " ".join(sentence(number) for number in range(10, 20)))
DOCUMENTS = {document.id: document for document in (PLAIN, MARKED)}


def item(number: int) -> Item:
    """Question ``number``, proved by one sentence and a look-up; the kinds take turns by fives."""
    document = PLAIN if number < 10 else MARKED
    start = document.text.index(sentence(number))
    evidence = ((document.span(start, start + len(sentence(number))),),)
    answer = f"{number + 40} barrels"
    place = {"doc": document.id, "start": (at := document.text.index(answer, start)), "end": at + len(answer)}
    question = f"What does Depot {number} keep in its hall?"
    return Item(
        id=item_id(question, (answer,), evidence),
        question=question,
        golden_answers=(answer,),
        question_type=KINDS[number // 5] if number < 15 else "simple",
        subtype="factoid",
        language="en",
        evidence=evidence,
        derivation={"operator": "lookup", "steps": [{"fact": f"f-{number}", "find": place}]},
        metadata={"source": "kgsynth"},
    )


ITEMS = tuple(item(number) for number in range(20))


def said(annotator: str, number: int, decision: str = "", comment: str = "", **words: object) -> Said:
    """What an annotator says of question ``number``; ``words`` are those of an edit, or grades by criterion."""
    grades = {name: grade for name, grade in words.items() if isinstance(grade, int)}
    texts = {name: text for name, text in words.items() if not isinstance(text, int)}
    return Said(annotator, ITEMS[number].id, Judgement(decision, grades, comment, **texts))  # type: ignore[arg-type]
