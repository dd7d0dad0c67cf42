"""Say where a question on a sentence of prose belongs, if it cannot be understood without its page.

"What happens if a request is rejected?" is asked of a product, not of the world. A question stands alone by a name or
code in it, or by enough words of content, some of them those of the title. Others are asked in the short scope of their
page, and not at all if it has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.base.records import Document, Fact, Scenario, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import QuestionDraft, fronted
from kgsynth.generation.writing.english.prose_places import places, small_text
from kgsynth.generation.writing.english.short_scope import NO_NAMES, common_scope, scopes_above, title_scope
from kgsynth.language.english.morphology import is_word
from kgsynth.language.english.question_checks import content_stems

_FRAMED_KINDS = frozenset({"factoid", "definition", "use", "cause", "purpose", "explicit", "advice"})
_CODE_OR_ACRONYM = re.compile(r"\w[_.(/]\w|[A-Z]{2}|[a-z][A-Z]|\w\(\)|^--?[a-z]|^[a-z]+-[a-z]+-")
_PARTIES = frozenset(
    "customer user partner developer provider licensor licensee licensor company client party parties service services "
    "agreement member vendor supplier employee contractor subscriber seller buyer tenant landlord board committee "
    "members customers users partners developers end i".split()
)
"""Words that a contract or a rule writes with a capital."""
_LIGHT_STEMS = _PARTIES | frozenset(content_stems(
    "use make get create add set run work do have need start find see know go take give change write define handle "
    "manage check update install return build configure test enable disable include remove send call open read show "
    "choose avoid provide support thing way file project code example data application app server program function "
    "class method value error environment user page name type system information option item list object result "
    "other another new large small good bad long short high low many much several first last happen someone people "
    "module client request response message service tool team issue problem question part number time"
))  # fmt: skip
"""Words that say little about what a question is about."""
_VAGUE = re.compile(
    r"\b[Tt]he (?P<noun>[a-z]+)(?=[?,]|$| (?:is|are|was|were|be|has|have|had|does|do|did|can|will|must|should|may|"
    r"might|\w+n['’]t|and|or|when|if|once|fails?|gets?|\w+ed|\w+s)\b)"
)
"""A definite noun with nothing to tell which one is meant: "the forms"."""
_UNIQUE = frozenset("world internet web public government law sun earth war same".split())
_ASKS_OF_PAST = re.compile(r"\w+(?: \w+)? (?:was|were|did|had)\b")
_PLACED = re.compile(r"\b(?:in|with|using|on|at|for|of|to) (?:the )?$")
_LONGEST_PLACED = len(" using the ")
_LONGER = re.compile(r" ?\w")
_FRONTED = re.compile(r"^(?:in|on|at|by|from|to|with|for|of|until|since|after|under|within|if|when you)\b", re.I)


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft if it stands alone, otherwise with the short scope of its page.

    Raises:
        UnwrittenError: the page has no short scope.
    """
    if scenario.subtype not in _FRAMED_KINDS:
        yield draft
        return
    fact = _place_of(scenario)
    draft = draft._replace(question=_with_title(draft.question, fact, knowledge))
    vague = _is_vague(draft.question, fact, knowledge)
    if not vague and _stands_alone(draft.question, scenario, knowledge):
        yield draft
        return
    known = set(content_stems(draft.question))
    if _FRONTED.match(draft.question):
        raise UnwrittenError(Why.PAGE)
    for preposition, name in _scopes(fact, knowledge):
        if set(content_stems(name)) & known:
            break
        common = (preposition, name) == knowledge.derived(common_scope)
        few = scenario.subtype == "advice" and _telling(known, fact, knowledge) < LIMITS.prose_telling
        if not common or not (vague or few):
            yield draft._replace(question=_scoped(draft.question, preposition, name))
            return
        break
    raise UnwrittenError(Why.PAGE)


def _place_of(scenario: Scenario) -> Fact | StructureFact:
    return (scenario.facts or scenario.structure)[0]


