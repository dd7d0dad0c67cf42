"""A/B tests of RAG systems in production: assign users to variants, record outcomes, analyse them, recommend.

``assignment`` splits the users, ``store`` keeps the records, ``analysis`` compares the variants, ``advice`` words the
recommendation, ``text`` makes tables. Calling the variants is left to the service.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.abtest.analysis import analyse
from kgsynth.comparison.abtest.assignment import assign, normalised_shares
from kgsynth.comparison.abtest.results import ExperimentAnalysis, ExperimentPlan
from kgsynth.comparison.abtest.store import Record, RecordStore

__all__ = ["Experiment", "ExperimentAnalysis", "ExperimentPlan", "analyse", "assign"]


class Experiment:
    """One experiment: its name, the share of users for each variant, and the file of its records.

    The first variant is the baseline. Shares need not sum to 1. Several threads and processes may use one file, and one
    file may hold several experiments.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     experiment = Experiment("reranker", {"off": 0.5, "on": 0.5}, f"{folder}/ab.sqlite")
        ...     for at in range(40):
        ...         experiment.record(f"user {at}", success=at % 4 > 0)
        ...     experiment.assign("user 7"), experiment.analyse().recommendation
        ...     experiment.close()
        ('on', 'keep collecting: users with a recorded success: off 19 of 1,287, on 21 of 1,287')
    """

    def __init__(self, name: str, variants: Mapping[str, float], path: str | Path) -> None:
        if not name:
            raise ConfigError("the experiment has no name: give it one; the assignment of users depends on it")
        self.name = name
        self.variants = normalised_shares(variants)
        self._records = RecordStore(Path(path))

    def assign(self, user: str) -> str:
        """Return the variant of a user, always the same while the shares stay the same; nothing is stored.

        Raises:
            ConfigError: ``user`` is empty.
        """
        return assign(self.name, user, self.variants)

    def record(
        self,
        user: str,
        *,
        latency_s: float | None = None,
        success: bool | None = None,
        feedback: float | None = None,
        error: str | None = None,
        variant: str | None = None,
    ) -> None:
        """Store the outcome of one request of a user; None means unknown.

        ``feedback`` is from -1 (bad) to 1 (good); convert one to five stars with ``(stars - 3) / 2``. An error counts
        as a failure unless ``success`` is given. ``variant`` is what was served, if not what ``assign`` returned.

        Raises:
            ConfigError: a value is invalid; nothing is stored.
            InputError: the file cannot be used.
        """
        served = self.assign(user) if variant is None else variant
        if served not in self.variants:
            raise ConfigError(f"variant {served!r} is unknown: give one of {', '.join(self.variants)}")
        if success is None and error is not None:
            success = False
        self._records.add(self.name, self.variants, Record(user, served, latency_s, success, feedback, error))

    def analyse(self, plan: ExperimentPlan | None = None) -> ExperimentAnalysis:
        """Analyse the records of all processes so far, with the plan made in advance (default: ``ExperimentPlan()``).

        Raises:
            InputError: the file cannot be used, or has no record of this experiment.
        """
        return analyse(self._records, self.name, plan or ExperimentPlan())

    def close(self) -> None:
        """Close the file; the next record opens it again."""
        self._records.close()
