"""Name in a question the document it is about, if it cannot be understood without."""

from __future__ import annotations

import re

from kgsynth.base.records import StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.language.english.headings import heading_task, plain_case
from kgsynth.language.english.question_checks import content_stems

_SORT_OF_TEXT = re.compile(
    r"(?i)^(?:introduction to|overview of|guide to|the|a guide to|welcome to|about|chapter \d+|\d+(?:\.\d+)*\.?|play \d+)\s+[-–:]?\s*|"
    r"\s*[-–:(]?\s*\b(?:cheat ?sheets?|guides?|overview|tutorial|documentation|docs|handbook|faqs?|reference|introduction|manual|"
    r"specification|page|playbook|readme|quick ?start|policy|policies|frequently asked questions|\(historical\)|\(deprecated\))\)?$"
)
_NO_SCOPE = re.compile(
    r"(?i)^(?:introduction|overview|installation|quick ?start|getting started|index|home|readme|faq|frequently asked questions|api|reference|general|contents|documentation|details|miscellaneous|other|glossary|changelog|release notes|questions about .*)$"
)


def in_scope(question: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question with the topic of its document, unless it holds it; "" if it needs one and none fits."""
    document, names = knowledge.documents[fact.doc], knowledge.statements.names
    path = document.sections[fact.section].path
    asked = set(content_stems(question))
    heading_led = fact.subject.text == path[-1]
    above = [title for title in path[: -1 if heading_led else None]] or []
    specific = _is_specific(question, names)
    for title in above:
        topic = topic_of(title)
        if not topic or not content_stems(topic):
            continue
        if set(content_stems(topic)) <= asked:
            return question
        phrase = _phrase(topic, names)
        if phrase and len(topic.split()) <= 7:
            return question if specific else f"{question[:-1]} {phrase}?"
    return question if specific else ""


def _is_specific(question: str, names: frozenset[str]) -> bool:
    """Check whether a question says by a name what it is about, or by many words."""
    words = question[:-1].split()[1:]
    named = any(word.strip("\"'“”(),") in names or re.search(r"[A-Z]{2}|\w[_.]\w|[a-z][A-Z]", word) for word in words)
    return (named and len(content_stems(question)) >= 3) or len(content_stems(question)) >= 6


def topic_of(title: str) -> str:
    """Return what a document is about by its title, without the word for the sort of text; "" if it does not say."""
    found = title.strip()
    while (shorter := _SORT_OF_TEXT.sub("", found).strip(" -–:")) != found:
        found = shorter
    return "" if _NO_SCOPE.match(found) else found


def _phrase(topic: str, names: frozenset[str]) -> str:
    """Return a topic as a phrase at the end of a question: "in the cluster", "when leaving the team"."""
    if topic.endswith(("?", "!")) or re.match(
        r"(?i)(?:how|what|why|when|where|who|which|can|do|is|are|should)\b", topic
    ):
        task = heading_task(topic, names)
        return f"when you {task}" if task else ""
    task = heading_task(topic, names)
    if task:
        return f"when you {task}"
    return f"in {plain_case(topic, names)}"
