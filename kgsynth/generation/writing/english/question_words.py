"""The words that ask for a phrase: who, when, where, how many, which command, what.

The type of the entity in the corpus decides; without one the head noun does; otherwise it is "what". A phrase for which
English has no natural words gives no question.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kgsynth.base.records import Entity, Fact, Phrase
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import (
    FURTHER_PHRASE,
    FURTHER_TIME,
    asides,
    cut_to_asked,
    marker_width,
    tail_span,
)
from kgsynth.generation.writing.english.grammar import AskedPhrase, in_sentence
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import lemma_of
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.text_forms import without_article

_YEAR_ONLY = re.compile(r"(?:the year )?(1\d{3}|20\d{2})$")
_ADDRESS_OR_VERSION = re.compile(r"(?!\d{4}-|\d{1,2}:\d\d)[\d.:/_-]*[./:_-][\d.:/_-]*$")
"""Digits that the parser may take for a date: an address, a version, a port."""
_FREQUENCY = re.compile(r"^(?:every|each|once|twice|daily|weekly|monthly|quarterly|annually|yearly)\b", re.I)
_CODE_SHAPES = (
    (
        re.compile(r"^[\w/-]*\w\.(?:py|toml|cfg|ini|json|ya?ml|html?|css|js|md|rst|txt|conf|sh|rs|lock|sql|xml|env)$"),
        "file",
    ),
    (re.compile(r"^[\w.]*\.\w+\(.*\)$"), "method"),
    (re.compile(r"^\w+\(.*\)$"), "function"),
    (re.compile(r"^--?[a-z][\w-]*$"), "option"),
    (re.compile(r"^@[\w.]+$"), "decorator"),
    (re.compile(r"^\w+!$"), "macro"),
    (re.compile(r"^[A-Z][A-Z0-9]*_[A-Z0-9_]+$"), "setting"),
)
"""Shape of a piece of code -> its noun; the first shape that fits counts."""
_DURATION_WORDS = {
    "for": "for how long", "within": "within what time", "after": "after how long", "over": "over how long",
    "": "how long",
}  # fmt: skip
"""Preposition of a duration -> the words that ask for it."""
_LASTING = frozenset("last need require run spend stay take wait".split())
"""Verbs whose object may be how long something is; of others it is a number of days: "carry over five days"."""
_POINT_WORDS = {
    "until": "until when", "till": "until when", "since": "since when", "by": "by when", "from": "from when",
}  # fmt: skip
"""Preposition of a point in time -> the words that ask for it."""
_VALUE_LABELS = frozenset({"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
_PLURAL_PRONOUN = re.compile(r"\b(?:they|them|their|themselves)\b", re.I)
_FROM_LABEL = frozenset({"organization", "place"})
"""Nouns for entities whose type is known only from the parser's label."""
_OBJECT_ROLES = frozenset({Role.OBJECT, Role.DATIVE})


def ask_for(knowledge: Knowledge, fact: Fact, place: int) -> AskedPhrase | None:
    """Return the words that ask for one phrase of a fact, None when English has no natural ones."""
    phrase = fact.phrases[place]
    plural_subject = phrase.role == Role.SUBJECT and phrase.has(Flag.PLURAL)
    if plural_subject and any(_PLURAL_PRONOUN.search(p.text) for p in fact.phrases):
        return None  # "What pulls their own settings?"
    others = (p for n, p in enumerate(fact.phrases) if n not in {place, *asides(fact)})
    if phrase.role in _OBJECT_ROLES and any(p.role in _OBJECT_ROLES and not p.marker for p in others):
        return None  # "What did Kublai issue paper money?": one of two objects is usually misread
    cut = re.match(r"[-–/]\w", knowledge.documents[fact.doc].text[phrase.end : phrase.end + 2])  # "Monday–Friday"
    if cut or _counted_person(knowledge, fact):
        return None
    width = marker_width(phrase)
    text = in_sentence(phrase)[width:]
    start: int = tail_span(knowledge, fact, place, width)["start"] if width else phrase.start
    asked = AskedPhrase("", text, start, phrase.end)
    if phrase.role == Role.TIME:
        timed = _time(phrase, asked)
        return timed and cut_to_asked(knowledge, fact, timed, FURTHER_TIME)
    if phrase.role == Role.PLACE:
        if fact.verb.lemma == "be" and fact.first(Role.ATTRIBUTE):
            return None  # "Where is the assembly point the far side of the car park?"
        return replace(asked, words="where") if phrase.marker in WORDS["spatial"] else None
    if phrase.label in _VALUE_LABELS or phrase.has(Flag.NUMBER):
        words = _value_words(fact, phrase, text)
        if words is not None:
            return replace(asked, words=words, plural=words.startswith("how many ")) if words else None
    if _person_or_thing(knowledge, fact, phrase):
        return None
    words, plural = _noun_words(knowledge, fact, phrase, text)
    asked = cut_to_asked(knowledge, fact, replace(asked, words=words, plural=plural), FURTHER_PHRASE)
    prepositional = phrase.role in {Role.OTHER, Role.AGENT, Role.DATIVE} and phrase.marker
    return _prepositional(fact, place, asked) if prepositional else asked


