"""Name in a question the document it is about, if it cannot be understood without."""

from __future__ import annotations

import re
from collections import Counter

from kgsynth.base.records import StructureFact
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.statements import WRITTEN_WORD
from kgsynth.language.english.headings import bare_title, heading_task, plain_case
from kgsynth.language.english.morphology import is_base_verb, is_noun, lemma_of, singular
from kgsynth.language.english.question_checks import content_stems

_MAX_TOPIC_WORDS = 3
_MAX_SCOPE_TASK_WORDS = 6
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


def in_scope(question: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the question with the topic of its document, unless it holds it; "" if it needs one and none fits.

    If the topic does not fit after a question, the name that most documents are about takes its place.
    """
    document, names = knowledge.documents[fact.doc], knowledge.statements.names
    path = document.sections[fact.section].path
    above = path[:-1] if fact.subject.text == path[-1] else path
    asked = set(content_stems(question))
    if _is_specific(question, names):
        return question
    topics = [topic for title in above if (topic := topic_of(title)) and content_stems(topic)]
    if any(len(set(content_stems(topic)) & asked) * 2 >= len(set(content_stems(topic))) for topic in topics):
        return question
    phrases = [phrase for topic in topics if (phrase := scope_phrase(topic, names))]
    subject = knowledge.derived(common_subject)
    if not phrases and subject and not set(content_stems(subject)) & asked:
        phrases = [f"in {subject}"]
    return f"{question[:-1]} {phrases[0]}?" if phrases else ""


def common_subject(knowledge: Knowledge) -> str:
    """Return the name that the prose of most documents holds, "" if no name is in half of them.

    What stands in the head of each document, as "Post-History", is no subject.
    """
    names, counts = knowledge.statements.names, Counter[str]()
    for document in knowledge.documents.values():
        prose = " ".join(block.text for block in document.blocks if block.kind in ("paragraph", "item"))
        counts.update(names & set(WRITTEN_WORD.findall(prose)))
    name, count = min(counts.items(), key=lambda pair: (-pair[1], pair[0]), default=("", 0))
    return name if count * 2 > len(knowledge.documents) else ""


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


def scope_phrase(topic: str, names: frozenset[str]) -> str:
    """Return a topic as a phrase at the end of a question: "in the cluster", "when you leave the team"; "" if none."""
    task, words = heading_task(topic, names), topic.split()
    if task:
        return f"when you {task}" if len(task.split()) <= _MAX_SCOPE_TASK_WORDS else ""
    first = words[0].lower()
    asks = re.match(r"(?i)(?:how|what|why|when|where|who|which|can|do|is|are|should|let|don['’]t|if)\b", topic)
    verb_first = is_base_verb(first) and not is_noun(first)
    gerund = first.endswith("ing") and is_base_verb(lemma_of(first, "VERB")) and len(words) > 1
    if (
        asks
        or verb_first
        or gerund
        or re.search(r"[()\[\]<>{}]|\s[–-]\s", topic)
        or topic.endswith(("?", "!"))
        or len(words) > _MAX_TOPIC_WORDS
    ):
        return ""
    shown = plain_case(topic, names)
    followed = re.match(r"^[a-z]+(?: [a-z]+)? (?:of|for|to|with|between|on) ", shown)
    article = "the " if followed and singular(shown.split()[0]) == shown.split()[0] else ""
    return f"in {article}{shown}"
