"""Questions that a list answers, from the sentence that leads into it: "There are two ways to store users:".

Only the form of the sentence is read, no parser; a form that is not known gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kgsynth.language.english.headings import bare_title, plain_case
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_base_verb, is_word, lemma_of, singular

_NUMBERS = dict(zip("two three four five six seven eight nine ten eleven twelve".split(), range(2, 13), strict=True))
_HOW_MANY = (
    rf"(?:{'|'.join(_NUMBERS)}|several|many|multiple|various|a (?:few|number|couple|variety) of|some|\d+)"
)  # fmt: skip
_VERBS = (
    r"(?:supports?|includes?|provides?|offers?|contains?|requires?|accepts?|returns?|defines?|emits?|exposes?|"
    r"forbids?|prohibits?|covers?|allows?|needs?|uses?|involves?|affects?|reports?|raises?|sends?|has|have)"
)
_WHOLE = r"(?:includes?|contains?|consists? of|comprises?|supports?|requires?|covers?|involves?|depends? on|provides?)"
_NOUNS = (
    r"(?:examples|types|kinds|forms|benefits|advantages|disadvantages|drawbacks|limitations|reasons|causes|symptoms|"
    r"ways|responsibilities|duties|requirements|prerequisites|criteria|goals|objectives|principles|qualities|signs|"
    r"risks|rules|parts|components|stages|phases|features|characteristics|differences|exceptions)"
)
_SUBJECT = r"(?:(?:the|an?|your|each|every|all|both|most) )?[^,:]{2,60}?"
_THESE = r"(?:the following|these|this)"
_FOLLOW = (
    rf"(?:(?:follow|do|perform|take|complete) (?:{_THESE}|all|each)\b.*|"
    r"you (?:should|must|need to|have to)(?: (?:do|take|follow|complete)(?: the following(?: steps)?)?)?)"
)
_MODAL = re.compile(r"\b(?:can|could|must|should|may|might|will|would|shall|is|are|was|were)\b", re.I)
_NOW = re.compile(r"(?i)\b(?:now|currently|presently) |,? (?:do )?either$")


def lead_in_question(lead: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that the list after a sentence answers, "" if its form is not known.

    Example:
        >>> lead_in_question("There are two ways to store users:"), lead_in_question("To rotate a key, do the following:")
        ('What are the two ways to store users?', 'How do you rotate a key?')
        >>> lead_in_question("For instance:"), lead_in_question("The valve supports the following modes:")
        ('', 'Which modes does the valve support?')
        >>> lead_in_question("A request must include:"), lead_in_question("Before you leave, check the following:")
        ('What must a request include?', 'What should you check before you leave?')
    """  # noqa: E501
    text = _NOW.sub("", " ".join(lead.split()).rstrip(":： ."))
    for pattern, ask in _LEAD_FORMS:
        match = pattern.match(text)
        if match:
            parts = {name: value for name, value in match.groupdict().items() if value}
            told = " ".join(
                PATTERNS["following"].sub("", value) if name == "things" else value for name, value in parts.items()
            )
            question = "" if PATTERNS["points_outside"].search(told) else ask(parts, names)
            return " ".join(question.split())
    return ""


