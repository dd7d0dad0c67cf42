"""Ids that depend on nothing but the content they identify."""

from __future__ import annotations

import hashlib


def content_id(prefix: str, *parts: object) -> str:
    """Return an id that depends on nothing but the content: ``prefix-`` and 12 hex digits.

    Example:
        >>> content_id("q", "Who?", "Ada")
        'q-18a00002ce67'
    """
    joined = "\x1f".join(str(part) for part in parts)
    return f"{prefix}-{hashlib.sha256(joined.encode()).hexdigest()[:12]}"
