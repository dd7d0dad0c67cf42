"""The HTML report of ``audit``: the findings check by check, the composition of the set, and what it leaves out.

It shows whatever statistics the audit gives: counts by label as bars, a distribution with ``bins`` as columns, a list
of records as a table. A new statistic needs no change here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.records import Document, Item
from kgsynth.base.shares import percent
from kgsynth.golden.dataset import Dataset
from kgsynth.ranking.promise import promise_lines
from kgsynth.show.coverage import coverage
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.pages import Report, render
from kgsynth.show.plots import Plot, bars, columns
from kgsynth.show.questions import DIFFICULTIES, MAX_QUESTIONS_LISTED, ListedQuestion, View, chips, filters, view
from kgsynth.show.wording import FEW, joined, many

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
    "too_easy": "The embedding model does not find nearly all evidence.",
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


_EXAMPLES_SHOWN = 3
_MAX_BARS = 14
"""Counts with more labels than this are cut to the largest."""
_MAX_TABLE_ROWS = 100
_DRAWN_ELSEWHERE = frozenset({"documents", "sections", "keep"})  # under coverage, at the top


def page(
    audit: Mapping[str, Any], dataset: Dataset, documents: Mapping[str, Document], docs: Path | None = None
) -> Report:
    """Return the report of an audit of ``dataset``; ``audit`` is the content of audit.json.

    Pages of PDFs in the folder ``docs`` are drawn.
    """
    findings: Sequence[Mapping[str, Any]] = audit["findings"]
    asked = coverage(dataset, documents)
    by_item: dict[str, list[Mapping[str, Any]]] = {}
    for finding in findings:
        if finding["item"] in dataset:
            by_item.setdefault(finding["item"], []).append(finding)
    flagged = [item for item in dataset if item.id in by_item]
    drawn = Illustrations(documents, docs)
    rows = [_row(item, by_item[item.id], view(item, documents, drawn)) for item in flagged[:MAX_QUESTIONS_LISTED]]
    counts = Counter(finding["code"] for finding in findings)
    by_check = dict(counts.most_common(_MAX_BARS))
    findings_plots = [bars("findings", "Findings by check", by_check)] if len(counts) > 1 else []
    distributions = list(_plots(audit["stats"]))
    lines = checklist(audit)
    ran = sum(line.result != "not run" for line in lines)
    own = any(item.metadata.get("source") == "kgsynth" for item in dataset)
    figures = (
        many(len(dataset), "question"),
        *(many(audit[severity], severity[:-1]) for severity in ("errors", "warnings")),
        many(len(flagged), "question with findings", "questions with findings"),
    )
    html = render(
        "auditing/page.html",
        kind="Audit",
        title=_title(audit, len(dataset)),
        passed=_share(len(dataset) - len(flagged), dataset),
        lead=f"without a finding in the {many(ran, 'check')} that ran.{_estimate(audit['stats'])}",
        pictures=[*findings_plots, *distributions],
        figures=[figure.split(" ", 1) for figure in figures],
        findings_plots=findings_plots,
        found=[_check(check, dataset) for check in _in_order(audit["checks"], counts)],
        checklist=lines,
        scope=f"{SCOPE} {OWN_RULES}" if own else SCOPE,
        few=len(dataset) < FEW,
        distributions=distributions,
        facts=[(_name(key), f"{value:,}") for key, value in audit["stats"].items() if isinstance(value, int | float)],
        tables=list(_tables(audit["stats"])),
        coverage=asked,
        rows=rows,
        flagged=len(flagged),
        choices=filters(rows, {"check": "Check", "severity": "Severity", "type": "Type", "difficulty": "Difficulty"}),
    )
    return Report(html, (*findings_plots, *distributions))


def _title(audit: Mapping[str, Any], items: int) -> str:
    errors, warnings = (many(audit[severity], severity[:-1]) for severity in ("errors", "warnings"))
    questions = many(items, "question")
    if audit["errors"]:
        return f"{errors} and {warnings} in {questions}"
    return f"No errors in {questions}" + (f", {warnings}" if audit["warnings"] else "")


def _estimate(stats: Mapping[str, Any]) -> str:
    return f" {promise_lines(stats['keep'])[0]}." if "keep" in stats else ""


# ---- findings --------------------------------------------------------------------------------------


def _in_order(checks: Sequence[Mapping[str, Any]], codes: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the checks with findings, errors first, then in the order of their codes in ``codes``."""
    place = {code: at for at, code in enumerate(codes)}
    found = [check for check in checks if check["count"]]
    return sorted(found, key=lambda check: (check["severity"] != "error", place[check["code"]]))