def heading_list_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a list below a heading answers, for headings as "Requirements for a permit".

    Example:
        >>> heading_list_question("Requirements for a permit"), heading_list_question("Basic commands")
        ('What are the requirements for a permit?', '')
    """
    text = bare_title(title)
    if not _LIST_HEADING.match(text) or PATTERNS["points_outside"].search(text):
        return ""
    shown = re.sub(_NOUNS, lambda match: match[0].lower(), plain_case(text, names), count=1, flags=re.I)
    return f"What are {'' if shown.startswith('examples') else 'the '}{shown}?"


def counted(question: str) -> int:
    """Return the number of things that a question asks for, 0 if it gives none.

    Example:
        >>> counted("What are the two ways to store users?"), counted("What are the ways?")
        (2, 0)
    """
    match = re.match(rf"(?:What are the|Which|What) (\d+|{'|'.join(_NUMBERS)})\b", question)
    return 0 if match is None else int(match[1]) if match[1].isdigit() else _NUMBERS[match[1]]


_LIST_HEADING = re.compile(
    rf"^(?:(?:key|main|common|core|general|basic|major|known|possible|minimum|important) )?"
    rf"(?:{_NOUNS}|best practices|core values|key features)(?: (?:of|for|to) .{{3,50}})?$",
    re.I,
)


def _task(parts: dict[str, str], names: frozenset[str]) -> str:
    first = parts["task"].split()[0].lower()
    doable = is_base_verb(first) and first not in WORDS["no_task_verbs"] and len(parts["task"].split()) > 1
    return f"How do you {parts['task']}?" if doable else ""


def _case(parts: dict[str, str], names: frozenset[str]) -> str:
    return f"What should you {parts.get('check', 'do').lower()} {_lowered(parts['case'])}?"


def _things(parts: dict[str, str], names: frozenset[str]) -> str:
    things = _bare(parts["things"], names)
    if _MODAL.search(things) or _VAGUE_THINGS.search(things) or not _COMPLETED.search(things):
        return ""
    return f"What are {'some ' if things.startswith('examples') else 'the '}{things}?"


def _which(parts: dict[str, str], names: frozenset[str]) -> str:
    return f"Which {_bare(parts['things'], names)} {parts['rest']}?"


def _of_subject(parts: dict[str, str], names: frozenset[str]) -> str:
    """Return "Which modes does the valve support?", or "What does the valve support?" if no things are named."""
    subject, (verb, _, particle) = parts["subject"], parts["verb"].partition(" ")
    things = _bare(parts["things"], names) if "things" in parts else ""
    if (
        not verb.islower()
        or not _is_subject(subject)
        or (things and singular(things.split()[-1]) == things.split()[-1])
    ):
        return ""
    base = lemma_of(verb, "VERB")
    if base == verb == "include" and not things and not _DETERMINED.match(subject):
        return f"What are {_inside(subject, names)}?"
    do = "do" if base == verb else "does"
    asks = f"Which {things}" if things else "What"
    return f"{asks} {do} {_inside(subject, names)} {base} {particle}".rstrip() + "?"


def _with_modal(parts: dict[str, str], names: frozenset[str]) -> str:
    subject = parts["subject"]
    return f"What {parts['modal'].lower()} {_inside(subject, names)} {parts['verb']}?" if _is_subject(subject) else ""


def _composed(parts: dict[str, str], names: frozenset[str]) -> str:
    subject = parts["subject"]
    return f"What {parts['be']} {_inside(subject, names)} {parts['made']}?" if _is_subject(subject) else ""


def _one_of(parts: dict[str, str], names: frozenset[str]) -> str:
    subject = parts["subject"]
    return f"Which values can {_inside(subject, names)} have?" if _is_subject(subject) else ""


def _needed(parts: dict[str, str], names: frozenset[str]) -> str:
    first = parts["task"].split()[0].lower()
    return (
        f"What do you need to {parts['task']}?" if is_base_verb(first) and first not in WORDS["no_task_verbs"] else ""
    )


def _used_for(parts: dict[str, str], names: frozenset[str]) -> str:
    subject = parts["subject"]
    return f"What can {_inside(subject, names)} be used for?" if _is_subject(subject) else ""


_Ask = Callable[[dict[str, str], frozenset[str]], str]
_YOU = r"you(?: will|[’']ll| must| should)?"
_LEAD_FORMS: tuple[tuple[re.Pattern[str], _Ask], ...] = tuple(
    (re.compile(f"^(?:{pattern})$", re.I), ask)
    for pattern, ask in (
        (rf"(?:in order )?to (?P<task>\w[^,:]{{3,80}}?), {_YOU} need(?: {_THESE}.*)?", _needed),
        (rf"{_YOU} need (?:(?:{_THESE}|a few|some)(?: \w+){{0,2}} )?to (?P<task>\w[^,:]{{3,80}}?)", _needed),
        (rf"(?:in order )?to (?P<task>\w[^,:]{{3,80}}?)(?:, (?:please )?{_FOLLOW})?", _task),
        (r"(?:follow |take |complete |use )?(?:these|the following|the) (?:\w+ )?steps to (?P<task>\w[^,:]{3,80}?)", _task),  # noqa: E501
        (rf"(?P<case>(?:if|when|before|after) [^,]{{8,110}}), (?:please )?(?:you should )?"
         rf"(?P<check>check|verify|confirm|consider|include|provide)(?: {_THESE}.*)?", _case),
        (rf"(?P<case>(?:if|when|before|after) [^,]{{8,110}}), (?:please )?{_FOLLOW}", _case),
        (rf"there (?:are|exist) (?:currently |only |basically )?(?P<things>{_HOW_MANY} [^,:]{{3,90}})", _things),
        (r"the following (?P<things>[a-z][\w -]{2,40}?s) (?P<rest>(?:are|can|must|should|may|will|have|need|"
        r"apply)\b[^:]{3,90})",
         _which),
        (rf"(?P<subject>{_SUBJECT}) (?P<modal>should|must|may|can) (?P<verb>include|contain|have|consist of|provide)"
         rf"(?: (?:at least )?{_THESE}(?: \w+){{0,2}})?", _with_modal),
        (rf"(?P<subject>{_SUBJECT}) (?:should|must|may|can) be (?:any )?(?:either|one) of(?: {_THESE}(?: values?|"
        rf" options?)?)?",
         _one_of),
        (rf"(?P<subject>{_SUBJECT}) can be used (?:to|for)", _used_for),
        (rf"(?P<subject>{_SUBJECT}) (?P<be>is|are) (?P<made>(?:composed|made up) of)(?: {_THESE}(?: \w+){{0,2}})?", _composed),  # noqa: E501
        (rf"(?P<subject>{_SUBJECT}) (?P<verb>{_VERBS}) (?P<things>(?:{_THESE} |several |multiple |{_HOW_MANY} "
        rf")(?:[\w-]+ ){{0,3}}[\w-]+s)",
         _of_subject),
        (rf"(?P<subject>{_SUBJECT}) (?P<verb>{_WHOLE})(?: {_THESE})?", _of_subject),
        (r"the (?P<things>[a-z][\w' -]{3,60}s(?: (?:of|for|to) [\w' -]{3,50})?) (?:are|include|are as follows|"
        r"are the following)",
         _things),
        (rf"(?P<things>(?:common |possible |key |main )?{_NOUNS} (?:of|for|to) [^,:]{{3,70}}?)(?: (?:are|include|"
        rf"include the following))?",
         _things),
    )
)  # fmt: skip
"""From the form of a sentence to the function that asks."""

_VAGUE_THINGS = re.compile(r"(?i)\b(?:other|things?|points?|items|caveats|notes?)\b")
_VAGUE_SUBJECT = re.compile(r"(?i)the (?:object|class|function|method|response|request|file|table|list|page|command)$")
_ACTION = re.compile(r"(?i)\w+ing (?:the|an?|your|all|other) ")
_DETERMINED = re.compile(r"(?i)(?:the|an?|your|each|every|all|both|most) ")
_COMPLETED = re.compile(
    rf"(?i)^(?:{_HOW_MANY} )?(?:[\w'’-]+ ){{0,3}}[\w'’-]+s(?:$| (?:of|for|to|in|on|that|by|with|at|\w+ing) )"
)


def _is_subject(subject: str) -> bool:
    """Check whether a text can be the subject of a question: a short noun phrase, with no verb or modal in it.

    Several small words in the singular without an article are no subject: "Proper symbol design".
    """
    words = subject.split()
    small = len(words) > 1 and all(word.islower() for word in words[1:]) and is_word(words[0].lower())
    bare = small and not _DETERMINED.match(subject) and singular(words[-1]) == words[-1]
    return (
        not bare
        and not _VAGUE_SUBJECT.match(subject)
        and not _ACTION.match(subject)
        and not _MODAL.search(subject)
        and not PATTERNS["starts_badly"].match(subject)
        and not re.search(r"[<>{}()]", subject)
        and len(subject.split()) <= 7
    )


def _bare(things: str, names: frozenset[str]) -> str:
    """Return a plural without words that announce a list: "the following", "several"."""
    return plain_case(PATTERNS["following"].sub("", things), names)


def _inside(subject: str, names: frozenset[str]) -> str:
    """Return a subject from the start of a sentence as it is inside one."""
    first, _, rest = subject.partition(" ")
    ordinary = first.istitle() and first not in names and (is_word(first) or bool(_DETERMINED.match(subject)))
    return f"{first.lower()} {rest}".strip() if ordinary else subject


def _lowered(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"
