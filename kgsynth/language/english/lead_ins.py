"""Questions that a list answers, from the sentence that leads into it: "There are two ways to store users:".

Only the form of the sentence is read, no parser; a form that is not known gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kgsynth.language.english.headings import plain_case
from kgsynth.language.english.morphology import is_base_verb, lemma_of

_COUNT = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|several|many|multiple|various|a (?:few|number|couple|variety) of|"
    r"some|\d+)"
)
_VERBS = (
    r"(?:supports?|includes?|provides?|offers?|contains?|requires?|accepts?|returns?|defines?|consists? of|emits?|"
    r"exposes?|forbids?|prohibits?|covers?|allows?|needs?|uses?|involves?|affects?)"
)
_NOUNS = (
    r"(?:examples|types|kinds|benefits|advantages|disadvantages|drawbacks|reasons|ways|steps|responsibilities|"
    r"requirements|goals|qualities|signs|rules|parts|components)"
)
_FOLLOW = r"(?:please )?(?:follow|do|perform|take|complete|you (?:should|must|need to|can|have to))\b.*"
_POINTS_OUTSIDE = re.compile(
    r"\b(?:this|these|those|it|its|they|them|their|we|our|us|above|below|here|i|he|she|such|that|which|where|who)\b",
    re.I,
)
_MODAL = re.compile(r"\b(?:can|could|must|should|may|might|will|would|shall)\b", re.I)


def lead_in_question(lead: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that the list after a sentence answers, "" if its form is not known.

    Example:
        >>> lead_in_question("There are two ways to store users:"), lead_in_question("To rotate a key, do the following:")
        ('What are the two ways to store users?', 'How do you rotate a key?')
        >>> lead_in_question("For instance:"), lead_in_question("The valve supports the following modes:")
        ('', 'What modes does the valve support?')
    """
    text = " ".join(lead.split()).rstrip(":： .").strip()
    for pattern, ask in _FORMS:
        match = pattern.match(text)
        if match:
            parts = {name: value for name, value in match.groupdict().items() if value}
            question = "" if _POINTS_OUTSIDE.search(" ".join(parts.values())) else ask(parts, names)
            return " ".join(question.split())
    return ""


def _task(parts: dict[str, str], names: frozenset[str]) -> str:
    first = parts["task"].split()[0].lower()
    return f"How do you {parts['task']}?" if is_base_verb(first) else ""


def _case(parts: dict[str, str], names: frozenset[str]) -> str:
    return f"What should you do {parts['case'][0].lower()}{parts['case'][1:]}?"


def _things(parts: dict[str, str], names: frozenset[str]) -> str:
    return f"What are the {_bare(parts['things'], names)}?"


def _which(parts: dict[str, str], names: frozenset[str]) -> str:
    return f"Which {_bare(parts['things'], names)} {parts['rest']}?"


def _of_subject(parts: dict[str, str], names: frozenset[str]) -> str:
    subject, (verb, _, particle) = parts["subject"], parts["verb"].partition(" ")
    if _MODAL.search(subject) or re.search(r"[<>{}]", subject):
        return ""
    base = lemma_of(verb.lower(), "VERB")
    do = "do" if base == verb.lower() else "does"
    things = _bare(parts["things"], names) if "things" in parts else ""
    return f"What {things} {do} {_inside(subject, names)} {base} {particle}?"


_Ask = Callable[[dict[str, str], frozenset[str]], str]
_FORMS: tuple[tuple[re.Pattern[str], _Ask], ...] = tuple(
    (re.compile(f"^(?:{pattern})$", re.I), ask)
    for pattern, ask in (
        (r"(?:so,? )?(?:in order )?to (?P<task>\w[^,:]{3,80}?), (?:please |you (?:can|should|must|need to|have to|will need to) )?(?:follow|do|perform|take|complete|use|run|go|open|click|select|create|add|set|make)\b.*", _task),
        (rf"(?P<case>(?:if|when|before|after) [^,]{{8,110}}), {_FOLLOW}", _case),
        (rf"there (?:are|exist) (?:currently |only |basically )?(?P<things>{_COUNT} [^,:]{{3,90}})", _things),
        (r"the following (?P<things>[a-z][\w -]{2,40}?s) (?P<rest>(?:are|can|must|should|may|will|have|need|apply)\b[^:]{3,90})",
         _which),
        (r"(?P<subject>[^,:]{3,60}?) (?P<verb>has|have) (?P<things>(?:\w+ ){0,3}\w+s)", _of_subject),
        (rf"(?P<subject>[^,:]{{3,60}}?) (?P<verb>{_VERBS}) (?P<things>(?:the following |several |multiple )(?:[\w-]+ ){{0,3}}[\w-]+s)",
         _of_subject),
        (r"the (?P<things>[a-z][\w' -]{3,60}s) (?:are|include|are as follows|are the following)", _things),
        (rf"(?P<things>{_NOUNS} (?:of|for|to) [^,:]{{3,70}}?)(?: (?:are|include|include the following))?", _things),
    )
)  # fmt: skip
"""From the form of a sentence to the function that asks."""


def _bare(things: str, names: frozenset[str]) -> str:
    """Return a plural without words that announce a list: "the following", "several"."""
    return plain_case(
        re.sub(r"(?i)^(?:the )?(?:following |several |multiple |many |some |various )?", "", things), names
    )


def _inside(subject: str, names: frozenset[str]) -> str:
    """Return a subject from the start of a sentence as it is inside one."""
    first, _, rest = subject.partition(" ")
    ordinary = first.istitle() and first not in names
    return f"{first.lower()} {rest}".strip() if ordinary else subject