def _check(check: Mapping[str, Any], dataset: Dataset) -> dict[str, Any]:
    share = f" in {_share(check['items'], dataset)}" if check["items"] else ""
    examples = [
        {**each, "question": dataset[each["item"]].question if each["item"] in dataset else ""}
        for each in check["examples"][:_EXAMPLES_SHOWN]
    ]
    count = many(check["count"], "finding") + share
    return {**check, "count": count, "advice": check["advice"].rstrip("."), "examples": examples}


def _share(part: int, dataset: Dataset) -> str:
    """Return a number of questions with its share, such as "3 of 60 questions (5 %)"."""
    return f"{part:,} of {many(len(dataset), 'question')}" + (
        f" ({percent(part / len(dataset))})" if len(dataset) else ""
    )


def _row(item: Item, findings: Sequence[Mapping[str, Any]], shown: View) -> ListedQuestion:
    codes = list(dict.fromkeys(finding["code"] for finding in findings))
    keys = {
        "check": codes,
        "severity": list(dict.fromkeys(finding["severity"] for finding in findings)),
        "type": [item.question_type],
        "difficulty": [item.difficulty],
    }
    answers = " | ".join(item.golden_answers)
    return ListedQuestion(item.id, item.question, answers, (*codes, *chips(item)), keys, shown, {"findings": findings})


# ---- statistics ------------------------------------------------------------------------------------


def _plots(stats: Mapping[str, Any], above: str = "") -> Iterator[Plot]:
    """Draw every count by label and every distribution, at any depth."""
    for key, value in stats.items():
        name = f"{above} {_name(key)}".strip()
        if not isinstance(value, Mapping) or key == "bins" or key in _DRAWN_ELSEWHERE:
            continue
        counts = {str(label or "none"): number for label, number in value.items() if isinstance(number, int | float)}
        if isinstance(value.get("bins"), Mapping):
            if value["bins"]:
                yield columns(_slug(name), _distribution_title(name, value), value["bins"], axis=name)
        elif len(counts) == len(value) > 1 and max(counts.values()) > 1:
            yield _bars(name, counts)
        yield from _plots(value, name)


def _bars(name: str, counts: Mapping[str, float]) -> Plot:
    if len(counts) > _MAX_BARS:
        largest = dict(sorted(counts.items(), key=lambda pair: -pair[1])[:_MAX_BARS])
        return bars(_slug(name), f"{name.capitalize()}: the {_MAX_BARS} largest of {len(counts)}", largest)
    ordered = sorted(counts.items(), key=lambda pair: DIFFICULTIES.index(pair[0]) if pair[0] in DIFFICULTIES else 0)
    return bars(_slug(name), name.capitalize(), dict(ordered))


def _distribution_title(name: str, value: Mapping[str, Any]) -> str:
    quartiles, mean = value.get("quartiles"), value.get("mean")
    if not quartiles:
        return name.capitalize()
    low, high = f"{quartiles[0]:.3g}", f"{quartiles[-1]:.3g}"
    return f"{name.capitalize()}: the middle half is from {low} to {high}, the mean is {mean:.3g}"


def _tables(stats: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, list[str], list[list[str]]]]:
    for key, value in stats.items():
        name = f"{above} {_name(key)}".strip()
        if isinstance(value, Mapping):
            yield from _tables(value, name)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping) and key not in _DRAWN_ELSEWHERE:
            heads = list(value[0])
            rows = [[str(record.get(head, "")) for head in heads] for record in value[:_MAX_TABLE_ROWS]]
            yield name.capitalize(), [_name(head) for head in heads], rows


_LABELS = {
    "question_words": "words per question",
    "answer_words": "words per answer",
    "groups_per_item": "evidence groups per question",
    "overlap": "share of a question's words in its evidence",
    "rank": "rank of the evidence by the embedding model",
    "documents": "documents with questions",
    "documents_long": "long documents",
    "documents_asked": "long documents with questions",
    "within": "at most",
    "coverage": "coverage of",
    "sections_asked": "sections with questions",
    "asked": "with questions",
}
"""Key of the statistics -> how the page names it, where the key alone would be unclear."""


def _name(key: object) -> str:
    return _LABELS.get(str(key), str(key).replace("_", " "))


def _slug(name: str) -> str:
    return "stats-" + "-".join(name.split())
