"""Scores as JUnit XML for CI: one test case per question, gate and threshold."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.scores import Scores

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(scores: Scores) -> str:
    """Return the scores as JUnit XML.

    Only gates and thresholds can fail, as they decide the exit code of ``score``; without them, a first case says how
    many questions failed. A question that did not pass is skipped, with its cause as the message. So is a question that
    was not checked, and a threshold that does not apply to the golden set. If no question was checked, that is a failed
    case. Characters that XML cannot hold are replaced.
    """
    suites = ElementTree.Element("testsuites", name="kgsynth")
    suite = ElementTree.SubElement(suites, "testsuite", name=_clean(f"{scores.system} on {scores.golden[:19]}"))
    if scores.n_checked and not scores.gates and not scores.thresholds:
        value = f"no test case can fail; the result is: {scores.result}"
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", name="no gates given", value=_clean(value))
    if scores.failures and not scores.gates and not scores.thresholds:
        case = ElementTree.SubElement(suite, "testcase", classname="gates", name="no gate was set")
        message = f"no gate was set: {len(scores.failures)} of {scores.n_items} questions failed"
        _add_result(case, "skipped", message, "set one, such as --gate 'pass_rate>=0.9', to fail on them")
    for item in scores.items:
        _add_question(suite, item)
    if not scores.compared:
        case = ElementTree.SubElement(suite, "testcase", classname="gates", name="any question is checked")
        _add_result(case, "failure", scores.result, "\n".join(scores.notes))
    for gate in scores.gates:
        case = ElementTree.SubElement(suite, "testcase", classname="gates", name=_clean(gate.text))
        why = gate.why or gate.detail or f"the value is {gate.value}"
        if gate.level == "failed":
            _add_result(case, "failure", why, "")
        elif gate.detail or not gate.passed:
            ElementTree.SubElement(case, "system-out").text = _clean(f"{gate.outcome}: {why}")
    for threshold in scores.thresholds:
        case = ElementTree.SubElement(suite, "testcase", classname="thresholds", name=_clean(threshold.metric))
        limits = "warn {:g}, fail {:g}".format(*threshold.limits)
        value = threshold.why or f"the value is {threshold.value}"
        if threshold.level == "failed":
            _add_result(case, "failure", value, limits)
        elif threshold.level == "not assessed":
            ElementTree.SubElement(case, "skipped", message=_clean(f"not assessed: {value}"))
        else:
            ElementTree.SubElement(case, "system-out").text = f"{threshold.level}: {value}, {limits}"
    return _xml(suites, suite)


def junit_of_failure(golden: str, error: str) -> str:
    """Return JUnit XML for a run that has no scores: a single case with an error.

    Example:
        >>> '<error message="it is down"' in junit_of_failure("golden.jsonl", "it is down")
        True
    """
    suites = ElementTree.Element("testsuites", name="kgsynth")
    suite = ElementTree.SubElement(suites, "testsuite", name=_clean(golden))
    case = ElementTree.SubElement(suite, "testcase", classname="score", name="the run gives scores")
    _add_result(case, "error", error, "")
    return _xml(suites, suite)


def _xml(suites: ElementTree.Element, suite: ElementTree.Element) -> str:
    """Return the file as text, with the numbers of the suite."""
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    ElementTree.indent(suites)
    xml: bytes = ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)
    return xml.decode() + "\n"


def _add_question(suite: ElementTree.Element, item: ItemScore) -> None:
    name = _clean(f"{item.id} {item.question}")
    case = ElementTree.SubElement(suite, "testcase", classname=_clean(f"golden.{item.question_type}"), name=name)
    if item.not_checked:
        _add_result(case, "skipped", f"not checked: {item.not_checked}", "")
    if item.cause is not None:
        ranks = ", ".join("not found" if rank is None else str(rank) for rank in item.group_ranks)
        lines = (
            f"expected: {' | '.join(item.expected) or '(no answer)'}",
            f"actual: {item.actual if item.actual is not None else '(none)'}",
            f"evidence ranks: {ranks or '–'}",
            f"try: {item.cause.advice}",
        )
        _add_result(case, "skipped", str(item.cause), "\n".join(lines))


def _add_result(case: ElementTree.Element, tag: str, message: str, text: str) -> None:
    ElementTree.SubElement(case, tag, message=_clean(message)).text = _clean(text)


def _clean(text: str) -> str:
    """Replace the characters that XML 1.0 cannot hold, such as NUL and lone surrogates.

    Example:
        >>> _clean("a\\x00b <c>")
        'a\ufffdb <c>'
    """
    return _NOT_IN_XML.sub("\ufffd", text)
