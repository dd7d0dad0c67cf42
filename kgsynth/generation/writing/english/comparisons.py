"""Questions on two passages about one decision: how two things differ, or one matter between two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from kgsynth.base.records import Scenario, StructureFact
from kgsynth.evidence.derivation import said
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions.two_scopes import scope_title
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import QuestionDraft
from kgsynth.generation.writing.english.prose_places import places, prose, small_prose
from kgsynth.generation.writing.english.scope import common_subject, in_scope, topic_of
from kgsynth.generation.writing.english.written_names import RARE_PLURAL
from kgsynth.language.english.headings import bare_title, heading_question, heading_task, plain_case
from kgsynth.language.english.morphology import inflected, is_base_verb, is_noun, singular
from kgsynth.language.english.question_checks import content_stems, outside_reference

_NAMES_THING = re.compile(r"^[\w\"'“(`.$@-][\w \"'”’()`./$@<>&-]{1,50}$")
_NAMES_NO_SUBJECT = re.compile(
    r"(?i)^(?:(?:\w+ )?(?:introduction|overview|summary|notes?|examples?|usage|conclusions?|history|background|"
    r"references|resources|links|contacts?|details|descriptions?|steps|syntax|parameters|options|motivation|rationale|"
    r"abstract|copyright|setup|general|other|tips|info|information|use cases?|guidance|specification|implementation|"
    r"discussions?|thanks|recap|acknowledge?ments?|learn more|commands|alternatives|articles?|reading|see also|"
    r"action items?|status|changes?|changelog|authors?|questions?|faqs?|basics?|purpose|scope|context|issues?|"
    r"problems?|solutions?|goals?|next steps?|methods?|results?|behavior change history|terminology|definitions?|"
    r"what's next|data|design|check .*|before .*|after .*|during .*|for .*|with .*|without .*|about .*|upon .*|our .*|"
    r"your .*|my .*|in .*))(?: .*)?$"
)
_NOT_A_SUBJECT = re.compile(
    r"(?i)\b(?:19|20)\d\d\b|[?!]|^(?:part|chapter|play|step|section|appendix|pep|rfc|tutorial)\b|^\d|\bvs\b"
)
_ARTICLE_BEFORE = re.compile(r"(?i)\bthe $")
_LONGEST_BEFORE_TOPIC = len(" the ")
_JOINED_BEFORE, _JOINED_AFTER = re.compile(r"[\w.-]\Z"), re.compile(r"[\w-]")
_LONGEST_OPENING = 12  # letters before the name at the start of its definition
_MAX_SCOPE_WORDS = 7
_MAX_MATTER_WORDS = 5


def difference(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the question how two things differ that are defined apart."""
    names = knowledge.statements.names
    one, other = (_inside(fact.subject.text, names) for fact in scenario.structure)
    question = f"What is the difference between {one} and {other}?"
    if not all(_stands_alone(thing, names) for thing in (one, other)):
        question = _placed(question, scenario.structure, knowledge)
    texts = [fact.values[0].text for fact in scenario.structure]
    if not question or any(outside_reference(text) or not text.endswith((".", "!", ")")) for text in texts):
        return
    steps = []
    for fact, text in zip(scenario.structure, texts, strict=True):
        place = fact.values[0]
        bare = re.sub(r"^(?:an?|the) ", "", fact.subject.text).lower()
        named = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text[: _LONGEST_OPENING + len(bare)].lower())
        step: dict[str, Any] = {"fact": fact.id, "find": {"doc": fact.doc, "start": place.start, "end": place.end}}
        steps.append(step if named else {**step, "name": fact.subject.text})
    answer = " ".join(
        f"{step['name']}: {text}" if "name" in step else text for step, text in zip(steps, texts, strict=True)
    )
    yield QuestionDraft(question, (answer,), "contrast", tuple(steps), {"together": scenario.scope})


def _inside(name: str, names: frozenset[str]) -> str:
    article, space, rest = name.partition(" ")
    if article in ("a", "an", "the") and space:
        return f"{article} {plain_case(rest, names)}"
    return plain_case(name, names)


def _stands_alone(name: str, names: frozenset[str]) -> bool:
    """Check whether a name says what it is of without its document: a name, code, or several words."""
    words = re.sub(r"^(?:an?|the) ", "", name).split()
    return len(words) > 1 or words[0] in names or bool(re.search(r"[A-Z_.\d]", words[0]))


