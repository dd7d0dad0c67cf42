"""What each check of the audit checks, in one sentence for readers of its report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kgsynth.show.wording import joined, many

SENTENCES = {
    "schema": "Every item has a question, answers and evidence, and its fields agree with one another.",
    "id": "The id of an item that kgsynth wrote is the hash of its content.",
    "not_found": "Every context, and every answer without a context, was found in the documents.",
    "elsewhere": "Every answer without a context was found in a passage about its question.",
    "moved": "No evidence text has moved to another place.",
    "unsettled": "No evidence text is in several places without a sign of which one is meant.",
    "changed": "No evidence text has changed in its document.",
    "vanished": "No evidence text is missing from the documents.",
    "span": "Every evidence span has a text.",
    "place": "Every page, cell and slide is the one where the text is in its file.",
    "derivation": "Every derivation can be computed again and gives the golden answer.",
    "evidence": "The words and numbers of every answer are in its evidence or follow from it.",
    "denied": "No answer stands only in a clause that denies it, such as “does not lead”, and no yes is denied.",
    "subject": "No question names something that only other documents than those of its evidence have.",
    "unknown_name": "Every name in a question is in a document.",
    "kind": "Every answer is of the kind that the question word asks for, such as a person or a date.",
    "claims": "Every claim of an answer names its evidence, and every piece of evidence is needed by a claim.",
    "hops": "Every multi_context question needs evidence from more than one passage.",
    "at_odds": "No question occurs twice with different answers.",
    "ambiguous": "No sentence of the documents gives another answer to a question.",
    "self_contained": "No question refers to something outside itself, such as “the table above”.",
    "leaking": "No question contains its answer.",
    "copied": "No question repeats most of the words of its evidence.",
    "duplicate": "No question occurs twice.",
    "near_duplicate": "No two questions have nearly the same words.",
    "paraphrase": "No two questions have nearly the same meaning, by the embedding model.",
    "too_easy": "The embedding model does not find nearly all evidence, or that of one question far before all else.",
    "hopeless": "No question has evidence that the embedding model ranks low.",
    "closed_book": "The language model does not answer a question without the documents.",
    "contamination": "No question is also in the other set.",
    "coverage": "Every long document has a question.",
    "sections": "The questions are spread over the sections of the documents.",
    "topics": "Every frequent topic of the documents has a question.",
    "balance": "Question types and difficulties are mixed as the settings ask, or not all the same.",
    "length": "No question or answer is far longer than the others, and questions differ in length.",
    "language": "Every question is in the language that the item states and its documents have.",
}
"""Code of a finding -> what the check checks, as it is true when there is no finding."""

SCOPE = (
    "The checks look for defects of form, evidence and balance by rule. They do not measure whether a question is "
    "natural or worth asking: let people read a sample with kgsynth review."
)
"""What the checks do not say."""

OWN_RULES = (
    "kgsynth generate applies most of these rules itself, so few findings in a set that it wrote are expected, "
    "and not a sign of quality."
)
"""What to know about a set that kgsynth wrote."""


class ChecklistLine(NamedTuple):
    """One check: what it checks, and its result: "passed", "15 errors" or "not run", with the reason in ``why``."""

    code: str
    sentence: str
    result: str
    level: str
    why: str = ""


def checklist(audit: Mapping[str, Any]) -> list[ChecklistLine]:
    """Return a line for each check, in the order in which they run; ``audit`` is the content of audit.json.

    Example:
        >>> line = {"code": "leaking", "title": "", "severity": "warning", "count": 2}
        >>> [each.result for each in checklist({"checks": [line], "skipped": {"too_easy": "no model"}})]
        ['2 warnings', 'not run']
    """
    by_code: dict[str, list[Mapping[str, Any]]] = {}
    for check in audit["checks"]:
        by_code.setdefault(check["code"], []).append(check)
    lines = [_line(code, records, audit["skipped"].get(code, "")) for code, records in by_code.items()]
    not_run = {code: why for code, why in audit["skipped"].items() if code not in by_code}
    lines += [ChecklistLine(code, SENTENCES.get(code, code), "not run", "", why) for code, why in not_run.items()]
    order = {code: at for at, code in enumerate(SENTENCES)}
    return sorted(lines, key=lambda line: order.get(line.code, len(order)))


def _line(code: str, records: Sequence[Mapping[str, Any]], why: str) -> ChecklistLine:
    found = [record for record in records if record["count"]]
    result = joined([many(record["count"], record["severity"]) for record in found]) or ("in part" if why else "passed")
    severities = {record["severity"] for record in found}
    level = "bad" if "error" in severities else "warn" if severities else "" if why else "good"
    return ChecklistLine(code, SENTENCES.get(code) or records[0]["title"] or code, result, level, why)
