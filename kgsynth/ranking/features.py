"""The features of a question by which the ranker goes: numbers by name, each in a group.

They say what form the question and its answer have, how they relate to each other, to the evidence and to the document,
what the filters scored, what the embedding model sees, and whether the rules wrote it as they are now: of grades of
earlier rules, which wrote worse questions, it is 0, and what an LLM wrote does not have it. A feature that cannot be
computed is left out; the model takes its mean instead. Words of a language come from its package.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from kgsynth.base.records import Document, Item, Section, Span
from kgsynth.language import nearest_language
from kgsynth.language.words import words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.evidence.vectors import TextVectors

_MAX_WORD_LETTERS = 40


class Surroundings:
    """The documents of a set, by id, with the counts of their words and headings.

    Example:
        >>> crew = Section("s", "a.md", "Crew", 0, ("Crew",), 0, 10)
        >>> page = Document("a.md", "Ada leads.", "Crew", "md", "", (), (crew,))
        >>> around = Surroundings({"a.md": page})
        >>> around.section(Span("a.md", 0, 3, "Ada")).title
        'Crew'
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self.documents = documents
        self._counts: dict[str, Counter[str]] = {}

    @cached_property
    def documents_with(self) -> Counter[str]:
        """Word -> the number of documents that have it."""
        found: Counter[str] = Counter()
        for ident in self.documents:
            found.update(self.counts(ident).keys())
        return found

    @cached_property
    def documents_with_heading(self) -> Counter[str]:
        """Heading in lower case -> the number of documents that have it."""
        found: Counter[str] = Counter()
        for document in self.documents.values():
            found.update({section.title.lower() for section in document.sections})
        return found

    def counts(self, doc: str) -> Counter[str]:
        """Return how often each word occurs in a document."""
        if doc not in self._counts:
            found = words(self.documents[doc].text) if doc in self.documents else []
            self._counts[doc] = Counter(word for word in found if len(word) <= _MAX_WORD_LETTERS)
        return self._counts[doc]

    def rarity(self, word: str) -> float:
        """Return how rare a word is in the documents, from 0 (in all of them) to 1 (in none)."""
        every = len(self.documents) + 1
        return math.log(every / (1 + min(self.documents_with[word], every - 1))) / math.log(every) if every > 1 else 0.0

    def section(self, span: Span) -> Section | None:
        """Return the innermost section around the start of a span, None if its document is not there."""
        document = self.documents.get(span.doc)
        return document.section_at(span.start) if document else None

    def plain(self, span: Span) -> str:
        """Return the text of a span as a person reads it."""
        document = self.documents.get(span.doc)
        if document is None or document.text[span.start : span.end] != span.text:
            return " ".join(span.text.split())
        return document.plain(span.start, span.end)

    def evidence(self, item: Item) -> list[Span]:
        """Return the first span of each evidence group."""
        return [group[0] for group in item.evidence if group]


_CODE_MARK = re.compile(r"[{}<>=;$#|\\]|\w\(|::|->|_\w|\w\.\w+\(|[a-z][A-Z]|--\w|`")
_MARKS_COUNTED = re.compile(r"[():;,/\[\]<>{}&–—\"“”-]")
_INNER_CAPITAL = re.compile(r"\b[a-z]\w*[A-Z]\w*|\b[A-Z]{2,}\w*")
_NAME = re.compile(r"(?<=\s)[A-Z][\w.’'-]*")
_LEFT_MARKUP = re.compile(r"</?\w+[^>]*>|\{[{%*]|\]\(|https?://|\*\*")
_SENTENCE = re.compile(r"[.!?](?:\s|$)")
_COLON = re.compile(r":(?:\s|$)")

_PASSAGES = 5  # among which evidence counts as found
_NEAR = 0.5  # deviations below the gold chunk, within which another chunk is a rival of it

_SCORES = ("overlap", "rank", "margin", "answerable", "answered", "copied", "leaking", "copies")
_LONG_ANSWER_WORDS, _SHORT_ANSWER_WORDS = 80, 8


