"""Counts of what the words of an English question or answer are, for the ranker; no parser is needed."""

from __future__ import annotations

import re

from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, singular
from kgsynth.language.words import words

_OPENINGS = (
    *("how do", "how many", "how much", "how long", "how often", "how can", "how does", "how should", "how"),
    *("what is the difference", "what happens", "what should", "what does", "what do", "what is", "what are", "what"),
    *("which", "why", "when", "where", "whom", "who", "under what"),
    *("can", "should", "is", "are", "do", "does", "did", "was", "were"),
)
_PRONOUNS = lex.THIRD_PERSON | lex.POSSESSIVE
_SECOND_PERSON = frozenset({"you", "your", "yours", "yourself"})
_DEMONSTRATIVES = frozenset({"this", "these", "those", "that", "here", "there", "such", "it", "they"})
_CONJUNCTIONS = frozenset({"and", "or", "but", "nor"})
_PREPOSITION_WORDS = frozenset(
    "about across against at between by for from in into of on over through to under via with within without".split()
)
_SUBORDINATORS = frozenset(
    """after although as because before if once since that though unless until when where whether which while who
    whose""".split()
)
_MODALS = frozenset("can could may might must should will would".split())
_BE = frozenset("is are was were be been being am".split())
_NEGATIONS = frozenset("no not never none neither nor cannot without".split())
_ARTICLES = frozenset("a an the".split())
_OWN = _ARTICLES | {"your", "each", "every", "all", "any", "my"}
_POINTERS = re.compile(
    r"\b(?:see|refer to|for more|read more|learn more|above|below|following|previous|earlier|next section|as shown|"
    r"(?:listing|chapter|figure|table|section|example) \d+)\b",
    re.I,
)
_TASK = re.compile(r"^how (?:do|can|should) (?:you|i|we) ([\w-]+)(?: ([\w'-]+))?")
_SCOPE = re.compile(
    r" (in|when|for|with|on|at|of|from|using) (?!.* (?:in|when|for|with|on|at|of|from|using) )([^?]+)\?$"
)

_CLASSES = {
    "pronouns": _PRONOUNS,
    "first_person": lex.FIRST_PERSON,
    "second_person": _SECOND_PERSON,
    "demonstratives": _DEMONSTRATIVES,
    "conjunctions": _CONJUNCTIONS,
    "prepositions": _PREPOSITION_WORDS,
    "subordinators": _SUBORDINATORS,
    "modals": _MODALS,
    "be": _BE,
    "negations": _NEGATIONS,
    "articles": _ARTICLES,
    "quantifiers": lex.QUANTIFIERS,
    "vague_nouns": lex.EMPTY_HEADS,
    "vague_adjectives": lex.LEAVES_OPEN,
    "light_verbs": lex.LIGHT_VERBS,
    "connectives": lex.CONNECTIVES,
    "deictic": lex.DEICTIC,
}


def opening(question: str) -> str:
    """Return the words that a question opens with, as one of a few classes, "other" for all the rest.

    Example:
        >>> opening("How do you rotate a key?"), opening("What is the difference between A and B?"), opening("Name it.")
        ('how do', 'what is the difference', 'other')
    """
    asked = " ".join(words(question)) + " "
    return next((each for each in _OPENINGS if asked.startswith(f"{each} ")), "other")


def word_classes(text: str) -> dict[str, float]:
    """Return how many words of a text are of each class, and what it opens with and points to.

    Example:
        >>> found = word_classes("See the table below for how they store it.")
        >>> found["pointers"], found["pronouns"], found["articles"], found["unknown"]
        (2.0, 2.0, 1.0, 0.0)
    """
    found = words(text)
    counts = {name: float(sum(word in known for word in found)) for name, known in _CLASSES.items()}
    known = set().union(*_CLASSES.values())
    first = found[0] if found else ""
    return counts | {
        "unknown": float(sum(word.isalpha() and word not in known and not is_word(word) for word in found)),
        "gerunds": float(sum(len(word) > 4 and word.endswith("ing") and is_word(word) for word in found)),
        "pointers": float(len(_POINTERS.findall(text))),
        "opens_demonstrative": float(first in _DEMONSTRATIVES | {"now", "then", "so", "but", "and", "as"}),
        "opens_article": float(first in _ARTICLES),
        "opens_preposition": float(first in _PREPOSITION_WORDS),
        "opens_condition": float(first in {"if", "when", "unless", "because", "while", "after", "before"}),
        "opens_person": float(first in lex.FIRST_PERSON | _SECOND_PERSON),
        "opens_command": float(is_base_verb(first)),
    }


def question_form(question: str) -> dict[str, float]:
    """Return the form of a question in numbers: its last phrase, and of a task its verb and the word after that.

    Example:
        >>> form = question_form("How do you encrypt a signing key in Lantern?")
        >>> form["verb_is_noun"], form["object_determined"], form["scope_in"], form["scope_words"]
        (0.0, 1.0, 1.0, 1.0)
    """
    lower = question.lower()
    form = {"ends_preposition": float(bool(words(question)) and words(question)[-1] in _PREPOSITION_WORDS)}
    scope = _SCOPE.search(lower)
    form |= {f"scope_{word}": float(bool(scope) and scope[1] == word) for word in ("in", "when", "for", "of")}  # type: ignore[index]
    form["scope_words"] = float(len(scope[2].split())) if scope else 0.0
    task = _TASK.match(lower)
    verb, after = (task[1], task[2] or "") if task else ("", "")
    return form | {
        "verb_is_noun": float(is_noun(verb)) if verb else 0.0,
        "verb_only": float(is_only_verb(verb)) if verb else 0.0,
        "verb_unknown": float(bool(verb) and not is_base_verb(verb)),
        "verb_light": float(verb in lex.LIGHT_VERBS),
        "object_determined": float(after in _OWN),
        "object_preposition": float(after in _PREPOSITION_WORDS),
        "object_plural": float(bool(after) and is_word(after) and singular(after) != after),
        "object_missing": float(bool(verb) and not after),
    }
