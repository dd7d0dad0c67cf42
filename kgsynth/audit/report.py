"""What the audit found, as a record, as JSON and as text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kgsynth.records import Finding

SEVERITIES = ("warning", "error")
"""From mild to grave."""


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All findings in the order of the checks, and the numbers of the set that was audited."""

    findings: tuple[Finding, ...]
    stats: Mapping[str, Any]

    @property
    def counts(self) -> dict[str, int]:
        """How many findings there are of each code, in the order of the checks."""
        return dict(Counter(finding.code for finding in self.findings))

    def with_more(self, findings: Iterable[Finding], stats: Mapping[str, Any]) -> AuditReport:
        """Return the report with what was found otherwise, behind the rest."""
        return AuditReport((*self.findings, *findings), {**self.stats, **stats})

    def at_least(self, severity: str) -> tuple[Finding, ...]:
        """Return the findings that are as grave as ``severity`` ("warning" or "error") or graver."""
        grave = SEVERITIES[SEVERITIES.index(severity) :]
        return tuple(finding for finding in self.findings if finding.severity in grave)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "errors": len(self.at_least("error")),
            "warnings": len(self.findings) - len(self.at_least("error")),
            "counts": self.counts,
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
        for code, severity in dict.fromkeys((finding.code, finding.severity) for finding in self.findings):
            group = [finding for finding in self.findings if (finding.code, finding.severity) == (code, severity)]
            first = group[0]
            example = f"{first.item}: {first.message}" if first.item else first.message
            lines += ["", f"{severity} {code}: {len(group)}", f"  {'e.g. ' if len(group) > 1 else ''}{example}"]
            lines += [f"  what to do: {first.advice}"] if first.advice else []
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
