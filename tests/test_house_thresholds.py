"""Every limit of the table is read by the code."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from kgsynth.base.thresholds import Limits

SOURCE = Path(__file__).parent.parent / "kgsynth"


def test_every_limit_is_read_by_the_code() -> None:
    names = {limit.name for limit in fields(Limits)}
    code = "".join(file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py")))
    assert not names - set(re.findall(r"\bLIMITS\.(\w+)", code)), "no code reads these"
