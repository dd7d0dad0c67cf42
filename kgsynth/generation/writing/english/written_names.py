"""How the documents themselves write a name inside a sentence: with which article, and before which noun."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Literal, NamedTuple

from kgsynth.base.records import PROSE, Document, Fact, Phrase, StructureFact
from kgsynth.base.records.once import once
from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import Flag, Role
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.statements import WRITTEN_WORD
from kgsynth.generation.writing.english.grammar import in_sentence
from kgsynth.language.english.forms import indefinite
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import inflected, is_noun, is_word, singular

Article = Literal["a", "the", "", "unknown"]

_DETERMINED_FLAGS = frozenset(
    {Flag.DEFINITE, Flag.INDEFINITE, Flag.PLURAL, Flag.PROPER, Flag.CODE, Flag.NUMBER, Flag.POSSESSIVE, Flag.SOME}
)
RARE_PLURAL = 5  # times that a noun without an article is used for each time that it is in the plural
_WORDS_BEFORE = re.compile(r"(?:([\w’'-]+) )?(?:([\w’'-]+) )?$")
_FIRST_WORD = re.compile(r"(?<![\w-])[\w-]+(?= )")


class _Written(NamedTuple):
    """The prose of a document, how often it has each word small and with a capital, and its names by first word."""

    prose: str
    small: Counter[str]
    capital: Counter[str]
    runs: dict[str, set[str]]


@once
def _written(document: Document) -> _Written:
    prose = "\n".join(block.text for block in document.blocks if block.kind in PROSE)
    runs: dict[str, set[str]] = defaultdict(set)
    for run in re.findall(r"(?<=[a-z,;] )[A-Z][\w-]+(?: [A-Z][\w-]+)+", prose):
        runs[run.partition(" ")[0].lower()].add(run)
    capital = Counter(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+(?:-[A-Za-z]+)?", prose))
    return _Written(prose, Counter(WRITTEN_WORD.findall(prose)), capital, dict(runs))


def names_in_titles(knowledge: Knowledge) -> frozenset[str]:
    """Return the names of a corpus without common nouns in the plural and words that its prose writes small as well."""
    small = {word for document in knowledge.documents.values() for word in _written(document).small}
    names = ((name, name.lower()) for name in knowledge.statements.names)
    return frozenset(
        name for name, word in names if word not in small and (singular(word) == word or not is_noun(singular(word)))
    )


def as_written(question: str, fact: StructureFact, knowledge: Knowledge) -> str:
    """Return a question whose words have the capitals that they have in the prose of their document."""
    prose, small, capital, runs = _written(knowledge.documents[fact.doc])

    def cased(match: re.Match[str]) -> str:
        word = match.group()
        return word.lower() if small[word.lower()] > capital[word] and word not in knowledge.statements.names else word

    lowered = re.sub(r"(?<= )[A-Z][a-z]+(?:-[A-Za-z]+)?", cased, question)
    for word in re.findall(r"(?<= )[a-z]+", lowered):
        if capital[word.capitalize()] > small[word] and not is_word(word):
            lowered = re.sub(rf"(?<= ){word}\b", word.capitalize(), lowered)
    for run in sorted(run for word in set(_FIRST_WORD.findall(lowered.lower())) for run in runs.get(word, ())):
        if run.lower() in lowered.lower() and prose.count(run) > prose.count(run.lower()):
            lowered = re.sub(rf"(?<![\w-]){re.escape(run)}(?![\w-])", run, lowered, flags=re.I)
    return lowered


def article_of(name: str, knowledge: Knowledge) -> Article:
    """Return the article with which the prose writes a name most often, "unknown" if it hardly ever writes it.

    Words such as "each" and "another" count as "a", and one word may stand between: "a new source stamp".
    """
    uses = Counter[Article](_articles(name.lower(), knowledge.derived(_prose)))
    if uses.total() < LIMITS.scope_min_uses:
        return "unknown"
    return min(uses, key=lambda article: (-uses[article], article))


def has_article(name: str, knowledge: Knowledge) -> bool | None:
    """Return whether the prose writes a name with "a", None if it does not tell.

    One "a" is enough, unless the bare name is more frequent: "the" goes with both.
    """
    uses = Counter[Article](_articles(name.lower(), knowledge.derived(_prose)))
    if uses["a"] + uses[""] == 0:
        return None
    return uses["a"] >= uses[""]


def is_written_as_noun(word: str, knowledge: Knowledge) -> bool:
    """Check whether the prose has a word, which may be a verb as well, after an article."""
    return any(_articles(word, knowledge.derived(_prose)))


def lacks_article(fact: Fact, knowledge: Knowledge, question: str) -> bool:
    """Check whether a question has a subject or object without the article that the prose gives it: "source tab".

    Of a name that the prose hardly ever writes, its last noun decides.
    """
    return any(
        phrase.role in (Role.SUBJECT, Role.OBJECT)
        and in_sentence(phrase) in question
        and _is_bare(phrase)
        and _is_counted(phrase.text.lower(), knowledge)
        for phrase in fact.phrases
    )


def _is_bare(phrase: Phrase) -> bool:
    """Check whether a phrase is a common noun in the singular, of small letters, with nothing before it."""
    determined = phrase.flags & _DETERMINED_FLAGS
    words = in_sentence(phrase).split()
    nouns = all(re.fullmatch(r"[a-z-]+", word) for word in words) and words[0] not in WORDS["before_noun"]
    return phrase.has(Flag.NOMINAL) and not determined and nouns and singular(words[-1]) == words[-1]


def _is_counted(name: str, knowledge: Knowledge) -> bool:
    article, noun = article_of(name, knowledge), name.split()[-1]
    if article != "unknown":
        return article != ""
    several = _uses(inflected(noun, "NNS"), knowledge) * RARE_PLURAL >= _uses(noun, knowledge)
    return article_of(noun, knowledge) in ("a", "the") or bool(has_article(noun, knowledge)) or several


def _uses(name: str, knowledge: Knowledge) -> int:
    return sum(1 for _ in _articles(name, knowledge.derived(_prose)))


def with_article(name: str, knowledge: Knowledge) -> str:
    """Return a name with the article that the prose gives it, "" if the prose does not tell."""
    article = article_of(name, knowledge)
    if article == "unknown":
        return ""
    return f"{indefinite(name) if article == 'a' else 'the ' if article else ''}{name}"


def _articles(name: str, prose: str) -> Iterator[Article]:
    place = prose.find(f" {name}")
    while place >= 0:
        end = place + 1 + len(name)
        opens = prose[max(0, place - 1) : place] in ("", "\n")  # a label, or a sentence that defines it
        if not opens and not prose[end : end + 1].isalnum() and PATTERNS["ends_noun"].match(prose, end):
            match = _WORDS_BEFORE.search(prose[max(0, place - 40) : place + 1])
            second, first = match.groups() if match else (None, None)
            first = first or second
            if first in WORDS["counting"] or (second in WORDS["counting"] and first is not second):
                yield "a"
            elif "the" in (first, second):
                yield "the"
            else:
                yield ""
        place = prose.find(f" {name}", place + 1)


def _prose(knowledge: Knowledge) -> str:
    """Return the paragraphs and items of all documents in lower case, each in a line that begins with a space."""
    blocks = (block for document in knowledge.documents.values() for block in document.blocks)
    texts = (block.text.lower() for block in blocks if block.kind in ("paragraph", "item"))
    return "\n".join(f" {' '.join(text.split())}" for text in texts)
