"""The wording of a question: its answer, its copied words, its references, and names that the evidence lacks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from statistics import fmean

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.records import Document, Finding, Item
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.question_checks import copied as copied_share
from kgsynth.evidence.question_checks import leaked_words, repeats_clause, wording_problem
from kgsynth.golden.spans import evidence_spans
from kgsynth.language import LANGUAGES, language
from kgsynth.language.text_words import offers_choice, says_yes_or_no
from kgsynth.language.words import CJK, words

_NAMED = 5  # items named for a set that copies its evidence


def self_contained(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question refers to something outside: "according to the text", "this section", "it"."""
    for item in case.dataset:
        problem = wording_problem(item.question, item.language, define=True) if item.language in LANGUAGES else ""
        if problem and item.question.strip():
            message = f"{item.question!r}: {problem}"
            yield Finding("self_contained", "warning", item.id, message, "say in the question what it refers to")


def leaking(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question contains every content word of its answer, except choices."""
    for item in case.dataset:
        if not item.golden_answers:
            continue
        answer = item.golden_answers[0]
        if offers_choice(item.question.replace(answer, "")):
            continue
        if _leaks_all(item.question, answer, item.language) and not says_yes_or_no(answer):
            message = f"{item.question!r} contains its answer {answer!r}"
            yield Finding("leaking", "warning", item.id, message, "ask without the words of the answer")


def _leaks_all(question: str, answer: str, code: str) -> bool:
    if code in LANGUAGES:
        share, found = leaked_words(question, answer, code)
        return share == 1 and bool(found)
    wanted = content_words(answer, code)
    return bool(wanted) and set(wanted) <= set(content_words(question, code))


def copied(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question repeats its evidence, and one finding when the set as a whole does.

    Left out are questions that must repeat a clause, as those for a reason in Chinese.
    """
    for item in case.dataset:
        if repeats_clause(item):
            continue
        sentences = case.evidence_sentences(item)
        share = max((copied_share(item.question, item.golden_answers, each) for each in sentences), default=0.0)
        if share >= DEFAULT_THRESHOLDS["copied"]:
            total = len(words(item.question))
            message = f"{round(share * total)} of the {total} words of {item.question!r} repeat its evidence in order"
            yield Finding("copied", "warning", item.id, message, "ask in other words")
    by_item = list(_overlap_by_item(case))
    shares = [share for _, share in by_item]
    if len(shares) >= LIMITS.audit_min_items and fmean(shares) > LIMITS.copied_set_overlap:
        message = (
            f"on average {percent(fmean(shares))} of a question's words are in its evidence; in human questions 66 %"
        )
        most = sorted(by_item, key=lambda pair: (-pair[1], pair[0]))[:_NAMED]
        message += f"; the most in {', '.join(item_id for item_id, _ in most)}"
        yield Finding("copied", "warning", "", message, "expect lexical retrieval to score too high")


def overlaps(case: AuditCase) -> list[float]:
    """Return the share of the question's content words that are in the evidence, for each item that has both."""
    return [share for _, share in _overlap_by_item(case)]


def _overlap_by_item(case: AuditCase) -> Iterator[tuple[str, float]]:
    for item in (each for each in case.dataset if each.evidence):
        if asked := set(content_words(item.question, item.language)):
            stated = set(content_words(case.evidence_text(item), item.language))
            yield item.id, len(asked & stated) / len(asked)


# Names of a question that its evidence and the documents of it lack: the evidence is about something else.
#
# Left out are names of one common word, and those that a good part of the documents has: the product that a whole
# folder is about need not be named on every page. A name counts as known from one of its words on, so "Chief Safety
# Officer" is known where "Safety" is. In Chinese, which has no capitals, names are the titles of other documents and
# the words that are no common ones; of these only what another document has is reported.

_NAMING_WORD = re.compile(rf"[^\W_{CJK}](?:[^\W{CJK}]|[’'-])*")
_NEW_SENTENCE = re.compile(r"[.?!:;]\s*[\"“‘(]?\s*$")  # before the first word of a sentence, whose capital says nothing
_MIN_LETTERS = 2
_UNSPACED_NAME = re.compile(rf"[{CJK}][\w·-]+")


def foreign_names(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question names what is in another document than those of the evidence, or in none."""
    index = _WordsOfDocuments(case.documents.values())
    for item in case.valid_items:
        if item.language not in LANGUAGES:
            continue
        own = {span.doc for span in evidence_spans(item)}
        if found := _without_capitals(item, own, index, case):
            yield _finding(item, *found, known=True)
            continue
        near = {word for doc in own for word in index.by_doc[doc]}
        near |= {word for span in evidence_spans(item) for word in words(span.text)}
        for name in names_of(item):
            parts = _parts(name)
            others = [] if parts & near else index.holding(parts)
            if parts & near or len(others) > max(1, LIMITS.common_entity_share * len(case.documents)):
                continue
            yield _finding(item, name, min(own), others[0] if others else "", known=bool(parts & index.all_words))
            break


def _without_capitals(
    item: Item, own: set[str], index: _WordsOfDocuments, case: AuditCase
) -> tuple[str, str, str] | None:
    """Return a name in letters without capitals that only other documents have, with a document of each."""
    near = "".join([*(index.texts.get(doc, "") for doc in own), *(span.text for span in evidence_spans(item))])
    reader, most = language(item.language), max(1, LIMITS.common_entity_share * len(case.documents))
    words_asked = (stem for stem in reader.content_stems(item.question) if not reader.is_common_word(stem))
    titles = (document.title for document in case.documents.values() if document.title in item.question)
    for name in sorted({*words_asked, *titles}, key=lambda name: (-len(name), name)):
        if not _UNSPACED_NAME.fullmatch(name) or name not in item.question or name in near:
            continue
        others = [doc for doc in sorted(index.texts) if name in index.texts[doc]]
        if 0 < len(others) <= most:
            return name, min(own), others[0]
    return None


def names_of(item: Item) -> list[str]:
    """Return the names in a question: runs of words with a capital or a digit that do not begin its sentence.

    Example:
        >>> names_of(Item("q", "How heavy is the Aurex A1 in Oslo?", ("9",), "simple", "", "en", ()))
        ['Aurex A1', 'Oslo']
    """
    runs: list[list[re.Match[str]]] = []
    found = language(item.language)
    for match in _NAMING_WORD.finditer(item.question):
        before = item.question[: match.start()]
        if not _is_marked(match[0]) or not before.strip() or _NEW_SENTENCE.search(before):
            continue
        if runs and not item.question[runs[-1][-1].end() : match.start()].strip():
            runs[-1].append(match)
        else:
            runs.append([match])
    names = [item.question[run[0].start() : run[-1].end()] for run in runs]
    return [
        name
        for name, run in zip(names, runs, strict=True)
        if len(name) >= _MIN_LETTERS
        and any(letter.isalpha() for letter in name)
        and (len(run) > 1 or not found.is_common_word(found.bare_name(name).lower()))
    ]


def _is_marked(word: str) -> bool:
    return word[0].isupper() or (any(c.isdigit() for c in word) and any(c.isalpha() for c in word))


def _parts(name: str) -> set[str]:
    """Return the words of a name, also without a possessive ending."""
    return {part for word in words(name) for part in (word, word.partition("'")[0])}


def _finding(item: Item, name: str, own: str, other: str, *, known: bool) -> Finding:
    if other:
        message = f"{item.question!r} names {name!r}, which {own} does not mention, but {other} does"
        return Finding(
            "subject", "warning", item.id, message, "correct the evidence and the answer, or delete the item"
        )
    where = "in no document as a whole" if known else "in no document"
    message = f"{item.question!r} names {name!r}, which is {where}"
    sure = not known and item.metadata.get("source") == "kgsynth"
    advice = "check whether it still exists under this name; correct the question, or delete the item"
    return Finding("unknown_name", "error" if sure else "warning", item.id, message, advice)


class _WordsOfDocuments:
    """The words of each document, of its text, title, headings and name."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self.texts = {each.id: _all_text(each) for each in documents}
        self.by_doc = {doc: set(words(text)) for doc, text in self.texts.items()}

    @cached_property
    def all_words(self) -> set[str]:
        """The words of all documents."""
        return {word for own in self.by_doc.values() for word in own}

    def holding(self, parts: set[str]) -> list[str]:
        """Return the documents that have every word of a name."""
        bare = {part for part in parts if "'" not in part}
        return [doc for doc in sorted(self.by_doc) if bare <= self.by_doc[doc]]


def _all_text(document: Document) -> str:
    return "\n".join((document.id.replace("/", " "), document.title, document.text, *(b.text for b in document.blocks)))
