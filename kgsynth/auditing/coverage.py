"""The set as a whole: which documents, sections and languages it asks about, of what types, and at what length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import fmean, pstdev, quantiles

from kgsynth.auditing.case import AuditCase
from kgsynth.base.quotas import apportion
from kgsynth.base.records import PROSE, Finding
from kgsynth.language.detection import in_script, other_language
from kgsynth.language.words import is_long, words

_OFF = 0.05  # how far a type may be off its share of the set
_PRESENT = 0.1  # the share of the documents from which on a language should be asked about
_ENOUGH = 20  # items from which on a share tells something
_CROWDED = 0.4  # share of the sections that could be asked about, below which the questions crowd
_FAR = 3.0  # times the spread of the middle half, beyond which a length is out of the ordinary
_LONG = {"question": 40, "answer": 30}  # words that nobody calls long
_ALIKE = 0.1  # spread of the questions' lengths, as a share of their mean, below which they are of one


def coverage(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when documents of 150 words or more were never asked about."""
    long, missed = _missed(case)
    if missed:
        named = ", ".join(missed[:5]) + (f" and {len(missed) - 5} more" if len(missed) > 5 else "")
        message = (
            f"{len(missed)} of {len(long)} documents ({len(missed) / len(long):.0%}) were never asked about: {named}"
        )
        advice = "ask for more questions"
        if len(long) <= len(case.dataset):
            advice = "look in rejected.jsonl for what was turned away there, or write questions on them by hand"
        yield Finding("coverage", "warning", "", message, advice)


def share_asked(case: AuditCase) -> dict[str, int]:
    """Return how many documents have 150 words or more, and how many of those are asked about."""
    long, missed = _missed(case)
    return {"documents_long": len(long), "documents_asked": len(long) - len(missed)}


def _missed(case: AuditCase) -> tuple[list[str], list[str]]:
    asked = {span.doc for item in case.dataset for group in item.evidence for span in group}
    long = [doc for doc in sorted(case.documents) if is_long(case.documents[doc])]
    return long, [doc for doc in long if doc not in asked]


def sections(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when the questions crowd in far fewer sections than they could be spread over."""
    asked, every = sections_asked(case)
    items = sum(1 for item in case.dataset if item.evidence)
    could = min(items, len(every))
    if items >= _ENOUGH and len(asked) < _CROWDED * could:
        fullest = sorted(asked.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
        named = ", ".join(f"{doc} under {title!r} ({count})" for (doc, title), count in fullest)
        message = f"{items} items ask about {len(asked)} of {len(every)} sections, most about {named}"
        yield Finding("sections", "warning", "", message, "spread the questions, or say that the set is about these")


def sections_asked(case: AuditCase) -> tuple[Counter[tuple[str, str]], list[tuple[str, str]]]:
    """Return how many items ask about each section, by document and title, and all sections with prose, in order."""
    every = {
        (doc, document.sections[block.section].title): None
        for doc, document in sorted(case.documents.items())
        for block in document.blocks
        if block.kind in PROSE
    }
    asked: Counter[tuple[str, str]] = Counter()
    for item in case.dataset:
        spans = (span for group in item.evidence for span in group[:1] if span.doc in case.documents)
        met = ((s.doc, case.documents[s.doc].blocks[each.block].section) for s in spans for each in case.around(s)[:1])
        asked.update({(doc, case.documents[doc].sections[number].title) for doc, number in met})
    return asked, list(every)


def languages(case: AuditCase) -> Iterator[Finding]:
    """Yield items in another language than they say or than their evidence, and languages without items."""
    for item in case.dataset:
        theirs = {case.documents[s.doc].language for group in item.evidence for s in group if s.doc in case.documents}
        if item.question.strip() and not in_script(item.question, item.language):
            message = f"the language is {item.language!r}, but {item.question[:60]!r} is written in other letters"
            yield Finding("language", "warning", item.id, message, "set the item's language")
        elif other := other_language(item.question, item.language):
            message = f"the language is {item.language!r}, but {item.question[:60]!r} reads as {other!r}"
            yield Finding("language", "warning", item.id, message, "set the item's language, or translate it")
        elif theirs and item.language not in theirs:
            message = f"the question is in {item.language!r}, its evidence in {', '.join(sorted(theirs))}"
            yield Finding("language", "warning", item.id, message, "check that a question across languages is meant")
    written = Counter(document.language for document in case.documents.values())
    for code in sorted(written.keys() - {item.language for item in case.dataset}):
        if written[code] >= _PRESENT * len(case.documents):
            message = f"{written[code]} of {len(case.documents)} documents are in {code!r}, no item is"
            yield Finding("language", "warning", "", message, f"add questions in {code!r}")


def balance(case: AuditCase) -> Iterator[Finding]:
    """Yield the types that are far from their share of the mix, and whatever all items of a set have in common."""
    items, mix = list(case.dataset), case.mix
    counts = Counter(item.question_type for item in items)
    quotas = apportion(len(items), mix) if mix else {}
    for kind in sorted(quotas.keys() | counts.keys()) if mix else ():
        wanted = quotas.get(kind, 0)
        if abs(counts[kind] - wanted) > max(1.0, _OFF * len(items)):
            message = f"{counts[kind]} items are {kind or 'without a type'}, the mix wants {wanted}"
            yield Finding("balance", "warning", "", message, "see what rejected.jsonl turned away, or change the mix")
    if len(items) < _ENOUGH:
        return
    known = {"type": counts, "difficulty": Counter(item.difficulty for item in items)}
    for name, found in known.items():
        first = next(iter(found))
        given = first != "unknown" and not (name == "difficulty" and first == "medium")  # what is put in for none
        if len(found) == 1 and given and not (name == "type" and mix):
            message = f"all {len(items)} items are of one {name}: {first}"
            yield Finding("balance", "warning", "", message, f"add questions of another {name}")


def lengths(case: AuditCase) -> Iterator[Finding]:
    """Yield the questions and answers far longer than the others, and a set whose questions are all of one length."""
    items = [item for item in case.dataset if words(item.question)]
    if len(items) < _ENOUGH:
        return
    measured = {"question": [(item, len(words(item.question))) for item in items]}
    measured["answer"] = [(item, max(map(_size, item.golden_answers))) for item in items if item.golden_answers]
    for what, sizes in measured.items():
        if len(sizes) < _ENOUGH:
            continue
        low, middle, high = quantiles([size for _, size in sizes], n=4)
        limit = max(high + _FAR * (high - low), _FAR * middle, _LONG[what])
        for item, size in sizes:
            if size > limit:
                message = f"its {what} has {size} words, half of the set's have {middle:g} or fewer"
                yield Finding("length", "warning", item.id, message, f"shorten the {what}, or ask two questions")
    told = [size for _, size in measured["question"]]
    if pstdev(told) < _ALIKE * fmean(told):
        message = f"the questions are nearly all of one length: {min(told)} to {max(told)} words"
        yield Finding("length", "warning", "", message, "add shorter and longer ones: users write both")


def _size(text: str) -> int:
    return len(words(text))
