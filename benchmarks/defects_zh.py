"""Defects to plant in a golden set in Chinese, as a careless Chinese author would make them.

Kinds whose spoiling needs no words are those of ``defects``.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace

import defects
from defects import DRIFTED, Defect, Sources, documents_of

from kgsynth.base.records import Item
from kgsynth.language.chinese.names import named_in

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ELSEWHERE = (
    "Was ist über die Wartung bekannt und seit wann gilt das?",
    "Who is responsible for the maintenance of the sensors?",
    "Quelle est la raison pour laquelle ce capteur a été choisi ?",
    "¿Cuándo se creó el departamento y para qué?",
    "센서는 언제부터 사용되었습니까?",
    "このセンサーはいつから使われていますか？",
)
_OTHER_WORDS = (
    ("什么时候", "何时"),
    ("为什么", "为何"),
    ("哪里", "什么地方"),
    ("怎么", "如何"),
    ("怎样", "如何"),
    ("如何", "怎么"),
    ("是多少", "有多少"),
    ("谁担任", "由谁担任"),
    ("如果", "假如"),
)


def changed_number(item: Item, sources: Sources) -> Item | None:
    """Change the number of the answer."""
    answer = item.golden_answers[0]
    found = _NUMBER.search(answer)
    if found is None:
        return None
    other = f"{answer[: found.start()]}{float(found[0]) * 2 + 3:g}{answer[found.end() :]}"
    return replace(item, golden_answers=(other,))


def wrong_entity(item: Item, sources: Sources) -> Item | None:
    """Name a thing of another document in place of the one asked about: another product, person or body.

    Names that occur once are left out: they may be a name with the word before it.
    """
    every = "".join(document.text for document in sources.documents.values())
    known = {
        doc: {name: label for name, label in named_in(document.blocks).items() if every.count(name) > 1}
        for doc, document in sorted(sources.documents.items())
    }
    own = documents_of(item)
    text = "".join(sources.documents[doc].text for doc in sorted(own))
    for name, label in sorted((pair for doc in own for pair in known[doc].items()), key=lambda pair: -len(pair[0])):
        others = [other for doc in known for other, kind in known[doc].items() if kind == label and other not in text]
        if name in item.question and others:
            return replace(item, question=item.question.replace(name, sources.rng.choice(others)))
    return None


def leaking(item: Item, sources: Sources) -> Item | None:
    """Put the answer into the question."""
    answer = item.golden_answers[0].rstrip("。")
    if answer in item.question or len(answer) > 30:
        return None
    forms = (f"{item.question[:-1]}，是{answer}吗？", f"既然是{answer}，{item.question}", f"{answer}，{item.question}")
    return replace(item, question=sources.rng.choice(forms))


def not_self_contained(item: Item, sources: Sources) -> Item:
    """Let the question refer to a text that the reader does not have, or to something said before."""
    question = item.question
    forms = (
        f"根据本文，{question}",
        f"如上所述，{question}",
        f"文中提到，{question}",
        f"在上述情况下，{question}",
        f"在本节中，{question}",
        f"它的{'期限' if '多久' in question else '规定'}是什么？",
        "该功能怎么使用？",
        "这种情况下应该怎么做？",
        f"前面提到的部门中，{question}",
        "他什么时候加入公司？",
    )
    return replace(item, question=sources.rng.choice(forms))


def faked_multi_context(item: Item, sources: Sources) -> Item | None:
    """Set the type to multi_context, with the one span of evidence cut in two."""
    (span, *_), *others = item.evidence
    middle = span.text.find("，")
    if others or item.question_type == "multi_context" or middle < 0:
        return None
    cut = (replace(span, end=span.start + middle, text=span.text[:middle]),)
    rest = (replace(span, start=span.start + middle + 1, text=span.text[middle + 1 :]),)
    return replace(item, question_type="multi_context", evidence=(cut, rest), derivation={})


def copied(item: Item, sources: Sources) -> Item | None:
    """Make the evidence the question, with the answer replaced by a word that asks."""
    text, answer = item.evidence[0][0].text, item.golden_answers[0]
    question = text.replace(answer, "什么", 1).rstrip("。") + "？"
    if len(item.evidence) > 1 or answer not in text or len(question) < 20 or re.search(r"[|\n]", text):
        return None
    return replace(item, question=question, derivation={})


def wrong_language(item: Item, sources: Sources) -> Item:
    """Ask in another language than the item states."""
    return replace(item, question=sources.rng.choice(_ELSEWHERE))


def near_duplicate(item: Item, sources: Sources) -> Item:
    """Replace the item with another item of the set, its question slightly reworded."""
    other = sources.rng.choice(sources.intact)
    return replace(other, question=reworded(other.question, sources.rng))


def contamination(item: Item, sources: Sources) -> Item:
    """Add the item to the other set: as it is, or reworded."""
    question = sources.rng.choice((item.question, reworded(item.question, sources.rng)))
    sources.twins.append(replace(item, question=question, id=f"t-{len(sources.twins)}"))
    return item


def unanswerable(item: Item, sources: Sources) -> Item | None:
    """Ask what another document answers, and leave answer and evidence as they are."""
    donors = [*sources.intact, *sources.donors]
    others = [each for each in donors if documents_of(each).isdisjoint(documents_of(item))]
    return replace(item, question=sources.rng.choice(others).question) if others else None


def reworded(question: str, rng: random.Random) -> str:
    """Return a question slightly reworded.

    Example:
        >>> reworded("为什么要轮换密钥？", random.Random(3))
        '为何要轮换密钥？'
    """
    changed = [question.replace(word, other, 1) for word, other in _OTHER_WORDS if word in question]
    forms = [f"请问{question}", f"我想知道，{question}", f"能告诉我{question}", *changed]
    return rng.choice(forms)


_PROOF = frozenset({"derivation", "evidence", "kind"})
_FOREIGN = frozenset({"hopeless", "subject", "unknown_name"})

DEFECTS: dict[str, Defect] = {
    "copied words": Defect(copied, frozenset({"copied"})),
    "wrong entity": Defect(wrong_entity, _FOREIGN),
    "changed number": Defect(changed_number, _PROOF),
    "faked multi_context": Defect(faked_multi_context, frozenset({"hops"})),
    "leaking": Defect(leaking, frozenset({"leaking"})),
    "unanswerable": Defect(unanswerable, _FOREIGN | _PROOF),
    "wrong language": Defect(wrong_language, frozenset({"language"})),
    "broken derivation": Defect(defects.broken_derivation, frozenset({"derivation"}), proved=True),
    "wrong answer": Defect(defects.wrong_answer, _PROOF),
    "wrong evidence": Defect(defects.wrong_evidence, frozenset({"derivation", "evidence"})),
    "shifted offsets": Defect(defects.shifted_offsets, DRIFTED),
    "missing document": Defect(defects.missing_document, DRIFTED),
    "not self-contained": Defect(not_self_contained, frozenset({"self_contained"})),
    "contamination": Defect(contamination, frozenset({"contamination"})),
    "duplicate": Defect(defects.duplicate, frozenset({"duplicate"})),
    "near-duplicate": Defect(near_duplicate, frozenset({"near_duplicate", "paraphrase"})),
}
"""All kinds, the ones that suit the fewest items first."""
