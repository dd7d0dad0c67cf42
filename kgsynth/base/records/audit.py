"""What the audit of a golden set found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem in a golden set; ``severity`` is error or warning, ``item`` an id, or "" for the whole set."""

    code: str
    severity: str
    item: str
    message: str
    advice: str = ""
