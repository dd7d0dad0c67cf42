"""The set as a whole: which documents and languages it asks about, and whether the types have their shares."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from kgsynth.dataset import Dataset, apportion
from kgsynth.language.words import is_long
from kgsynth.records import Document, Finding

_OFF = 0.05  # how far a type may be off its share of the set
_PRESENT = 0.1  # the share of the documents from which on a language should be asked about
_SCRIPTS = {"zh": re.compile("[\u3400-\u9fff]"), "en": re.compile("[A-Za-z]")}


def coverage(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield one finding when documents of 150 words or more were never asked about."""
    long, missed = _missed(dataset, documents)
    if missed:
        named = ", ".join(missed[:5]) + (f" and {len(missed) - 5} more" if len(missed) > 5 else "")
        message = (
            f"{len(missed)} of {len(long)} documents ({len(missed) / len(long):.0%}) were never asked about: {named}"
        )
        advice = "ask for more questions"
        if len(long) <= len(dataset):
            advice = "look in rejected.jsonl for what was turned away there, or write questions on them by hand"
        yield Finding("coverage", "warning", "", message, advice)


def share_asked(dataset: Dataset, documents: Mapping[str, Document]) -> dict[str, int]:
    """Return how many documents have 150 words or more, and how many of those are asked about."""
    long, missed = _missed(dataset, documents)
    return {"documents_long": len(long), "documents_asked": len(long) - len(missed)}


def _missed(dataset: Dataset, documents: Mapping[str, Document]) -> tuple[list[str], list[str]]:
    asked = {span.doc for item in dataset for group in item.evidence for span in group}
    long = [doc for doc in sorted(documents) if is_long(documents[doc])]
    return long, [doc for doc in long if doc not in asked]


def languages(dataset: Dataset, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Yield items in another language than their evidence or script, and languages of the documents without items."""
    for item in dataset:
        theirs = {documents[s.doc].language for group in item.evidence for s in group if s.doc in documents}
        script = _SCRIPTS.get(item.language)
        if script and item.question.strip() and not script.search(item.question):
            message = f"the language is {item.language!r}, but {item.question[:60]!r} has none of its letters"
            yield Finding("language", "warning", item.id, message, "set the item's language")
        elif theirs and item.language not in theirs:
            message = f"the question is in {item.language!r}, its evidence in {', '.join(sorted(theirs))}"
            yield Finding("language", "warning", item.id, message, "check that a question across languages is meant")
    written = Counter(document.language for document in documents.values())
    for code in sorted(written.keys() - {item.language for item in dataset}):
        if written[code] >= _PRESENT * len(documents):
            message = f"{written[code]} of {len(documents)} documents are in {code!r}, no item is"
            yield Finding("language", "warning", "", message, f"add questions in {code!r}")


def balance(dataset: Dataset, mix: Mapping[str, float]) -> Iterator[Finding]:
    """Yield the types that are further than a twentieth of the set (and one item) from their share of ``mix``."""
    quotas = apportion(len(dataset), mix)
    counts = Counter(item.question_type for item in dataset)
    for kind in sorted(quotas.keys() | counts.keys()):
        wanted = quotas.get(kind, 0)
        if abs(counts[kind] - wanted) > max(1.0, _OFF * len(dataset)):
            message = f"{counts[kind]} items are {kind or 'without a type'}, the mix wants {wanted}"
            yield Finding("balance", "warning", "", message, "see what rejected.jsonl turned away, or change the mix")
