"""When to try again: what a service that is too busy asks of its callers."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after(value: str | None, now: datetime) -> float:
    """Return the seconds a Retry-After header asks to wait, given as seconds or as a date; 0 when it says nothing.

    Example:
        >>> retry_after("7", datetime.now(UTC))
        7.0
        >>> retry_after("Thu, 01 Jan 1970 00:00:09 GMT", datetime.fromtimestamp(0, UTC))
        9.0
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())