def _placed(question: str, facts: Sequence[StructureFact], knowledge: Knowledge) -> str:
    """Return a question with the topic of the one document of its facts, or with what all documents are about."""
    if facts[0].doc == facts[1].doc:
        return in_scope(question, facts[0], knowledge)
    subject = knowledge.derived(common_subject)
    if not subject:
        return ""
    return question if subject in question else f"{question[:-1]} in {subject}?"


def two_scopes(scenario: Scenario, knowledge: Knowledge) -> Iterator[QuestionDraft]:
    """Yield the questions how one matter differs between two subjects."""
    documents = knowledge.documents
    one, other = scenario.structure
    title = bare_title(one.name or one.subject.text)
    scopes = [subject_of(scope_title(*pair, documents), pair[0], knowledge) for pair in ((one, other), (other, one))]
    if (
        not all(scopes)
        or scopes[0] == scopes[1]
        or any(set(content_stems(title)) & set(content_stems(s)) for s in scopes)
    ):
        raise UnwrittenError(Why.HEADING)
    steps = tuple({"fact": f.id, "doc": f.doc, "name": s} for s, f in zip(scopes, scenario.structure, strict=True))
    answer = " ".join(f"{scope}: {said(fact)}" for scope, fact in zip(scopes, scenario.structure, strict=True))
    for question in _matter_questions(title, scopes, knowledge):
        yield QuestionDraft(question, (answer,), "contrast", steps, {"together": scenario.scope})


def _words(knowledge: Knowledge) -> Counter[str]:
    """Return how often the documents use each word in lower case."""
    texts = (block.text for document in knowledge.documents.values() for block in document.blocks)
    return Counter(word for text in texts for word in re.findall(r"\b[a-z][a-z-]+\b", text))


def _matter_questions(title: str, scopes: list[str], knowledge: Knowledge) -> Iterator[str]:
    one, other = scopes
    names = knowledge.statements.names
    first, _, rest = title.partition(" ")
    if not rest and first.lower().endswith("ing") and heading_task(f"{first} a part"):
        yield f"How does {first.lower()} {one} differ from {first.lower()} {other}?"
        return
    asked = re.sub(r"^How do I\b", "How do you", heading_question(title, names))
    if asked.startswith(("How do ", "Where ", "Who ", "What ")) and not asked.startswith("How do you "):
        yield f"{asked[:-1]} in {one} and in {other}?"
        return
    task = asked.removeprefix("How do you ").rstrip("?") if asked.startswith("How do you ") else ""
    if task:
        verb, _, rest = task.partition(" ")
        if not rest or re.search(r"(?i)\b(?:my|i|our|we|this|these)\b", rest):
            return
        yield f"How does {inflected(verb, 'VBG')} {rest} differ between {one} and {other}?"
        return
    if asked or not _NAMES_THING.match(title) or _NAMES_NO_SUBJECT.match(title):
        return
    matter = plain_case(title, names)
    if len(matter.split()) > _MAX_MATTER_WORDS or (is_base_verb(first.lower()) and not is_noun(first.lower())):
        return
    last = re.split(r" (?:of|for|to|in|on|with) ", matter)[0].split()[-1]
    plural = " and " in matter or singular(last) != last
    counts = knowledge.derived(_words)
    if not plural and RARE_PLURAL * counts[inflected(last, "NNS")] >= counts[last]:
        return  # a noun that is often in the plural needs an article
    if plural:
        yield f"How do the {matter} of {one} and {other} differ?"
        return
    yield f"How does the {matter} of {one} differ from that of {other}?"


def subject_of(title: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return the subject that a title names, as the text writes it; "" if it names none."""
    topic = topic_of(title)
    if not topic or _NOT_A_SUBJECT.search(topic) or _NAMES_NO_SUBJECT.match(topic) or not _NAMES_THING.match(topic):
        return ""
    if len(topic.split()) > _MAX_SCOPE_WORDS or heading_question(topic) or " - " in topic:
        return ""
    written, definite = Counter[str](), 0
    document = knowledge.documents[fact.doc]
    for at in places(topic.lower(), small_prose(document)):
        before, end = prose(document)[max(0, at - _LONGEST_BEFORE_TOPIC) : at], at + len(topic)
        if not _JOINED_BEFORE.search(before) and not _JOINED_AFTER.match(prose(document), end):
            written[prose(document)[at:end]] += 1
            definite += bool(_ARTICLE_BEFORE.search(before))
    names = knowledge.statements.names
    plain = topic if any(word in names for word in topic.split()) else plain_case(topic, names)
    shown = max(sorted(written), key=lambda form: written[form], default=plain)
    return f"the {shown}" if 2 * definite > written.total() else shown
