"""Languages: one package each, all with the same functions. No other part of kgsynth knows a word of any language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from kgsynth.base.choices import DEFAULT_LANGUAGE, LANGUAGE_PACKAGES
from kgsynth.base.errors import InputError
from kgsynth.base.quantity import Quantity
from kgsynth.base.records import Analysis, Document, Fact

LANGUAGES: dict[str, str] = {code: f"{__name__}.{name}" for code, name in LANGUAGE_PACKAGES.items()}
"""Language code -> the package for it."""


class Language(Protocol):
    """What every language package provides."""

    NAME: str
    """The name of the language, in English."""

    SCRIPT: str
    """The letters that tell its documents from English ones, as ranges for use inside ``[...]``; "" for English."""

    ASKS_IN_PLACE: bool
    """Whether a question keeps the order of its statement, with the question word in the answer's place."""

    # ---- documents ---------------------------------------------------------------------------------

    def analyse(self, document: Document, model: str) -> Analysis:
        """Return the sentences, mentions and facts of one document; they depend on it and the parser model alone."""

    def says_use(self, fact: Fact, place: int) -> bool:
        """Check whether a phrase of a fact says what something is used for."""

    # ---- questions ---------------------------------------------------------------------------------

    def malformed(self, question: str) -> str:
        """Return what is wrong with the form of a question, "" when nothing is."""

    def outside_reference(self, question: str) -> str:
        """Return the word or phrase that refers to something outside the question, "" for none."""

    def answer_kind(self, question: str) -> str:
        """Return the kind of answer a question asks for (person, time, number, place, …), "" when it asks nothing."""

    def fits_kind(self, kind: str, answer: str) -> bool:
        """Check whether an answer is of a kind that ``answer_kind`` returned."""

    def wrong_kind(self, question: str, answers: Sequence[str]) -> str:
        """Return the kind of answer that a question asks for if certainly no answer is of that kind, "" otherwise."""

    def may_share(self, question: str, answer: str) -> Callable[[str], bool]:
        """Return a test for the stems that a question and its answer may have in common."""

    def continues(self, rest: str, *, clause: bool) -> bool:
        """Check whether an answer continues in the ``rest`` of its sentence; a ``clause`` must end where that does."""

    def contradictions(self, question: str, statement: str) -> frozenset[str]:
        """Return how a statement contradicts a question: "denial", "opposite", "extreme"."""

    def heading_question(self, title: str, names: frozenset[str] = frozenset()) -> str:
        """Return the question that a heading asks or answers, "" for none; words in ``names`` keep their capital."""

    def topic_question(self, document: str, heading: str, names: frozenset[str] = frozenset()) -> str:
        """Return what a document is asked about the topic of a section, by both titles; "" for none."""

    def opening(self, question: str) -> str:
        """Return the words that a question opens with, as one of a few classes; "other" for all the rest."""

    def question_form(self, question: str) -> dict[str, float]:
        """Return the form of a question in numbers, for the ranker."""

    def denies(self, question: str, sentence: str, start: int, end: int) -> bool:
        """Check whether a sentence denies, around the answer at ``[start, end)``, what a question affirms."""

    # ---- words -------------------------------------------------------------------------------------

    def content_stems(self, text: str) -> list[str]:
        """Return the stems of the content words of a text, in order."""

    def word_classes(self, text: str) -> dict[str, float]:
        """Return how many words of a text are of each class (pronouns, vague nouns, …), for the ranker."""

    def singular(self, noun: str) -> str:
        """Return a noun in the singular."""

    def listed(self, members: Sequence[str]) -> str:
        """Return the members of a list as one text: "a, b and c"."""

    # ---- names and answers -------------------------------------------------------------------------

    def is_name(self, title: str) -> bool:
        """Check whether a heading is nothing but a name."""

    def is_common_word(self, word: str) -> bool:
        """Check whether a word in lower case is an ordinary word, which names nothing by itself."""

    def is_emphasis(self, word: str) -> bool:
        """Check whether specifications write a word, given in lower case, in capitals to stress it."""

    def bare_name(self, text: str) -> str:
        """Return a mention of a name without article, title and possessive ending."""

    def name_form(self, text: str) -> str:
        """Return a name in the form in which it is compared: without letter case, article and possessive ending."""

    def name_places(self, text: str) -> list[tuple[int, int]]:
        """Return where names of persons and organizations stand in a text."""

    def affirmed(self, answer: str, asked: Sequence[str], golden: Sequence[str], evidence: Sequence[str]) -> str:
        """Return an answer without what it denies, unless its question, golden answers or evidence deny that too."""

    def cuts(self, text: str) -> list[tuple[int, int]]:
        """Return where the marks and words stand that part members or contrasted parts: commas, "and", "while"."""

    def is_detail(self, part: str) -> bool:
        """Check whether a part of an answer opens as a detail does ("for example", "which …"), and names nothing."""

    def hedged(self, answer: str, asked: Sequence[str], golden: Sequence[str], evidence: Sequence[str]) -> bool:
        """Check whether an answer offers a golden answer beside others."""

    def changed(
        self, answer: str, asked: str, golden: Sequence[str], evidence: Sequence[str], passages: Sequence[str]
    ) -> bool:
        """Check whether words beside a golden answer make it another value wherever an answer states it.

        Words like them in the evidence excuse that, and so do the same words in a passage.
        """

    def stated_quantities(self, text: str) -> Iterator[tuple[int, int, Quantity]]:
        """Yield the quantities and dates that a text states, each with where it starts and ends."""

    def value_places(self, answer: str, golden: str, question: str) -> list[tuple[int, int]]:
        """Return where an answer has a golden answer, in its words or as the same value."""

    def same_value(self, answer: str, golden: str, question: str) -> bool:
        """Check whether an answer states the quantity or date that a golden answer is, in whatever form."""

    def spelled_alike(self, text: str) -> str:
        """Return a text with one spelling for signs, ranges, dates and times, and without accents."""

    def short_name(self, answer: str, golden: str, question: str) -> str:
        """Return the surname, initials or abbreviation by which an answer gives an asked name, "" for none."""

    def verdict(self, answer: str) -> bool | None:
        """Return whether an answer opens with a yes (True) or a no (False), None for neither."""

    def may_replace(self, word: str, other: str) -> bool:
        """Check whether a word may say the same as another one: both are verbs, and both or none like "prevent"."""

    def answer_clauses(self, text: str) -> list[str]:
        """Return the clauses of a text, which together are the text."""

    def statements(self, answer: str) -> list[str]:
        """Return the clauses of an answer without those that guess."""

    def answer_form(self, text: str) -> str:
        """Return an answer in the form in which it is compared: without letter case and article, numbers as digits."""

    # ---- numbers -----------------------------------------------------------------------------------

    def digits(self, text: str) -> str:
        """Return a text with its numbers as plain digits."""

    def quantity(self, text: str) -> Quantity | None:
        """Return the one quantity that a text states, None when it states none, several, or a vague one."""


def language(code: str) -> Language:
    """Return the language for ``code``.

    Raises:
        InputError: for a language that kgsynth cannot read yet.
    """
    if code not in LANGUAGES:
        raise InputError(f"no reader for language {code!r}; known are {', '.join(sorted(LANGUAGES))}: set --language")
    return _package(LANGUAGES[code])


@cache
def _package(name: str) -> Language:
    return cast(Language, import_module(name))


def nearest_language(code: str) -> Language:
    """Return the language for ``code``, English for one without a package: figures are read alike in most languages."""
    return language(code if code in LANGUAGES else DEFAULT_LANGUAGE)
