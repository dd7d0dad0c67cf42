"""Questions on terms: what a word of a glossary is, what a parameter means, what its default is."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.chinese.layout import refers_out, said_draft, with_product, without_stop
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.lengths import length_in_words
from kgsynth.language.words import HAN

_GLOSSARY = re.compile(r"术语|词汇|名词|概念|定义|词典|術語|詞彙|名詞|glossary|terminology", re.I)
_PARAMETERS = re.compile(r"(?P<kind>参数|选项|字段|属性|配置项|环境变量|參數|選項|欄位|屬性)")
_OWNER = re.compile(
    r"(?<![\w.])(?P<owner>[A-Za-z_][\w.]*)(?=(?:\(\))? ?(?:函数|类|方法|命令|接口|对象|中间件|装饰器|組件|组件|$))"
)
_OWNER_IN_TITLE = re.compile(r"(?:使用|关于|配置|添加)?\s?(?P<owner>[A-Za-z_][\w.]*)", re.ASCII)
_CODE_TERM = re.compile(r"^-{0,2}[A-Za-z_][\w.-]*$", re.ASCII)
_TERM = re.compile(rf"^[{HAN}\w][{HAN}\w .+/-]{{0,15}}(?:[（(][^（）()]{{1,20}}[）)])?$")
_EXPLAINS = re.compile(r"^(?:[是指]|你|我|请|如果|当|可以|在(?!线)|这|那|它|对于|由于|因为|除非)|[?？]")
_LONGEST_DEFINITION = 60
_LONGEST_DEFAULT = 6


def term(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question what a term is, what a parameter means, or what its default is."""
    (fact,) = scenario.structure
    name, detail = fact.subject.text.strip(" :：*`"), said(fact)
    if refers_out(detail):
        raise UnwrittenError(Why.POINTS)
    if knowledge.derived(_explanations)[_key(fact, knowledge)] > 1:
        raise UnwrittenError(Why.OPEN)
    question = _of_code(name, fact, knowledge) if _CODE_TERM.match(name) else _of_word(name, fact, knowledge)
    if not question:
        raise UnwrittenError(Why.TERM)
    yield said_draft(question, fact, without_stop(detail))


def _of_word(name: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question for a word of a glossary, "" for a word that only opens an item."""
    document, detail = knowledge.documents[fact.doc], said(fact)
    above = (document.title, document.id.rpartition("/")[2], *document.sections[fact.section].path)
    glossary = any(_GLOSSARY.search(title) for title in above)
    fits = _TERM.match(name) and not _EXPLAINS.search(detail) and length_in_words(detail) <= _LONGEST_DEFINITION
    asked = glossary and fits and fact.kind == StructureKind.DEFINITION
    return with_product(f"什么是{name}？", knowledge) if asked else ""


def _of_code(name: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question for a parameter, with what it is a parameter of; "" if that is not said."""
    detail, owner, kind = said(fact), _owner(fact, knowledge), _kind(fact, knowledge)
    if not owner or not kind:
        return ""
    shown = f"{owner} 的 {name} {kind}"
    if fact.kind == StructureKind.DEFAULT:
        wanted = "是多少" if quantity(detail) is not None else "是什么"
        usable = (
            fact.name == "default" and length_in_words(detail) <= _LONGEST_DEFAULT and not re.search(f"[{HAN}]", detail)
        )
        return f"{shown}的默认值{wanted}？" if usable else ""
    fits = not _EXPLAINS.search(detail) and length_in_words(detail) <= _LONGEST_DEFINITION
    return f"{shown}表示什么？" if fits else ""


def _owner(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return what a parameter belongs to, by the lead of its list or the one name in its heading, "" if not said."""
    title = knowledge.documents[fact.doc].sections[fact.section].title.replace("`", "")
    found = _OWNER.search(knowledge.derived(_leads)[fact.doc, fact.group]) or _OWNER_IN_TITLE.fullmatch(title)
    return found["owner"] if found else ""


def _kind(fact: StructureFact, knowledge: Knowledge) -> str:
    """Return whether a term is a parameter, an option, … by the lead of its list or its heading, "" if not said."""
    lead = knowledge.derived(_leads)[fact.doc, fact.group]
    found = _PARAMETERS.search(lead) or _PARAMETERS.search(knowledge.documents[fact.doc].sections[fact.section].title)
    return found["kind"] if found else ""


def _key(fact: StructureFact, knowledge: Knowledge) -> tuple[str, str, StructureKind, str]:
    name = fact.subject.text.strip(" :：*`")
    owner = _owner(fact, knowledge) if _CODE_TERM.match(name) else ""
    return owner, name.casefold(), fact.kind, fact.name


def _explanations(knowledge: Knowledge) -> Mapping[tuple[str, str, StructureKind, str], int]:
    """Return how often each term is explained, and each of its traits named, by what it belongs to."""
    kinds = (StructureKind.DEFINITION, StructureKind.DEFAULT)
    return Counter(_key(fact, knowledge) for fact in knowledge.structure if fact.kind in kinds)


def _leads(knowledge: Knowledge) -> Mapping[tuple[str, int], str]:
    """Return what leads into each list of each document."""
    found: dict[tuple[str, int], str] = defaultdict(str)
    for fact in knowledge.structure:
        if fact.kind == StructureKind.MEMBER:
            found[fact.doc, fact.group] = " ".join(part.text for part in (fact.subject, *fact.heads))
    return found
