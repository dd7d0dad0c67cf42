"""The wording of a question: does it contain its answer, copy its evidence, or refer to something outside itself?"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.quotas import percent
from kgsynth.base.records import Finding
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS, LIMITS
from kgsynth.evidence.question_checks import copied as copied_share
from kgsynth.evidence.question_checks import leaked_words, repeats_clause, wording_problem
from kgsynth.language import LANGUAGES
from kgsynth.language.shared_words import offers_choice, says_yes_or_no
from kgsynth.language.words import words

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
