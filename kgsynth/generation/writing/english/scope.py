"""Name in a question the document it is about, if it cannot be understood without."""

from __future__ import annotations

import re

from kgsynth.language.english.headings import bare_title
from kgsynth.language.english.question_checks import content_stems

_BEFORE_TOPIC = re.compile(
    r"^(?:introduction to|introducing|overview of|guide to|a guide to|welcome to|about|understanding and using|"
    r"understanding|getting started with|get started with|working with|using|understand|learn about|what is|what are|"
    r"the|(?:chapter|part|section) (?:\d+|[ivx]+)[.:]?|play \d+|appendix \w[.:]?|annex|pep \d+|"
    r"\d+(?:\.\d+)*\.?)\s+(?:[-–:]\s*)?",
    re.I,
)
_AFTER_TOPIC = re.compile(
    r"[\s(:–-]*\b(?:glossary|terminology|cheat ?sheets?|guides?|overview|tutorial|documentation|docs|handbook|faqs?|"
    r"reference|introduction|manual|specification|page|playbook|readme|quick ?start|frequently asked questions|"
    r"historical|deprecated)\)?$",
    re.I,
)
_NO_TOPIC = re.compile(
    r"^(?:introduction|overview|installation|quick ?start|getting started|index|home|api|reference|general|contents|"
    r"details|miscellaneous|other|glossary|changelog|release notes|questions about .*|interview with .*|next steps|"
    r"annex.*|q&a.*|first steps|how do i.*|where .*)$",
    re.I,
)


def _is_specific(question: str, names: frozenset[str]) -> bool:
    """Check whether a question says by a name what it is about, or by many words."""
    words = question[:-1].split()[1:]
    named = any(word.strip("\"'“”(),") in names or re.search(r"[A-Z]{2}|\w[_.]\w|[a-z][A-Z]", word) for word in words)
    content = len(content_stems(question))
    return (named and content >= 3) or content >= 6


def topic_of(title: str) -> str:
    """Return what a document is about by its title, without the word for the sort of text; "" if it does not say."""
    found = bare_title(title)
    while (shorter := _AFTER_TOPIC.sub("", _BEFORE_TOPIC.sub("", found)).strip(" -–:")) != found:
        found = shorter
    return "" if _NO_TOPIC.match(found) else found