def features(
    item: Item, around: Surroundings, vectors: TextVectors | None = None, *, kind: str | None = None
) -> dict[str, float]:
    """Return the features of an item; without ``vectors``, features from the embedding model are left out.

    ``kind`` is its subtype, by default the one it has; "" for one that is not known.

    Example:
        >>> item = Item("q", "Who leads the crew?", ("Ada",), "simple", "factoid", "en", ())
        >>> found = features(item, Surroundings({}))
        >>> found["question.words"], found["answer.words"], found["kind.factoid"]
        (4.0, 0.6931, 1.0)
    """
    answer = item.golden_answers[0] if item.golden_answers else ""
    found = _question(item, around) | _relation(item, answer, around) | _place(item, around) | _scores(item)
    found |= _answer(item, answer) if answer else {}
    found |= _encoder(item, answer, around, vectors) if vectors is not None else {}
    kind = item.subtype if kind is None else kind
    if kind:
        found[f"kind.{kind}"] = 1.0
    if (writer := item.metadata.get("writer")) in (None, "rules"):
        found["rules.current"] = float(writer == "rules")
    return {name: round(float(value), 4) for name, value in sorted(found.items())}


def search_features(
    golds: Sequence[Sequence[int]], cosines: NDArray[np.float32], lexical: NDArray[np.float64]
) -> dict[str, float]:
    """Return what tells how probably a retriever finds the evidence of a question among the chunks of a folder.

    ``golds`` are the numbers of the gold chunks by evidence group; the others are the scores of all chunks by embedding
    and by BM25. ``benchmarks/fit_found.py`` fits the weights. With these known, lexical margins, shared words and the
    number of groups predicted nothing more.
    """
    by_words = _standing(golds, lexical)
    return {
        "chunks": math.log2(len(cosines)),
        **{f"dense.{name}": value for name, value in _standing(golds, cosines).items()},
        **{f"lexical.{name}": by_words[name] for name in ("rank", "rivals")},
    }


def _standing(golds: Sequence[Sequence[int]], scores: NDArray[Any]) -> dict[str, float]:
    """Return rank, lead over the fifth other chunk, and near rivals of the evidence group that is found last.

    The lead, and what is near, are in standard deviations of the ``scores`` of all chunks but those of -1.
    """
    import numpy as np

    gold = float(min(scores[list(group)].max() for group in golds))
    known = scores[scores > -1]
    others = np.sort(np.delete(scores, [number for group in golds for number in group]))
    others = others[others > -1]
    deviation = float(known.std()) or 1.0
    last = others[-_PASSAGES] if len(others) >= _PASSAGES else known.min()
    return {
        "rank": math.log2(1 + int((scores > gold).sum())),
        "margin": (gold - float(last)) / deviation,
        "rivals": math.log1p(int((others > gold - _NEAR * deviation).sum())),
    }


def texts_to_embed(item: Item, around: Surroundings) -> list[str]:
    """Return the texts of an item, besides its question, whose embeddings its features need."""
    _, *others = _embedded(item, item.golden_answers[0] if item.golden_answers else "", around)
    return [text for text in others if text]


# ---- the question ----------------------------------------------------------------------------------


def _question(item: Item, around: Surroundings) -> dict[str, float]:
    question, reader = item.question, nearest_language(item.language)
    found, stems = words(question), reader.content_stems(question)
    count = max(len(found), 1)
    rare = sorted((around.rarity(word) for word in found), reverse=True) if around.documents else []
    form = {
        "words": len(found),
        "long": len(found) > 14,
        "short": len(found) < 6,
        "letters": sum(map(len, found)) / count,
        "content": len(stems),
        "names": len(_NAME.findall(question)),
        "code": len(_CODE_MARK.findall(question)),
        "digits": sum(word.isdigit() for word in found),
        "punctuation": len(_MARKS_COUNTED.findall(question)),
        "inner_capitals": len(_INNER_CAPITAL.findall(question)),
        "repeated": len(stems) - len(set(stems)),
        "spaces": "  " in question or " ," in question,
        "plain_end": question.rstrip().endswith(("?", "？")),
    }
    if rare:
        form |= {"rarest": rare[0], "rare": sum(rare) / len(rare), "common_content": min(_rarities(stems, around))}
    classes = {name: value for name, value in reader.word_classes(question).items() if not name.startswith("opens_")}
    named = {f"question.{name}": float(value) for name, value in {**form, **classes}.items()}
    named |= {f"form.{name}": value for name, value in reader.question_form(question).items()}
    return named | {f"opening.{reader.opening(question)}": 1.0}


