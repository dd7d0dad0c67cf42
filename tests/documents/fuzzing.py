"""How many inputs a property is tried with: few in the usual tests, many with ``make fuzz``."""

from __future__ import annotations

from hypothesis import settings


def tried(usually: int) -> settings:
    """Return the settings of a property that is tried ``usually`` times, or as often as the profile "fuzz" says."""
    return settings(max_examples=usually) if settings().derandomize else settings()
