"""The result of an audit: as a record, as JSON, and as text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from operator import itemgetter
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.notebook import data_frame, html_table
from kgsynth.base.records import Document, Finding
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.dataset import Dataset
from kgsynth.ranking.promise import promise_lines
from kgsynth.show.wording import many

SEVERITIES = ("warning", "error")
"""From the least to the most severe."""

_MAX_EXAMPLES = 5
_MAX_EXPLAINED = 3
"""For how many checks the terminal shows an example and what to do, the errors first."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All findings in the order of the checks, and the statistics of the audited set.

    ``titles`` says what each check that ran looks for, ``skipped`` why the others did not run. ``dataset`` and
    ``documents`` are what was audited; ``converted`` is true for a set read from another tool's file; ``usage`` counts
    the calls and tokens of the LLM; ``docs`` is the folder of the documents, if it is known.
    """

    findings: tuple[Finding, ...]
    stats: Mapping[str, Any]
    titles: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    dataset: Dataset = field(default_factory=lambda: Dataset(()))
    documents: Mapping[str, Document] = field(default_factory=dict)
    converted: bool = False
    usage: Mapping[str, object] = field(default_factory=dict)
    docs: Path | None = None

    def __repr__(self) -> str:
        """Return the number of errors and warnings, in all and by check."""
        errors, items = len(self.at_least("error")), self.stats.get("items", len(self.dataset))
        codes = ", ".join(f"{code} {count}" for code, count in self.counts.items())
        found = f"{many(errors, 'error')}, {many(len(self.findings) - errors, 'warning')} in {many(items, 'item')}"
        return f"AuditReport({found}{': ' + codes if codes else ''})"

    def _repr_html_(self) -> str:
        rows = [(each["code"], each["severity"] or "none", each["count"], each["title"]) for each in self.checks()]
        return html_table(repr(self), ("check", "severity", "findings", "what it looks for"), rows)

    def to_pandas(self) -> Any:
        """Return a DataFrame with one row per finding.

        Raises:
            ConfigError: pandas is not installed.
        """
        return data_frame([asdict(each) for each in self.findings], [entry.name for entry in fields(Finding)])

    def save(self, folder: Path) -> None:
        """Write audit.json, audit.txt and report.html to a folder, and golden.jsonl if the set was converted.

        Raises:
            InputError: the folder cannot be written.
        """
        from kgsynth.auditing.page import page
        from kgsynth.show.start_page import write_report

        try:
            texts = {"audit.json": self.dumps(), "audit.txt": self.to_text()}
            own = ((name, f"{text}\n".encode()) for name, text in texts.items())
            write_report(folder, [*own, *page(self.to_json(), self.dataset, self.documents, self.docs).files()])
            if self.converted:
                self.dataset.save(folder / "golden.jsonl")
        except OSError as error:
            raise InputError(f"{folder} cannot be written ({error.strerror}); give another folder with -o") from error

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings per code, in the order of the checks."""
        return dict(Counter(finding.code for finding in self.findings))

    def with_more(self, findings: Iterable[Finding], stats: Mapping[str, Any]) -> AuditReport:
        """Return the report with more findings and statistics at the end."""
        return replace(self, findings=(*self.findings, *findings), stats={**self.stats, **stats})

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """Return the findings at or above a severity, "warning" or "error"."""
        severities = SEVERITIES[SEVERITIES.index(severity) :]
        return tuple(finding for finding in self.findings if finding.severity in severities)

    def checks(self) -> list[dict[str, Any]]:
        """Return one record per check and severity: the count, the share of items, examples, and what to do.

        A check without findings has a count of 0 and no severity.
        """
        records = []
        for code in dict.fromkeys((*self.titles, *self.counts)):
            findings = [finding for finding in self.findings if finding.code == code]
            severities: list[str | None] = [*sorted({finding.severity for finding in findings})]
            for severity in severities or [None]:
                group = [finding for finding in findings if finding.severity == severity]
                items = {finding.item for finding in group if finding.item}
                records.append(
                    {
                        "code": code,
                        "title": self.titles.get(code, ""),
                        "severity": severity,
                        "count": len(group),
                        "items": len(items),
                        "share": round(len(items) / max(1, self.stats["items"]), 4),
                        "examples": [{"item": each.item, "message": each.message} for each in group[:_MAX_EXAMPLES]],
                        "advice": group[0].advice if group else "",
                    }
                )
        return records

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "errors": len(self.at_least("error")),
            "warnings": len(self.findings) - len(self.at_least("error")),
            "counts": self.counts,
            "checks": self.checks(),
            "skipped": dict(self.skipped),
            "findings": [asdict(finding) for finding in self.findings],
            "stats": dict(self.stats),
        }

    def dumps(self) -> str:
        """Return the report as indented JSON text."""
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1)

    def to_text(self, *, short: bool = False) -> str:
        """Return the numbers, then each check that found something with its count, an example and what to do.

        ``short`` is for a terminal, about 25 lines: only the first checks, errors before warnings, have the latter two.
        """
        stats = self.stats
        errors = len(self.at_least("error"))
        types = ", ".join(f"{name or 'no type'} {count}" for name, count in stats["question_type"].items())
        lines = [
            *str(stats.get("read", "")).splitlines(),
            f"{many(errors, 'error')}, {many(len(self.findings) - errors, 'warning')}",
            f"{many(stats['items'], 'item')} ({types or 'no type'}), {stats['answerable']:,} answerable",
            _covered(stats),
        ]
        lines += promise_lines(stats["keep"])[:1] if "keep" in stats else []
        lines += _unseen(stats, foreign=self.converted or bool(stats.get("read")))
        if analysis := stats.get("item_analysis"):
            lines.append(_item_analysis_line(analysis))
        found = sorted(filter(itemgetter("severity"), self.checks()), key=lambda check: check["severity"] != "error")
        explained = found[:_MAX_EXPLAINED] if short else found
        for check in found:
            title = f" ({check['title']})" if check["title"] else ""
            lines += [] if short and check is not found[0] else [""]
            lines.append(f"{check['severity']} {check['code']}: {check['count']:,}{title}")
            lines += _explained(check) if check in explained else []
        codes_by_reason: dict[str, list[str]] = {}
        for code, reason in self.skipped.items():
            codes_by_reason.setdefault(reason, []).append(code)
        lines += [""] if codes_by_reason and not short else []
        lines += [f"not checked: {', '.join(codes)} ({reason})" for reason, codes in codes_by_reason.items()]
        return "\n".join(lines)


