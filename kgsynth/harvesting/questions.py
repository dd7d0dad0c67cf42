"""Which turns of users are questions that can be understood by themselves, each without greeting and personal data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from kgsynth.harvesting.log import UserTurn
from kgsynth.harvesting.personal_data import PLACEHOLDER, mask
from kgsynth.language import Language, nearest_language
from kgsynth.language.detection import guess_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.turn_words import asks, follows_up, is_command, is_small_talk
from kgsynth.language.words import count_words, has_cjk

_LONG_TURN_WORDS = 80
"""Words of a turn; in a longer one, a log or a document is pasted, and only its last question is taken."""
_LEAST_WORDS = 2
_MAX_WORDS_BESIDE_DATA = 5
"""Words of a sentence with personal data that tells nothing else, such as "My card is [card]"."""

REASONS_LEFT_OUT = {
    "empty": "no words",
    "small talk": "a greeting, thanks or agreement",
    "command": "an order to the system",
    "no question": "a statement or search words",
    "refers to earlier turns": "cannot be understood by itself",
}
"""Reason for which a turn of a user is left out -> its meaning."""


class AskedQuestion(NamedTuple):
    """A question as it was asked once, and who asked it."""

    text: str
    person: str = ""


class SortedTurns(NamedTuple):
    """The questions, how many turns were left out by reason, and how many pieces of personal data were replaced."""

    questions: tuple[AskedQuestion, ...]
    left_out: Mapping[str, int]
    replaced: Mapping[str, int]


def sort_turns(turns: Iterable[UserTurn]) -> SortedTurns:
    """Return the questions among the turns of users, with personal data replaced.

    Example:
        >>> said = "Hi! I'm Ada Low. Who leads the depot?", "/reset", "What about this one?"
        >>> found = sort_turns(map(UserTurn, said))
        >>> [each.text for each in found.questions], found.left_out
        (['Who leads the depot?'], {'command': 1, 'refers to earlier turns': 1})
    """
    questions, left_out, replaced = [], Counter[str](), Counter[str]()
    for turn in turns:
        masked = mask(turn.text)
        question = _question_in(masked.text)
        if reason := _problem(question, masked.text):
            left_out[reason] += 1
            continue
        questions.append(AskedQuestion(question, turn.person))
        replaced.update(masked.counts)
    return SortedTurns(tuple(questions), dict(left_out), dict(replaced))


def reader_of(question: str) -> Language:
    """Return the language of a question, that of English for one that kgsynth does not read.

    Example:
        >>> reader_of("谁负责？").NAME
        'Chinese'
    """
    return nearest_language(guess_language(question))


def _question_in(text: str) -> str:
    """Return a turn on one line without sentences that only greet or name; of a long one, the last question."""
    text = " ".join(text.split())
    sentences = [text[start:end].strip() for start, end in sentence_spans(text)]
    kept = [each for each in sentences if not is_small_talk(each) and not _only_tells_who(each)]
    asked = [each for each in kept if asks(each)]
    if asked and length_in_words(" ".join(kept)) > _LONG_TURN_WORDS:
        return asked[-1]
    return ("" if has_cjk(text) else " ").join(kept) if kept else text


def _only_tells_who(sentence: str) -> bool:
    """Check whether a sentence says who asks, or how to reach them, and asks nothing."""
    bare = PLACEHOLDER.sub(" ", sentence)
    most = _MAX_WORDS_BESIDE_DATA * (2 if has_cjk(bare) else 1)  # of characters it takes two
    return bare != sentence and not asks(bare) and count_words(bare) <= most


def _problem(question: str, turn: str) -> str:
    """Return why a turn is no question of its own, a key of ``REASONS_LEFT_OUT``, "" if it is one."""
    if not any(map(str.isalnum, question)):
        return "empty"
    if is_small_talk(turn):
        return "small talk"
    if not asks(question):
        return "command" if is_command(question) else "no question"
    if is_command(question) and "?" not in question and "？" not in question:
        return "command"
    reader = reader_of(question)
    if length_in_words(question) < _LEAST_WORDS or len(reader.content_stems(question)) < 1:
        return "refers to earlier turns"
    return "refers to earlier turns" if follows_up(question) or reader.outside_reference(question) else ""
