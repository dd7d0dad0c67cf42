"""Which words ask for a phrase: who, when, where, how many, which command, what.

The entity type that the corpus settled on decides; where it says nothing the head noun does, and last comes "what".
Left out: phrases that English has no natural words to ask for; these give no question.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kgsynth.base.records import Entity, Fact, Phrase
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.english.drafts import asides, marker_width, tail_at
from kgsynth.generation.writing.english.grammar import Asked, shown
from kgsynth.language.english.lexicon import EMPTY_HEADS, NAMED_KINDS
from kgsynth.language.english.morphology import lemma_of
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.text_forms import without_article

_YEAR = re.compile(r"(?:the year )?(1\d{3}|20\d{2})$")
_OFTEN = re.compile(r"^(?:every|each|once|twice|daily|weekly|monthly|quarterly|annually|yearly)\b", re.I)
_NUMBER = (
    r"(?:\d[\d,.]*|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|"
    r"eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\w+)?|hundred|thousand|million|billion)"
    r"(?: (?:hundred|thousand|million|billion))?)"
)
_COUNT = re.compile(rf"^(?:(?:exactly|about|around|approximately|nearly|roughly) )?({_NUMBER}) ([a-z][\w -]*)$", re.I)
_SHAPES = (
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
"""What a piece of code is called by its shape; the first that fits counts."""
_LASTING = {"for": "for how long", "within": "within what time", "after": "after how long", "": "how long"}
"""Preposition of a stretch of time -> the words that ask for it."""
_SINCE_WHEN = {
    "until": "until when", "till": "until when", "since": "since when", "by": "by when", "from": "from when",
}  # fmt: skip
"""Preposition of a point in time -> the words that ask for it."""
_KEEPS_MEANING = frozenset({"after", "before", "within", "between", "during", "under", "over"})
"""Prepositions of time without which the answer would be another."""
_VALUES = frozenset({"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"})
_LEADERS = frozenset({"in", "on", "at", "to", "from", "by", "with", "for", "through", "into", "of"})
"""Prepositions that may go before a question word: "in which year"."""
_SPATIAL = frozenset({"in", "at", "on", "near", "inside", "outside"})


_MACHINES = frozenset(
    """author child client deputy driver editor general guard guide head judge leader learner listener manager member
    owner parent partner producer reader reviewer worker writer""".split()
)
"""Nouns for people that are parts of programs where a corpus is about code."""


_THEIRS = re.compile(r"\b(?:they|them|their|themselves)\b", re.I)
_LABELLED = frozenset({"organization", "place"})
"""What an entity is called by the parser's label alone."""
_SURE_MENTIONS = 3  # from which on the parser is believed about a name it has no other word of
_SAID = frozenset(
    """agree argue ask believe claim complain convince decide discover doubt fight found hope insist invent joke marry
    persuade prefer propose rule say suggest suspect tell think want wish write""".split()
)
"""What people do: its subject is asked for with "who"."""
_OBJECTS = frozenset({"object", "dative"})
_STRETCH = 6  # words: "the last two and a half years"; more tell of something else too
_STRETCHES = frozenset({"second", "minute", "hour", "day", "week", "month", "year", "decade", "century"})


def ask_for(knowledge: Knowledge, fact: Fact, place: int) -> Asked | None:
    """Return the words that ask for one phrase of a fact, or None when English has no natural ones."""
    phrase = fact.phrases[place]
    if phrase.role == Role.SUBJECT and phrase.has(Flag.PLURAL) and any(_THEIRS.search(p.text) for p in fact.phrases):
        return None  # "what pulls their own settings?"
    others = (p for n, p in enumerate(fact.phrases) if n not in {place, *asides(fact)})
    if phrase.role in _OBJECTS and any(p.role in _OBJECTS and not p.marker for p in others):
        return None  # "What did Kublai issue paper money?": of two objects one was misread more often than not
    if _counted_person(knowledge, fact):
        return None
    width = marker_width(phrase)
    text = shown(phrase)[width:]
    start: int = tail_at(knowledge, fact, place, width)["start"] if width else phrase.start
    if phrase.role == Role.TIME:
        return _time(phrase, text, start)
    if phrase.role == Role.PLACE:
        if sum(p.role == Role.PLACE for p in fact.phrases) > 1:
            return None  # "Where is the file located at /etc?"
        if fact.verb.lemma == "be" and any(p.role == Role.ATTRIBUTE for p in fact.phrases):
            return None  # "Where is the assembly point the far side of the car park?"
        return Asked("where", text, start, phrase.end) if phrase.marker in _SPATIAL else None
    if phrase.label in _VALUES or phrase.has(Flag.NUMBER):
        words = _value_words(phrase, text)
        if words is not None:
            plural = words.startswith("how many ")
            return Asked(words, text, start, phrase.end, plural) if words else None
    if _person_or_thing(knowledge, fact, phrase):
        return None
    words, plural = _noun_words(knowledge, fact, phrase, text)
    if phrase.role in {Role.OTHER, Role.AGENT, Role.DATIVE} and phrase.marker:
        return _prepositional(fact, place, Asked(words, text, start, phrase.end, plural))
    return Asked(words, text, start, phrase.end, plural)


