"""Sentences and clauses of Chinese text, what they are about, and what a form finds in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from kgsynth.base.thresholds import LIMITS
from kgsynth.base.vocabulary import FactKind, Flag, Role, VerbFlag
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.segmentation import Token, frequency, tokens


class Part(NamedTuple):
    """A part of a sentence, and what it does there; ``marker`` is the word it opens with that the answer lacks."""

    role: Role
    start: int
    end: int
    flags: frozenset[Flag] = frozenset()
    marker: str = ""
    label: str = ""


class Split(NamedTuple):
    """A sentence, where its clauses stand in it, and the names that its document is known to use.

    ``after`` is what follows it in its block; ``listed`` is whether it stands in an item of a list, ``step`` whether
    that list is numbered.
    """

    text: str
    clauses: tuple[tuple[int, int], ...]
    known: frozenset[str] = frozenset()
    after: str = ""
    listed: bool = False
    step: bool = False

    def clause(self, number: int) -> str:
        """Return the text of a clause."""
        start, end = self.clauses[number]
        return self.text[start:end]


class Stated(NamedTuple):
    """A fact as a form has read it; ``verb`` is the word on which the form rests, and where it stands."""

    parts: tuple[Part, ...]
    verb: str
    verb_start: int
    kind: FactKind = FactKind.CLAUSE
    flags: frozenset[VerbFlag] = frozenset()


# Sentences and clauses of Chinese text, by their marks; what stands in quotes or brackets is not cut.
#
# Left out: sentences without a mark at their end, as in chats.

_HALVES = dict(zip("（(「『“‘《【[〔", "）)」』”’》】]〕", strict=True))
_QUOTE_ENDS = "”」』’"
_FULL_STOPS = re.compile(r"[。！？!?；;]+|…{2,}(?=\s|$)|(?<=[\u3400-\u9fff」』”）)])\.(?=\s|$)")
_COMMAS = re.compile(r"[，：]|,(?!\d)|:(?=\s|[\u3400-\u9fff])|——")
_NO_START = re.compile(r"[，、。；：,;:的]")
_SPEECH = re.compile(r"[：:，,说道问答]\s*$")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the sentences of a text begin and end, with their marks.

    Example:
        >>> text = "他说：“好。”然后（走！）了。真的？是；不是"
        >>> [text[start:end] for start, end in sentences(text)]
        ['他说：“好。”', '然后（走！）了。', '真的？', '是；', '不是']
    """
    inside, start = _inside(text), 0
    for match in _FULL_STOPS.finditer(text):
        end = match.end()
        if end < len(text) and text[end] in _QUOTE_ENDS and _is_speech(text, end):
            end += 1
        elif match.start() in inside:
            continue
        if end > start:
            yield _trimmed(text, start, end)
        start = end
    if text[start:].strip():
        yield _trimmed(text, start, len(text))