def _counted_person(knowledge: Knowledge, fact: Fact) -> bool:
    """Check whether a person is said to be a number of things: "Ann Lee is two doors away" was misread."""
    subject, attribute = fact.first(Role.SUBJECT), fact.first(Role.ATTRIBUTE)
    if fact.verb.lemma != "be" or subject is None or attribute is None or not attribute.has(Flag.NUMBER):
        return False
    entity = knowledge.entities.entity_of(fact, subject)
    return entity is not None and knowledge.entities.is_person(entity)


def _value_words(fact: Fact, phrase: Phrase, text: str) -> str | None:
    """Return the words that ask for a number, sum, share or date, "" if there are none, None for other phrases."""
    predicated = phrase.role in {Role.OBJECT, Role.ATTRIBUTE} or (phrase.role == Role.OTHER and not phrase.marker)
    number = (
        PATTERNS["count"].match(text)
        if phrase.has(Flag.NUMBER) and (predicated or phrase.role == Role.SUBJECT)
        else None
    )
    lasts = phrase.role == Role.ATTRIBUTE or (number and predicated and fact.verb.lemma in _LASTING)
    if lasts and _is_duration(text):
        return "how long"
    if number and phrase.role == Role.ATTRIBUTE:
        return "what"
    if number:
        share = re.match(r"(?:per cent|percent)\b ?(.*)$", number.group(2))
        return f"what percentage {share.group(1)}".strip() if share else f"how many {number.group(2)}"
    asks = {"MONEY": "how much", "PERCENT": "what percentage"}.get(phrase.label, "")
    return (asks if predicated else "") if phrase.label in _VALUE_LABELS else None


def type_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return the noun for what an entity is, by the corpus, its label or the shape of its name; "" if unknown.

    Example:
        >>> [noun for name in ("setup.cfg", "run()", "--debug") for shape, noun in _CODE_SHAPES if shape.search(name)]
        ['file', 'function', 'option']
    """
    if knowledge.entities.is_person(entity):
        return "person"
    noun = knowledge.entities.type_noun(entity)
    if noun:
        single = lemma_of(noun, "NOUN") if noun.endswith("s") else noun
        return single if noun not in WORDS["empty_heads"] else ""
    if entity.label == "CODE":
        return next((noun for shape, noun in _CODE_SHAPES if shape.search(entity.name)), "")
    if knowledge.entities.is_technical:
        return ""
    if entity.label in {"GPE", "LOC", "FAC"} and entity.name.istitle():
        return "place"
    titled = " " in entity.name and entity.name.istitle() and not any(map(str.isdigit, entity.name))
    if entity.label == "ORG" and titled:
        return "organization"
    return {"EVENT": "event", "LAW": "law"}.get(entity.label, "")


def noun_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return the noun with which to ask for an entity or describe it: one in its name, otherwise that of ``type_of``.

    "Which guild" is safer than "which organization", which only the parser's label suggests.
    """
    noun = type_of(knowledge, entity)
    return (_noun_in_name(entity.name) or noun) if noun in _FROM_LABEL else noun


def _noun_in_name(name: str) -> str:
    """Return the noun in a name that says what it names, "" if there is none.

    Example:
        >>> [_noun_in_name(name) for name in ("Release Guild", "Harbour", "Red Hat")]
        ['guild', '', '']
    """
    words = without_article(name).split()
    noun = words[-1].lower() if len(words) > 1 else ""
    return noun if noun in WORDS["named_kinds"] else ""


def _time(phrase: Phrase, asked: AskedPhrase) -> AskedPhrase | None:
    words = _time_words(phrase, asked.answer)
    if words == "when" and phrase.marker in WORDS["kept_in_answer"]:
        return AskedPhrase(words, in_sentence(phrase), phrase.start, phrase.end)
    return replace(asked, words=words) if words else None


