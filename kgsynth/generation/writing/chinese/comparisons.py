"""Questions on two passages about one decision: 云雀网关和雨燕网关有什么区别？ 年假和病假的申请方式有什么不同？"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kgsynth.base.records import Scenario
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.two_scopes import scope_title
from kgsynth.generation.writing.chinese.layout import refers_out, span_of
from kgsynth.generation.writing.draft import QuestionDraft
from kgsynth.language.chinese.headings import bare_title, heading_question
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.chinese.text_forms import content_stems
from kgsynth.language.part_words import is_part_of_text, names_apparatus
from kgsynth.language.words import HAN

_NAMES_SUBJECT = re.compile(rf"^(?!.* - )[{HAN}\w][{HAN}\w .+/-]{{1,15}}$")
_MATTER = re.compile(rf"^[{HAN}A-Za-z][{HAN}A-Za-z ]{{1,9}}$")
_IN_MATTER = frozenset("n ng nz vn eng j l b s x".split())
_NO_MATTER = re.compile(
    r"^(?:决定|待办|经过|原因|改进|影响|结果|备注|内容|其[他它]|更多|步骤|注意.*|说明|参数|用法|优点|缺点|功能|特性|测试|检查|运行.*|使用.*|创建.*|"
    r"查看.*|导入.*|添加.*|它.*|了解.*|回顾|技术细节|关于.*|第.步.*)$"
)


def difference(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how two things differ that are defined apart."""
    one, other = (fact.subject.text.strip() for fact in scenario.structure)
    texts = [fact.values[0].text for fact in scenario.structure]
    if one in other or other in one or not all(_NAMES_SUBJECT.match(name) for name in (one, other)):
        return
    if any(map(refers_out, texts)):
        return
    steps = []
    for fact, text in zip(scenario.structure, texts, strict=True):
        step: dict[str, Any] = {"fact": fact.id, "find": span_of(fact.doc, fact.values[0])}
        steps.append(step if fact.subject.text in text else {**step, "name": fact.subject.text})
    answer = " ".join(
        f"{step['name']}: {text}" if "name" in step else text for step, text in zip(steps, texts, strict=True)
    )
    together = {"together": scenario.scope}
    yield QuestionDraft(f"{one}和{other}有什么区别？", (answer,), "contrast", tuple(steps), together)


def two_scopes(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how one matter differs between two subjects."""
    one, other = scenario.structure
    matter = bare_title(one.name or one.subject.text)
    scopes = [bare_title(scope_title(*pair, knowledge.documents)) for pair in ((one, other), (other, one))]
    if not _is_matter(matter) or scopes[0] == scopes[1] or not all(map(_is_subject, scopes)):
        return
    known = [set(content_stems(name)) for name in scopes]
    if any(refers_out(said(fact)) for fact in scenario.structure) or any(set(content_stems(matter)) & k for k in known):
        return
    steps = tuple({"fact": f.id, "doc": f.doc, "name": s} for s, f in zip(scopes, scenario.structure, strict=True))
    answer = " ".join(f"{scope}: {said(fact)}" for scope, fact in zip(scopes, scenario.structure, strict=True))
    question = f"{scopes[0]}和{scopes[1]}的{matter}有什么不同？"
    yield QuestionDraft(question, (answer,), "contrast", steps, {"together": scenario.scope})


def _is_matter(title: str) -> bool:
    """Check whether a heading names what two subjects may differ in."""
    other = _NO_MATTER.match(title) or is_part_of_text(title) or heading_question(title)
    return bool(_MATTER.match(title)) and not other and _is_nominal(title)


def _is_nominal(title: str) -> bool:
    """Check whether a title has no verb in it; the tag of a single word is not certain enough: 手续."""
    words = tokens(title)
    return len(words) == 1 or all(each.tag in _IN_MATTER for each in words)


def _is_subject(title: str) -> bool:
    apart = is_part_of_text(title) or names_apparatus(title) or heading_question(title)
    return bool(_NAMES_SUBJECT.match(title)) and not apart and not re.search(r"19|20\d\d|^\d", title)
