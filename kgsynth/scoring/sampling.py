"""Choose which questions of a golden set to ask: all, those new or changed since a run, or a sample of either.

A sample is drawn by question type in proportion, with a fixed seed, and comes with a sentence on its sampling error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Item, fitting_id
from kgsynth.golden.dataset import Dataset
from kgsynth.scoring.run_results import read_items

SAMPLE_SEED = 0


def choose(
    items: Sequence[Item], sample: str | None = None, since: str | Path | None = None
) -> tuple[list[Item], tuple[str, ...]]:
    """Return the items to ask, in their order, and a sentence for each reason why they are not all.

    Raises:
        ConfigError: ``sample`` is not a share or number of items.
        InputError: ``since`` is not the folder of a run, or no item is new or changed since then.
    """
    notes = []
    chosen = list(items)
    if since is not None:
        before = _read_fingerprints(Path(since))
        chosen = [item for item in chosen if before.get(item.id) != fitting_id(item)]
        if not chosen:
            raise InputError(
                f"none of the {len(items)} questions is new or changed since {since}: there is nothing to score"
            )
        notes.append(f"only the {len(chosen)} of {len(items)} questions that are new or changed since {since} count")
    if sample is not None:
        total = len(chosen)
        n = sample_size(sample, total)
        chosen = list(Dataset(chosen).sample(n, seed=SAMPLE_SEED))
        if n < total:
            notes.append(
                f"a sample of {n} of {total} questions, drawn by type with seed {SAMPLE_SEED}: a share in the full set "
                f"is within {sample_error(n, total):.3f} of the share in the sample (95 % confidence)"
            )
    return chosen, tuple(notes)


def sample_size(sample: str, total: int) -> int:
    """Return how many of ``total`` items a sample such as ``10%`` or ``40`` means, at least one.

    Two sizes, as in ``20%,50``, mean the larger of them, or all items if there are fewer.

    Raises:
        ConfigError: ``sample`` has another form, or asks for more items than there are.

    Example:
        >>> sample_size("10%", 395), sample_size("40", 395)
        (40, 40)
        >>> [sample_size("20%,50", total) for total in (30, 100, 1000)]
        [30, 50, 200]
    """
    sizes = [_size(part, total) for part in sample.split(",")]
    n = max(sizes) if len(sizes) == 1 else min(max(sizes), total)
    if min(sizes) < 1 or len(sizes) > 2 or n > total:
        raise ConfigError(
            f"--sample {sample} is not a share or number of the {total} questions: give one such as 10% or 40"
        )
    return n


def _size(part: str, total: int) -> int:
    """Return how many items one share or number means, 0 when it is neither."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*", part)
    number = float(match[1]) if match else 0.0
    if match and match[2] and number:
        return max(1, round(total * number / 100))
    return int(number) if number == int(number) else 0


def sample_error(n: int, total: int) -> float:
    """Return the half-width of the 95 % interval of a share in a sample of ``n``, for a share of one half.

    This is the worst case: 1.96 standard errors with the finite population correction. Drawing by type does not make
    it larger.

    Example:
        >>> round(sample_error(40, 400), 3), sample_error(400, 400)
        (0.147, 0.0)
    """
    return 1.96 * math.sqrt(0.25 / n * (total - n) / max(1, total - 1))


def _read_fingerprints(run: Path) -> dict[str, str]:
    return {key: line["fingerprint"] for key, line in read_items(run, ("fingerprint",)).items()}