def _time_words(phrase: Phrase, text: str) -> str:
    """Return the words that ask for a time, "" if there are none."""
    if _YEAR_ONLY.match(text) and phrase.marker == "in":
        return "in which year"
    if _FREQUENCY.match(text) and not phrase.marker:
        return "how often"
    if _is_duration(text):
        return _DURATION_WORDS.get(phrase.marker, "")
    if _ADDRESS_OR_VERSION.match(text) or (text.isdigit() and not _YEAR_ONLY.match(text)):
        return ""
    several = phrase.head in WORDS["time_units"] and phrase.has(Flag.PLURAL)  # "for decades" does not say how long
    if several or len(text.split()) > LIMITS.time_words:
        return ""
    return _POINT_WORDS.get(phrase.marker, "when")


def _is_duration(text: str) -> bool:
    """Check whether a text is a duration and nothing else."""
    found, length = quantity(text), len(text.split())
    if found is None or length > LIMITS.duration_words:
        return False
    working_days = found.dimension.endswith(" day") and length <= LIMITS.working_day_words
    return found.dimension == "duration" or working_days


def _noun_words(knowledge: Knowledge, fact: Fact, phrase: Phrase, text: str) -> tuple[str, bool]:
    """Return "who", "which command" or "what" for a noun, and whether the answer is a plural."""
    plural = phrase.has(Flag.PLURAL) or phrase.has(Flag.COORDINATED)
    entity = knowledge.entities.entity_of(fact, phrase)
    if _is_someone(knowledge, fact, phrase, entity):
        return "who", False
    if fact.verb.lemma == "be" and phrase.role == Role.ATTRIBUTE:
        return "what", False
    head = text.split()[-1]
    common = head.isalpha() and head.islower() and head.startswith(phrase.head[: LIMITS.head_letters])
    countable = phrase.has(Flag.DEFINITE) or phrase.has(Flag.PLURAL)  # nobody asks "which safety" for "data safety"
    heads = [fact.verb.lemma, *(p.head for p in fact.phrases if p is not phrase)]
    repeated = phrase.head in heads  # "which level is the patch level", "which run runs"
    compound = phrase.has(Flag.COMPOUND) and not phrase.flags & {Flag.COORDINATED, Flag.EMPTY}
    if common and countable and compound and not repeated and phrase.head in knowledge.entities.kinds:
        return f"which {head}", plural
    if entity is not None and not plural and not phrase.has(Flag.INDEFINITE):
        noun = noun_of(knowledge, entity)
        sure = noun not in _FROM_LABEL or len(entity.mentions) >= LIMITS.label_mentions
        if noun and sure and noun != "person" and noun not in heads:
            return f"which {noun}", False
    return "what", False


def _is_someone(knowledge: Knowledge, fact: Fact, phrase: Phrase, entity: Entity | None) -> bool:
    """Check whether a phrase is a person, by its entity, its verb or its head."""
    if entity is not None and knowledge.entities.is_person(entity):
        return True
    technical = knowledge.entities.is_technical
    acts = phrase.role == Role.SUBJECT and fact.verb.lemma in WORDS["done_by_people"] and not fact.verb.passive
    if acts and not technical:
        return True
    program = technical and phrase.head in WORDS["program_parts"]
    return (
        phrase.has(Flag.PERSON)
        and (not phrase.has(Flag.NAMED) or (phrase.role == Role.AGENT and phrase.head in WORDS["person_nouns"]))
        and not program
        and phrase.marker not in WORDS["spatial"]
    )


def _person_or_thing(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Check whether a name may be that of a person or of a thing, so that neither "who" nor "what" is safe."""
    entity = knowledge.entities.entity_of(fact, phrase)
    if entity is None or knowledge.entities.is_person(entity) or phrase.role not in {Role.SUBJECT, Role.AGENT}:
        return False
    if entity.label == "CODE" or knowledge.entities.type_noun(entity):
        return False
    as_person = sum(mention.label == "PERSON" for mention in entity.mentions)
    return as_person > LIMITS.person_label_share * len(entity.mentions)


def _prepositional(fact: Fact, place: int, asked: AskedPhrase) -> AskedPhrase | None:
    """Return the question word with its preposition: before the word if a phrase follows the verb, else at the end."""
    phrase = fact.phrases[place]
    if fact.verb.lemma == "be" or PATTERNS["compound_preposition"].match(asked.answer):
        return None  # "What are valid longitudes from?", "What is the board built on?" for "on top of the frame"
    if all(n == place or p.role in {Role.SUBJECT, Role.MANNER} for n, p in enumerate(fact.phrases)):
        return replace(asked, stranded=phrase.marker)
    words = "whom" if asked.words == "who" else asked.words
    if words == "what" or phrase.marker not in WORDS["before_question_word"]:
        return None
    return replace(asked, words=words, fronted=phrase.marker)
