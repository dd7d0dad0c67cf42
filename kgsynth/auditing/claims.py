"""Do the claims of an answer and its evidence fit each other: is every claim proved, and every group needed?"""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_members import COMPOSED
from kgsynth.golden.spans import excerpt
from kgsynth.show.wording import many


def claims_and_groups(case: AuditCase) -> Iterator[Finding]:
    """Yield claims whose evidence groups do not exist, or that have none, and groups that no claim needs."""
    for item in case.dataset:
        if item.answer_kind == COMPOSED and item.answerable and not item.claims:
            message = f"answer_kind is {COMPOSED!r}, but the item has no claims, so its answers are compared by words"
            yield Finding("claims", "warning", item.id, message, "add the claims, or remove answer_kind")
        yield from _unproved(item)
        used = {group for claim in item.claims for group in claim.groups}
        unused = [group for group in range(len(item.evidence)) if group not in used]
        if item.claims and unused:
            span = next(iter(item.evidence[unused[0]]), None)
            which = f"evidence group {unused[0]} ({excerpt(span.text) if span else 'empty'})"
            more = f" and {many(len(unused) - 1, 'more group')}" if len(unused) > 1 else ""
            message = f"no claim needs {which}{more}, yet a system must retrieve it"
            yield Finding("claims", "warning", item.id, message, "add the claim that it proves, or remove the group")


def _unproved(item: Item) -> Iterator[Finding]:
    for claim in item.claims:
        absent = [group for group in claim.groups if not 0 <= group < len(item.evidence)]
        if absent:
            groups = many(len(item.evidence), "evidence group")
            message = f"the claim {excerpt(claim.text)} names group {absent[0]}, but the item has {groups} (from 0)"
            yield Finding("claims", "error", item.id, message, "correct the numbers of the groups")
        elif not claim.groups:
            message = f"the claim {excerpt(claim.text)} has no evidence"
            yield Finding("claims", "error", item.id, message, "name the groups that prove it, or delete the claim")
