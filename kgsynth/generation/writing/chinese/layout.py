"""What the Chinese writers of questions about layout share: the steps of a proof, and short whole answers."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile
from typing import Any

from kgsynth.base.records import PROSE, Document, Excerpt, StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft
from kgsynth.language.chinese.references import outside_reference
from kgsynth.language.chinese.segmentation import frequency
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import HAN

_CAMEL_NAME = re.compile(r"(?<![\w./-])[A-Z][a-z]*[A-Z]*[a-z]+\w*(?![\w./(-])", re.ASCII)
"""A name with capitals and small letters, which is no abbreviation: TiDB, Rust."""
_HAN_NAME = re.compile(f"[{HAN}]+")
_NAME_LENGTHS = (2, 3, 4)
_ANSWER_END = "。.；;，, "


def said_step(fact: StructureFact) -> dict[str, Any]:
    """Return the step of a derivation that reads a fact of the layout."""
    return {"fact": fact.id, "doc": fact.doc}


def span_of(doc: str, part: Excerpt) -> dict[str, Any]:
    """Return the span of an excerpt, in the form that a derivation has."""
    return {"doc": doc, "start": part.start, "end": part.end}


def in_common_scope(question: str, knowledge: Knowledge, *, code: bool = False) -> str:
    """Return a question after the name that most documents are about: 在 TiDB 中，如何修改密码？

    A question that has a Latin name keeps its form, unless that is ``code``, which means nothing without its program.
    """
    name = knowledge.derived(_common_name)
    told = not name or name in question or (not code and re.search(r"[A-Za-z]", question))
    return question if told else f"在 {name} 中，{question}"


def _common_name(knowledge: Knowledge) -> str:
    """Return the name in Latin letters that the prose of most documents has, "" if none is in more than half."""
    counts = Counter[str]()
    for document in knowledge.documents.values():
        counts.update(
            {name for block in document.blocks if block.kind in PROSE for name in _CAMEL_NAME.findall(block.text)}
        )
    name, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
    tied = sum(other == count for other in counts.values()) > 1
    return name if count > 1 and 2 * count > len(knowledge.documents) and not tied else ""


def with_product(question: str, knowledge: Knowledge) -> str:
    """Return a question of a single word after the product that the documents are about: 在禾图中，什么是静默期？"""
    name = knowledge.derived(_product_name)
    if len(content_stems(question)) > 1:
        return question
    return f"在{name}中，{question}" if name and name not in question else in_common_scope(question, knowledge)


def _product_name(knowledge: Knowledge) -> str:
    """Return the name that opens several titles and is in a third of the documents, "" if there is none.

    The dictionary does not have it: 禾图平台 and 禾图开放接口 open with 禾图.
    """
    documents = knowledge.documents.values()
    titles = [document.title for document in documents]
    starts = Counter(title[:length] for title in titles for length in _NAME_LENGTHS if len(title) > length)
    found = {
        name: sum(name in document.text for document in documents)
        for name, count in starts.items()
        if count > 1 and _HAN_NAME.fullmatch(name) and not frequency(name)
    }
    name, count = min(found.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
    return name if 3 * count >= len(titles) else ""


def without_stop(text: str) -> str:
    """Return an answer without the full stop of its only sentence.

    Example:
        >>> without_stop("读数的聚合粒度。"), without_stop("关机。再开机。")
        ('读数的聚合粒度', '关机。再开机。')
    """
    return text if re.search(r"[。！？!?](?=.)", text) else text.rstrip(_ANSWER_END)


def paragraphs_of(document: Document, passage: Excerpt) -> list[Excerpt]:
    """Return the paragraphs that a passage opens with, up to the first list, code or table."""
    blocks = [block for block in document.blocks_from(passage.start, passage.end) if block.text]
    opening = takewhile(lambda block: block.kind == "paragraph", blocks)
    return [Excerpt(block.text, *block.locate(0, len(block.text))) for block in opening]


def sentences_of(document: Document, passage: Excerpt) -> list[Excerpt]:
    """Return the sentences of the first two paragraphs of a passage with their places."""
    found = []
    for paragraph in paragraphs_of(document, passage)[:2]:
        (block,) = document.blocks_in(paragraph.start, paragraph.start + 1)
        found += [Excerpt(block.text[a:b], *block.locate(a, b)) for a, b in sentence_spans(block.text)]
    return found


def without_pointers(document: Document, paragraph: Excerpt) -> Excerpt | None:
    """Return a paragraph without the sentences at its end that send the reader on, None if nothing is left."""
    (block,) = document.blocks_in(paragraph.start, paragraph.start + 1)
    spans = list(sentence_spans(block.text))
    while spans and _SENDS_ON.search(block.text[slice(*spans[-1])]):
        spans.pop()
    return Excerpt(block.text[: spans[-1][1]], *block.locate(0, spans[-1][1])) if spans else None


def sentence_draft(question: str, fact: StructureFact, sentence: Excerpt) -> QuestionDraft:
    """Return the draft of a question that one sentence of the passage of a fact answers."""
    step = {"fact": fact.id, "find": span_of(fact.doc, sentence)}
    return QuestionDraft(question, (sentence.text,), "lookup", (step,))


def said_draft(question: str, fact: StructureFact, answer: str) -> QuestionDraft:
    """Return the draft of a question that the value of a fact answers."""
    return QuestionDraft(question, (answer,), "said", (said_step(fact),))


def refers_out(text: str) -> bool:
    """Check whether an answer refers to what stands around it in its document.

    Example:
        >>> refers_out("参见下表。"), refers_out("读数的聚合粒度")
        (True, False)
    """
    return bool(_POINTS_AROUND.search(text)) or bool(outside_reference(text))


_SENDS_ON = re.compile(
    r"^(?:更多|详情|详细|具体|另外|关于|如需|有关|请|可以?|也可以?).{0,30}(?:参[见阅考看]|查看|访问|联系|详见|了解)|^(?:参[见阅考看]|详见|见)"
)
_POINTS_AROUND = re.compile(
    r"参[见阅考看]|详?见[第上下《]|(?:如[下上](?!降|升)|(?<![\d一二三四五六七八九十百千万年月天度岁元级个米斤吨%℃人])以[下上]|上[述面]|下[述面列]|前[述面]|后[述面])|(?<![文版样脚])本[页章节例文](?!件)|这[里样个些]|例如：$|[：:]$|https?://"
)
