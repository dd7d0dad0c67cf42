"""Does the evidence support the answer, and do its claims fit it? Checked by words and numbers, without a model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from kgsynth.auditing.case import AuditCase, content_words
from kgsynth.base.records import Finding, Item
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import COMPOSED
from kgsynth.golden.answer_patterns import pattern, pattern_problem
from kgsynth.golden.spans import evidence_spans, excerpt
from kgsynth.language import LANGUAGES, language, nearest_language
from kgsynth.language.text_words import has_scale_word, says_yes, says_yes_or_no
from kgsynth.language.words import CJK, words
from kgsynth.show.wording import many


def claims_and_groups(case: AuditCase) -> Iterator[Finding]:
    """Yield claims whose evidence groups do not exist, or that have none, and groups that no claim needs."""
    for item in case.dataset:
        if item.answer_kind == COMPOSED and item.answerable and not item.claims:
            message = f"answer_kind is {COMPOSED!r}, but the item has no claims, so its answers are compared by words"
            yield Finding("claims", "warning", item.id, message, "add the claims, or remove answer_kind")
        yield from _unproved(item)
        used = {group for claim in item.claims for group in claim.groups}
        unused = [group for group in range(len(item.evidence)) if group not in used]
        if item.claims and unused:
            span = next(iter(item.evidence[unused[0]]), None)
            which = f"evidence group {unused[0]} ({excerpt(span.text) if span else 'empty'})"
            more = f" and {many(len(unused) - 1, 'more group')}" if len(unused) > 1 else ""
            message = f"no claim needs {which}{more}, yet a system must retrieve it"
            yield Finding("claims", "warning", item.id, message, "add the claim that it proves, or remove the group")


def _unproved(item: Item) -> Iterator[Finding]:
    for claim in item.claims:
        absent = [group for group in claim.groups if not 0 <= group < len(item.evidence)]
        if absent:
            groups = many(len(item.evidence), "evidence group")
            message = f"the claim {excerpt(claim.text)} names group {absent[0]}, but the item has {groups} (from 0)"
            yield Finding("claims", "error", item.id, message, "correct the numbers of the groups")
        elif not claim.groups:
            message = f"the claim {excerpt(claim.text)} has no evidence"
            yield Finding("claims", "error", item.id, message, "name the groups that prove it, or delete the claim")


# Does the evidence support the answer? Checked by words and numbers, without a model.
#
# A number, date or name must be in the evidence or be computed from it; otherwise the answer or the evidence is
# wrong. Of a longer answer most words should be in the evidence; otherwise a person has to look. Not checked: whether
# the evidence says this about the subject of the question, and answers of yes or no.

_NUMERAL_IN_TEXT = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?!\w*[.,]?\d)|\d+")
_SPACED_LETTER = rf"[^\W{CJK}]"
"""A letter or figure that would belong to the word beside it; Chinese characters stand beside each other."""
_WORD_IN_EVIDENCE = re.compile(r"[^\W_][\w’'-]*")
_WORD_IN_ANSWER = re.compile(r"\b[^\W\d_][\w’'-]*")


def unsupported_answers(case: AuditCase) -> Iterator[Finding]:
    """Yield the items without a derivation whose evidence does not support the answer."""
    for item in case.dataset:
        if item.derivation or not item.evidence or not item.golden_answers:
            continue
        answers = [answer for answer in item.golden_answers if not pattern_problem(answer)]
        text = " ".join(dict.fromkeys((case.evidence_text(item), *(span.text for span in evidence_spans(item)))))
        stated = any(_contains(text, answer, item.language) for answer in answers)
        if stated or (answers and _follows(answers[0], item, text)):
            continue
        first = answers[0] if answers else item.golden_answers[0]
        missing = _missing(first, text, item.language)
        if missing and len(words(first)) <= LIMITS.short_answer_words:
            verb = "is" if len(missing) == 1 else "are"
            message = f"the answer is {first!r}, but {', '.join(map(repr, missing))} {verb} not in the evidence"
            advice = "correct the answer or the evidence, or delete the item"
            yield Finding("evidence", "error", item.id, message, advice)
        elif _share(first, text, item.language) < LIMITS.supported_word_share or missing:
            message = f"no golden answer is in the evidence: {excerpt(first)}"
            yield Finding("evidence", "warning", item.id, message, "check that the evidence answers the question")


def denied_answers(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose answer is in the evidence only where a sentence denies it: "Ada does not lead it"."""
    for item in case.valid_items:
        if item.language in LANGUAGES and (text := _denies_yes(case, item)):
            message = f"{item.question!r} is answered with {item.golden_answers[0]!r}, but the evidence denies it: "
            yield Finding("denied", "warning", item.id, message + excerpt(text), "correct the answer or the evidence")
            continue
        for group in item.evidence if item.language in LANGUAGES else ():
            sentences = list(dict.fromkeys(s.text for span in group for s in case.overlapping(span)))
            places = [(text, *at) for text in sentences for at in _places(text, item.golden_answers)]
            if places and all(language(item.language).denies(item.question, *place) for place in places):
                message = f"{item.question!r} is answered with {item.golden_answers[0]!r}, but the evidence denies it: "
                advice = "correct the answer or the evidence, or ask for what is not the case"
                yield Finding("denied", "warning", item.id, message + excerpt(places[0][0]), advice)
                break