def _rarities(stems: Sequence[str], around: Surroundings) -> list[float]:
    return [around.rarity(stem) for stem in stems] or [0.0]


# ---- the answer ------------------------------------------------------------------------------------


def _answer(item: Item, answer: str) -> dict[str, float]:
    reader, found = nearest_language(item.language), words(answer)
    count = max(len(found), 1)
    classes = reader.word_classes(answer)
    ends = answer.rstrip()[-1:]
    form = {
        "words": math.log1p(len(found)),
        "long": len(found) > _LONG_ANSWER_WORDS,
        "short": len(found) <= _SHORT_ANSWER_WORDS,
        "sentences": math.log1p(len(_SENTENCE.findall(answer))),
        "ends_sentence": ends in (".", "!", "?", ")", "。"),
        "ends_open": ends in (":", ",", ";", "(", "-"),
        "colons": len(_COLON.findall(answer)) / count * 20,
        "code": len(_CODE_MARK.findall(answer)) / count,
        "markup": len(_LEFT_MARKUP.findall(answer)) / count * 20,
        "list_marks": (answer.count(";") + answer.count("\n") + answer.count(" - ")) / count * 20,
        "commas": answer.count(",") / count * 20,
        "quotes": sum(answer.count(mark) for mark in "\"“”'‘") / count * 20,
        "names": len(_NAME.findall(answer)) / count,
        "digits": sum(any(map(str.isdigit, word)) for word in found) / count,
        "capital": answer[:1].isupper(),
        "variants": len(item.golden_answers),
        "question_mark": "?" in answer,
        "empty_brackets": bool(re.search(r"\(\s*\)|\[\s*\]|\s[.,;:](?:\s|$)", answer)),
    }
    opens = {name: value for name, value in classes.items() if name.startswith("opens_") or name == "pointers"}
    shares = {name: value / count for name, value in classes.items() if name not in opens}
    return {f"answer.{name}": float(value) for name, value in {**form, **opens, **shares}.items()}


# ---- relations -------------------------------------------------------------------------------------


def _relation(item: Item, answer: str, around: Surroundings) -> dict[str, float]:
    reader = nearest_language(item.language)
    spans = around.evidence(item)
    asked, told = set(reader.content_stems(item.question)), reader.content_stems(answer)
    found: dict[str, float] = {}
    if answer:
        found |= {
            "answer_in_question": _share(set(told), asked),
            "question_in_answer": _share(asked, set(told)),
            "length_ratio": math.log1p(len(words(answer))) - math.log1p(len(words(item.question))),
        }
    if spans:
        plain = [around.plain(span) for span in spans]
        evidence = Counter(stem for text in plain for stem in reader.content_stems(text))
        length = sum(len(words(text)) for text in plain)
        found |= {
            "question_in_evidence": _share(asked, set(evidence)),
            "answer_of_evidence": min(1.0, len(words(answer)) / max(length, 1)),
            "evidence_words": math.log1p(length),
            "groups": len(spans),
            "documents": len({span.doc for span in spans}),
            "frequency": sum(math.log1p(evidence[stem]) for stem in asked) / max(len(asked), 1),
        }
    return {f"relation.{name}": float(value) for name, value in found.items()}


def _share(some: set[str], every: set[str]) -> float:
    return len(some & every) / len(some) if some else 0.0


# ---- the place in the documents --------------------------------------------------------------------


