"""What one annotator says about one item: a decision with its reasons or new words, grades, a comment, tags."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kgsynth.show.wording import visible

CRITERIA = ("relevance", "accuracy", "completeness", "coherence", "fluency")
"""What is graded from 1 (bad) to 5 (good)."""

CRITERION_QUESTIONS = {
    "questions": {
        "relevance": "Would somebody who uses these documents ask this?",
        "accuracy": "Is the answer right according to the documents?",
        "completeness": "Does the answer cover everything that was asked?",
        "coherence": "Do question, answer and evidence fit together?",
        "fluency": "Does the question read as if a person wrote it?",
    },
    "answers": {
        "relevance": "Does the answer address the question?",
        "accuracy": "Is it right according to the documents?",
        "completeness": "Does it cover everything that was asked?",
        "coherence": "Is it consistent, and does it follow from what was retrieved?",
        "fluency": "Does it read as if a person wrote it?",
    },
    "pairs": {},
}
"""What each criterion asks the annotator, by what is under review."""

DECISIONS = {"questions": ("accept", "reject", "edit"), "answers": ("correct", "wrong"), "pairs": ("a", "b", "tie")}
"""The possible decisions, by what is under review."""

REASONS = {
    "W": "not well formed: ungrammatical, or not what a careful person would type",
    "S": "not self-contained: only the text around it says what “it” or “the company” is",
    "A": "not answerable: the evidence alone does not give the answer",
    "C": "not correct: the answer is wrong, incomplete, or does not fit the question",
    "U": "not unique: the documents hold another, equally good answer",
    "T": "not true to type: it is not of the question type that it claims",
    "V": "not worth asking: no user of these documents would ask it",
}
"""Letter of a reason for which a question is rejected -> what it means, in a few words and then at length."""
REASON_WORDS = {letter: meaning.partition(":")[0] for letter, meaning in REASONS.items()}
"""Letter of a reason -> its few words, such as "not well formed"."""

GRADE_VALUES = range(1, 6)
MAX_TEXT_CHARS = 20_000
"""The most characters of a comment or an edit."""
_MAX_NAME_CHARS = 80
_MAX_SECONDS = 1e9
_PROBLEMS_NAMED = 5

_KEYS = frozenset({"decision", "grades", "comment", "question", "answers", "reasons", "seconds", "tags"})


@dataclass(frozen=True, slots=True)
class Annotation:
    """What one annotator says about one item; ``decision`` is "" while there is none.

    ``question`` and ``answers`` are the new words of an edit, and are ignored for any other decision. ``reasons`` are
    letters of ``REASONS``, only of a rejection. ``seconds`` is how long the item was shown until it was decided, 0 if
    that was not measured. ``tags`` are all tags that the item should have, None to leave them as they are.
    """

    decision: str = ""
    grades: Mapping[str, int] = field(default_factory=dict)
    comment: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    seconds: float = 0.0
    tags: tuple[str, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the annotation as plain JSON values, with the grades in the order of the criteria.

        ``reasons``, ``seconds`` and ``tags`` are left out if there are none, as in files from before there were any.
        """
        newer = {"reasons": list(self.reasons), "seconds": self.seconds}
        return {
            "decision": self.decision,
            "grades": {name: self.grades[name] for name in CRITERIA if name in self.grades},
            "comment": self.comment,
            "question": self.question,
            "answers": list(self.answers),
            **{key: value for key, value in newer.items() if value},
            **({} if self.tags is None else {"tags": list(self.tags)}),
        }

    @property
    def empty(self) -> bool:
        """Whether nothing is filled in."""
        return self == Annotation()


