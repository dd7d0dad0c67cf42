"""Every limit of the table is moved by a test, which sees the outcome change."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from kgsynth.base.thresholds import Limits

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "kgsynth"


def test_every_limit_is_moved_by_a_test_and_read_by_the_code() -> None:
    names = {limit.name for limit in fields(Limits)}
    tests = "".join(file.read_text(encoding="utf-8") for file in sorted(TESTS.glob("test_*.py")))
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py")))
    assert not names - set(re.findall(r"""\bmove\(\s*["'](\w+)["']""", tests)), "move these in a test"
    assert not names - set(re.findall(r"\bLIMITS\.(\w+)", code)), "no code reads these"