def _counted_person(knowledge: Knowledge, fact: Fact) -> bool:
    """Say whether a person is said to be a number of things, which was never meant: "Ann Lee is two doors away"."""
    subject, attribute = fact.first(Role.SUBJECT), fact.first(Role.ATTRIBUTE)
    entity = (
        knowledge.entities.entity_of(fact, subject) if subject and attribute and attribute.has(Flag.NUMBER) else None
    )
    return fact.verb.lemma == "be" and entity is not None and knowledge.entities.is_person(entity)


def _value_words(phrase: Phrase, text: str) -> str | None:
    """Return the words that ask for a number, sum, share or date: "" for no natural ones, None for another thing."""
    said_of = phrase.role in {Role.OBJECT, Role.ATTRIBUTE}
    number = _COUNT.match(text) if phrase.has(Flag.NUMBER) and (said_of or phrase.role == Role.SUBJECT) else None
    if _lasts(text) and (phrase.role == Role.ATTRIBUTE or (number and said_of)):
        return "how long"
    if number and phrase.role == Role.ATTRIBUTE:
        return "what"
    if number:
        share = re.match(r"(?:per cent|percent)\b ?(.*)$", number.group(2))
        return f"what percentage {share.group(1)}".strip() if share else f"how many {number.group(2)}"
    if phrase.role == Role.ATTRIBUTE and phrase.label == "DATE":
        return "when"
    asks = {"MONEY": "how much", "PERCENT": "what percentage"}.get(phrase.label, "")
    return (asks if said_of else "") if phrase.label in _VALUES else None