def _scopes(fact: Fact | StructureFact, knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Yield the names a fact may be about: those of its headings, the whole title, that of the corpus."""
    document, common = knowledge.documents[fact.doc], knowledge.derived(common_scope)
    path = document.sections[fact.section].path
    for preposition, name in scopes_above(document, path, knowledge):
        part = any(
            re.search(rf"[A-Z]\w* (?:on|of|for|in|and|the) {re.escape(name)}\b", title)
            for title in (document.title, *path)
        )
        if not part and _is_placed(name, document):
            yield preposition, name
    whole = title_scope(document)
    if whole:
        yield whole
    if common:
        yield common


def _is_placed(name: str, document: Document) -> bool:
    """Check whether the text has a name after a preposition, and not as the beginning of a longer one."""
    name, text = name.lower(), small_text(document)
    return any(
        not _LONGER.match(text, at + len(name)) and _PLACED.search(text[max(0, at - _LONGEST_PLACED) : at])
        for at in places(name, text)
    )


def _scoped(question: str, preposition: str, name: str) -> str:
    if question.startswith("How ") and preposition in {"in", "with"} and f" {preposition} " not in question:
        return f"{question[:-1]} {preposition} {name}?"
    odd = preposition == "with" and not question.startswith(("What happens", "When"))  # "With Flask, which …"
    return fronted(question, "in" if odd else preposition, name)


def _telling(stems: set[str], fact: Fact | StructureFact, knowledge: Knowledge) -> int:
    """Return how many stems say what a question is about, those of the title counted twice."""
    telling = stems - _LIGHT_STEMS
    return len(telling) + len(telling & _title_stems(fact, knowledge))


def _title_stems(fact: Fact | StructureFact, knowledge: Knowledge) -> set[str]:
    path = knowledge.statements.section_of(fact).path
    titles = " ".join((knowledge.documents[fact.doc].title, *path)).replace("_", " ")
    return set(content_stems(titles)) - _LIGHT_STEMS


def _is_vague(question: str, fact: Fact | StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a question speaks of "the forms" as if the reader knew which, and no title ends in that noun."""
    titles = (knowledge.documents[fact.doc].title, *knowledge.statements.section_of(fact).path)
    named = {title.replace("_", " ").lower().rpartition(" ")[2] for title in titles}
    return any(match["noun"] not in _UNIQUE | named for match in _VAGUE.finditer(question))


def _stands_alone(question: str, scenario: Scenario, knowledge: Knowledge) -> bool:
    """Check whether a question says what it is about, by a name, or by words of content and of the title."""
    stems = set(content_stems(question))
    if _has_name(question, knowledge) and (len(stems) >= 2 or scenario.subtype == "definition"):
        return True
    telling = stems - _LIGHT_STEMS
    shared = telling & _title_stems(_place_of(scenario), knowledge)
    if not shared and _ASKS_OF_PAST.match(question):
        return False  # an event has a time and a place
    if scenario.subtype == "definition":
        return len(telling) + len(shared) >= LIMITS.term_min_lemmas or _ABSTRACT.search(question) is not None
    if scenario.subtype in {"use", "purpose"} or shared:
        return len(telling) + len(shared) >= LIMITS.prose_telling
    return len(telling) >= LIMITS.prose_telling_alone


def _has_name(question: str, knowledge: Knowledge) -> bool:
    """Check whether a question has a proper name or code, not only a party of a contract or a general acronym."""
    words = [re.sub(r"['’]s$", "", word.strip("\"'“”‘’(),?")) for word in question.split()[1:]]
    return any(
        word not in NO_NAMES
        and word.lower() not in _PARTIES
        and bool(_CODE_OR_ACRONYM.search(word) or (word[:1].isupper() and word in knowledge.statements.names))
        for word in words
    )


_ABSTRACT = re.compile(r"^What is [a-z]+(?:ology|ity|ism|ing|ion|ness|ence|ance|ics|phy|omy)\?$")


def _with_title(question: str, fact: Fact | StructureFact, knowledge: Knowledge) -> str:
    """Return a question in which "the war" is the war of the title: "the French and Indian War"."""
    title = _title_with_article(knowledge.documents[fact.doc])
    if not title or title.lower() in question.lower():
        return question
    return re.sub(
        rf"\bthe {re.escape(title.split()[-1].lower())}(?=\?|,| (?:and|or|is|are|was|were)\b|$)",
        f"the {title}",
        question,
        count=1,
    )


@once
def _title_with_article(document: Document) -> str:
    """Return the title if it names one thing by several words, and the text puts "the" before it; "" otherwise."""
    title = document.title.replace("_", " ").strip()
    words = title.split()
    if not 2 <= len(words) <= 5 or not re.fullmatch(r"[\w’' -]+", title):
        return ""
    named = any(word[0].isupper() and not is_word(word.lower()) for word in words)
    return title if named and f"the {title}".lower() in small_text(document) else ""
