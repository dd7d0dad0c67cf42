"""Does an answer say what a golden answer says, in other words? By stems, numbers, names and denials.

A short golden answer must be there with all its content words, a longer one with most of them and all numbers and
names. An answer that keeps nearly all words and exchanges one has changed the golden answer, unless it exchanges a verb
for another. Left out: other words for nearly everything, and who does what to whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import answer_members
from kgsynth.language import Language, nearest_language
from kgsynth.language.words import between, is_unspaced, words
from kgsynth.scoring.metrics.factual_overlap import content_words, names_and_numbers


def says_the_same(answer: str, golden: str, code: str = "en", question: str = "") -> bool:
    """Check whether an answer has the content of a golden answer in other words.

    Words of the question need not be repeated.

    Example:
        >>> golden, asked = "because the roof would not have carried their weight", "Why are there no panels?"
        >>> says_the_same("The roof couldn't bear the weight.", golden, "en", asked)
        True
        >>> says_the_same("The roof would have carried their weight.", golden, "en", asked)
        False
        >>> says_the_same("The walls would not have carried their weight.", golden, "en", asked)
        False
    """
    own = nearest_language(code)
    answer, golden = own.spelled_alike(answer), own.spelled_alike(golden)
    wanted = list(dict.fromkeys(content_words(_without_values(golden, own), code)))
    asked = set(content_words(question, code))
    needed = [stem for stem in wanted if stem not in asked] or wanted
    said = {*content_words(answer, code), *words(answer)}
    found = [stem for stem in needed if stem in said]
    if is_unspaced(code) and len(found) >= LIMITS.akin_word_share * len(needed) > 1:
        found = [stem for stem in needed if stem in said or _is_akin(stem, said, own)]
    if len(answer_members(golden)) > 1 or not found or not _has_names_and_numbers(answer, golden, code, question):
        return False
    if len(needed) <= LIMITS.needed_words or _is_list(golden, own, question):
        enough = len(found) == len(needed)
    else:
        enough = len(found) >= LIMITS.claim_word_share * len(needed)
    if not enough or _is_opposed(answer, golden, own):
        return False
    forms = _content_forms(golden, code), _content_forms(answer, code)
    exchanged = _exchanges_two_places if set(wanted) <= said else _exchanges_a_word
    return not (exchanged(*forms, code) or _exchanges_a_number(*forms))


def in_other_words(answer: str, golden: Sequence[str], code: str = "en", question: str = "") -> bool:
    """Check whether an answer has a golden answer in other words, by a shorter name, or as a verdict.

    Example:
        >>> in_other_words("Bielak", ["Katarzyna Bielak"], "en", "Who judges claims?")
        True
    """
    own = nearest_language(code)
    return any(
        own.short_name(answer, text, question)
        or _same_verdict(answer, text, own, question)
        or (not own.same_value(text, text, question) and says_the_same(answer, text, code, question))
        for text in golden
    )


def _same_verdict(answer: str, golden: str, own: Language, question: str) -> bool:
    """Check whether an answer affirms or denies the question, as a golden answer that is only a yes or a no does."""
    wanted = own.verdict(golden) if len(own.content_stems(golden)) <= 1 else None
    if wanted is None:
        return False
    if (said := own.verdict(answer)) is not None:
        return said == wanted
    asked = set(own.content_stems(question))
    if 2 * len(asked & set(own.content_stems(answer))) < len(asked):
        return False
    denies = "denial" in own.contradictions(answer, question) or "opposite" in own.contradictions(question, answer)
    return denies != wanted and "denial" not in own.contradictions(question, "")


def _has_names_and_numbers(answer: str, golden: str, code: str, question: str) -> bool:
    said, wanted, asked = (names_and_numbers(text, code) for text in (answer, golden, question))
    present, known = set(words(answer)), {*words(golden), *words(question)}
    missing = [name for name in wanted.names if not name <= present]
    if missing and (
        any(not name <= known for name in said.names) or any(not name <= set(words(question)) for name in missing)
    ):
        return False
    counted = (number for number in wanted.numbers if (number.dimension, number.value) != ("", 1.0))  # "one" is "a"
    lacking = [number for number in counted if not any(each.matches(number) for each in said.numbers)]
    others = [n for n in said.numbers if not any(n.matches(each) for each in wanted.numbers | asked.numbers)]
    return not (lacking and others) and all(any(each.matches(n) for each in asked.numbers) for n in lacking)


def _is_list(golden: str, own: Language, question: str) -> bool:
    """Check whether a golden answer is short and has several members, each of which is needed."""
    if own.answer_kind(question) in ("reason", "manner", "clause"):
        return False
    members = [own.name_form(member) for member in between(golden, own.cuts(golden)) if member.strip()]
    if any(not own.content_stems(member.split()[0]) for member in members[1:] if member):
        return False  # "the mill and on video" goes on with a detail
    return len(members) > 1 and all(len(own.content_stems(member)) <= LIMITS.needed_words for member in members)


def _is_akin(word: str, said: set[str], own: Language) -> bool:
    """Check whether an ordinary word shares half of its characters with one that is said: 裂缝 and 开裂."""
    return own.is_common_word(word) and any(
        len(other) > 1 and 2 * len(set(word) & set(other)) >= len(word) for other in said
    )


def _is_opposed(answer: str, golden: str, own: Language) -> bool:
    """Check whether one of two texts denies what the other says, or has the opposite of one of its words."""
    against, kept = own.contradictions(golden, answer), own.affirmed(answer, (), (), ())
    if "opposite" in against or ("denial" in against and kept == answer):
        return True
    if "denial" in own.contradictions(golden, ""):
        return denies_another_part(answer, golden, own)
    said = {*own.content_stems(kept), *words(kept)}
    return kept != answer and any(stem not in said for stem in own.content_stems(golden) if stem in answer.lower())


def denies_another_part(answer: str, golden: str, own: Language) -> bool:
    """Check whether an answer denies what a golden answer affirms, and affirms what it denies.

    Example:
        >>> english = nearest_language("en")
        >>> [denies_another_part(f"{a}, not {b}", "for causes, not for blame", english) for a, b in (
        ...     ("for blame", "for causes"), ("for causes", "for blame"))]
        [True, False]
    """
    affirmed = [set(own.content_stems(own.affirmed(text, (), (), ()))) for text in (golden, answer)]
    denied = [set(own.content_stems(text)) - kept for text, kept in zip((golden, answer), affirmed, strict=True)]
    return bool(denied[0] & affirmed[1] and denied[1] & affirmed[0])


def _exchanges_two_places(golden: Sequence[str], answer: Sequence[str], code: str) -> bool:
    """Check whether an answer has the words of a golden answer with two of them in each other's place."""
    one, other = _stems(golden, code), _stems(answer, code)
    moved = [at for at, (word, by) in enumerate(zip(one, other, strict=False)) if word != by]
    return sorted(one) == sorted(other) and len(moved) == 2 and moved[1] - moved[0] > 1


