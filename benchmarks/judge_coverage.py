"""How often the interval of a corrected judge holds the true rate, and how much narrower it is than people alone.

    python benchmarks/judge_coverage.py [JUDGES] [REPEATS]

JUDGES judges with a sensitivity and specificity of 0.6 to 0.95, on systems that are right in 20 to 90 % of 500
answers, with 30 to 200 labels; REPEATS sets of answers each. The second table has judges of 0.85 and 50 labels.
"""

from __future__ import annotations

import numpy as np
from arguments import call

from kgsynth.statistics.judge_error import LabelledVerdict, RateEstimate, corrected_rate, rate_by_error_rates
from kgsynth.statistics.rates import wilson

ANSWERS = 500
"""The answers of a run, all of which are judged."""
Drawn = tuple[list[LabelledVerdict], int]


def draw(rate: float, sensitivity: float, specificity: float, labels: int, rng: np.random.Generator) -> Drawn:
    """Return the labels of a random sample of the answers, and how many answers the judge calls right."""
    right = rng.random(ANSWERS) < rate
    judge = np.where(right, rng.random(ANSWERS) < sensitivity, rng.random(ANSWERS) > specificity)
    pairs = zip(judge[:labels].tolist(), right[:labels].tolist(), strict=True)
    return [LabelledVerdict(verdict, float(own)) for verdict, own in pairs], int(judge.sum())


def estimates(labels: list[LabelledVerdict], called: int) -> dict[str, RateEstimate]:
    """Return the rate by each method."""
    share, people = called / ANSWERS, sum(label.people for label in labels) / len(labels)
    found = {
        "judge alone": RateEstimate(share, wilson(share, ANSWERS)),
        "people alone": RateEstimate(people, wilson(people, len(labels))),
        "corrected": corrected_rate(labels, called, ANSWERS),
    }
    by_error_rates = rate_by_error_rates(labels, called, ANSWERS)
    return {**found, "by error rates": by_error_rates} if by_error_rates else found


def measure(judges: int, repeats: int) -> dict[str, tuple[float, float, int]]:
    """Return by method the share of intervals with the true rate, their mean width, and how many there are."""
    rng = np.random.default_rng(0)
    rows: dict[str, list[tuple[bool, float]]] = {}
    for _ in range(judges):
        rate, labels = rng.uniform(0.2, 0.9), int(rng.integers(30, 201))
        sensitivity, specificity = rng.uniform(0.6, 0.95, 2)
        for _ in range(repeats):
            for name, found in estimates(*draw(rate, sensitivity, specificity, labels, rng)).items():
                low, high = found.ci95
                rows.setdefault(name, []).append((low <= rate <= high, high - low))
    return {name: (*np.mean(own, axis=0).tolist(), len(own)) for name, own in rows.items()}


def saved(rate: float, repeats: int, quality: float = 0.85, labels: int = 50) -> float:
    """Return by which share the corrected interval is narrower than that of people alone."""
    rng = np.random.default_rng(1)
    widths = []
    for _ in range(repeats):
        found = estimates(*draw(rate, quality, quality, labels, rng))
        widths.append([found[name].ci95[1] - found[name].ci95[0] for name in ("corrected", "people alone")])
    corrected, people = np.mean(widths, axis=0)
    return float(1 - corrected / people)


def main(judges: int = 500, repeats: int = 20) -> None:
    """Print both tables."""
    print(f"{judges} judges, {repeats} sets of {ANSWERS} answers each")
    print(f"{'':16}{'covered':>9}{'width':>8}{'intervals':>11}")
    for name, (covered, width, number) in measure(judges, repeats).items():
        print(f"{name:16}{covered:9.3f}{width:8.3f}{number:11,}")
    print("\n50 labels, a judge of 0.85: narrower than people alone by")
    for rate in (0.2, 0.3, 0.5, 0.7, 0.8, 0.9):
        print(f"rate {rate:.1f}  {saved(rate, 10 * repeats):.3f}")


if __name__ == "__main__":
    call(main)
