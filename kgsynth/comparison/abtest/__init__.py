"""An A/B test of a RAG system in service: who gets which variant, what came of it, and what may be said of it.

``assignment`` splits the users, ``records`` keeps what they met with, ``analysis`` says how the variants differ,
``advice`` what to do, ``telling`` is all that as a table. Left out: running the variants, and any model.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.comparison.abtest.analysis import analyse
from kgsynth.comparison.abtest.assignment import assign, shares_of
from kgsynth.comparison.abtest.results import Analysis, Plan
from kgsynth.comparison.abtest.store import Record, Records

__all__ = ["Analysis", "Experiment", "Plan", "analyse", "assign"]


class Experiment:
    """One experiment: its name, the share of the users that each variant gets, and the file its records go to.

    The first variant is the one the others are held against. Shares need not sum to 1. Threads and processes may all
    have an ``Experiment`` on one file, and one file may hold several experiments.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     experiment = Experiment("reranker", {"off": 0.5, "on": 0.5}, f"{folder}/ab.sqlite")
        ...     for at in range(40):
        ...         experiment.record(f"user {at}", success=at % 4 > 0)
        ...     experiment.assign("user 7"), experiment.analyse().recommendation
        ...     experiment.close()
        ('on', 'keep collecting: of users with a success recorded off has 19 of 1,287, on has 21 of 1,287')
    """

    def __init__(self, name: str, variants: Mapping[str, float], path: str | Path) -> None:
        if not name:
            raise ConfigError("the experiment has no name: give it one, which also decides who gets which variant")
        self.name = name
        self.variants = shares_of(variants)
        self._records = Records(Path(path))

    def assign(self, user: str) -> str:
        """Return the variant of a user, always the same one while the shares stay; nothing is stored.

        Raises:
            ConfigError: the user is an empty text, so that all such users would be one.
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
        """Store what a user met with once; what is None is not known.

        ``feedback`` is from -1 (bad) to 1 (good); one to five stars are ``(stars - 3) / 2``. An error is no success
        unless ``success`` says so. ``variant`` is what the user was served, if not what ``assign`` says.

        Raises:
            ConfigError: a value that cannot be; nothing is stored.
            InputError: the file cannot be used.
        """
        served = self.assign(user) if variant is None else variant
        if served not in self.variants:
            raise ConfigError(f"variant {served!r} is none of {', '.join(self.variants)}: give one of these")
        if success is None and error is not None:
            success = False
        found = Record(user, served, latency_s, success, feedback, error)
        self._records.add(self.name, self.variants, found)

    def analyse(self, plan: Plan | None = None) -> Analysis:
        """Return what the records of all processes say so far, by the plan that was made before (``Plan()`` for None).

        Raises:
            InputError: the file cannot be used, or holds no record of this experiment.
        """
        return analyse(self._records, self.name, plan or Plan())

    def close(self) -> None:
        """Close the file; the next record opens it again."""
        self._records.close()
