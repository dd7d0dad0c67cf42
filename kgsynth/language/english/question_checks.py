"""Checks of English questions by their words, without a parser: form, references, the kind of answer asked for.

Left out: whether a question fits its evidence. The filters check that, with the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english import lexicon as lex
from kgsynth.language.english.morphology import stem
from kgsynth.language.words import words

_QUESTION_WORD = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|does|do|did|can|could|will|would|should|has|have|"
    r"may|must)\b",
    re.I,
)
_MARKUP = re.compile(
    r"`|\*\*|\]\(|\{\{|\}\}|<!--|https?://|\\[a-z]|\|"
    r"|</?(?:a|b|br|code|div|em|i|img|li|p|pre|span|strong|su[bp]|t[dhr]|ul)\b[^>]*>",
    re.I,
)
_STRAY_MARKS = re.compile(
    r",\s*[,?.;]|\s[,;.]|[(\[]\s*[)\]]|\b(\w+) \1\b(?<!\bthat that)(?<!\bhad had)|--(?!\w)|\w--|^\W*[,;:.]", re.I
)
_UNNATURAL = re.compile(
    r"^why is it that |, (?:what|which \w+) (?:is|are|was|were)\?$"
    r"|^under what condition .*\b(?:if|when|unless)\b|^when .*\bwhen\b",
    re.I,
)
_CUT_OFF = re.compile(r"\b(?:the|a|an|and|or|but|because|if|than|very|their|its|his|her)\s*\?$", re.I)
_THAN = re.compile(r"\bthan\b", re.I)
_COMPARATIVE = re.compile(r"\b(?:\w{2,}er|more|less|worse|rather|else|different|differently|sooner)\b", re.I)
_OUTSIDE = re.compile(
    r"\b(?:according to (?:the|this)|"
    r"in (?:the|this) (?:text|passage|article|document|paragraph|section|context|example|chapter|page)|"
    r"mentioned|(?:as )?described (?:above|below|here)|the (?:text|passage|author|article|paragraph|excerpt)\b|"
    r"the following|(?:this|these|those|such(?! as\b| that\b| an? [\w-]+ (?:that|as)\b))\b|"
    r"(?:above|below|aforementioned|latter|the former(?! \w{3,}))\b|"
    r"that (?:case|way|time|point|example)\b)",
    re.I,
)
_POINTED_AT = re.compile(r"(?:this|these|those|such an?|such|that) (?:[a-z-]+ )??([a-z-]{3,})\b", re.I)
"""A demonstrative with its noun."""
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|them|his|her|hers|its|their|theirs)\b", re.I)
_EMPTY_IT = re.compile(
    r"\b(?:(?:is|isn['’]t|was|wasn['’]t|would)\s+it|it(?:['’]s|\s+is|\s+was|\s+would\s+be))\s+(?:be\s+|(?:not|still|really)\s+)?"
    r"(?:time|worth|against|(?:a|any|no)\s+(?:[a-z]+\s+)?(?:breach|idea|matter|mistake|problem|risk|use|violation)|"
    r"acceptable|advisable|allowed|bad|best|better|common|difficult|easy|enough|fine|forbidden|good|hard|important|"
    r"impossible|legal|likely|mandatory|necessary|normal|ok|okay|permitted|possible|recommended|required|safe|"
    r"sufficient|true|useful|usual|wise)\b(?=[^?]*\b(?:to|that|if|when|whether|[a-z]{3,}ing)\b)|"
    r"\b(?:does|doesn['’]t|did|will|would)\s+it\s+(?:cost|count|help|hurt|make\s+sense|matter|take)\b"
    r"(?=[^?]*\b(?:to|that|if|when|whether|who|which|where|how)\b)",
    re.I,
)
"""An "it" that stands for what follows: "Is it a problem if …?", "What does it take to …?"."""
_ASKER_AND_PRONOUN = re.compile(
    r"(?:who|what|which(?: [\w-]+){1,2}) [\w-]+(?: (?:at|by|for|from|in|of|on|to|with))? (?:it|them|him|her)\?$", re.I
)
"""Only what is asked for and a pronoun, which cannot refer to it: "Which team leads it?"."""
_POSSIBLE_NOUN = re.compile(r"\b(?:[A-Z][\w.:-]+|[a-z]{4,})\b")
_NUMBER = re.compile(
    r"\d|\b(?:zero|no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|"
    r"hundreds?|thousands?|millions?|billions?|dozens?|half|several|few|many|single|twice|double|once)\b",
    re.I,
)
_TIME = re.compile(
    r"\d|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|spring|summer|"
    r"autumn|winter|\w*days?|weeks?|months?|years?|century|centuries|decades?|hours?|minutes?|seconds?|morning|noon|"
    r"evening|night|midnight|before|after|during|when|while|until|once|dawn|Christmas|Easter|startup|shutdown|runtime|"
    r"time|era|period|war|always|never)\b",
    re.I,
)
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
_STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being between both but by can could did do
    does doing done during each for from had has have having he her here hers him his how i if in into is it its
    itself may me might more most must my no nor not of off on once only or other our out over own same she
    many much should so some such than that the their them then there these they this those through to too under until
    up us very was we were what when where which while who whom whose why will with within without would you
    your""".split()
)
_NOUN_KINDS = frozenset({"person", "place", "thing"})
"""The kinds of answer that are names or noun phrases."""
_NO_NOUNS = _STOP_WORDS | frozenset("condition purpose happens many much long often".split())
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
        (bool(_MARKUP.search(text)), "markup left in it"),
        (bool(_OTHER_SCRIPT.search(text)), "words of another script"),
        (bool(_CUT_OFF.search(text)), "cut off before its end"),
        (bool(_STRAY_MARKS.search(text)), "stray or doubled words or marks"),
        (text.count('"') % 2 == 1 or text.count("(") != text.count(")"), "half a pair of quotes or brackets"),
        (bool(_UNNATURAL.search(text)), "asked as nobody asks"),
        (bool(_THAN.search(text)) and not _COMPARATIVE.search(text), "than what is not compared"),
        (not _QUESTION_WORD.search(text), "asks nothing"),
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
    outside = (each for each in _OUTSIDE.finditer(question) if not _named_before(question, each.start()))
    if match := next(outside, None):
        return match.group()
    empty = [match.span() for match in _EMPTY_IT.finditer(question)]
    pronouns = (each for each in _PRONOUN.finditer(question) if not any(a <= each.start() < b for a, b in empty))
    pronoun = next(pronouns, None)
    if pronoun and _ASKER_AND_PRONOUN.match(question):
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
        return bool(_NUMBER.search(answer))
    if kind == "time":
        return bool(_TIME.search(answer))
    if kind == "reason":
        return bool(_REASON.search(answer)) or len(answer.split()) >= LIMITS.reason_words
    if kind == "person":
        return not re.fullmatch(r"[\d\s.,%-]+", answer)
    return bool(kind)


