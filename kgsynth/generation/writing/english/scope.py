"""Say where a question belongs: the product, library, organisation or document that its page is about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kgsynth.base.records import Block, Document, Fact, Scenario, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.writing.draft import QuestionDraft, UnwrittenError, Why
from kgsynth.generation.writing.english.drafts import fronted
from kgsynth.generation.writing.english.written_names import has_article, names_in_titles
from kgsynth.language.english.forms import bare_title, rules_on
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_word
from kgsynth.language.english.question_checks import content_stems
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.text_words import ANY


@once
def prose(document: Document) -> str:
    """Return the paragraphs and items of a document, each on a line."""
    return "\n".join(block.text for block in document.blocks if block.kind in ("paragraph", "item"))


@once
def small_text(document: Document) -> str:
    """Return the text of a document in lower case, with every character at its place."""
    return _small(document.text)


def _small(text: str) -> str:
    return text.replace("İ", "I").lower()  # the only letter that is two characters in lower case


def places(name: str, text: str) -> Iterator[int]:
    """Yield where a text has a name, also as a part of a longer word.

    Example:
        >>> list(places("set", "set the settings"))
        [0, 8]
    """
    at = text.find(name)
    while at >= 0:
        yield at
        at = text.find(name, at + 1)


def inside_sentences(name: str, document: Document) -> list[int]:
    """Return where the prose has a name with a capital after a word in lower case or a comma."""
    found = _capitals(document).get(PATTERNS["not_in_word"].split(name, maxsplit=1)[0], ())
    return [at for at in found if prose(document).startswith(name, at)]


@once
def _capitals(document: Document) -> dict[str, list[int]]:
    """Return the words with a capital inside the sentences of the prose, each with its places."""
    found: dict[str, list[int]] = defaultdict(list)
    for match in PATTERNS["capital_inside"].finditer(prose(document)):
        found[match[0]].append(match.start())
    return dict(found)


def block_above(document: Document, place: int, section: int) -> Block | None:
    """Return the last block of a section that ends at or before an offset of the text, None without one.

    The blocks of a section stand together, so only the one directly before the offset can be it.
    """
    number = bisect_right(document.blocks, place, key=lambda block: block.end)
    above = document.blocks[number - 1] if number else None
    return above if above and above.section == section else None


# Find the short name under which people would ask a question: the product, library or organisation a page is about.
#
# A title is not such a name by itself. A name counts if it is in the title, a heading or most documents, and if the
# text itself says "in Jedis", "with MongoEngine" or "at GSA"; the most frequent of these prepositions is used.

_SCOPE_PREPOSITIONS = {"in": "in", "with": "with", "using": "with", "on": "on", "at": "at"}
_LONGEST_BEFORE = len("-using ")
_ALONE_MAX = 3  # words of a name


def scopes(fact: StructureFact, knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return (preposition, name) for the names a fact may be about, the closest first, that of the corpus last."""
    document = knowledge.documents[fact.doc]
    path = document.sections[fact.section].path
    found = scopes_above(document, path[:-1] if fact.subject.text == path[-1] else path, knowledge)
    common = knowledge.derived(common_scope)
    return list(dict.fromkeys([*found, *([common] if common else [])]))