def type_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return the noun for what an entity is: the corpus's own, else by its label or the shape of its name, else "".

    Example:
        >>> [noun for name in ("setup.cfg", "run()", "--debug") for shape, noun in _SHAPES if shape.search(name)]
        ['file', 'function', 'option']
    """
    if knowledge.entities.is_person(entity):
        return "person"
    noun = knowledge.entities.type_noun(entity)
    if noun:
        single = lemma_of(noun, "NOUN") if noun.endswith("s") else noun
        return single if noun not in EMPTY_HEADS else ""
    if entity.label == "CODE":
        return next((noun for shape, noun in _SHAPES if shape.search(entity.name)), "")
    if knowledge.entities.is_technical:
        return ""
    if entity.label in {"GPE", "LOC", "FAC"} and entity.name.istitle():
        return "place"
    titled = " " in entity.name and entity.name.istitle() and not any(map(str.isdigit, entity.name))
    if entity.label == "ORG" and titled:
        return "organization"
    return {"EVENT": "event", "LAW": "law"}.get(entity.label, "")


def noun_of(knowledge: Knowledge, entity: Entity) -> str:
    """Return the noun that asks for an entity or describes it: as ``type_of``, but where its own name has one, that.

    "Which guild" is surer than "which organization", which rests on the parser's label alone.
    """
    noun = type_of(knowledge, entity)
    return (_named_kind(entity.name) or noun) if noun in _LABELLED else noun


def _named_kind(name: str) -> str:
    """Return what a name says its bearer is, "" for nothing.

    Example:
        >>> [_named_kind(name) for name in ("Release Guild", "the Bank of Oslo", "Harbour", "Red Hat")]
        ['guild', 'bank', '', '']
    """
    words = without_article(name).split()
    noun = words[0 if "of" in words[1:2] else -1].lower() if len(words) > 1 else ""
    return noun if noun in NAMED_KINDS else ""


def _time(phrase: Phrase, text: str, start: int) -> Asked | None:
    if _YEAR.match(text) and phrase.marker == "in":
        return Asked("in which year", text, start, phrase.end)
    if _OFTEN.match(text) and not phrase.marker:
        return Asked("how often", text, phrase.start, phrase.end)
    if _lasts(text):
        words = _LASTING.get(phrase.marker, "")
        return Asked(words, text, start, phrase.end) if words else None
    if len(text.split()) > 8 or phrase.has(Flag.VERBAL) or (phrase.head in _STRETCHES and phrase.has(Flag.PLURAL)):
        return None  # "for decades" says neither when nor how long
    if phrase.marker in _SINCE_WHEN:
        return Asked(_SINCE_WHEN[phrase.marker], text, start, phrase.end)
    if phrase.marker in _KEEPS_MEANING:
        return Asked("when", shown(phrase), phrase.start, phrase.end)
    return Asked("when", text, start, phrase.end)


def _lasts(text: str) -> bool:
    """Say whether a text is a stretch of time and nothing else."""
    found = quantity(text)
    days = found is not None and found.dimension.endswith(" day") and len(text.split()) <= 3
    return found is not None and len(text.split()) <= _STRETCH and (found.dimension == "duration" or days)


def _noun_words(knowledge: Knowledge, fact: Fact, phrase: Phrase, text: str) -> tuple[str, bool]:
    """Return "who", "which command" or "what" for a noun, and whether a plural answers."""
    plural = phrase.has(Flag.PLURAL) or phrase.has(Flag.COORDINATED)
    entity = knowledge.entities.entity_of(fact, phrase)
    if entity is not None and knowledge.entities.is_person(entity):
        return "who", False
    machine = phrase.head in _MACHINES and knowledge.entities.is_technical
    if (
        phrase.role == Role.SUBJECT
        and fact.verb.lemma in _SAID
        and not fact.verb.passive
        and not knowledge.entities.is_technical
    ):
        return "who", False
    if phrase.has(Flag.PERSON) and not phrase.has(Flag.NAMED) and not machine and phrase.marker not in _SPATIAL:
        return "who", False
    if fact.verb.lemma == "be" and phrase.role == Role.ATTRIBUTE:
        return "what", False
    head = text.split()[-1]
    singles = phrase.has(Flag.DEFINITE) or phrase.has(
        Flag.PLURAL
    )  # "data safety" is no countable thing: no "which safety"
    common = head.isalpha() and head.islower() and head.startswith(phrase.head[:3])
    heads = [fact.verb.lemma, *(p.head for p in fact.phrases if p is not phrase)]
    same = phrase.head in heads  # "which level is the patch level", "which run runs"
    sort = common and singles and phrase.has(Flag.COMPOUND) and not phrase.flags & {Flag.COORDINATED, Flag.EMPTY}
    if sort and not same and phrase.head in knowledge.entities.kinds:
        return f"which {head}", plural
    if entity is not None and not plural and not phrase.has(Flag.INDEFINITE):
        noun = noun_of(knowledge, entity)
        sure = noun not in _LABELLED or len(entity.mentions) >= _SURE_MENTIONS
        if noun and sure and noun != "person" and noun not in heads:
            return f"which {noun}", False
    return "what", False


def _person_or_thing(knowledge: Knowledge, fact: Fact, phrase: Phrase) -> bool:
    """Say whether a name may be a person's or a thing's, so that neither "who" nor "what" is sure to be right."""
    entity = knowledge.entities.entity_of(fact, phrase)
    if entity is None or knowledge.entities.is_person(entity) or phrase.role not in {Role.SUBJECT, Role.AGENT}:
        return False
    if entity.label == "CODE" or knowledge.entities.type_noun(entity):
        return False
    read = sum(mention.label == "PERSON" for mention in entity.mentions)
    shaped = " " in entity.name and entity.name.istitle() and not knowledge.entities.is_technical
    unsure = shaped and entity.label in {"GPE", "LOC", "FAC"} and len(entity.mentions) < _SURE_MENTIONS
    return unsure or 2 * read > len(entity.mentions)


def _prepositional(fact: Fact, place: int, asked: Asked) -> Asked | None:
    """Return the question word with its preposition: left behind the verb where it belongs to it, else led."""
    phrase = fact.phrases[place]
    if fact.verb.lemma == "be":
        return None  # "What are valid longitudes from?"
    follows = [p for n, p in enumerate(fact.phrases) if n != place and p.role not in {Role.SUBJECT, Role.MANNER}]
    if not follows:
        return replace(asked, stranded=phrase.marker)
    words = "whom" if asked.words == "who" else asked.words
    if words == "what" or phrase.marker not in _LEADERS:
        return None
    return replace(asked, words=words, led=phrase.marker)