def _exchanges_a_number(golden: Sequence[str], answer: Sequence[str]) -> bool:
    """Check whether an answer has another number in place of one, although it may have that elsewhere."""
    changes = SequenceMatcher(None, golden, answer, autojunk=False).get_opcodes()
    return any(
        kind == "replace" and all(any(word[0].isdigit() for word in part) for part in (golden[a:b], new))
        for kind, a, b, c, d in changes
        for new in [[word for word in answer[c:d] if word not in golden]]
    )


def _exchanges_a_word(golden: Sequence[str], answer: Sequence[str], code: str) -> bool:
    """Check whether an answer keeps most words in their order, and has another word in place of one."""
    own, one, other = nearest_language(code), _stems(golden, code), _stems(answer, code)
    changes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    kept = sum(end - start for kind, start, end, *_ in changes if kind == "equal")
    if kept < LIMITS.claim_word_share * len(one) and (kept == 0 or len(one) > LIMITS.needed_words):
        return False
    return any(
        not any(_is_short_for(word, by) or own.may_replace(word, by) for word in golden[a:b] for by in answer[c:d])
        for kind, a, b, c, d in changes
        if kind == "replace" and not set(one[a:b]) <= set(other)
    )


def _stems(forms: Sequence[str], code: str) -> list[str]:
    return [" ".join(content_words(form, code)) for form in forms]


def _is_short_for(one: str, other: str) -> bool:
    """Check whether one of two words is the other in short: "phone", "info"."""
    short, long = sorted((one, other), key=len)
    return len(short) >= LIMITS.clipped_letters and (
        long.startswith(short) or (len(short) > LIMITS.clipped_letters and long.endswith(short))
    )


def _content_forms(text: str, code: str) -> list[str]:
    """Return the content words of a text as they stand, and its values in base units."""
    own, forms, at = nearest_language(code), [], 0
    for start, end, found in (*_measures(text, own), (len(text), len(text), None)):
        said = content_words(text[at:start], code) if is_unspaced(code) else words(own.digits(text[at:start]))
        forms += [word for word in said if content_words(word, code)]
        forms += [f"{found.value:g} {found.dimension}"] if found else []
        at = end
    return forms


def _without_values(text: str, own: Language) -> str:
    kept, at = [], 0
    for start, end, _ in _measures(text, own):
        kept.append(text[at:start])
        at = end
    return " ".join([*kept, text[at:]])


def _measures(text: str, own: Language) -> list[tuple[int, int, Quantity]]:
    """Return the values of a text that can be given in another unit, and where they stand."""
    return [found for found in own.stated_quantities(text) if not found[2].dimension.startswith("count:")]