def _denies_yes(case: AuditCase, item: Item) -> str:
    """Return the sentence that denies what a question asks, if the answer is yes, "" for none.

    Most content words of the question must be in it, each in a clause that denies.
    """
    own = language(item.language)
    asked = set(own.content_stems(item.question))
    if not any(map(says_yes, item.golden_answers)) or not asked:
        return ""
    for text in case.evidence_sentences(item):
        found = [
            (stems & asked, *m.span())
            for m in _WORD_IN_EVIDENCE.finditer(text)
            if (stems := set(own.content_stems(m[0])))
        ]
        places = [(start, end) for stems, start, end in found if stems]
        shared = {stem for stems, _, _ in found for stem in stems}
        if 2 * len(shared) > len(asked) and all(own.denies(item.question, text, *place) for place in places):
            return text
    return ""


def _places(text: str, answers: Sequence[str]) -> Iterator[tuple[int, int]]:
    for answer in filter(str.strip, answers):
        whole = rf"(?<!{_SPACED_LETTER}){re.escape(answer)}(?!{_SPACED_LETTER})"
        yield from (match.span() for match in re.finditer(whole, text, re.IGNORECASE))


def wrong_answer_kinds(case: AuditCase) -> Iterator[Finding]:
    """Yield the items whose answer is not of the kind the question asks for, such as a name for "how many"."""
    for item in case.dataset:
        if not item.golden_answers or item.language not in LANGUAGES or pattern(item.golden_answers[0]):
            continue
        if wanted := language(item.language).wrong_kind(item.question, item.golden_answers):
            message = f"{item.question!r} asks for a {wanted}, the answer is {item.golden_answers[0]!r}"
            yield Finding("kind", "warning", item.id, message, "correct the answer, or reword the question")


def _contains(text: str, answer: str, code: str) -> bool:
    """Check whether a text contains an answer word for word; numbers count in any form."""
    if regex := pattern(answer):
        return bool(regex.search(text))
    digits = nearest_language(code).digits
    forms = ((answer, text), (digits(answer.lower()), digits(text.lower())))
    return any(f" {' '.join(words(a))} " in f" {' '.join(words(t))} " for a, t in forms)


def _follows(answer: str, item: Item, text: str) -> bool:
    """Check whether an answer need not be in the evidence: yes or no, named in the question, or computed from it."""
    if says_yes_or_no(answer) or (words(answer) and _contains(item.question, answer, item.language)):
        return True
    numbers = _numbers(answer, item.language)
    if len(numbers) != 1 or not _has_known_unit(answer, f"{item.question} {text}", item.language):
        return False
    number = numbers[0]
    if len(item.evidence) > 1 and number == len(item.evidence):
        return True
    pairs = combinations(dict.fromkeys(_numbers(text, item.language)[: LIMITS.combined_numbers]), 2)
    return any(math.isclose(number, found) for one, other in pairs for found in (abs(one - other), one + other))


def _has_known_unit(answer: str, text: str, code: str) -> bool:
    """Check whether a number counts something that a text mentions, or is a duration: such a number may be computed."""
    own = nearest_language(code)
    unit = [word for word in content_words(own.digits(answer.lower()), code) if not word[0].isdigit()]
    quantity = own.quantity(answer)
    return set(unit) <= set(content_words(text, code)) or (quantity is not None and quantity.dimension == "duration")


def _missing(answer: str, text: str, code: str) -> list[str]:
    """Return the numbers of an answer that are not in a text, or all its names when none of them is.

    In an unsupported language nothing counts as missing.
    """
    if code not in LANGUAGES:
        return []
    numbers = set(_numbers(text, code))
    figures = [number for number in dict.fromkeys(_numbers(answer, code)) if number not in numbers]
    if figures and not has_scale_word(f"{answer} {text}"):
        return [f"{number:g}" for number in figures]
    names = _WORD_IN_ANSWER.findall(answer)
    content = [word for word in re.findall(r"[\w’'-]+", answer) if content_words(word, code)]
    if not names or not all(word[:1].isupper() or word[:1].isdigit() for word in content):
        return []
    bare = language(code).bare_name
    known = {bare(word) for word in words(text)}
    return [] if any(bare(word) in known for name in names for word in words(name)) else names


def _share(answer: str, text: str, code: str) -> float:
    """Return the share of an answer's content words that are in a text."""
    digits = nearest_language(code).digits
    wanted, found = (content_words(digits(each.lower()), code) for each in (answer, text))
    return sum(word in found for word in wanted) / len(wanted) if wanted else 1.0


def _numbers(text: str, code: str) -> list[float]:
    """Return the numbers of a text, written as words or digits.

    Example:
        >>> _numbers("nine of the 1,200 seats", "en")
        [9.0, 1200.0]
    """
    return [
        float(match.replace(",", "")) for match in _NUMERAL_IN_TEXT.findall(nearest_language(code).digits(text.lower()))
    ]
