"""The set as a whole: the documents, sections, topics and languages it asks about, and the mix of types and lengths."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from statistics import fmean, pstdev, quantiles

from kgsynth.auditing.case import AuditCase
from kgsynth.base.records import Finding
from kgsynth.base.shares import apportion, percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.spans import evidence_spans, excerpt
from kgsynth.language import nearest_language
from kgsynth.language.detection import in_script, other_language
from kgsynth.language.words import words
from kgsynth.show.wording import many

# Topics without questions: words of many chunks, none of which is evidence for a question.
#
# A word counts as a topic if several evidence chunks would hold it by chance, and none does. Only English words are
# counted.

_MAX_TOPICS_NAMED = 5
_TOPIC_WORD = re.compile(r"[^\W\d_][\w’'-]{3,}")


def topics(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when topics of the documents have no question."""
    missed = topics_without_questions(case)
    if missed:
        named = ", ".join(f"{word} ({count} chunks)" for word, count in missed[:_MAX_TOPICS_NAMED])
        more = f" and {len(missed) - _MAX_TOPICS_NAMED} more" if len(missed) > _MAX_TOPICS_NAMED else ""
        message = f"no question is about {named}{more}"
        advice = "write questions on these topics" + ("" if case.found_no_more else ", or generate more questions")
        yield Finding("topics", "warning", "", message, advice)


def topics_without_questions(case: AuditCase) -> list[tuple[str, int]]:
    """Return the topics without questions, each with the number of chunks that hold it, the largest first."""
    if len(case.valid_items) < LIMITS.audit_min_items:
        return []
    gold = case.chunks.holding(span for item in case.valid_items for span in evidence_spans(item))
    if not gold:  # for example when all evidence is in code or tables, which no chunk holds
        return []
    chunks_with: Counter[str] = Counter()
    asked: set[str] = set()
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for number, chunk in enumerate(case.chunks):
        content_stems = nearest_language(case.documents[chunk.doc].language).content_stems
        stems = {stem: word for word in _TOPIC_WORD.findall(chunk.text) for stem in content_stems(word)}
        chunks_with.update(stems.keys())
        for stem, word in stems.items():
            spellings[stem][word.lower()] += 1
        if number in gold:
            asked |= stems.keys()
    total = len(case.chunks)
    fewest, most = LIMITS.topic_expected_chunks * total / len(gold), LIMITS.topic_chunk_share * total
    found = [(stem, count) for stem, count in chunks_with.items() if fewest <= count <= most and stem not in asked]
    found.sort(key=lambda pair: (-pair[1], pair[0]))
    return [(spellings[stem].most_common(1)[0][0], count) for stem, count in found]


