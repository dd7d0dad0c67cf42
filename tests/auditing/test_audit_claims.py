"""The audit of claims: every claim has evidence that exists, and every evidence group is needed by a claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from composed_items import COMPOSED, DOCUMENTS

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.base.records import Claim, Item
from kgsynth.golden.dataset import Dataset

LEAVE = COMPOSED[0]


def findings(item: Item) -> list[tuple[str, str]]:
    case = AuditCase(Dataset([item]), {document.id: document for document in DOCUMENTS})
    return [(finding.severity, finding.message) for finding in CHECKS["claims"].find(case)]


def test_claims_that_use_every_group_are_fine() -> None:
    assert [found for item in COMPOSED for found in findings(item)] == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda item: replace(item, claims=(*item.claims[:3], Claim("Leave is free.", (4,)))),
            [
                ("error", "the claim 'Leave is free.' names group 4, but the item has 4 evidence groups (from 0)"),
                (
                    "warning",
                    "no claim needs evidence group 3 ('Leave is requested in the staff portal.'), "
                    "yet a system must retrieve it",
                ),
            ],
        ),
        (
            lambda item: replace(item, claims=(*item.claims, Claim("Leave is free.", ()))),
            [("error", "the claim 'Leave is free.' has no evidence")],
        ),
        (
            lambda item: replace(item, claims=item.claims[2:]),
            [
                (
                    "warning",
                    "no claim needs evidence group 0 ('Full-time staff get 25 days of leave a year.') "
                    "and 1 more group, yet a system must retrieve it",
                )
            ],
        ),
        (
            lambda item: replace(item, claims=()),
            [
                (
                    "warning",
                    "answer_kind is 'composed', but the item has no claims, so its answers are compared by words",
                )
            ],
        ),
    ],
)
def test_claims_and_groups_that_do_not_fit(change: Callable[[Item], Item], expected: list[tuple[str, str]]) -> None:
    assert findings(change(LEAVE)) == expected


def test_an_item_without_claims_has_no_finding() -> None:
    assert findings(replace(LEAVE, claims=(), answer_kind="")) == []