def parse_annotation(values: object, mode: str = "questions") -> Annotation:
    """Return the annotation in plain JSON values; ``mode`` is what is under review: questions, answers or pairs.

    Raises:
        ValueError: the values are invalid; the message names the first problems.

    Example:
        >>> parse_annotation({"decision": "reject", "reasons": ["W"]}) == Annotation("reject", reasons=("W",))
        True
        >>> parse_annotation({"grades": {"fluency": 7}})
        Traceback (most recent call last):
        ValueError: the grade of fluency is 7 and must be 1 to 5
    """
    if not isinstance(values, Mapping):
        raise ValueError(f"{_short(values)} is not an object with decision, grades and comment")
    problems = list(_problems(values, mode))
    if problems:
        more = f"; and {len(problems) - _PROBLEMS_NAMED} more" if len(problems) > _PROBLEMS_NAMED else ""
        raise ValueError("; ".join(problems[:_PROBLEMS_NAMED]) + more)
    return Annotation(
        decision=values.get("decision", ""),
        grades={name: values["grades"][name] for name in CRITERIA if name in values.get("grades", {})},
        comment=values.get("comment", "").strip(),
        question=" ".join(values.get("question", "").split()),
        answers=tuple(text for answer in values.get("answers", ()) if (text := answer.strip())),
        reasons=tuple(letter for letter in REASONS if letter in values.get("reasons", ())),
        seconds=float(values.get("seconds", 0)),
        tags=tuple(dict.fromkeys(tag for each in values["tags"] if (tag := " ".join(each.split()))))
        if "tags" in values
        else None,
    )


def _problems(values: Mapping[Any, Any], mode: str) -> Iterator[str]:
    for key in sorted(values.keys() - _KEYS, key=str):
        yield f"{_short(key)} is not one of the keys {', '.join(sorted(_KEYS))}"
    decision = values.get("decision", "")
    if decision not in ("", *DECISIONS[mode]):
        yield f"the decision is {_short(decision)} and must be {', '.join(DECISIONS[mode])} or empty"
    grades = values.get("grades", {})
    if not isinstance(grades, Mapping):
        yield f"the grades are {_short(grades)} and must be an object"
    else:
        for name, grade in grades.items():
            if name not in CRITERIA:
                yield f"{_short(name)} is not a criterion; the criteria are {', '.join(CRITERIA)}"
            elif type(grade) is not int or grade not in GRADE_VALUES:
                yield f"the grade of {name} is {_short(grade)} and must be 1 to 5"
    for key in ("comment", "question"):
        yield from _text_problems(f"the {key}", values.get(key, ""))
    for key, one in (("answers", "an answer"), ("tags", "a tag")):
        texts = values.get(key, ())
        if not isinstance(texts, Sequence) or isinstance(texts, str):
            yield f"the {key} are {_short(texts)} and must be a list"
        else:
            for text in texts:
                yield from _text_problems(one, text)
    yield from _reason_problems(values.get("reasons", ()), decision)
    seconds = values.get("seconds", 0)
    if type(seconds) not in (int, float) or not 0 <= seconds <= _MAX_SECONDS:
        yield f"the seconds are {_short(seconds)} and must be a number from 0 to {_MAX_SECONDS:,.0f}"


def _reason_problems(reasons: object, decision: object) -> Iterator[str]:
    if not isinstance(reasons, Sequence) or isinstance(reasons, str):
        yield f"the reasons are {_short(reasons)} and must be a list"
    elif wrong := [each for each in reasons if not isinstance(each, str) or each not in REASONS]:
        yield f"the reason {_short(wrong[0])} is not one of {', '.join(REASONS)}"
    elif reasons and decision != "reject":
        yield f"there are reasons for rejection ({', '.join(reasons)}), but the decision is not reject"


def _text_problems(name: str, text: object) -> Iterator[str]:
    if not isinstance(text, str):
        yield f"{name} is {_short(text)} and must be text"
    elif len(text) > MAX_TEXT_CHARS:
        yield f"{name} has {len(text):,} characters and may have at most {MAX_TEXT_CHARS:,}"
    elif not _encodable(text):
        yield f"{name} contains a lone surrogate (half a character)"


def normalised_name(annotator: object) -> str:
    """Return an annotator's name as it is stored: in one line, with single spaces, in Unicode form NFC.

    Raises:
        ValueError: it is empty, too long or not text, or contains a control character.

    Example:
        >>> normalised_name("  Ada   Berg ")
        'Ada Berg'
    """
    if not isinstance(annotator, str) or not _encodable(annotator):
        raise ValueError(f"the annotator's name is {_short(annotator)} and must be text")
    name = " ".join(unicodedata.normalize("NFC", annotator).split())
    if not 0 < len(name) <= _MAX_NAME_CHARS:
        raise ValueError(f"the annotator's name is {_short(name)} and must have 1 to {_MAX_NAME_CHARS} characters")
    if name != visible(name):
        raise ValueError(f"the annotator's name {_short(name)} contains a control character: type it again")
    return name


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(value: object) -> str:
    text = repr(value)  # which escapes lone surrogates
    return text if len(text) <= 40 else f"{text[:39]}…"
