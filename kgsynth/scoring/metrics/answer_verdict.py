"""Is an answer right? It has to state the claims, or contain a golden answer and neither deny, change nor hide it.

Each check compares words, so it may be wrong; in doubt an answer passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.shares import percent
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import MEMBER_KINDS, STEPS, answer_members
from kgsynth.golden.answer_patterns import plain_answers
from kgsynth.language import nearest_language
from kgsynth.language.lengths import length_in_words
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.scoring.metrics.answer_markup import without_markup
from kgsynth.scoring.metrics.answer_match import declines, has_its_words, is_correct
from kgsynth.scoring.metrics.answer_subject import gives_another, states_another
from kgsynth.scoring.metrics.failure_causes import Cause
from kgsynth.scoring.metrics.members import adds_member, has_members, in_order
from kgsynth.scoring.metrics.other_words import denies_another_part
from kgsynth.scoring.metrics.scored_case import ScoredCase

DENIED = "the answer denies it"
HIDDEN = "the answer hides among others"
ANOTHER_SUBJECT = "the answer gives it to another subject"
CHANGED = "the answer changes it"
ANOTHER_VALUE = "gives another value beside the right one"
REFUSED = "refused"


def judge_answer(case: ScoredCase) -> tuple[bool, Cause | None]:
    """Return whether the answer is wrong, and why if that is known before its passages are looked at.

    An answer with claims is right if it states ``claims_passed_share`` of them, denies none, and at least
    ``claims_supported_share`` of its statements are supported. Any other is right if it contains a golden answer, or
    all its members, and ``judge_words`` has no objection; steps must come in their order.
    """
    if case.item.claims:
        return _judge_claims(case)
    text, code = case.plain_answer, case.item.language
    members = case.golden_texts if case.item.answer_kind in MEMBER_KINDS else ()
    wrong, kind = judge_words(case, whole=any(has_members(text, each, code) for each in members))
    if not wrong and case.item.answer_kind == STEPS and not any(in_order(text, each, code) for each in members):
        return True, Cause("steps out of order")
    return wrong, Cause(kind) if kind else None


def _judge_claims(case: ScoredCase) -> tuple[bool, Cause | None]:
    found, claims = case.claim_scores, case.item.claims
    if not case.answered or not (found.stated or found.denied):
        return True, None
    if found.denied:
        return True, Cause("the answer denies it", found.denied[0])
    if found.recall < LIMITS.claims_passed_share:
        missing = next(claim.text for claim in claims if claim.text not in found.stated)
        return True, Cause("claims missing", f"{len(claims) - len(found.stated)} of {len(claims)}, such as {missing!r}")
    if found.precision < LIMITS.claims_supported_share:
        return True, Cause("answer not supported", f"{percent(found.precision)} of its statements are supported")
    return False, None


def judge_words(case: ScoredCase, *, whole: bool = False) -> tuple[bool, str]:
    """Return whether the answer of a case is wrong, and the kind of cause if it has a golden answer all the same.

    ``whole`` says that it has all members of one, which its words may not show.
    """
    item, text = case.item, case.answer_text
    golden, code = item.golden_answers, item.language
    if not case.answered or not (whole or is_correct(text, golden, code, item.question)):
        return True, ""
    if declines(text, golden, code):
        return True, REFUSED
    evidence = [span.text for group in item.evidence for span in group]
    if is_denied(text, golden, item.question, evidence, code):
        return True, DENIED
    own, plain, shown = nearest_language(code), plain_answers(golden), without_markup(text)
    forms, spelled = tuple(dict.fromkeys((*plain, *map(own.spelled_alike, plain)))), own.spelled_alike(shown)
    in_full = any(own.value_places(spelled, text, item.question) for text in forms)
    named = forms if in_full else tuple(filter(None, (own.short_name(shown, text, item.question) for text in plain)))
    if (
        is_copied(case)
        or is_hidden(spelled, named, item.question, evidence, code)
        or is_hidden(text, golden, item.question, evidence, code)
    ):
        return True, HIDDEN
    if any(f" {' '.join(words(shown))} " in f" {' '.join(words(source))} " for source in evidence):
        return False, ""  # a quotation
    if own.changed(spelled, item.question, forms, evidence, case.texts):
        return True, CHANGED
    if gives_another(spelled, item.question, named, evidence, code):
        return True, ANOTHER_SUBJECT
    members = [each for text in plain for each in answer_members(text)] if item.answer_kind == "list" else []
    if len(members) > 1 and adds_member(shown, members, [item.question, *plain, *evidence], code):
        return True, ANOTHER_VALUE
    stated = own.affirmed(shown, [item.question], plain, evidence)
    if states_another(own.spelled_alike(stated), item.question, named, [*evidence, *case.texts], code):
        return True, ANOTHER_VALUE
    return False, ""


def is_denied(answer: str, golden: Sequence[str], question: str, evidence: Sequence[str], code: str = "en") -> bool:
    """Check whether the answer contains a golden answer only where it denies it or takes it back.

    A denial in the question, in a golden answer or in the clause of the evidence that holds one excuses a denial in the
    answer.

    Example:
        >>> is_denied("It is certainly not Oslo.", ["Oslo"], "Where is the depot?", ["The depot is in Oslo."])
        True
        >>> is_denied("It is Oslo, not Bergen.", ["Oslo"], "Where is the depot?", ["The depot is in Oslo."])
        False
    """
    own, plain = nearest_language(code), plain_answers(golden)
    if any(own.verdict(text) is False for text in plain):
        return False
    if plain and all(denies_another_part(answer, text, own) for text in plain):
        return True
    stated = own.affirmed(answer, [question], plain_answers(golden), evidence)
    given = has_its_words if has_its_words(answer, golden, code, question) else is_correct
    if given is is_correct and not any(own.short_name(answer, text, question) for text in plain):
        return False  # other words are compared with their denials
    return stated != answer and given(answer, golden, code, question) and not given(stated, golden, code, question)


def is_hidden(answer: str, golden: Sequence[str], question: str, evidence: Sequence[str], code: str = "en") -> bool:
    """Check whether a golden answer stands beside alternatives ("Oslo or Bergen"), or in a text far longer than it.

    Example:
        >>> is_hidden("Oslo or Bergen.", ["Oslo"], "Where is the depot?", []), is_hidden("Oslo", ["Oslo"], "Where?", [])
        (True, False)
    """
    long = _is_long(answer, golden, LIMITS.hidden_answer_words, LIMITS.hidden_answer_times)
    return long or nearest_language(code).hedged(answer, [question], plain_answers(golden), evidence)


def is_copied(case: ScoredCase) -> bool:
    """Check whether an answer is several sentences of a document or passage, far longer than a golden answer."""
    text, golden = case.answer_text, case.item.golden_answers
    if not _is_long(text, golden, LIMITS.copied_answer_words, LIMITS.copied_answer_times):
        return False
    if sum(1 for _ in sentence_spans(text)) < LIMITS.copied_answer_sentences:
        return False
    copied = f" {' '.join(words(text))} "
    return case.answer_in_document or any(copied in f" {' '.join(words(passage))} " for passage in case.texts)


def _is_long(answer: str, golden: Sequence[str], least: int, times: int) -> bool:
    longest = max(map(length_in_words, plain_answers(golden)), default=0)
    return longest > 0 and length_in_words(answer) >= max(least, times * longest)
