"""Scores as JUnit XML, which every CI shows: one test case a question, one a gate, one a threshold."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from kgsynth.scoring.metrics.scores import ItemScore, Scores

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(scores: Scores) -> str:
    """Return the scores as JUnit XML.

    A question fails when something is amiss with it, and is an error when the system failed on it; a threshold that
    could not be assessed is skipped. What XML cannot hold is replaced.
    """
    suites = ElementTree.Element("testsuites", name="kgsynth")
    suite = ElementTree.SubElement(suites, "testsuite", name=_clean(f"{scores.system} on {scores.golden[:19]}"))
    for item in scores.items:
        _question(suite, item)
    for gate in scores.gates:
        case = ElementTree.SubElement(suite, "testcase", classname="gates", name=_clean(gate.gate))
        why = gate.why or f"the value is {gate.value}"
        if gate.failed:
            _told(case, "failure", why, "")
        elif not gate.passed:
            ElementTree.SubElement(case, "system-out").text = _clean(f"{gate.told}: {why}")
    for held in scores.thresholds:
        case = ElementTree.SubElement(suite, "testcase", classname="thresholds", name=_clean(held.metric))
        bounds = f"warn {held.warn:g}, fail {held.fail:g}"
        if held.level == "failed":
            _told(case, "failure", f"the value is {held.value}", bounds)
        elif held.level == "not assessed":
            ElementTree.SubElement(case, "skipped", message="not assessed")
        else:
            ElementTree.SubElement(case, "system-out").text = f"{held.level}: the value is {held.value}, {bounds}"
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    ElementTree.indent(suites)
    told: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return told.decode() + "\n"


def _question(suite: ElementTree.Element, item: ItemScore) -> None:
    name = _clean(f"{item.id} {item.question}")
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(f"golden.{item.question_type}"), name=name)
    if item.cause is not None:
        ranks = ", ".join("never" if rank is None else str(rank) for rank in item.group_ranks)
        lines = (
            f"expected: {' | '.join(item.expected) or '(no answer)'}",
            f"actual: {item.actual if item.actual is not None else '(none)'}",
            f"evidence at ranks: {ranks or '–'}",
            f"try: {item.cause.advice}",
        )
        _told(case, "error" if item.cause.kind == "error" else "failure", str(item.cause), "\n".join(lines))


def _told(case: ElementTree.Element, tag: str, message: str, text: str) -> None:
    ElementTree.SubElement(case, tag, message=_clean(message)).text = _clean(text)


def _clean(text: str) -> str:
    """Replace the characters that XML 1.0 has no way to write, such as NUL and lone surrogates.

    Example:
        >>> _clean("a\\x00b <c>")
        'a\ufffdb <c>'
    """
    return _ILLEGAL.sub("\ufffd", text)
