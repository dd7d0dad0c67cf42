"""Who gets which variant: a hash of the experiment and the user decides, so nothing is stored and nobody is moved.

Weighted rendezvous hashing (Thaler and Ravishankar 1998; weights by -w / ln u): every variant draws a number for the
user and the highest wins. When the share of one variant changes and the others keep their proportions, users only move
to that variant or away from it: as few as can be.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping

from kgsynth.base.errors import ConfigError


def shares_of(variants: Mapping[str, float]) -> dict[str, float]:
    """Return the shares so that they sum to 1, in the order given.

    Raises:
        ConfigError: fewer than two variants, one without a name, a share below 0 or without end, or none above 0.

    Example:
        >>> shares_of({"old": 9, "new": 1})
        {'old': 0.9, 'new': 0.1}
    """
    wrong = [name for name, share in variants.items() if not name or not 0 <= share < math.inf]
    if len(variants) < 2 or wrong or not sum(variants.values()):
        what = f"variant {wrong[0]!r} with a share of {variants[wrong[0]]!r}" if wrong else repr(dict(variants))
        raise ConfigError(f"{what} cannot be split by: give two or more names, each with a share of 0 or more")
    whole = math.fsum(variants.values())
    return {name: share / whole for name, share in variants.items()}


def assign(experiment: str, user: str, variants: Mapping[str, float]) -> str:
    """Return the variant of ``user``, each with the chance of its share; the same in every process, on every machine.

    Raises:
        ConfigError: ``user`` is empty.

    Example:
        >>> [assign("reranker", user, {"off": 1, "on": 1}) for user in ("ada", "ben", "cy")]
        ['on', 'on', 'on']
        >>> assign("reranker", "ada", {"off": 1, "on": 0})
        'off'
    """
    if not user:
        raise ConfigError(f"a user of {experiment!r} is an empty text: give what tells users apart and stays with each")
    return max(variants, key=lambda variant: variants[variant] / -math.log(_drawn(experiment, variant, user)))


def _drawn(*parts: str) -> float:
    """Return a number above 0 and below 1 that the parts alone decide, evenly spread."""
    digest = hashlib.sha256(json.dumps(parts).encode()).digest()
    return ((int.from_bytes(digest[:8], "big") >> 12) + 0.5) / 2**52  # 52 bits and a half: exact, so never 0 or 1
