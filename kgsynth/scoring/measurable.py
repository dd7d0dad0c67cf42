"""Decide what can be measured after the passages of a run were matched, and say what the figures rest on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kgsynth.base.records import Answer, Passage
from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.scoring.matching import BY_DOCUMENT, BY_EVIDENCE, BY_SIMILAR_TEXT, UNMATCHED, Matcher
from kgsynth.scoring.metrics import ScoredCase
from kgsynth.scoring.metrics.citations import cited_count, cited_passages
from kgsynth.scoring.metrics.failure_causes import LOW_RANK
from kgsynth.scoring.metrics.item_score import ItemScore
from kgsynth.scoring.metrics.routing import DIRECT
from kgsynth.scoring.metrics.scored_case import word_count
from kgsynth.scoring.systems.reply_reader import seems_to_hold_passages
from kgsynth.show.wording import joined, many
from kgsynth.statistics.paired_tests import too_easy_by

BY_DOCUMENT_NOTE = (
    "passages came without text or offsets, so they were matched by document: file_recall is the share of the needed "
    "documents that were retrieved, and nothing is known of the place in them"
)
"""The caveat of a run whose passages name only their documents."""

_UNCERTAIN = (BY_SIMILAR_TEXT, BY_DOCUMENT, UNMATCHED)
_FINER_METRICS = ("recall@1", "mrr")
"""Metrics that ask for more than evidence among the first passages."""


def saturation(results: Sequence[ItemScore]) -> str:
    """Return the sentence on a set that is too easy to show that another system is better, "" if it is not."""
    clusters = [each.cluster for each in results]
    smallest = too_easy_by([None if each.not_checked else float(each.cause is None) for each in results], clusters)
    if smallest is None:
        return ""
    checked = sum(not each.not_checked for each in results)
    passed = sum(each.state == "passed" for each in results)
    at = f" at {LOW_RANK}" if all(each.metrics["em"] is None for each in results) else ""
    finer = finer_metrics({name: [each.metrics.get(name) for each in results] for name in _FINER_METRICS}, clusters)
    return (
        f"this set is too easy to tell this system from a better one{at}: {passed:,} of {many(checked, 'question')} "
        f"passed, and a difference below {math.ceil(smallest * checked):,} questions is often missed; "
        f"{harder_set(finer, larger=passed < checked)}"
    )


def finer_metrics(columns: Mapping[str, Sequence[float | None]], clusters: Sequence[str]) -> tuple[str, ...]:
    """Return the metrics that leave room where the pass rate does not; ``columns`` has their values by metric."""
    known = (name for name in _FINER_METRICS if any(value is not None for value in columns.get(name, ())))
    return tuple(name for name in known if too_easy_by(columns[name], clusters) is None)


def harder_set(finer: Sequence[str], *, larger: bool) -> str:
    """Return what to do about a set that is too easy; a ``larger`` one helps if not all questions pass.

    Example:
        >>> harder_set(["recall@1", "mrr"], larger=False)
        'look at recall@1 and mrr, or make a harder set (generate says how)'
        >>> harder_set([], larger=True)
        'make a harder set (generate says how) or a larger one'
    """
    wanted = f"make a harder set (generate says how){' or a larger one' * larger}"
    return f"look at {joined(finer)}, or {wanted}" if finer else wanted


def keep_measurable(cases: Sequence[ScoredCase], matcher: Matcher) -> tuple[list[ScoredCase], str]:
    """Return the cases without relevance that rests on failed matching, and the caveat for the retrieval metrics.

    The caveat is a sentence for the first line of a report, "" if the passages were matched well.
    """
    matched = [pair for case in cases if case.answer for pair in zip(case.answer.retrieved, case.methods, strict=True)]
    cases = _without_unlisted(cases)
    if not matched:
        return list(cases), _unread_caveat(cases)
    comparable = [(passage, method) for passage, method in matched if _has_place(passage)]
    named = any(matcher.knows(passage) for passage, _ in matched)
    placed = any(matcher.is_placed(passage, method) for passage, method in comparable)
    files_known = named or (placed and bool(matcher.documents))
    evidence_known = bool(comparable) and (placed or not matcher.documents)
    unknown: dict[str, Any] = {}
    if not evidence_known:
        unknown |= {"evidence": None, "before": None, "cited": None, "ranks": ()}
    if not files_known:
        unknown |= {"files": None, "docs": frozenset()}
    kept = [replace(case, **unknown) for case in cases]
    if not comparable:
        caveat = _names_caveat([passage for passage, _ in matched], matcher, named=named)
    elif not placed:
        caveat = _not_placed_caveat(len(comparable), matcher)
    else:
        caveat = _uncertain_caveat([method for _, method in comparable]) if matcher.documents else ""
    caveats = (_unread_caveat(cases), caveat, _joined_caveat(cases, matcher), _corpus_caveat(cases, matcher))
    return kept, "; ".join(filter(None, caveats))


def _without_unlisted(cases: Sequence[ScoredCase]) -> list[ScoredCase]:
    """Return the cases without the relevance of replies that have no list of passages, if other replies have one."""
    if not any(case.answer and (case.answer.retrieved or case.answer.retrieved_nothing) for case in cases):
        return list(cases)
    return [
        replace(case, evidence=None, files=None, ranks=(), unlisted=True) if _is_unlisted(case) else case
        for case in cases
    ]


def _is_unlisted(case: ScoredCase) -> bool:
    """Check whether a reply has an answer but neither passages, nor an empty list, nor a key that may hold some."""
    reply = case.answer
    if reply is None or reply.answer is None or reply.retrieved or reply.retrieved_nothing or reply.route == DIRECT:
        return False
    return not any(map(seems_to_hold_passages, reply.unused_keys))


def _unlisted_notes(cases: Sequence[ScoredCase]) -> tuple[str, ...]:
    """Return a note on replies without a list of passages."""
    n = sum(case.unlisted and bool(case.item.evidence) for case in cases)
    if not n:
        return ()
    alone = "checked by their answers alone, and retrieval is measured on the others"
    return (
        f"{n} of {len(cases)} replies have an answer but no list of passages: they are {alone} (an empty list "
        "says that nothing was retrieved)",
    )


def run_notes(cases: Sequence[ScoredCase], matcher: Matcher) -> tuple[str, ...]:
    """Return notes on what passages were compared with, on their size, and on keys of replies that were not used."""
    texts = [
        passage.text for case in cases if case.answer for passage in case.answer.retrieved if passage.start is None
    ]
    compared = "no documents given: passages were compared with the text of the evidence"
    without = (compared,) if any(texts) and not matcher.documents else ()
    replies = [case.answer for case in cases if case.answer]
    found = (*_name_notes(replies, matcher), *_offset_notes(replies, matcher), *_altered_notes(cases))
    found = (*found, *_citation_notes(replies))
    return (*without, *_unlisted_notes(cases), *found, *_size_notes(cases, matcher), *_unused_keys_notes(replies))


def _name_notes(answers: Sequence[Answer], matcher: Matcher) -> tuple[str, ...]:
    """Return a note on passages whose text is in another document than the one they name."""
    passages = [passage for answer in answers for passage in answer.retrieved]
    wrong = [(passage.doc, doc) for passage in passages if (doc := matcher.named_wrongly(passage))]
    if not wrong:
        return ()
    first = f"such as {wrong[0][0]!r} for {wrong[0][1]}; they were matched by their text"
    count = f"{len(wrong)} of {many(len(passages), 'passage')}"
    return (f"{count} name another document than the one that holds their text, {first}",)


def _offset_notes(answers: Sequence[Answer], matcher: Matcher) -> tuple[str, ...]:
    """Return a note on passages at whose offsets their document has another text."""
    passages = [passage for answer in answers for passage in answer.retrieved]
    wrong = list(filter(None, map(matcher.misplaced, passages)))
    if not wrong:
        return ()
    count = f"{len(wrong)} of {many(len(passages), 'passage')}"
    return (f"{count} came with offsets of another text, such as {wrong[0]}; their text was searched for instead",)


def _citation_notes(answers: Sequence[Answer]) -> tuple[str, ...]:
    """Return a note on citations of passages that were not retrieved, if the replies have any citations."""
    cited = [cited_count(answer) for answer in answers]
    unknown = [n - len(cited_passages(answer)) for n, answer in zip(cited, answers, strict=True) if answer.citations]
    if not sum(unknown):
        return ()
    count = f"{sum(unknown)} of {many(sum(cited), 'citation')}"
    return (f"{count} name no retrieved passage: numbers in citations count from 0, in marks such as [1] from 1",)


def _altered_notes(cases: Sequence[ScoredCase]) -> tuple[str, ...]:
    """Return a note on passages that resemble evidence, but change what matters in it."""
    altered = sum(case.altered for case in cases)
    if not altered:
        return ()
    count = f"{altered} of {many(sum(len(case.methods) for case in cases), 'passage')}"
    changed = "resembling evidence, but with another figure or without words of the golden answer"
    return (f"not counted as evidence: {count} {changed}",)


def _size_notes(cases: Sequence[ScoredCase], matcher: Matcher) -> tuple[str, ...]:
    """Return a note on passages so large that recall says little; none without the documents."""
    texts = {doc: len(each.text) for doc, each in matcher.documents.items()}
    held, whole = 0, 0
    asked = [case.answer for case in cases if case.answer and case.answer.retrieved]
    for passage in (passage for answer in asked for passage in answer.retrieved):
        places, method = matcher.locate(passage)
        if method not in (BY_DOCUMENT, UNMATCHED) and places[0].doc in texts:
            length = texts[places[0].doc]
            held += min(places[0].end or length, length) - places[0].start
            whole += length
    if held > LIMITS.whole_document_share * whole and not _corpus_caveat(cases, matcher):
        share = f"{percent(held / whole)} of the document it is from"
        return (
            f"a passage holds {share} on average, so recall says little more than file_recall: see retrieved_words",
        )
    return ()


def _corpus_caveat(cases: Sequence[ScoredCase], matcher: Matcher) -> str:
    """Return the sentence on questions whose passages hold much of all documents, "" if they do not."""
    whole = sum(len(each.text) for each in matcher.documents.values())
    asked = [case for case in cases if case.answer and case.answer.retrieved]
    if not whole or not asked:
        return ""
    share = sum(min(1.0, _characters_held(case, matcher) / whole) for case in asked) / len(asked)
    if share <= LIMITS.retrieved_corpus_share:
        return ""
    held = f"{percent(share)} of the text of all documents on average"
    return f"the passages of a question hold {held}, so recall says little: see retrieved_words"


def _characters_held(case: ScoredCase, matcher: Matcher) -> int:
    """Return how many characters of the documents the passages of a question hold."""
    held = 0
    retrieved = case.answer.retrieved if case.answer else ()
    for passage, matched in dict(zip(retrieved, case.methods, strict=True)).items():
        places, method = matcher.locate(passage)
        if matched == BY_EVIDENCE:
            held += len(passage.text or "")
        elif method not in (BY_DOCUMENT, UNMATCHED) and places[0].doc in matcher.documents:
            length = len(matcher.documents[places[0].doc].text)
            held += max(0, min(places[0].end or length, length) - places[0].start)
    return held


def _joined_caveat(cases: Sequence[ScoredCase], matcher: Matcher) -> str:
    """Return the sentence on passages that seem to be several passages joined into one, "" if none do."""
    asked = [case for case in cases if case.answer and case.answer.retrieved]
    matched = [pair for case in asked if case.answer for pair in zip(case.answer.retrieved, case.methods, strict=True)]
    loose = [passage.text for passage, method in matched if passage.text and method in (BY_EVIDENCE, UNMATCHED)]
    if not any(method == BY_EVIDENCE for _, method in matched):
        return ""
    words = sum(map(word_count, loose)) / len(loose)
    single = len(matched) == len(asked)
    if matcher.documents and len(loose) <= LIMITS.uncertain_match_share * len(matched):
        return ""
    if not matcher.documents:
        named = any(passage.doc for passage, _ in matched)
        if named or not (single or words > LIMITS.chunk_max_words):
            return ""
    which = "one passage per question of" if single else f"{len(loose)} of {len(matched)} passages, of"
    verb = ("," if single else ", are") + " in no single document" if matcher.documents else ""
    effect = "if passages were joined, precision, mrr and ndcg are too high, so return them as a list"
    advice = "" if single or matcher.documents else ", or give --docs"
    return f"{which} {words:,.0f} words on average{verb}: {effect}{advice}"


def _unused_keys_notes(answers: Iterable[Answer]) -> tuple[str, ...]:
    """Return the sentence on keys of replies that were not used, nothing if all of them were."""
    replies = [answer for answer in answers if answer.error is None]
    counts = Counter(key for answer in replies for key in answer.unused_keys)
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    parts = [f"{key} ({count})" for key, count in ordered[:10]]
    if not parts:
        return ()
    parts[0] = f"{ordered[0][0]} ({ordered[0][1]} of {len(replies)} replies)"
    more = f" and {len(ordered) - 10} more" if len(ordered) > 10 else ""
    return (f"keys not used: {', '.join(parts)}{more}; docs/systems.md lists those that are read",)


def _has_place(passage: Passage) -> bool:
    return bool(passage.text) or (passage.start is not None and passage.end is not None)


def _unread_caveat(cases: Sequence[ScoredCase]) -> str:
    """Return the sentence on replies whose passages could not be read, "" if there are none."""
    replies = [case.answer for case in cases if case.answer and case.answer.error is None]
    keys = [
        next(filter(seems_to_hold_passages, reply.unused_keys), None)
        for reply in replies
        if not (reply.retrieved or reply.retrieved_nothing)
    ]
    found = [key for key in keys if key is not None]
    if not found:
        return ""
    key = f"passages seem to be under the key {found[0]!r}, which could not be read, so"
    if not any(reply.retrieved or reply.retrieved_nothing for reply in replies):
        return f"{key} retrieval is not measured: return them as 'retrieved'"
    return (
        f"in {len(found)} of {len(replies)} replies {key} they count as nothing retrieved: return them as 'retrieved'"
    )


def _names_caveat(passages: Sequence[Passage], matcher: Matcher, *, named: bool) -> str:
    unknown = [passage.doc for passage in passages if passage.doc and not matcher.knows(passage)]
    if named and matcher.documents and len(unknown) > LIMITS.uncertain_match_share * len(passages):
        known = f"{len(unknown)} of {len(passages)} passages name a document that is not among those given"
        return f"{BY_DOCUMENT_NOTE}; {known}, such as {unknown[0]!r}"
    if named:
        return BY_DOCUMENT_NOTE
    names = list(dict.fromkeys(unknown))
    if not names:
        return "passages came without text, offsets or documents, so retrieval is not measured: return their text"
    where = "the documents" if matcher.documents else "the documents of the evidence"
    advice = "return the text of passages" + ("" if matcher.documents else ", or give --docs")
    return (
        f"none of the {len(names)} document names that passages came with, such as {names[0]!r}, is among {where}, so "
        f"retrieval is not measured: {advice}"
    )


def _not_placed_caveat(count: int, matcher: Matcher) -> str:
    if matcher.documents:
        return (
            f"none of the {count} passages was found in the documents, so recall is not measured: give --docs the "
            "documents that the system searches"
        )
    return f"none of the {count} passages holds any evidence; if the system searches these documents, give --docs"


def _uncertain_caveat(methods: Iterable[str]) -> str:
    counts = Counter(methods)
    uncertain = sum(counts[method] for method in _UNCERTAIN)
    if uncertain <= LIMITS.uncertain_match_share * counts.total():
        return ""
    parts = ", ".join(f"{method} {counts[method]}" for method in _UNCERTAIN if counts[method])
    effect = "too high or too low" if counts[BY_SIMILAR_TEXT] else "too low"
    return f"{uncertain} of {counts.total()} passages were not found exactly ({parts}), so recall may be {effect}"