def _explained(check: Mapping[str, Any]) -> list[str]:
    """Return the lines with an example of what a check found, and what to do."""
    first = check["examples"][0]
    example = f"{first['item']}: {first['message']}" if first["item"] else first["message"]
    advice = [f"  what to do: {check['advice']}"] if check["advice"] else []
    return [f"  {'e.g. ' if check['count'] > 1 else ''}{example}", *advice]


def _unseen(stats: Mapping[str, Any], *, foreign: bool) -> list[str]:
    """Return what the checks cannot see of this set: whether a yes or no is right, and in another tool's set more."""
    lines = []
    if n := stats.get("yes_no"):
        lines.append(
            f"{many(n, 'answer')} of yes or no: no rule sees whether the evidence says so, unless it denies a yes in "
            "the words of the question"
        )
    if foreign:
        lines.append(
            "no rule sees that a passage says the answer of something else than the question asks about, unless the "
            "question names it: let people read a sample with kgsynth review"
        )
    return lines


def _item_analysis_line(analysis: Mapping[str, Any]) -> str:
    """Return what the runs of several systems say about the set."""
    right = ", ".join(f"{label} {percent(share)}" for label, share in analysis["right"].items())
    kr20, enough = analysis["kr20"], len(analysis["enough"])
    reliability = "all systems do equally well" if kr20 is None else f"reliability (KR-20) {kr20:.2f}"
    return (
        f"right by {analysis['metric']}: {right}; {reliability}; "
        f"the same ranking of the systems with {enough:,} of {many(analysis['questions'], 'question')}"
    )


def _covered(stats: Mapping[str, Any]) -> str:
    asked = f"{many(stats['documents'], 'document')} {'has' if stats['documents'] == 1 else 'have'} questions"
    long = f"the {many(stats['documents_long'], 'document')} with {LIMITS.long_document_words} words or more"
    return f"{asked}; {stats['documents_asked']:,} of {long} have at least one" if stats["documents_long"] else asked
