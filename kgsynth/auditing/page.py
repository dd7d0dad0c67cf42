"""The report of ``audit``: what was found, check by check, what the set is made of, and what it never asks about.

It draws whatever figures the audit gives: a count by label as bars, a spread with its ``bins`` as columns, a list of
records as a table, so a new figure shows without a change here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kgsynth.base.records import Document, Item
from kgsynth.base.version import __version__
from kgsynth.golden.dataset import Dataset
from kgsynth.show.coverage import coverage
from kgsynth.show.pages import render
from kgsynth.show.plots import Plot, bars, columns
from kgsynth.show.question_list import DIFFICULTIES, MAX_QUESTIONS_LISTED, ListedQuestion, chips, filters
from kgsynth.show.question_view import view
from kgsynth.show.report import Report
from kgsynth.show.wording import many

_EXAMPLES = 3
_LABELS = 14
"""Counts with more labels than these are cut to the largest."""
_LISTED = 100
_DRAWN_ELSEWHERE = frozenset({"documents"})


def page(told: Mapping[str, Any], dataset: Dataset, documents: Mapping[str, Document]) -> Report:
    """Return the report of an audit of ``dataset``; ``told`` is what audit.json holds."""
    findings: Sequence[Mapping[str, Any]] = told["findings"]
    asked = coverage(dataset, documents)
    of_items: dict[str, list[Mapping[str, Any]]] = {}
    for finding in findings:
        if finding["item"] in dataset:
            of_items.setdefault(finding["item"], []).append(finding)
    flagged = [item for item in dataset if item.id in of_items]
    rows = [_row(item, of_items[item.id], documents) for item in flagged[:MAX_QUESTIONS_LISTED]]
    counts = Counter(finding["code"] for finding in findings)
    found = [bars("findings", "Findings by check", dict(counts.most_common(_LABELS)))] if len(counts) > 1 else []
    spread = list(_plots(told["stats"]))
    html = render(
        "auditing/page.html",
        kind="Audit",
        title=_title(told, len(dataset)),
        lead=_lead(told, dataset, of_items),
        version=__version__,
        pictures=[*found, *spread],
        figures=_figures(told, dataset, of_items),
        pictures_of_findings=found,
        found=[_check(check, dataset) for check in _in_order(told["checks"], counts)],
        clean=[check["title"] or check["code"] for check in told["checks"] if not check["count"]],
        skipped=told.get("skipped", {}),
        distributions=spread,
        facts=[(_name(key), f"{value:,}") for key, value in told["stats"].items() if isinstance(value, int | float)],
        tables=list(_tables(told["stats"])),
        coverage=asked,
        rows=rows,
        flagged=len(flagged),
        choices=filters(rows, {"check": "Check", "severity": "Severity", "type": "Type", "difficulty": "Difficulty"}),
    )
    return Report(html, (*found, *spread))


def _title(told: Mapping[str, Any], items: int) -> str:
    errors, warnings = (many(told[kind], kind[:-1]) for kind in ("errors", "warnings"))
    of = many(items, "question")
    if told["errors"]:
        return f"{errors} and {warnings} in {of}"
    return f"No errors in {of}" + (f", {warnings}" if told["warnings"] else "")


def _lead(told: Mapping[str, Any], dataset: Dataset, of_items: Mapping[str, Any]) -> str:
    clean = len(dataset) - len(of_items)
    share = f" ({clean / len(dataset):.0%})" if len(dataset) else ""
    return f"Nothing is amiss with {clean:,} of the {many(len(dataset), 'question')} taken singly{share}."


def _figures(told: Mapping[str, Any], dataset: Dataset, of_items: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (f"{len(dataset):,}", "questions"),
        (f"{told['errors']:,}", "errors"),
        (f"{told['warnings']:,}", "warnings"),
        (f"{len(of_items):,}", "questions with findings"),
    ]


# ---- findings --------------------------------------------------------------------------------------


def _in_order(checks: Sequence[Mapping[str, Any]], codes: Iterable[str]) -> list[Mapping[str, Any]]:
    """Return the checks that found something, errors first, else in the order of their findings."""
    place = {code: at for at, code in enumerate(codes)}
    found = [check for check in checks if check["count"]]
    return sorted(found, key=lambda check: (check["severity"] != "error", place[check["code"]]))


def _check(check: Mapping[str, Any], dataset: Dataset) -> dict[str, Any]:
    share = f" on {check['items'] / len(dataset):.1%} of the questions" if check["items"] and len(dataset) else ""
    examples = [
        {**each, "question": dataset[each["item"]].question if each["item"] in dataset else ""}
        for each in check["examples"][:_EXAMPLES]
    ]
    said = many(check["count"], "finding") + share
    return {**check, "said": said, "advice": check["advice"].rstrip("."), "examples": examples}


def _row(item: Item, findings: Sequence[Mapping[str, Any]], documents: Mapping[str, Document]) -> ListedQuestion:
    codes = list(dict.fromkeys(finding["code"] for finding in findings))
    keys = {
        "check": codes,
        "severity": list(dict.fromkeys(finding["severity"] for finding in findings)),
        "type": [item.question_type],
        "difficulty": [item.difficulty],
    }
    answers = " | ".join(item.golden_answers)
    return ListedQuestion(
        item.id, item.question, answers, (*codes, *chips(item)), keys, view(item, documents), {"findings": findings}
    )


# ---- figures ---------------------------------------------------------------------------------------


def _plots(stats: Mapping[str, Any], above: str = "") -> Iterator[Plot]:
    """Draw every count by label, and every spread, wherever it stands."""
    for key, value in stats.items():
        name = f"{above} {_name(key)}".strip()
        if not isinstance(value, Mapping) or key == "bins":
            continue
        counts = {str(label or "none"): number for label, number in value.items() if isinstance(number, int | float)}
        if isinstance(value.get("bins"), Mapping):
            if value["bins"]:
                yield columns(_slug(name), _spread(name, value), value["bins"], axis=name)
        elif len(counts) == len(value) > 1 and max(counts.values()) > 1:
            yield _bars(name, counts)
        yield from _plots(value, name)


def _bars(name: str, counts: Mapping[str, float]) -> Plot:
    if len(counts) > _LABELS:
        largest = dict(sorted(counts.items(), key=lambda pair: -pair[1])[:_LABELS])
        return bars(_slug(name), f"{name.capitalize()}: the {_LABELS} largest of {len(counts)}", largest)
    ordered = sorted(counts.items(), key=lambda pair: DIFFICULTIES.index(pair[0]) if pair[0] in DIFFICULTIES else 0)
    return bars(_slug(name), name.capitalize(), dict(ordered))


def _spread(name: str, value: Mapping[str, Any]) -> str:
    quartiles, mean = value.get("quartiles"), value.get("mean")
    if not quartiles:
        return name.capitalize()
    return f"{name.capitalize()}: half lie between {quartiles[0]:g} and {quartiles[-1]:g}, the mean is {mean:.3g}"


def _tables(stats: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, list[str], list[list[str]]]]:
    for key, value in stats.items():
        name = f"{above} {_name(key)}".strip()
        if isinstance(value, Mapping):
            yield from _tables(value, name)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping) and key not in _DRAWN_ELSEWHERE:
            heads = list(value[0])
            rows = [[str(record.get(head, "")) for head in heads] for record in value[:_LISTED]]
            yield name.capitalize(), [_name(head) for head in heads], rows


def _name(key: object) -> str:
    return str(key).replace("_", " ")


def _slug(name: str) -> str:
    return "stats-" + "-".join(name.split())
