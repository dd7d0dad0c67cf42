"""A small set to review: twenty questions on two pages; one page contains HTML that a browser must not run."""

from __future__ import annotations

from kgsynth.base.records import Document, Item, Section, item_id
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.store import SavedAnnotation

EVIL = (
    "<script>window.ran = 'script'</script> <img src=x onerror=\"window.ran = 'image'\"> "
    "</script><script>window.ran = 'closed'</script> {{ 7 * 7 }}"
)
TYPES = ("simple", "reasoning", "conditional", "multi_context")


def page(name: str, text: str) -> Document:
    return Document(name, text, name, "md", "", (), (Section(f"s-{name}", name, name, 0, (name,), 0, len(text)),))


def sentence(number: int) -> str:
    return f"Depot {number} keeps {number + 40} barrels in hall {chr(65 + number)}."


PLAIN = page("depots.md", " ".join(sentence(number) for number in range(10)))
MARKED = page("marked.md", f"{EVIL} " + " ".join(sentence(number) for number in range(10, 20)))
DOCUMENTS = {document.id: document for document in (PLAIN, MARKED)}


def item(number: int) -> Item:
    """Question ``number``, with one sentence as evidence and a lookup; each question type has five in a row."""
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
        question_type=TYPES[number // 5] if number < 15 else "simple",
        subtype="factoid",
        language="en",
        evidence=evidence,
        derivation={"operator": "lookup", "steps": [{"fact": f"f-{number}", "find": place}]},
        metadata={"source": "kgsynth"},
    )


ITEMS = tuple(item(number) for number in range(20))


def saved(annotator: str, number: int, decision: str = "", comment: str = "", **words: object) -> SavedAnnotation:
    """An annotation of question ``number``; ``words`` are those of an edit, or grades by criterion."""
    grades = {name: grade for name, grade in words.items() if isinstance(grade, int)}
    texts = {name: text for name, text in words.items() if not isinstance(text, int)}
    return SavedAnnotation(annotator, ITEMS[number].id, Annotation(decision, grades, comment, **texts))  # type: ignore[arg-type]
