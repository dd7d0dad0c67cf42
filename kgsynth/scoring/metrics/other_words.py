"""Does an answer say what a golden answer says, in other words? By stems, numbers, names and denials.

The clauses that have its words are compared: of a short golden answer they must have all, of a longer one half, with
all numbers and names. Parts of words count, in Chinese characters. An answer that keeps most words in their order and
has others in place of the rest has changed it, unless these are verbs. Left out: wholly other words, and who does what
to whom.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import Match, SequenceMatcher
from itertools import combinations, pairwise

from rapidfuzz.distance import Prefix

from kgsynth.base.quantity import Quantity
from kgsynth.base.thresholds import LIMITS
from kgsynth.golden.answer_members import answer_members
from kgsynth.language import Language, nearest_language
from kgsynth.language.words import between, has_cjk, is_unspaced, words
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
    if len(answer_members(golden)) > 1 or not _has_names_and_numbers(answer, golden, code, question):
        return False
    asked = set(content_words(question, code))
    forms = _content_forms(golden, code)
    wanted = dict.fromkeys(stem for stem in _stems(forms, code) if not stem[0].isdigit()) or dict.fromkeys(forms)
    needed = [stem for stem in wanted if stem not in asked] or list(wanted)
    text = _clauses_with(wanted, answer, own, code)
    kept = text if "denial" in own.contradictions(golden, "") else own.affirmed(text, [question], [golden], ())
    is_short = len(needed) <= LIMITS.needed_words
    in_one = is_short and len(own.answer_clauses(golden)) == 1
    found = [_found(needed, part, own, code) for part in (own.answer_clauses(kept) if in_one else [kept])]
    if is_short or _is_list(golden, own, question):
        least = LIMITS.akin_share if len(needed) > 1 else 1
        enough = any(min(each.values(), default=0) >= least for each in found)
    else:  # long words say more
        enough = sum(len(stem) * found[0][stem] for stem in needed) >= LIMITS.same_word_share * sum(map(len, needed))
    if not enough or _says_twice(forms, answer, own, code) or _is_opposed(text, golden, own):
        return False
    return not _is_altered(forms, _content_forms(text, code), code)


def _found(stems: Collection[str], text: str, own: Language, code: str) -> dict[str, float]:
    """Return how much of each word a text has, of a name or a technical term all or nothing."""
    said = {*content_words(text, code), *words(text)}
    return {
        stem: max((_likeness(stem, each) for each in said), default=0.0) if own.is_common_word(stem) else stem in said
        for stem in stems
    }


def _clauses_with(wanted: Collection[str], answer: str, own: Language, code: str) -> str:
    """Return the clauses of an answer that have words of a golden answer, each at least one that no better one has."""
    found, kept = set[str](), set[str]()
    clauses = own.answer_clauses(answer)
    shared = {
        clause: {stem for stem in wanted if any(_likeness(stem, each) for each in content_words(clause, code))}
        for clause in clauses
    }
    for clause in sorted(shared, key=lambda each: -len(shared[each])):
        if shared[clause] - found:
            found |= shared[clause]
            kept.add(clause)
    return "".join(clause for clause in clauses if clause in kept or any(map(str.isdigit, clause)))


def _says_twice(forms: Collection[str], answer: str, own: Language, code: str) -> bool:
    """Check whether two clauses have two words of a golden answer each, one of them in both."""
    shared = [set(forms) & set(_content_forms(clause, code)) for clause in own.answer_clauses(answer)]
    return any(one & other for one, other in combinations([each for each in shared if len(each) > 1], 2))


def _is_altered(golden: Sequence[str], answer: Sequence[str], code: str) -> bool:
    """Check whether an answer keeps most words of a golden answer in their order, and has others in place of the rest.

    What stands before and after all that is kept counts up to the length of what it may replace.
    """
    own, one, other = nearest_language(code), _stems(golden, code), _stems(answer, code)
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    kept = sum(block.size for block in blocks)
    if set(one) <= set(other) and _exchanges_two(one, other):
        return True
    if 2 * kept <= len(one) and (len(one) > LIMITS.needed_words or not kept):
        return False
    gaps = []
    for before, after in pairwise([Match(0, 0, 0), *blocks]):
        a, b = before.a + before.size, before.b + before.size
        left, gap = golden[a : after.a], answer[b : after.b]
        if not before.size or not after.size:
            gap = gap[: len(left)] if before.size else gap[len(gap) - len(left) :]
        new = [word for word in gap if word not in golden]
        if all(any(word[0].isdigit() for word in words) for words in (left, new)):
            return True
        gaps.append([[word for word in words if not word[0].isdigit()] for words in (set(left) - set(answer), new)])
    copied = kept >= LIMITS.copied_word_share * len(one)
    if copied:  # what is left out in one place may be replaced in another
        gaps = [[[word for gap in gaps for word in gap[side]] for side in (0, 1)]]
    return any(_unmatched(lost, new, own, copied) and _unmatched(new, lost, own, copied) for lost, new in gaps)


def _exchanges_two(one: Sequence[str], other: Sequence[str]) -> bool:
    """Check whether two words each follow the word in the answer that the other one follows in the golden answer.

    Example:
        >>> _exchanges_two(["pump", "drive", "fan"], ["fan", "drive", "pump"])
        True
    """
    before, now = ({word: last for last, word in pairwise(["", *text])} for text in (one, other))
    moved = [word for word in before if word in now and now[word] != before[word]]
    return any(before[a] == now[b] and before[b] == now[a] for a, b in combinations(moved, 2))


def _unmatched(words: Sequence[str], others: Sequence[str], own: Language, copied: bool) -> list[str]:
    """Return the words that none of the others may stand for; in a copied text a verb needs a character in common."""
    return [
        word
        for word in words
        if not any(
            _likeness(word, by) > LIMITS.akin_share
            or (own.may_replace(word, by) and (not copied or (has_cjk(word) and set(word) & set(by))))
            for by in others
        )
    ]


def _likeness(one: str, other: str) -> float:
    """Return how much two words have in common: of Chinese ones characters, more than the last one, of others a stem.

    Example:
        >>> [_likeness(*pair) for pair in (("裂缝", "开裂"), ("电量", "流量"), ("confidence", "confidential"))]
        [0.5, 0.0, 1.0]
    """
    if one == other or any(map(str.isdigit, one + other)):
        return float(one == other)
    if has_cjk(one):
        shared = set(one) & set(other)
        is_tail = shared == {one[-1]} == {other[-1]} and len(other) > 1
        return 0.0 if is_tail or 2 * len(shared) < len(one) else len(shared) / len(one)
    size = Prefix.similarity(one, other)
    return float(LIMITS.clipped_letters <= size >= min(len(one), len(other), 0.65 * max(len(one), len(other))))


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
    missing = [
        name for name in wanted.names if not all(any(_likeness(word, each) == 1 for each in present) for word in name)
    ]
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


def _is_opposed(answer: str, golden: str, own: Language) -> bool:
    """Check whether one of two texts denies what the other says, or has the opposite of one of its words."""
    against, kept = own.contradictions(golden, answer), own.affirmed(answer, (), [golden], ())
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


def _stems(forms: Sequence[str], code: str) -> list[str]:
    return [" ".join(content_words(form, code)) for form in forms]


def _content_forms(text: str, code: str) -> list[str]:
    """Return the content words of a text as they stand, and its values in base units."""
    own, forms, at = nearest_language(code), [], 0
    for start, end, found in (*_measures(text, own), (len(text), len(text), None)):
        said = content_words(text[at:start], code) if is_unspaced(code) else words(own.digits(text[at:start]))
        forms += [word for word in said if content_words(word, code)]
        forms += [f"{found.value:g} {found.dimension}"] if found else []
        at = end
    return forms


def _measures(text: str, own: Language) -> list[tuple[int, int, Quantity]]:
    """Return the values of a text that can be given in another unit, and where they stand."""
    return [found for found in own.stated_quantities(text) if not found[2].dimension.startswith("count:")]
