"""Trying a request again, after a pause that doubles or after the one that the server asks for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class RetryPolicy(NamedTuple):
    """How often a request is repeated, the first pause, which doubles each time, and the longest pause, in seconds."""

    retries: int
    backoff: float
    longest_wait: float


class AttemptError(Exception):
    """An attempt failed; ``retryable`` if another may succeed, after the ``pause`` in seconds that the server asks for.

    Example:
        >>> str(AttemptError("status 429: slow down", pause=7.0))
        'status 429: slow down (attempt 1; the server asks to wait 7 s)'
    """

    def __init__(self, reason: str, *, retryable: bool = True, pause: float = 0.0) -> None:
        super().__init__(reason)
        self.retryable, self.pause, self.attempt = retryable, pause, 1

    def __str__(self) -> str:
        pause = f"; the server asks to wait {self.pause:g} s" if self.pause else ""
        return f"{self.args[0]} (attempt {self.attempt}{pause})" if self.retryable else str(self.args[0])


def with_retries(attempt: Callable[[], T], policy: RetryPolicy, sleep: Callable[[float], object]) -> T:
    """Return the result of ``attempt``, which is called until it succeeds or the policy allows no further attempt.

    Raises:
        AttemptError: the last one, with the number of the attempt; any other error of ``attempt`` at once.
    """
    number = 0
    while True:
        number += 1
        try:
            return attempt()
        except AttemptError as error:
            error.attempt = number
            if not error.retryable or number > policy.retries or error.pause > policy.longest_wait:
                raise
            sleep(max(error.pause, min(policy.backoff * 2 ** (number - 1), policy.longest_wait)))


def retry_after(value: str | None, now: datetime) -> float:
    """Return the pause in seconds that a Retry-After header asks for, as seconds or as a date; otherwise 0.

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
