"""What one annotator says of one item: decision, grades, comment, the new words of an edit; from any source."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

CRITERIA = ("relevance", "accuracy", "completeness", "coherence", "fluency")
"""What is graded from 1 (bad) to 5 (good)."""

MEANT = {
    "questions": {
        "relevance": "Would somebody who uses these documents ask this?",
        "accuracy": "Is the answer right, as the documents have it?",
        "completeness": "Does the answer say all that was asked for?",
        "coherence": "Do question, answer and evidence belong together?",
        "fluency": "Does the question read as a person would write it?",
    },
    "answers": {
        "relevance": "Does the answer speak to the question?",
        "accuracy": "Is it right, as the documents have it?",
        "completeness": "Does it say all that was asked for?",
        "coherence": "Does it hang together, and follow from what was retrieved?",
        "fluency": "Does it read as a person would write it?",
    },
}
"""What is under review -> what an annotator asks for each criterion."""

DECISIONS = {"questions": ("accept", "reject", "edit"), "answers": ("correct", "wrong")}
"""What is under review -> the decisions there are."""

GRADES = range(1, 6)
LONGEST = 20_000
"""The most characters of a comment or an edit."""

_KEYS = frozenset({"decision", "grades", "comment", "question", "answers"})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What one annotator says of one item; ``decision`` is "" while there is none.

    ``question`` and ``answers`` are the words of an edit, and count only when that is the decision.
    """

    decision: str = ""
    grades: Mapping[str, int] = field(default_factory=dict)
    comment: str = ""
    question: str = ""
    answers: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values, the grades in the order of the criteria."""
        grades = {name: self.grades[name] for name in CRITERIA if name in self.grades}
        told = {"decision": self.decision, "grades": grades, "comment": self.comment}
        return told | {"question": self.question, "answers": list(self.answers)}

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return self == Judgement()


def read(said: object, of: str = "questions") -> Judgement:
    """Return the judgement that plain values hold; ``of`` says what is under review.

    Raises:
        ValueError: they hold none; the message names every fault.

    Example:
        >>> read({"decision": "accept", "grades": {"fluency": 4}})
        Judgement(decision='accept', grades={'fluency': 4}, comment='', question='', answers=())
        >>> read({"grades": {"fluency": 7}})
        Traceback (most recent call last):
        ValueError: the grade of fluency is 7 and must be 1 to 5
    """
    if not isinstance(said, Mapping):
        raise ValueError(f"{_short(said)} is no judgement: it must be an object with decision, grades and comment")
    faults = list(_faults(said, of))
    if faults:
        raise ValueError("; ".join(faults))
    return Judgement(
        decision=said.get("decision", ""),
        grades={name: said["grades"][name] for name in CRITERIA if name in said.get("grades", {})},
        comment=said.get("comment", "").strip(),
        question=" ".join(said.get("question", "").split()),
        answers=tuple(kept for answer in said.get("answers", ()) if (kept := answer.strip())),
    )


def _faults(said: Mapping[Any, Any], of: str) -> Iterator[str]:
    for key in sorted(said.keys() - _KEYS, key=str):
        yield f"it has {_short(key)}, which is none of {', '.join(sorted(_KEYS))}"
    decision = said.get("decision", "")
    if decision not in ("", *DECISIONS[of]):
        yield f"the decision is {_short(decision)} and must be {', '.join(DECISIONS[of])} or nothing"
    grades = said.get("grades", {})
    if not isinstance(grades, Mapping):
        yield f"the grades are {_short(grades)} and must be an object"
    else:
        for name, grade in grades.items():
            if name not in CRITERIA:
                yield f"{_short(name)} is no criterion: there are {', '.join(CRITERIA)}"
            elif type(grade) is not int or grade not in GRADES:
                yield f"the grade of {name} is {_short(grade)} and must be 1 to 5"
    for key in ("comment", "question"):
        yield from _text_faults(key, said.get(key, ""))
    answers = said.get("answers", ())
    if not isinstance(answers, Sequence) or isinstance(answers, str):
        yield f"the answers are {_short(answers)} and must be a list"
    else:
        for answer in answers:
            yield from _text_faults("an answer", answer)


def _text_faults(name: str, text: object) -> Iterator[str]:
    if not isinstance(text, str):
        yield f"{name} is {_short(text)} and must be text"
    elif len(text) > LONGEST:
        yield f"{name} has {len(text):,} characters and may have {LONGEST:,}"
    elif not _writable(text):
        yield f"{name} holds half a character (a lone surrogate)"


def name_of(annotator: object) -> str:
    """Return an annotator's name as it is kept: one line, blanks folded, in composed form.

    Raises:
        ValueError: it is empty, too long or no text.

    Example:
        >>> name_of("  Ada   Berg ")
        'Ada Berg'
    """
    if not isinstance(annotator, str) or not _writable(annotator):
        raise ValueError(f"the annotator is {_short(annotator)} and must be a name")
    name = " ".join(unicodedata.normalize("NFC", annotator).split())
    if not 0 < len(name) <= 80:
        raise ValueError(f"the annotator's name is {_short(name)} and must have 1 to 80 characters")
    return name


def _writable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _short(value: object) -> str:
    text = repr(value)  # which escapes half characters
    return text if len(text) <= 40 else f"{text[:39]}…"