def clauses(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a sentence between its commas and colons begin and end, without marks.

    Example:
        >>> text = "如果下雨，（风大，则停）水泵会停，共 1,200 台。"
        >>> [text[start:end] for start, end in clauses(text)]
        ['如果下雨', '（风大，则停）水泵会停', '共 1,200 台']
    """
    inside, last = _inside(text), len(text.rstrip("。！？!?；;.… \n”」』"))
    if last and any(mark in text[last:] for mark in _QUOTE_ENDS):
        last = max(last, max(text.rfind(mark) for mark in _QUOTE_ENDS) + 1)
    found, start = [], 0
    for match in [*_COMMAS.finditer(text, 0, last), None]:
        if match is not None and match.start() in inside:
            continue
        end = match.start() if match is not None else last
        if text[start:end].strip():
            found.append(_trimmed(text, start, end))
        start = match.end() if match is not None else end
    return found


def _is_speech(text: str, quote: int) -> bool:
    """Check whether the quotation that ends at a place is what somebody says, so that the sentence ends with it."""
    opening = max((text.rfind(mark, 0, quote) for mark, end in _HALVES.items() if end == text[quote]), default=-1)
    follows = quote + 1 == len(text) or not _NO_START.match(text[quote + 1])
    return follows and (quote + 1 == len(text) or bool(_SPEECH.search(text[: max(opening, 0)])))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the blanks at its ends."""
    bare = text[start:end]
    return start + len(bare) - len(bare.lstrip()), end - len(bare) + len(bare.rstrip())


def _inside(text: str) -> frozenset[int]:
    """Return the places inside quotes and brackets that have both halves."""
    found: set[int] = set()
    opened: list[tuple[str, int]] = []
    for place, char in enumerate(text):
        if char in _HALVES:
            opened.append((_HALVES[char], place))
        else:
            match = next((n for n in range(len(opened) - 1, -1, -1) if opened[n][0] == char), -1)
            if match >= 0:
                found.update(range(opened[match][1], place + 1))
                del opened[match:]
    return frozenset(found)


# What a Chinese clause is about: a name or noun phrase at its beginning that says by itself what it means.
#
# Left out: subjects that open with a verb, unless 的 and a noun end it, and pronouns. A frequent noun alone
# ("比赛采用…") means the one that the text is about, so it is loose.

_BOTH = re.compile(r"第[一二三四五六七八九十\d]+[个条项种]|[两三四五六七八九十几]+[个种位项款家条][^，,]{1,12}都")
"""Two or more of which something holds alike: those that were named before; and the first of some."""
_SAYINGS = frozenset("l i".split())
"""The tags of fixed phrases, which may be a predicate: 读数仅供参考."""
_CLAUSE_WORDS = 8
_PASSIVE_FREQUENCY = 50
"""Below this count a noun that opens with 被 is a verb in the passive: 被淹, not 被告 or 被子."""
_IN_QUOTES = re.compile(r"“[^”]+”|「[^」]+」|『[^』]+』|《[^》]+》|`[^`]+`")
_WITH_NUMBER = re.compile(r"[\u3400-\u9fffA-Za-z]\s?\d+(?:\.\d+)*(?:号|版|型|代)?$")
_HAS_LETTER = re.compile(r"[^\W\d_]")
IN_BRACKETS = re.compile(r"（[^（）]*）|\([^()]*\)")


class ClauseSubject(NamedTuple):
    """Where the subject of a clause ends in it, its flags, and where the predicate begins, after a blank if any."""

    end: int
    flags: frozenset[Flag]
    predicate: int


def opening_time(text: str) -> int:
    """Return how long the time at the beginning of a clause is, with the comma that ends it, 0 for none.

    Example:
        >>> opening_time("2018年3月李明离开"), opening_time("截至2024年年底"), opening_time("李明离开")
        (7, 9, 0)
    """
    match = PATTERNS["time_opening"].match(text)
    return match.end() if match else 0


def points_out(text: str) -> bool:
    """Check whether a clause cannot be understood by itself: it opens with a link or has a pronoun or pointer.

    Example:
        >>> points_out("该功能会停止"), points_out("水泵停止时它会报警"), points_out("水泵会停止")
        (True, True, False)
    """
    return bool(
        PATTERNS["pointing_start"].match(text)
        or _BOTH.match(text)
        or PATTERNS["points_inside"].search(_IN_QUOTES.sub("", text))
    )


def subject_of(text: str, known: frozenset[str] = frozenset()) -> ClauseSubject | None:
    """Return the subject of a clause, None if it has none that says what it means; ``known`` are names of the document.

    Example:
        >>> subject_of("云雀网关会删除数据").end, subject_of("会删除数据"), subject_of("它会删除数据")
        (4, None, None)
        >>> sorted(subject_of("比赛在北京举行").flags)
        [<Flag.LOOSE: 'loose'>, <Flag.NOMINAL: 'nominal'>]
    """
    if PATTERNS["pointing_start"].match(text):
        return None
    whole, words = text, _joined(tokens(text), known, text)
    first = _relative_clause(words)
    end = next((n for n in range(first, len(words)) if not _is_nominal(words[n], known)), len(words))
    if end == len(words) and words and words[-1].tag in _SAYINGS:
        end -= 1
    run = end
    while end and not _is_head(words[end - 1], known):
        end -= 1
    if end <= first or end == len(words) or not _has_noun(words[first:end], known):
        return None
    text = text[: words[end - 1].end]
    beside = any(word.tag == "f" for word in words[end:run]) or words[end].text in WORDS["cut_name"]
    if (
        beside
        or text.endswith("内")
        or len(text) == 1
        or not _HAS_LETTER.search(text)
        or not _is_whole(text)
        or words[0].text in WORDS["links"]
    ):
        return None  # a place (范围内) or a part of a name
    stop = words[end - 1].end
    return ClauseSubject(stop, flags_of(text, known), stop + len(whole[stop:]) - len(whole[stop:].lstrip()))


def _is_whole(text: str) -> bool:
    """Check whether a text has both halves of its brackets and quotation marks: 李明的《十七岁 lacks one."""
    return all(text.count(one) == text.count(other) for one, other in ("《》", "（）", "“”", "「」", "『』", "()"))


def _has_noun(words: list[Token], known: frozenset[str]) -> bool:
    return any(word.tag[:1] in "nj" or word.tag in {"eng", "vn", "bracket"} or word.text in known for word in words)


def _relative_clause(words: list[Token]) -> int:
    """Return how many words a clause before the noun takes, with its 的, 0 for none: 用于研究的 in 用于研究的读数."""
    if not words or words[0].tag[:1] != "v" or words[0].text in WORDS["before_predicate"]:
        return 0
    place = next((n for n, word in enumerate(words[:_CLAUSE_WORDS]) if word.text == "的"), -1)
    return place + 1 if place > 0 and not any(word.tag in {"x", "ul"} for word in words[:place]) else 0


def flags_of(text: str, known: frozenset[str] = frozenset()) -> frozenset[Flag]:
    """Return the flags of a noun phrase: whether it is a name, compound, modified, or too common to say which one."""
    bare = IN_BRACKETS.sub("", text)
    words = [
        each for each in _joined(tokens(bare), known, bare) if each.text.strip() and each.text not in WORDS["joins"]
    ]
    content = [each for each in words if each.tag[:1] in "nvalbj" or each.tag in {"eng", "i", "s"}]
    named = bool(_IN_QUOTES.search(bare) or _WITH_NUMBER.search(bare)) or any(
        each.text in known or (each.tag in WORDS["name_tags"] and len(each.text) > 1) for each in words
    )
    flags = {Flag.NOMINAL}
    if named:
        flags |= {Flag.NAMED}
    if len(content) > 1:
        flags |= {Flag.COMPOUND, Flag.MODIFIED}
    rare = any(frequency(each.text) <= LIMITS.common_noun_frequency for each in content)
    if not named and not rare and len(content) < 2:
        flags |= {Flag.LOOSE}
    elif not named and rare:
        flags |= {Flag.COMPOUND}
    return frozenset(flags)


def _joined(words: tuple[Token, ...], known: frozenset[str], text: str) -> list[Token]:
    """Return the words with brackets as one word, names as the document has them, and closed classes as what they are.

    jieba reads 青禾会 as a name where 青禾 is one, and 被淹 and 无法 as nouns.
    """
    found: list[Token] = []
    brackets = [match.span() for match in IN_BRACKETS.finditer(text)]
    for word in words:
        around = next(((start, end) for start, end in brackets if start <= word.start < end), None)
        stem = next((word.text[:n] for n in range(len(word.text) - 1, 1, -1) if word.text[:n] in known), "")
        if around is not None:
            if word.start == around[0]:
                found.append(Token(text[slice(*around)], "bracket", *around))
        elif word.text in WORDS["before_predicate"] or (
            word.text[0] == "被" and word.tag == "n" and frequency(word.text) < _PASSIVE_FREQUENCY
        ):
            found.append(word._replace(tag="v"))
        elif stem and word.text not in known and word.tag in WORDS["name_tags"] | {"n"}:
            middle, rest = word.start + len(stem), word.text[len(stem) :]
            found.append(Token(stem, "nz", word.start, middle))
            found.append(Token(rest, "v" if rest in WORDS["before_predicate"] else "n", middle, word.end))
        else:
            found.append(word)
    return found


def _is_nominal(word: Token, known: frozenset[str]) -> bool:
    return (
        word.tag in WORDS["nominal_tags"]
        or word.tag == "bracket"
        or word.text in WORDS["joins"]
        or word.text in known
        or not word.text.strip()
    )


def _is_head(word: Token, known: frozenset[str]) -> bool:
    return (
        word.tag in WORDS["head_tags"]
        or word.tag == "bracket"
        or word.text in known
        or word.text in set("”」』》）)`号版型代")
        or word.tag == "m"
    )
