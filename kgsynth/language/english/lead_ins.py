"""Questions that a list answers, from the sentence that leads into it: "There are two ways to store users:"."""

from __future__ import annotations

import re

from kgsynth.language.english.headings import plain_case
from kgsynth.language.english.morphology import is_base_verb, lemma_of

_COUNT = r"(?:two|three|four|five|six|seven|eight|nine|ten|several|many|multiple|various|a (?:few|number|couple|variety) of|some|\d+)"
_FOLLOWING = re.compile(r"(?i)\b(?:the )?following\b")
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.I), form)
    for pattern, form in (
        (
            r"^(?:so,? )?(?:in order )?to (?P<task>\w[^,:]{3,80}?)(?:,|:| (?:you|follow|do|perform|take|complete)\b.*)",
            "How do you {task}?",
        ),
        (
            r"^(?P<if>(?:if|when|before|after) [^,]{8,110}), (?:please )?(?:follow|do|perform|take|complete|you (?:should|must|need to|can|have to))\b.*",
            "What should you do {if}?",
        ),
        (
            rf"^there (?:are|exist) (?:currently |only |basically )?(?P<np>(?:{_COUNT}) [^,:]{{3,90}})$",
            "What are the {np}?",
        ),
        (
            r"^the following (?P<np>[a-z][\w -]{2,40}?s) (?P<vp>(?:are|can|must|should|may|will|have|need|apply|do)\b[^:]{3,90})$",
            "Which {np} {vp}?",
        ),
        (
            r"^(?P<s>[^,:]{3,60}?) (?P<v>has|have) (?P<np>(?:the following )?(?:\w+ ){0,3}\w+s)$",
            "What {np} {do} {s} have?",
        ),
        (
            r"^(?P<s>[^,:]{3,60}?) (?P<v>supports?|includes?|provides?|offers?|contains?|requires?|accepts?|returns?|defines?|consists? of|emits?|exposes?|forbids?|prohibits?|covers?|allows?|needs?|uses?|involves?|affects?) (?P<np>(?:the following |several |these |multiple )(?:[\w-]+ ){0,3}[\w-]+s)$",
            "What {np} {do} {s} {base}?",
        ),
        (
            r"^(?P<s>[^,:]{3,60}?) (?P<v>supports?|includes?|provides?|offers?|contains?|requires?|accepts?|returns?|defines?|consists? of|emits?|exposes?|forbids?|prohibits?|covers?|allows?|needs?|uses?|involves?|affects?)(?: the following)?$",
            "What {do} {s} {base}?",
        ),
        (
            r"^(?P<s>[A-Z][^,:]{3,70}?) (?P<v>can|must|should|may|cannot|must not|should not) (?P<base>[a-z][^,:]{1,50}?)(?: (?:the following|one of the following|one of|any of the following))?$",
            "What {v} {s} {base}?",
        ),
        (
            r"^(?P<s>[^,:]{3,70}?) (?:when|if) (?:all |any |one |either )?(?:of )?the following (?:\w+ )?(?:conditions?|criteria|is|are|holds?|appl\w+)\b.*$",
            "COND",
        ),
        (
            r"^(?:these|the) (?P<np>[a-z][\w' -]{3,60}) (?:are|is|include|are as follows|are the following)$",
            "What are the {np}?",
        ),
        (
            r"^(?P<np>(?:examples|types|kinds|benefits|advantages|disadvantages|drawbacks|reasons|ways|steps|responsibilities|requirements) (?:of|for|to) [^,:]{3,70}?)(?: (?:are|include|is|include the following))?$",
            "What are the {np}?",
        ),
    )
)


def lead_in_question(lead: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that the list after a sentence answers, "" if its form is not known.

    Example:
        >>> lead_in_question("There are two ways to store users:"), lead_in_question("To rotate a key, follow these steps:")
        ('What are the two ways to store users?', 'How do you rotate a key?')
        >>> lead_in_question("For instance:")
        ''
    """
    text = re.sub(r"\s+", " ", lead).strip().rstrip(":： .").strip()
    if re.search(
        r"(?i)\b(?:this|these|those|it|its|they|their|we|our|us|above|below|here|i|he|she|such)\b(?! (?:steps|instructions))",
        text,
    ):
        return ""
    for pattern, form in _PATTERNS:
        match = pattern.match(text)
        if not match:
            continue
        parts = {name: value for name, value in match.groupdict().items() if value}
        if form == "COND":
            return ""
        if "s" in parts:
            parts["s"] = _start(parts["s"], names)
            plural = parts.get("v", "") in ("have",) or (
                lemma_of(parts.get("v", "").split()[0], "VERB") == parts.get("v", "").split()[0]
            )
            parts["do"] = "do" if plural else "does"
            verb, _, particle = parts.get("v", "").partition(" ")
            parts.setdefault("base", f"{lemma_of(verb, 'VERB')} {particle}".strip())
        if "task" in parts and not is_base_verb(parts["task"].split()[0].lower()):
            continue
        if "np" in parts:
            parts["np"] = (
                _FOLLOWING.sub("", parts["np"])
                .strip()
                .removeprefix("several ")
                .removeprefix("multiple ")
                .removeprefix("the ")
            )
            parts["np"] = plain_case(parts["np"], names)
        if "if" in parts:
            parts["if"] = parts["if"][0].lower() + parts["if"][1:]
        return " ".join(form.format(**parts).split())
    return ""


def _start(subject: str, names: frozenset[str]) -> str:
    """Return a subject from the start of a sentence as it is inside one."""
    first, _, rest = subject.partition(" ")
    return (
        subject
        if first in names or (not first[1:].islower() and len(first) > 1)
        else f"{first[0].lower()}{first[1:]} {rest}".strip()
    )