def scopes_above(document: Document, path: Sequence[str], knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return (preposition, name) for the names in the headings of a path and in the title, the closest first."""
    above = dict.fromkeys([document.title, *path])
    return [scope for title in reversed(above) if (scope := _of_title(title, document, knowledge))]


def local_scopes(fact: StructureFact, knowledge: Knowledge) -> list[tuple[str, str]]:
    """Return the scopes that tell the fact's document or section from others."""
    common = knowledge.derived(common_scope)
    return [scope for scope in scopes(fact, knowledge) if scope != common]


def common_scope(knowledge: Knowledge) -> tuple[str, str] | None:
    """Return the name that most documents are about, with its preposition; None if there is none."""
    documents = list(knowledge.documents.values())
    counts, holding = Counter[str](), Counter[str]()
    for document in documents:
        words = Counter(re.findall(r"(?<![\w./-])[A-Z][\w-]+(?![\w/]|\.\w)", prose(document)))
        counts.update(words)
        holding.update(words.keys())
    for name in sorted(counts, key=lambda one: (-holding[one], -counts[one], one))[:40]:
        names_much = holding[name] * 2 > len(documents) and name not in WORDS["no_names"]
        everywhere = holding[name] >= LIMITS.scope_documents_share * len(documents)
        least = 1 if everywhere else LIMITS.scope_min_titles
        if names_much and _in_titles(name, documents) >= least and _is_name(name, documents):
            preposition = _preposition(name, documents, LIMITS.scope_min_uses)
            if preposition:
                return preposition, name
    return None


def _is_name(name: str, documents: Sequence[Document]) -> bool:
    """Check whether a word inside sentences nearly always has its capital."""
    upper = sum(
        not PATTERNS["not_after_name"].match(prose(document), at + len(name))
        for document in documents
        for at in inside_sentences(name, document)
    )
    if not upper:
        return False
    small = re.escape(name.lower())  # the letters come first in the pattern, so that they are what is searched for
    lower = re.compile(rf"{small}(?<![\w./-]{small})(?![\w/]|\.\w)")
    return upper > LIMITS.scope_capital_ratio * sum(len(lower.findall(prose(document))) for document in documents)


def _in_titles(name: str, documents: Sequence[Document]) -> int:
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    return sum(bool(word.search(document.title)) for document in documents)


def _of_title(title: str, document: Document, knowledge: Knowledge) -> tuple[str, str] | None:
    """Return the last name in a title that the text of its document uses after a preposition."""
    bare = topic_of(title) or bare_title(title)
    if re.search(r",| and | or |[&/]", bare):
        return None
    for run in reversed(PATTERNS["run"].findall(bare)):
        words = run.split()
        for length in range(min(len(words), _ALONE_MAX), 0, -1):
            name = " ".join(words[:length])
            whole = length > 1 and title == document.title
            known = any(word in knowledge.statements.names or not is_word(word) for word in words[:length])
            if (known or _is_name(name, [document])) and name not in WORDS["no_names"] and not name.isdigit():
                preposition = _preposition(name, [document], LIMITS.scope_min_uses if name.isupper() else 1)
                if preposition or (name == bare and (whole or name in prose(document))):
                    return preposition or "in", name
    return None


def _preposition(name: str, documents: Sequence[Document], least: int) -> str:
    """Return the preposition that a name follows most often, "" if it hardly ever follows one."""
    uses = Counter[str]()
    for document in documents:
        text = prose(document)
        for at in inside_sentences(name, document):
            use = PATTERNS["scope_use"].search(text[max(0, at - _LONGEST_BEFORE) : at])
            if use and not PATTERNS["not_after_use"].match(text, at + len(name)):
                uses[_SCOPE_PREPOSITIONS[use[1].lower()]] += 1
    if not uses or uses.total() < least:
        return ""
    mentions = sum(prose(document).count(name) for document in documents)
    if uses.total() < LIMITS.scope_use_share * mentions:
        return ""
    return min(uses, key=lambda one: (-uses[one], one))


# Name in a question the document it is about, if it cannot be understood without.


def topic_of(title: str) -> str:
    """Return what a document is about by its title, without the word for the sort of text; "" if it does not say."""
    found = bare_title(title)
    while (shorter := PATTERNS["after_topic"].sub("", PATTERNS["before_topic"].sub("", found)).strip(" -–:")) != found:
        found = shorter
    return "" if PATTERNS["no_topic"].match(found) else found


_LAID_DOWN, _MIN_RULES = 0.2, 3  # of the sentences of a page of rules, and how many they are


@once
def is_policy(document: Document) -> bool:
    """Check whether a document is a page of rules, and not a report, a page with code or the help of a program."""
    report = PATTERNS["report_title"].search(document.title) or ANY.patterns["company"].search(document.title)
    if report or any(block.kind == "code" for block in document.blocks):
        return False
    text = prose(document)
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    rules, program = (
        sum(bool(each.search(sentence)) for sentence in sentences)
        for each in (PATTERNS["lays_down"], PATTERNS["operates"])
    )
    return rules >= max(_MIN_RULES, _LAID_DOWN * len(sentences)) and rules > program


def rules_over(fact: Fact | StructureFact, knowledge: Knowledge) -> str:
    """Return how a question names the rules that a fact is one of, by the title of its page; "" if it is none."""
    document = knowledge.documents[fact.doc]
    if not is_policy(document):
        return ""
    rules = rules_on(document.title, knowledge.derived(names_in_titles))
    topic = rules.removeprefix("under the rules on ")
    counted = topic != rules and " and " not in topic and has_article(topic.rpartition(" ")[2], knowledge)
    return f"under the rules on the {topic}" if counted else rules


# Say where a question on a sentence of prose belongs, if it cannot be understood without its page.
#
# "What happens if a request is rejected?" is asked of a product, not of the world. A question stands alone by a name
# or code in it, or by enough words of content, some of them those of the title. Others are asked in the short scope
# of their page, and not at all if it has none.

_FRAMED_KINDS = frozenset({"factoid", "definition", "use", "cause", "purpose", "explicit"})
_RULED_KINDS = frozenset({"factoid", "explicit"})
"""Kinds of questions on what one page lays down, and another page may lay down otherwise."""
_LIGHT_STEMS = WORDS["parties"] | frozenset(content_stems(
    "use make get create add set run work do have need start find see know go take give change write define handle "
    "manage check update install return build configure test enable disable include remove send call open read show "
    "choose avoid provide support thing way file project code example data application app server program function "
    "class method value error environment user page name type system information option item list object result "
    "other another new large small good bad long short high low many much several first last happen someone people "
    "module client request response message service tool team issue problem question part number time"
))  # fmt: skip
"""Words that say little about what a question is about."""
_LONGEST_PLACED = len(" using the ")


def framed(scenario: Scenario, knowledge: Knowledge, draft: QuestionDraft) -> Iterator[QuestionDraft]:
    """Yield a draft if it stands alone, otherwise with the short scope of its page.

    Raises:
        UnwrittenError: the page has no short scope.
    """
    if scenario.subtype not in _FRAMED_KINDS:
        yield draft
        return
    fact = _place_of(scenario)
    vague = _is_vague(draft.question, fact, knowledge)
    known, rules = set(content_stems(draft.question)), rules_over(fact, knowledge)
    ruled = scenario.subtype in _RULED_KINDS and (
        scenario.subtype != "factoid" or not _has_name(draft.question, knowledge)
    )
    unscoped = rules and ruled and not known & set(content_stems(rules))
    if not vague and not unscoped and _stands_alone(draft.question, scenario, knowledge):
        yield draft
        return
    if PATTERNS["fronted"].match(draft.question):
        raise UnwrittenError(Why.PAGE)
    if rules and not vague:
        yield draft._replace(question=fronted(draft.question, *rules.split(" ", 1)))
        return
    scope = next(_scopes(fact, knowledge), None)
    if scope is None or set(content_stems(scope[1])) & known:
        raise UnwrittenError(Why.PAGE)
    if vague and scope == knowledge.derived(common_scope):
        raise UnwrittenError(Why.PAGE)  # the name of the whole corpus does not say which page is meant
    yield draft._replace(question=_scoped(draft.question, *scope))


def _place_of(scenario: Scenario) -> Fact | StructureFact:
    return (scenario.facts or scenario.structure)[0]


def _scopes(fact: Fact | StructureFact, knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Yield the names a fact may be about: those of its headings, that of the corpus."""
    document, common = knowledge.documents[fact.doc], knowledge.derived(common_scope)
    path = document.sections[fact.section].path
    for preposition, name in scopes_above(document, path, knowledge):
        part = any(
            re.search(rf"[A-Z]\w* (?:on|of|for|in|and|the) {re.escape(name)}\b", title)
            for title in (document.title, *path)
        )
        if not part and _is_placed(name, document):
            yield preposition, name
    if common:
        yield common


def _is_placed(name: str, document: Document) -> bool:
    """Check whether the text has a name after a preposition, and not as the beginning of a longer one."""
    name, text = name.lower(), small_text(document)
    return any(
        not PATTERNS["more_of_word"].match(text, at + len(name))
        and PATTERNS["place_use"].search(text[max(0, at - _LONGEST_PLACED) : at])
        for at in places(name, text)
    )


def _scoped(question: str, preposition: str, name: str) -> str:
    if question.startswith("How ") and preposition in {"in", "with"} and f" {preposition} " not in question:
        return f"{question[:-1]} {preposition} {name}?"
    return fronted(question, preposition, name)


def _title_stems(fact: Fact | StructureFact, knowledge: Knowledge) -> set[str]:
    path = knowledge.statements.section_of(fact).path
    titles = " ".join((knowledge.documents[fact.doc].title, *path)).replace("_", " ")
    return set(content_stems(titles)) - _LIGHT_STEMS


def _is_vague(question: str, fact: Fact | StructureFact, knowledge: Knowledge) -> bool:
    """Check whether a question speaks of "the forms" as if the reader knew which, and no title ends in that noun."""
    titles = (knowledge.documents[fact.doc].title, *knowledge.statements.section_of(fact).path)
    named = {title.replace("_", " ").lower().rpartition(" ")[2] for title in titles}
    return any(match["noun"] not in WORDS["unique_in_scopes"] | named for match in PATTERNS["vague"].finditer(question))


def _stands_alone(question: str, scenario: Scenario, knowledge: Knowledge) -> bool:
    """Check whether a question says what it is about, by a name, or by words of content and of the title."""
    stems = set(content_stems(question))
    if _has_name(question, knowledge) and (len(stems) >= 2 or scenario.subtype == "definition"):
        return True
    telling = stems - _LIGHT_STEMS
    shared = telling & _title_stems(_place_of(scenario), knowledge)
    if scenario.subtype == "definition":
        return len(telling) + len(shared) >= LIMITS.term_min_lemmas
    if scenario.subtype in {"use", "purpose"} or shared:
        return len(telling) + len(shared) >= LIMITS.prose_telling
    return len(telling) >= LIMITS.prose_telling_alone


def _has_name(question: str, knowledge: Knowledge) -> bool:
    """Check whether a question has a proper name or code, not only a party of a contract or a general acronym."""
    words = [re.sub(r"['’]s$", "", word.strip("\"'“”‘’(),?")) for word in question.split()[1:]]
    return any(
        word not in WORDS["no_names"]
        and word.lower() not in WORDS["parties"]
        and bool(
            PATTERNS["code_or_acronym"].search(word) or (word[:1].isupper() and word in knowledge.statements.names)
        )
        for word in words
    )
