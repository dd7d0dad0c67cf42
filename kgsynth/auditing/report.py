"""What the audit found, as a record, as JSON and as text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Finding
from kgsynth.base.run_folder.journal import write_files
from kgsynth.golden.dataset import Dataset

SEVERITIES = ("warning", "error")
"""From mild to grave."""

_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All findings in the order of the checks, and the numbers of the set that was audited.

    ``titles`` says what each check that was made looks for, ``skipped`` why the others were not made. ``dataset`` and
    ``documents`` are what was audited; ``converted`` is a set that was read from another tool's file; ``usage`` is what
    the LLM was asked.
    """

    findings: tuple[Finding, ...]
    stats: Mapping[str, Any]
    titles: Mapping[str, str] = field(default_factory=dict)
    skipped: Mapping[str, str] = field(default_factory=dict)
    dataset: Dataset = field(default_factory=lambda: Dataset(()))
    documents: Mapping[str, Document] = field(default_factory=dict)
    converted: bool = False
    usage: Mapping[str, object] = field(default_factory=dict)

    def save(self, folder: Path) -> None:
        """Write audit.json, audit.txt and report.html to a folder, and golden.jsonl when the set was converted.

        Raises:
            InputError: the folder cannot be written.
        """
        from kgsynth.auditing.page import page

        try:
            texts = {"audit.json": self.dumps(), "audit.txt": self.to_text()}
            write_files(folder, ((name, f"{text}\n".encode()) for name, text in texts.items()))
            write_files(folder, page(self.to_json(), self.dataset, self.documents).files())
            if self.converted:
                self.dataset.save(folder / "golden.jsonl")
        except OSError as error:
            raise InputError(f"{folder} cannot be written ({error.strerror}); give another folder with -o") from error

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each code, in the order of the checks."""
        return dict(Counter(finding.code for finding in self.findings))

    def with_more(self, findings: Iterable[Finding], stats: Mapping[str, Any]) -> AuditReport:
        """Return the report with what was found otherwise, behind the rest."""
        return replace(self, findings=(*self.findings, *findings), stats={**self.stats, **stats})

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """Return the findings that are as grave as ``severity`` ("warning" or "error") or graver."""
        grave = SEVERITIES[SEVERITIES.index(severity) :]
        return tuple(finding for finding in self.findings if finding.severity in grave)

    def checks(self) -> list[dict[str, Any]]:
        """Return each check that was made, and for each severity of its findings how many, and on what share of items.

        With the first examples and what to do; a check without findings has a count of 0 and no severity.
        """
        told = []
        for code in dict.fromkeys((*self.titles, *self.counts)):
            of_code = [finding for finding in self.findings if finding.code == code]
            severities: list[str | None] = [*sorted({finding.severity for finding in of_code})]
            for severity in severities or [None]:
                group = [finding for finding in of_code if finding.severity == severity]
                items = {finding.item for finding in group if finding.item}
                told.append(
                    {
                        "code": code,
                        "title": self.titles.get(code, ""),
                        "severity": severity,
                        "count": len(group),
                        "items": len(items),
                        "share": round(len(items) / max(1, self.stats["items"]), 4),
                        "examples": [{"item": each.item, "message": each.message} for each in group[:_EXAMPLES]],
                        "advice": group[0].advice if group else "",
                    }
                )
        return told

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

    def to_text(self) -> str:
        """Return a summary a person reads: the numbers, then each code with its count, an example and what to do."""
        stats = self.stats
        errors = len(self.at_least("error"))
        types = ", ".join(f"{name or 'no type'} {count}" for name, count in stats["question_type"].items())
        lines = [
            *str(stats.get("read", "")).splitlines(),
            f"{stats['items']} items ({types or 'none'}), {stats['answerable']} answerable",
            f"{stats['documents']} documents asked about; of those with 150 words or more "
            f"{stats['documents_asked']} of {stats['documents_long']}",
            f"{errors} errors, {len(self.findings) - errors} warnings",
        ]
        if analysis := stats.get("item_analysis"):
            lines.append(_told(analysis))
        for check in sorted(self.checks(), key=lambda check: check["severity"] != "error"):
            if check["severity"] is None:
                continue
            first = check["examples"][0]
            example = f"{first['item']}: {first['message']}" if first["item"] else first["message"]
            title = f" ({check['title']})" if check["title"] else ""
            lines += ["", f"{check['severity']} {check['code']}: {check['count']}{title}"]
            lines += [f"  {'e.g. ' if check['count'] > 1 else ''}{example}"]
            lines += [f"  what to do: {check['advice']}"] if check["advice"] else []
        why: dict[str, list[str]] = {}
        for code, reason in self.skipped.items():
            why.setdefault(reason, []).append(code)
        lines += ["", *(f"not checked: {', '.join(codes)} ({reason})" for reason, codes in why.items())] if why else []
        return "\n".join(lines)


def _told(analysis: Mapping[str, Any]) -> str:
    """Return what runs tell of the set in a sentence or two."""
    right = ", ".join(f"{label} {share:.0%}" for label, share in analysis["right"].items())
    kr20, questions = analysis["kr20"], analysis["questions"]
    reliable = "no system does better than another" if kr20 is None else f"reliability (KR-20) {kr20:.2f}"
    return (
        f"right by {analysis['metric']}: {right}; {reliable}; "
        f"{len(analysis['enough'])} of {questions} questions put the systems in the same order"
    )
