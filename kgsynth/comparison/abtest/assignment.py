"""Assign users to variants by a hash of the experiment and the user, so that nothing needs to be stored.

Weighted rendezvous hashing (Thaler and Ravishankar 1998; weights by -w / ln u): every variant draws a number for the
user, and the highest wins. When the share of one variant changes and the others keep their proportions, users only move
to or from that variant, and as few as possible do.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping

from kgsynth.base.errors import ConfigError


def normalised_shares(variants: Mapping[str, float]) -> dict[str, float]:
    """Return the shares scaled to sum to 1, in the order given.

    Raises:
        ConfigError: there are fewer than two variants, a name is empty, a share is negative or infinite, or all are 0.

    Example:
        >>> normalised_shares({"old": 9, "new": 1})
        {'old': 0.9, 'new': 0.1}
    """
    wrong = [name for name, share in variants.items() if not name or not 0 <= share < math.inf]
    if len(variants) < 2 or wrong or not sum(variants.values()):
        what = f"variant {wrong[0]!r} with a share of {variants[wrong[0]]!r}" if wrong else repr(dict(variants))
        raise ConfigError(f"invalid variants: {what}; give two or more names, each with a share of 0 or more")
    total = math.fsum(variants.values())
    return {name: share / total for name, share in variants.items()}


def assign(experiment: str, user: str, variants: Mapping[str, float]) -> str:
    """Return the variant of ``user``, with probability equal to its share; the same in every process on every machine.

    Raises:
        ConfigError: ``user`` is empty.

    Example:
        >>> [assign("reranker", user, {"off": 1, "on": 1}) for user in ("ada", "ben", "cy")]
        ['on', 'on', 'on']
        >>> assign("reranker", "ada", {"off": 1, "on": 0})
        'off'
    """
    if not user:
        raise ConfigError(f"a user of {experiment!r} is empty: give an id that identifies the user and never changes")
    return max(variants, key=lambda variant: variants[variant] / -math.log(_uniform(experiment, variant, user)))


def _uniform(*parts: str) -> float:
    """Return a number between 0 and 1, both excluded, evenly distributed and determined by the parts alone."""
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2**52  # 52 bits and a half: exact, so never 0 or 1
