"""The promise of a set: the share that a strict reader would keep, with its interval and what it rests on, or why not.

The rankers are fitted to questions that rules wrote, so only those are estimated, and not fewer than
``LIMITS.promise_questions`` of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from kgsynth.base.choices import LANGUAGE_PACKAGES
from kgsynth.base.records import Item
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import language
from kgsynth.ranking.model import Fitted, Rankers

_WIDTH = 1.96


@dataclass(frozen=True, slots=True)
class Promise:
    """The share of questions that a strict reader would keep, and its 95 % interval; None with ``why`` if unknown."""

    questions: int
    share: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""


def promise(keeps: Sequence[tuple[float, Fitted]]) -> Promise:
    """Return the mean of some estimates, each with what its ranker was fitted to.

    Its interval has the chance of each question, and the error of a whole folder, which is the same for all languages.

    Example:
        >>> promise([(0.5, Fitted(1000, 12, 0.3, 0.7, 0.1))] * 100)
        Promise(questions=100, share=0.5, low=0.2809, high=0.7191, why='')
    """
    n = len(keeps)
    if n < LIMITS.promise_questions:
        number = "1 question is" if n == 1 else f"{n} questions are"
        return Promise(n, why=f"{number} fewer than {LIMITS.promise_questions}")
    share = math.fsum(value for value, _ in keeps) / n
    chance = math.fsum(value * (1 - value) for value, _ in keeps) / n**2
    error = math.fsum(fitted.error for _, fitted in keeps) / n
    half = _WIDTH * math.sqrt(chance + error**2)
    return Promise(n, round(share, 4), round(max(0.0, share - half), 4), round(min(1.0, share + half), 4))


@dataclass(frozen=True, slots=True)
class Promised:
    """The promise of a set and of each of its question types, and what the ranker for each language was fitted to.

    ``others`` is the number of answerable questions without an estimate, since rules did not write them.
    """

    all: Promise
    types: Mapping[str, Promise]
    fitted: Mapping[str, Fitted]
    others: int

    def to_json(self) -> dict[str, Any]:
        """Return the promise as plain JSON values."""
        types = {name: asdict(each) for name, each in self.types.items()}
        rankers = {code: asdict(each) | {"languages": list(each.languages)} for code, each in self.fitted.items()}
        return {**asdict(self.all), "others": self.others, "types": types, "rankers": rankers}


def is_estimated(item: Item) -> bool:
    """Check whether a ranker knows questions like this one: with an answer, by rules and as they wrote it."""
    known = item.answerable and bool(item.question.strip()) and item.language in LANGUAGE_PACKAGES
    return known and _by_rules(item)


def _by_rules(item: Item) -> bool:
    said = item.metadata
    edited = (said.get("review") or {}).get("was")
    return said.get("source") == "kgsynth" and said.get("writer") == "rules" and not edited


def promised(items: Iterable[Item], rankers: Rankers) -> Promised:
    """Return the promise of a set by the scores ``keep`` of its items."""
    answerable = [item for item in items if item.answerable]
    keeps: dict[str, list[tuple[float, Fitted]]] = {}
    fitted: dict[str, Fitted] = {}
    for item in filter(is_estimated, answerable):
        if "keep" in item.scores:
            own = fitted.setdefault(item.language, rankers.of(item.language).fitted)
            keeps.setdefault(item.question_type, []).append((item.scores["keep"], own))
    total = [pair for pairs in keeps.values() for pair in pairs]
    everything = promise(total) if total else Promise(0, why=_why_none(answerable))
    types = {name: promise(pairs) for name, pairs in keeps.items()}
    return Promised(everything, types, dict(sorted(fitted.items())), len(answerable) - len(total))


def _why_none(answerable: Sequence[Item]) -> str:
    """Return why no question of a set has an estimate."""
    if not answerable:
        return "no question has an answer"
    if not any(map(_by_rules, answerable)):
        return "rules wrote none of the questions, and the estimate is fitted only to questions of rules"
    unknown = sorted({item.language for item in answerable} - set(LANGUAGE_PACKAGES))
    return f"no ranker knows the language {' and '.join(unknown)}" if unknown else "they have no score keep"


# ---- in words --------------------------------------------------------------------------------------


def promise_lines(found: Mapping[str, Any]) -> list[str]:
    """Return a promise, given as JSON values, as a sentence and a line on each question type.

    Example:
        >>> all_of_them = Promise(400, 0.5, 0.45, 0.55)
        >>> found = Promised(all_of_them, {"simple": all_of_them}, {"en": Fitted(1700, 14, 0.29, 0.7, 0.0)}, 0)
        >>> print(*promise_lines(found.to_json()), sep="\\n")
        A strict reader would keep an estimated 50 % of the questions (95 % interval 45 to 55; fitted to 1,700 graded questions of 14 folders)
          simple 50 %
    """  # noqa: E501
    if found["share"] is None:
        return [f"No estimate of the share that a strict reader would keep: {found['why']}"]
    low, high = (f"{100 * found[key]:.0f}" for key in ("low", "high"))
    others = found["others"]
    of = f"the {found['questions']:,} questions that rules wrote" if others else "the questions"
    rests_on = f"(95 % interval {low} to {high}; fitted to {fitted_to(found['rankers'])})"
    sentence = f"A strict reader would keep an estimated {percent(found['share'])} of {of} {rests_on}"
    sentence += f"; there is no estimate for the other {others:,}" if others else ""
    types = [f"{name} {percent(each['share'])}" for name, each in found["types"].items() if not each["why"]]
    few = [f"{name} ({each['questions']})" for name, each in found["types"].items() if each["why"]]
    parts = [", ".join(types)] if types else []
    parts += [f"no figure under {LIMITS.promise_questions} questions: {', '.join(few)}"] if few else []
    return [sentence, f"  {'; '.join(parts)}"]


def fitted_to(rankers: Mapping[str, Mapping[str, Any]]) -> str:
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
        text = f"{ranker['questions']:,} graded questions of {ranker['folders']} folders"
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