def coverage(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when long documents have no question."""
    long, missed = case.coverage.long, case.coverage.unasked
    if missed:
        named = ", ".join(missed[:5]) + (f" and {len(missed) - 5} more" if len(missed) > 5 else "")
        share, verb = len(missed) / len(long), "has" if len(missed) == 1 else "have"
        every = f"{many(len(long), 'document')} of {LIMITS.long_document_words} words or more"
        message = f"{len(missed)} of {every} ({percent(share)}) {verb} no question: {named}"
        advice = "generate more questions, or write some about them"
        if case.found_no_more:
            advice = "write questions about them: the run found no more to ask, and its report.html says why"
        yield Finding("coverage", "warning", "", message, advice)


def sections(case: AuditCase) -> Iterator[Finding]:
    """Yield one finding when the questions are about far fewer sections than they could be."""
    asked, every = case.coverage.sections_asked, case.coverage.sections
    items = sum(1 for item in case.dataset if item.evidence)
    if items >= LIMITS.audit_min_items and asked < LIMITS.asked_section_share * min(items, every):
        counts = [(count, page.doc, name) for page in case.coverage.documents for name, count in page.asked]
        fullest = sorted(counts, key=lambda each: (-each[0], *each[1:]))[:3]
        named = ", ".join(f"{doc} under {name!r} ({count})" for count, doc, name in fullest)
        message = f"{items} items are about {asked} of {many(every, 'section')}, most about {named}"
        yield Finding("sections", "warning", "", message, "ask about more sections, or state that the set is on these")


def languages(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose question is not in the stated language or that of its evidence, and missing languages."""
    for item in case.dataset:
        theirs = {case.documents[s.doc].language for s in evidence_spans(item) if s.doc in case.documents}
        if item.question.strip() and not in_script(item.question, item.language):
            message = f"the language is {item.language!r}, but {excerpt(item.question)} is in another script"
            yield Finding("language", "warning", item.id, message, "set the item's language")
        elif other := other_language(item.question, item.language):
            message = f"the language is {item.language!r}, but {excerpt(item.question)} looks like {other!r}"
            yield Finding("language", "warning", item.id, message, "set the item's language, or translate the question")
        elif theirs and item.language not in theirs:
            message = f"the question is in {item.language!r}, its evidence in {', '.join(sorted(theirs))}"
            yield Finding("language", "warning", item.id, message, "check that this is intended")
    written = Counter(document.language for document in case.documents.values())
    for code in sorted(written.keys() - {item.language for item in case.dataset}):
        if written[code] >= LIMITS.language_document_share * len(case.documents):
            share = f"{written[code]} of {many(len(case.documents), 'document')}"
            message = f"no question is in {code!r}, the language of {share}"
            yield Finding("language", "warning", "", message, f"add questions in {code!r}")


def balance(case: AuditCase) -> Iterator[Finding]:
    """Yield the types whose count is far from the mix, and a type or difficulty that all items share.

    Later turns of conversations come in addition to the mix.
    """
    items, mix = [item for item in case.dataset if not item.history], case.mix
    counts = Counter(item.question_type for item in items)
    quotas = apportion(len(items), mix) if mix else {}
    for kind in sorted(quotas.keys() | counts.keys()) if mix else ():
        wanted = quotas.get(kind, 0)
        if abs(counts[kind] - wanted) > max(LIMITS.mix_items_off, LIMITS.mix_share_off * len(items)):
            message = f"{many(counts[kind], 'item')} of type {kind or 'none'}, but the mix asks for {wanted}"
            yield Finding("balance", "warning", "", message, "see rejected.jsonl for the reasons, or change the mix")
    if len(items) < LIMITS.audit_min_items:
        return
    known = {"type": counts, "difficulty": Counter(item.difficulty for item in items)}
    for name, found in known.items():
        first = next(iter(found))
        default = first == "unknown" or (name, first) == ("difficulty", "medium")
        if len(found) == 1 and not default and not (name == "type" and mix):
            message = f"all {len(items)} items have the same {name}: {first}"
            yield Finding("balance", "warning", "", message, f"add questions of another {name}")


def lengths(case: AuditCase) -> Iterator[Finding]:
    """Yield the questions and answers far longer than the others, and one finding when all questions are alike."""
    items = [item for item in case.dataset if words(item.question)]
    if len(items) < LIMITS.audit_min_items:
        return
    measured = {"question": [(item, len(words(item.question))) for item in items]}
    answered = (item for item in items if item.golden_answers)
    measured["answer"] = [(item, max(len(words(text)) for text in item.golden_answers)) for item in answered]
    usual = {"question": LIMITS.usual_question_words, "answer": LIMITS.usual_answer_words}
    for what, sizes in measured.items():
        if len(sizes) < LIMITS.audit_min_items:
            continue
        low, middle, high = quantiles([size for _, size in sizes], n=4)
        far = LIMITS.unusual_length_ranges
        most = max(high + far * (high - low), far * middle, usual[what])
        for item, size in sizes:
            if size > most:
                message = f"the {what} has {size} words; the median of the set is {middle:g}"
                yield Finding("length", "warning", item.id, message, f"shorten the {what}, or split the item")
    questions = [size for _, size in measured["question"]]
    if pstdev(questions) < LIMITS.uniform_length_deviation * fmean(questions):
        message = f"nearly all questions have the same length, {min(questions)} to {max(questions)} words"
        yield Finding("length", "warning", "", message, "add shorter and longer questions; users write both")
