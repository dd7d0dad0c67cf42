"""Which questions of a golden set to ask: all, those new or changed since a run, a sample of either.

A sample is drawn type by type in proportion, with a seed, and the sentence that goes with it says how far its figures
may lie from those of the whole set.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, item_id
from kgsynth.golden.dataset import Dataset

SEED = 0


def choose(
    items: Sequence[Item], sample: str | None = None, since: str | Path | None = None
) -> tuple[list[Item], tuple[str, ...]]:
    """Return the items to ask, in their order, and a sentence on each way in which they are not all.

    Raises:
        ConfigError: ``sample`` is no share or number of items.
        InputError: ``since`` is no folder of a run, or no item is new or changed since.
    """
    notes = []
    chosen = list(items)
    if since is not None:
        before = _fingerprints(Path(since))
        chosen = [item for item in chosen if before.get(item.id) != fingerprint(item)]
        if not chosen:
            raise InputError(f"none of the {len(items)} questions is new or changed since {since}: nothing is to score")
        notes.append(f"{len(chosen)} of {len(items)} questions are new or changed since {since}, and only they count")
    if sample is not None:
        n = sample_size(sample, len(chosen))
        whole = len(chosen)
        chosen = list(Dataset(chosen).sample(n, seed=SEED))
        if n < whole:
            notes.append(
                f"a sample of {n} of {whole} questions, by type, seed {SEED}: a share of the whole set lies within "
                f"{sample_error(n, whole):.3f} of the sample's 95 times of 100"
            )
    return chosen, tuple(notes)


def fingerprint(item: Item) -> str:
    """Return what changes when the question, its answers or its evidence do."""
    return item_id(item.question, item.golden_answers, item.evidence)


def sample_size(sample: str, whole: int) -> int:
    """Return how many items a sample such as ``10%`` or ``40`` means, one at least.

    Of two, ``20%,50``, it is the larger, or all where there are not so many.

    Raises:
        ConfigError: it is none of these, or a single one is more than there are.

    Example:
        >>> sample_size("10%", 395), sample_size("40", 395)
        (40, 40)
        >>> [sample_size("20%,50", whole) for whole in (30, 100, 1000)]
        [30, 50, 200]
    """
    sizes = [_size(part, whole) for part in sample.split(",")]
    n = max(sizes) if len(sizes) == 1 else min(max(sizes), whole)
    if min(sizes) < 1 or len(sizes) > 2 or n > whole:
        raise ConfigError(f"--sample {sample} is no share or number of the {whole} questions: give such as 10% or 40")
    return n


def _size(part: str, whole: int) -> int:
    """Return how many items one share or number means, 0 when it is neither."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*", part)
    number = float(match[1]) if match else 0.0
    if match and match[2] and number:
        return max(1, round(whole * number / 100))
    return int(number) if number == int(number) else 0


def sample_error(n: int, whole: int) -> float:
    """Return how far a share in a sample may lie from that of the whole, at a half, where it is farthest.

    The 97.5th percentile of the normal distribution times the standard error with the correction for a finite
    population; drawing by type makes it no larger.

    Example:
        >>> round(sample_error(40, 400), 3), sample_error(400, 400)
        (0.147, 0.0)
    """
    return 1.96 * math.sqrt(0.25 / n * (whole - n) / max(1, whole - 1))


def _fingerprints(run: Path) -> dict[str, str]:
    try:
        with (run / "items.jsonl").open(encoding="utf-8") as lines:
            return {line["id"]: line["fingerprint"] for line in map(json.loads, lines)}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(
            f"{run} holds no items.jsonl with fingerprints ({type(error).__name__}): give the folder of a run of score"
        ) from None