def may_share(question: str, answer: str) -> Callable[[str], bool]:
    """Return a test for the stems of an answer that its question may hold too.

    These are the noun after "which", and after "how many" everything but the number. Of a name or noun phrase of two
    words, the question may hold the second: it is the family or the kind that people name ("What kind of T cells …?
    Killer cells"), and the first word says which one.

    Example:
        >>> free = may_share("On which floor is the tank?", "the cellar floor of the mill")
        >>> free("floor"), free("tank")
        (True, False)
        >>> free = may_share("Who is the Feeney Room named after?", "Colm Feeney")
        >>> free("feeney"), free("colm")
        (True, False)
    """
    if re.search(r"\bhow (?:many|much)\b", question, re.I):
        counts = {stem(word) for word in words(answer) if _NUMBER.fullmatch(word)}
        return lambda word: word not in counts and not word.isdigit()
    asked_for = {
        stem(word)
        for match in re.finditer(r"\b(?:which|what) ([\w-]+)", question, re.I)
        for word in content_stems(match.group(1))
    }
    pair = content_stems(answer)
    adjacent = len(pair) == 2 and pair == [stem(word) for word in words(answer)[-2:]]
    if adjacent and pair[0] not in asked_for and answer_kind(question) in _NOUN_KINDS:
        asked_for |= {pair[1]} & set(content_stems(question))
    return asked_for.__contains__


_END_OR_ASIDE = re.compile(
    r"[\"'”’)\]*_`\s]*(?:$|[.!?;(—–]|,\s*(?:which|who|whose|where|but|so|then|although|while|though)\b)", re.I
)
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
    return not _END_OR_ASIDE.match(rest) if clause else bool(_CONTINUATION.match(rest))


def content_stems(text: str) -> list[str]:
    """Return the stems of the content words of a text, in order.

    Example:
        >>> content_stems("The pumps are run by Ada.")
        ['pump', 'run', 'ada']
    """
    return [stem(word) for word in words(text) if word not in _STOP_WORDS and word not in lex.CONDITION_MARKERS]