def _place(item: Item, around: Surroundings) -> dict[str, float]:
    spans = [span for span in around.evidence(item) if span.doc in around.documents]
    if not spans:
        return {}
    span, reader = spans[-1], nearest_language(item.language)
    document, section = around.documents[span.doc], around.section(span)
    asked = set(reader.content_stems(item.question))
    title = reader.content_stems(document.title)
    counts = around.counts(span.doc)
    found = {
        "position": span.start / max(len(document.text), 1),
        "first_section": span.start < len(document.text) * 0.05,
        "document_words": math.log1p(sum(counts.values())),
        "title_in_question": _share(set(title), asked),
        "question_in_title": _share(asked, set(title)),
        "title_words": len(words(document.title)),
        "title_run": _run(words(item.question), words(document.title)),
        "title_end": _ends(words(item.question), words(document.title)),
        "central": sum(math.log1p(counts[stem]) for stem in asked) / max(len(asked), 1),
    }
    if section is not None:
        heading = reader.content_stems(section.title)
        above = [stem for part in section.path[:-1] for stem in reader.content_stems(part)]
        found |= {
            "level": section.level,
            "depth": len(section.path),
            "section_words": math.log1p(len(words(document.text[section.start : section.end]))),
            "in_section": (span.start - section.start) / max(section.end - section.start, 1),
            "heading_in_question": _share(set(heading), asked),
            "question_in_heading": _share(asked, set(heading)),
            "question_in_path": _share(asked, {*heading, *above}),
            "heading_words": len(words(section.title)),
            "heading_run": _run(words(item.question), words(section.title)),
            "heading_shared": math.log(max(1, around.documents_with_heading[section.title.lower()])),
            "heading_code": bool(_CODE_MARK.search(section.title)),
            "heading_asks": section.title.rstrip().endswith("?"),
            "sections": math.log1p(len(document.sections)),
        }
        found |= {f"heading_{name}": reader.word_classes(section.title)[name] for name in ("gerunds", "unknown")}
    return {f"place.{name}": float(value) for name, value in found.items()}


def _run(asked: Sequence[str], title: Sequence[str]) -> float:
    """Return the share of a title that a question contains as one run of words."""
    best = 0
    for start in range(len(asked)):
        for at in range(len(title)):
            length = 0
            while (
                start + length < len(asked) and at + length < len(title) and asked[start + length] == title[at + length]
            ):
                length += 1
            best = max(best, length)
    return best / len(title) if title else 0.0


def _ends(asked: Sequence[str], title: Sequence[str]) -> float:
    """Return whether a question ends with the words of a title of more than one word, in their order."""
    return float(1 < len(title) < len(asked) and list(asked[-len(title) :]) == list(title))


# ---- the filters, and the embedding model ----------------------------------------------------------


def _scores(item: Item) -> dict[str, float]:
    own = cast(Mapping[str, float], item.scores)
    found = {f"scores.{name}": float(own[name]) for name in _SCORES if name in own}
    if "scores.rank" in found:
        found["scores.rank"] = math.log2(max(1.0, found["scores.rank"]))
    return found


def _embedded(item: Item, answer: str, around: Surroundings) -> tuple[str, str, str, str, str]:
    """Return the texts that are embedded: question, answer, evidence, heading, title."""
    spans = around.evidence(item)
    evidence = " ".join(around.plain(span) for span in spans)
    section = around.section(spans[-1]) if spans else None
    document = around.documents.get(spans[-1].doc) if spans else None
    return item.question, answer, evidence, section.title if section else "", document.title if document else ""


def _encoder(item: Item, answer: str, around: Surroundings, vectors: TextVectors) -> dict[str, float]:
    question, *others = _embedded(item, answer, around)
    named = dict(zip(("answer", "evidence", "heading", "title"), others, strict=True))
    found = {f"encoder.{name}": vectors.cosine(question, text) for name, text in named.items() if text}
    if answer and named["title"]:
        found["encoder.answer_title"] = vectors.cosine(answer, named["title"])
    return found
