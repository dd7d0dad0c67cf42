"""What a set is worth: the share that a strict reader would keep, with its interval, and what that rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from kgsynth.base.quotas import percent
from kgsynth.language import language
from kgsynth.ranking.model import Fitted

_WIDTH = 1.96


@dataclass(frozen=True, slots=True)
class Promise:
    """The share of some questions that a strict reader would keep, as estimated, with its 95 % interval."""

    share: float
    low: float
    high: float
    questions: int

    def text(self) -> str:
        """Return the promise in words.

        Example:
            >>> Promise(0.61, 0.5, 0.72, 60).text()
            '61 % (95 % interval 50 to 72)'
        """
        low, high = (round(end * 100) for end in (self.low, self.high))
        return f"{percent(self.share)} (95 % interval {low} to {high})"


def promise(keeps: Iterable[tuple[float, Fitted]]) -> Promise | None:
    """Return the mean of some estimates, each with what its ranker was fitted to; None without any.

    Its interval has the chance of each question, and the error of a whole folder, which is the same for all languages.

    Example:
        >>> promise([(0.5, Fitted(1000, 12, 0.3, 0.7, 0.1))] * 100)
        Promise(share=0.5, low=0.2809, high=0.7191, questions=100)
    """
    pairs = list(keeps)
    if not pairs:
        return None
    share = math.fsum(value for value, _ in pairs) / len(pairs)
    chance = math.fsum(value * (1 - value) for value, _ in pairs) / len(pairs) ** 2
    error = math.fsum(fitted.error for _, fitted in pairs) / len(pairs)
    half = _WIDTH * math.sqrt(chance + error**2)
    return Promise(round(share, 4), round(max(0.0, share - half), 4), round(min(1.0, share + half), 4), len(pairs))


def fitted_json(fitted: Mapping[str, Fitted]) -> dict[str, Any]:
    """Return, as plain JSON values, what the ranker for the questions in each language was fitted to."""
    return {code: {**asdict(each), "languages": list(each.languages)} for code, each in sorted(fitted.items())}


def fitted_to(rankers: Mapping[str, Mapping[str, Any]], questions: str = "graded questions") -> str:
    """Return in words what the rankers for the questions of a set, by language, were fitted to.

    Languages are named where there are several rankers, and where no graded question is in that of the set.

    Example:
        >>> english = {"questions": 1700, "folders": 14, "languages": ["en"]}
        >>> fitted_to({"en": english})
        '1,700 graded questions of 14 folders'
        >>> fitted_to({"zh": english})
        '1,700 graded questions of 14 folders, all in English and none in Chinese'
        >>> fitted_to({"en": english, "zh": english | {"questions": 300, "languages": ["zh"]}})
        '1,700 graded questions of 14 folders (English) and 300 graded questions of 14 folders (Chinese)'
    """
    different = [each for at, each in enumerate(rankers.values()) if each not in list(rankers.values())[:at]]
    told = []
    for ranker in different:
        known = ranker["languages"]
        text = f"{ranker['questions']:,} {questions} of {ranker['folders']} folders"
        if without := [code for code, own in rankers.items() if own == ranker and code not in known]:
            text += f", all in {language_names(known)} and none in {language_names(without)}"
        elif len(different) > 1:
            text += f" ({language_names(known)})"
        told.append(text)
    return " and ".join(told)


def language_names(codes: Iterable[str]) -> str:
    """Return the names of languages, in English.

    Example:
        >>> language_names(["en", "zh"])
        'English and Chinese'
    """
    return " and ".join(language(code).NAME for code in codes)
