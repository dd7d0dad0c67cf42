"""Checks and counts of English questions and answers by their words: form, references, the kind of answer asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, singular, stem
from kgsynth.language.english.number_words import digits
from kgsynth.language.text_words import ANY
from kgsynth.language.words import words

# Is an answer surely not what an English question asks for? By the question word and the form of the answer.
#
# Stricter than ``fits_kind``: a bare year is neither a place nor a person, and an amount of money is not a time. In
# doubt, an answer fits. Of people's questions (SQuAD 2.0, 2,910) it judges 0.4 % wrong, and 21 % after neighbouring
# answers were swapped.

_MONTH_NAME = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_FIGURE = re.compile(
    rf"[\d\s.,%$€£:/–-]+(?:million|billion|thousand|percent)?|(?:\d{{1,2}} )?{_MONTH_NAME}[\d\s,]*", re.I
)
_DATE = re.compile(rf"(?:in |on |by )?(?:(?:1[1-9]|20[0-3])\d{{1,2}}s?,?|(?:\d{{1,2}} )?{_MONTH_NAME}[\d\s,]*)", re.I)
"""Nothing but a year, a decade or a date."""
_NO_TIME = re.compile(r"[$€£%]|\bpercent\b|\d,\d{3}\b", re.I)
_ASKS_TIME = re.compile(r"\b(?:what|which) (?:year|century|decade|month|date|era)s?\b", re.I)
_PERSON_ENDING = re.compile(r"(?:s|er|or|ist|an|folk|people|public|one|body)$", re.I)
_AFTER_HEAD = re.compile(r"\b(?:of|who|that|which|for|in|to|at|from|with|and)\b")
_CHECKED = frozenset({"number", "time", "person", "reason"})
_NO_FIGURE = frozenset({"person", "place", "reason", "clause"})


def wrong_kind(question: str, answers: Sequence[str]) -> str:
    """Return the kind of answer that a question asks for if no answer can be of that kind, "" otherwise.

    Example:
        >>> wrong_kind("Where did Ada live?", ["1843"]), wrong_kind("Where did Ada live?", ["1843", "in London"])
        ('place', '')
        >>> wrong_kind("In what year did Ada die?", ["London"]), wrong_kind("Who led the crew?", ["a red boat"])
        ('time', 'person')
    """
    kind = "time" if _ASKS_TIME.search(question) else answer_kind(question)
    return kind if answers and all(_cannot_be(kind, answer.strip(), question) for answer in answers) else ""


def _cannot_be(kind: str, answer: str, question: str) -> bool:
    if kind in _CHECKED and not fits_kind(kind, digits(answer)):
        return True
    if kind in _NO_FIGURE and _FIGURE.fullmatch(answer):
        return True
    if kind == "time":
        return bool(_NO_TIME.search(answer))
    if kind == "person":
        return not any(map(str.isupper, answer)) and not _may_be_person(answer)
    return kind == "thing" and not PATTERNS["asks_figure"].search(question) and bool(_DATE.fullmatch(answer))


def _may_be_person(answer: str) -> bool:
    """Check whether the head of a phrase in lower case may be a person or a group of them."""
    head = (_AFTER_HEAD.split(answer)[0].split() or answer.split() or [""])[-1].lower().strip(".,;:\"'”’)")
    return not head or head in WORDS["person_nouns"] or bool(_PERSON_ENDING.search(head))


# Checks of English questions by their words, without a parser: form, references, the kind of answer asked for.
#
# Left out: whether a question fits its evidence. The filters check that, with the corpus.

_CUT_OFF = re.compile(r"\b(?:the|a|an|and|or|but|because|if|than|very|their|its|his|her)\s*\?$", re.I)
_THAN = re.compile(r"\bthan\b", re.I)
_COMPARATIVE = re.compile(r"\b(?:\w{2,}er|more|less|worse|rather|else|different|differently|sooner)\b", re.I)
_POINTED_AT = re.compile(r"(?:this|these|those|such an?|such|that) (?:[a-z-]+ )??([a-z-]{3,})\b", re.I)
"""A demonstrative with its noun."""
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|them|his|her|hers|its|their|theirs)\b", re.I)
_POSSIBLE_NOUN = re.compile(r"\b(?:[A-Z][\w.:-]+|[a-z]{4,})\b")
_REASON = re.compile(r"^(?:because|since|as|due|owing|thanks|given|now|on account|so|to|in order|for)\b", re.I)
_ANSWER_KINDS = (
    (re.compile(r"\bwhy\b|\bfor what (?:purpose|reason)\b", re.I), "reason"),
    (re.compile(r"\bhow (?:many|much)\b|\bwhat (?:percentage|number|amount)\b", re.I), "number"),
    (re.compile(r"\bhow (?:long|often)\b|\bafter how long\b|\bwhat time\b", re.I), "time"),
    (re.compile(r"\bunder what conditions?\b|\bwhat happens\b", re.I), "clause"),
    (re.compile(r"\b(?:who|whom|whose)\b", re.I), "person"),
    (re.compile(r"\b(?:what|which)\b", re.I), "thing"),
    (re.compile(r"\bwhere\b", re.I), "place"),
    (re.compile(r"\bwhen\b", re.I), "time"),
    (re.compile(r"\bhow\b", re.I), "manner"),
)  # fmt: skip
"""The question words of each kind of answer; of those at the same place, the first in this order counts."""
_NOUN_KINDS = frozenset({"person", "place", "thing"})
"""The kinds of answer that are names or noun phrases."""
_NO_NOUNS = WORDS["stop_words"] | frozenset("condition purpose happens many much long often".split())
"""Words that look like a noun and are not, so that a pronoun after them refers to nothing in the question."""


_OTHER_SCRIPT = re.compile(r"[\u0370-\u1cff\u2c00-\ud7ff]{3}")
"""Three letters that are not Latin: a sentence of another language in an English document."""


def malformed(question: str) -> str:
    """Return what is wrong with the form of a question, "" when nothing is.

    Example:
        >>> malformed("Which team runs the depot?"), malformed("What runs the ?")
        ('', 'cut off before its end')
        >>> malformed("Which укажите do the depot?")
        'words of another script'
    """
    text = question.strip()
    length = len(text.split())
    problems = (
        (not LIMITS.question_min_words <= length <= LIMITS.question_max_words, f"{length} words long"),
        (not text.endswith("?"), "no question mark at its end"),
        (bool(ANY.patterns["markup"].search(text)), "markup left in it"),
        (bool(_OTHER_SCRIPT.search(text)), "words of another script"),
        (bool(_CUT_OFF.search(text)), "cut off before its end"),
        (bool(PATTERNS["stray_marks"].search(text)), "stray or doubled words or marks"),
        (text.count('"') % 2 == 1 or text.count("(") != text.count(")"), "half a pair of quotes or brackets"),
        (bool(PATTERNS["unnatural"].search(text)), "asked as nobody asks"),
        (bool(_THAN.search(text)) and not _COMPARATIVE.search(text), "than what is not compared"),
        (not PATTERNS["question_word"].search(text), "asks nothing"),
    )
    return next((name for wrong, name in problems if wrong), "")


def outside_reference(question: str) -> str:
    """Return the word or phrase that refers to something outside the question, "" for none.

    Example:
        >>> outside_reference("What does this step do?"), outside_reference("When did Ada publish her notes?")
        ('this', '')
        >>> outside_reference("Our servers run Windows: how do I reach these servers?")
        ''
        >>> outside_reference("Is it a problem if the pump fails?"), outside_reference("Is it used to pump water?")
        ('', 'it')
    """
    outside = (each for each in PATTERNS["outside"].finditer(question) if not _named_before(question, each.start()))
    if match := next(outside, None):
        return match.group()
    empty = [match.span() for match in PATTERNS["empty_it"].finditer(question)]
    pronouns = (each for each in _PRONOUN.finditer(question) if not any(a <= each.start() < b for a, b in empty))
    pronoun = next(pronouns, None)
    if pronoun and PATTERNS["asker_and_pronoun"].match(question):
        return pronoun.group()
    if pronoun and not [w for w in _POSSIBLE_NOUN.findall(question[: pronoun.start()]) if w.lower() not in _NO_NOUNS]:
        return pronoun.group()
    return ""


def _named_before(question: str, start: int) -> bool:
    """Check whether a demonstrative points at a noun that the question has before it: "our servers … these servers"."""
    pointed = _POINTED_AT.match(question, start)
    return pointed is not None and stem(pointed[1].lower()) in map(stem, words(question[:start]))


def answer_kind(question: str) -> str:
    """Return the kind of answer a question asks for, by its first question word; "" when it has none.

    Example:
        >>> answer_kind("If it rains, how many pumps run?")
        'number'
    """
    found = [
        (match.start(), order, kind)
        for order, (pattern, kind) in enumerate(_ANSWER_KINDS)
        if (match := pattern.search(question))
    ]
    opening = re.match(r"(?:if|when|whenever|unless|until|once|as long as|in case)\b[^,]*,", question, re.I)
    later = [entry for entry in found if not opening or entry[0] >= opening.end()]
    return min(later or found)[2] if found else ""


def fits_kind(kind: str, answer: str) -> bool:
    """Check whether an answer is of a kind that ``answer_kind`` returned.

    Example:
        >>> fits_kind("number", "nine pumps"), fits_kind("time", "the pump")
        (True, False)
    """
    if kind == "number":
        return bool(PATTERNS["number"].search(answer))
    if kind == "time":
        return bool(PATTERNS["time"].search(answer))
    if kind == "reason":
        return bool(_REASON.search(answer)) or len(answer.split()) >= LIMITS.reason_words
    if kind == "person":
        return not re.fullmatch(r"[\d\s.,%-]+", answer)
    return bool(kind)


def may_share(question: str, answer: str) -> Callable[[str], bool]:
    """Return a test for the stems of an answer that its question may hold too.

    These are the noun after "which"; after "how many" everything but the number of the answer, or without an answer the
    noun. Of a name or noun phrase of two words, the question may hold the second: it is the family or the kind that
    people name ("What kind of T cells …? Killer cells"), and the first word says which one.

    Example:
        >>> free = may_share("On which floor is the tank?", "the cellar floor of the mill")
        >>> free("floor"), free("tank")
        (True, False)
        >>> free = may_share("Who is the Feeney Room named after?", "Colm Feeney")
        >>> free("feeney"), free("colm")
        (True, False)
    """
    if answer and re.search(r"\bhow (?:many|much)\b", question, re.I):
        counts = {stem(word) for word in words(answer) if PATTERNS["number"].fullmatch(word)}
        return lambda word: word not in counts and not word.isdigit()
    asked_for = {
        stem(word)
        for match in re.finditer(r"\b(?:which|what|how many|how much) ([\w-]+)", question, re.I)
        for word in content_stems(match.group(1))
    }
    pair = content_stems(answer)
    adjacent = len(pair) == 2 and pair == [stem(word) for word in words(answer)[-2:]]
    if adjacent and pair[0] not in asked_for and answer_kind(question) in _NOUN_KINDS:
        asked_for |= {pair[1]} & set(content_stems(question))
    return asked_for.__contains__


_CONTINUATION = re.compile(r"[\"'”’)\]*_`\s]*(?:,\s*)?(?:(?:and|or|nor|as well as|but|plus)\b|,\s*\d|/)", re.I)


def continues(rest: str, *, clause: bool) -> bool:
    """Check whether an answer continues in ``rest``, what follows it in its sentence.

    A ``clause`` must end where its sentence does, or before an aside.

    Example:
        >>> continues("and how to build it.", clause=False), continues("in the cellar.", clause=False)
        (True, False)
        >>> continues("in the cellar.", clause=True), continues(", which is dry.", clause=True)
        (True, False)
    """
    return not PATTERNS["end_or_aside"].match(rest) if clause else bool(_CONTINUATION.match(rest))


def content_stems(text: str) -> list[str]:
    """Return the stems of the content words of a text, in order.

    Example:
        >>> content_stems("The pumps are run by Ada.")
        ['pump', 'run', 'ada']
    """
    return [
        stem(word) for word in words(text) if word not in WORDS["stop_words"] and word not in WORDS["condition_markers"]
    ]


# What is odd about a question on a sentence of prose and its answer, by their words alone.

_VARIABLE = re.compile(r"(?<![\w'’.\"-])[b-z]\d?(?![\w'’.\"+#-])")
_SHORT_WHICH = re.compile(r"(?i)^which \w{1,3} ")
_WHICH_MASS = re.compile(r"(?i)^which (?:\w+ment|\w+ity|\w+ness|\w+ism|member|system|thing|way|place|part) ")
_BACK = re.compile(r"(?i)\b(?:it|them|this|that|these|those|here|there|above|below|them both|the same|the following)$")


def odd_form(question: str, answer: str) -> str:
    """Return what is odd about a question or its answer, "" for nothing.

    Example:
        >>> odd_form("What should the command output?", "a message")
        'answer without content'
        >>> odd_form("When was the fort taken?", "July 3, 1754")
        ''
    """
    stranded = PATTERNS["ends_in_preposition"].match(question)
    opens_value = re.match(r"(?i)(?:when|by when|what|which|who)\b", question)
    resumed = re.match(r"(?i)(?:how|.*\bdo (?:if|when)|.*what happens)\b.*s\b", question) and answer.endswith(
        (" it", " them")
    )
    empty = PATTERNS["empty"].fullmatch(answer)
    problems = (
        (PATTERNS["left_over"].search(question), "a word that ties it to its neighbours"),
        (PATTERNS["bare_comparative"].search(question), "compared with what it does not say"),
        (stranded and stranded["verb"].lower() not in WORDS["goes_with"], "a preposition left at its end"),
        (_VARIABLE.search(question), "a variable"),
        (re.match(r"(?i)why did you\b", question), "asked of the author"),
        (re.search(r"(?i)\bhow many [\w-]+(?: [\w-]+)? to \w+", question), "a purpose of what is counted"),
        (_SHORT_WHICH.match(question) or _WHICH_MASS.match(question), "no kind of thing after which"),
        (re.match(r"(?i)from when\b", question), "asked as nobody asks"),
        (_BACK.search(answer) and not resumed, "answer points back"),
        (PATTERNS["ends_loose"].search(answer), "answer cut wrongly"),
        (PATTERNS["sends_elsewhere"].search(answer), "answer points elsewhere"),
        (
            opens_value and empty and empty["noun"].islower() and not re.match("(?i)who|when", question),
            "answer without content",
        ),
    )
    return next((name for wrong, name in problems if wrong), "")


# Counts of what the words of an English question or answer are, for the ranker; no parser is needed.

_OPENINGS = (
    *("how do", "how many", "how much", "how long", "how often", "how can", "how does", "how should", "how"),
    *("what is the difference", "what happens", "what should", "what does", "what do", "what is", "what are", "what"),
    *("which", "why", "when", "where", "whom", "who", "under what"),
    *("can", "should", "is", "are", "do", "does", "did", "was", "were"),
)
_PRONOUNS = WORDS["third_person"] | WORDS["possessive"]
_OWN = WORDS["articles"] | {"your", "each", "every", "all", "any", "my"}
_TASK = re.compile(r"^how (?:do|can|should) (?:you|i|we) ([\w-]+)(?: ([\w'-]+))?")

_CLASSES = {
    "pronouns": _PRONOUNS,
    "first_person": WORDS["first_person"],
    "second_person": WORDS["second_person"],
    "demonstratives": WORDS["demonstratives"],
    "conjunctions": WORDS["conjunctions"],
    "prepositions": WORDS["preposition_words"],
    "subordinators": WORDS["subordinators"],
    "modals": WORDS["modals"],
    "be": WORDS["be"],
    "negations": WORDS["negations"],
    "articles": WORDS["articles"],
    "quantifiers": WORDS["quantifiers"],
    "vague_nouns": WORDS["empty_heads"],
    "vague_adjectives": WORDS["leaves_open"],
    "light_verbs": WORDS["light_verbs"],
    "connectives": WORDS["connectives"],
    "deictic": WORDS["deictic"],
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
        "pointers": float(len(PATTERNS["pointers"].findall(text))),
        "opens_demonstrative": float(first in WORDS["demonstratives"] | {"now", "then", "so", "but", "and", "as"}),
        "opens_article": float(first in WORDS["articles"]),
        "opens_preposition": float(first in WORDS["preposition_words"]),
        "opens_condition": float(first in {"if", "when", "unless", "because", "while", "after", "before"}),
        "opens_person": float(first in WORDS["first_person"] | WORDS["second_person"]),
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
    form = {"ends_preposition": float(bool(words(question)) and words(question)[-1] in WORDS["preposition_words"])}
    scope = PATTERNS["scope"].search(lower)
    form |= {f"scope_{word}": float(bool(scope) and scope[1] == word) for word in ("in", "when", "for", "of")}  # type: ignore[index]
    form["scope_words"] = float(len(scope[2].split())) if scope else 0.0
    task = _TASK.match(lower)
    verb, after = (task[1], task[2] or "") if task else ("", "")
    return form | {
        "verb_is_noun": float(is_noun(verb)) if verb else 0.0,
        "verb_only": float(is_only_verb(verb)) if verb else 0.0,
        "verb_unknown": float(bool(verb) and not is_base_verb(verb)),
        "verb_light": float(verb in WORDS["light_verbs"]),
        "object_determined": float(after in _OWN),
        "object_preposition": float(after in WORDS["preposition_words"]),
        "object_plural": float(bool(after) and is_word(after) and singular(after) != after),
        "object_missing": float(bool(verb) and not after),
    }
