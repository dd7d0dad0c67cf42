"""Names and answers in the form in which they are compared: without articles, titles and possessive endings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_noun, is_word
from kgsynth.language.english.number_words import digits
from kgsynth.language.english.question_checks import answer_kind
from kgsynth.language.english.spellings import spelled_alike
from kgsynth.language.words import folded

_ARTICLE = re.compile(r"^(?:the|an?) (?=\S)", re.IGNORECASE)
_NAME_ARTICLE = re.compile(r"^(?:[Tt]he|[Aa]n|a)\s+(?=\S)")  # not "A", of "A record"
_TITLE = re.compile(r"^(?:mr|mrs|ms|dr|prof)\.?\s+(?=\S)", re.IGNORECASE)
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s$|(?<=s)['’]$", re.IGNORECASE)

_FULL_NAME = re.compile(r"(?:[A-Z][\w'’-]*\.?(?:\s+(?:of|for|the|de|da|van|von))?\s+)+[A-Z][\w'’-]*")
_VERDICT = re.compile(r"\W*(?:(yes|yeah|yep|correct|true)|no|nope|false)\b(?=\W*$|\s*[,.;:!–—-])", re.IGNORECASE)
_MIN_INITIALS = 3  # of an abbreviation such as "NTF"
_MIN_CLIPPED = 3  # letters of an abbreviation such as "Lab"


def without_article(text: str) -> str:
    """Return a text without the article it opens with.

    Example:
        >>> without_article("An old pump"), without_article("Ada")
        ('old pump', 'Ada')
    """
    return _ARTICLE.sub("", text)


@lru_cache(maxsize=1 << 14)
def bare_name(text: str) -> str:
    """Return a mention of a name without article, title and possessive ending, its white space folded.

    Example:
        >>> bare_name("the  Analytical Engine's"), bare_name("Dr. Lovelace"), bare_name("boss’")
        ('Analytical Engine', 'Lovelace', 'boss')
    """
    return _POSSESSIVE.sub("", _TITLE.sub("", _NAME_ARTICLE.sub("", " ".join(text.split()))))


def name_form(text: str) -> str:
    """Return a name in the form in which it is compared.

    Example:
        >>> name_form("The Analytical Engine's")
        'analytical engine'
    """
    return _POSSESSIVE.sub("", without_article(folded(text)))


def answer_form(text: str) -> str:
    """Return an answer in the form in which it is compared.

    Example:
        >>> answer_form("The nine storerooms.")
        '9 storerooms'
    """
    return digits(without_article(folded(text)))


def is_name(title: str) -> bool:
    """Check whether a heading is nothing but a name: a few capitalised words that are not in the dictionary.

    Example:
        >>> is_name("Portugal"), is_name("Parental leave"), is_name("Overview")
        (True, False, False)
    """
    parts = title.split()
    return 0 < len(parts) <= LIMITS.name_heading_words and all(
        word[0].isupper() and not is_word(word) for word in parts
    )


def name_places(text: str) -> list[tuple[int, int]]:
    """Return where names of several words with capitals stand in a text.

    Example:
        >>> name_places("Is it Stuart Bain, the CEO, or Ada? The CEO")
        [(6, 17)]
    """
    return [match.span() for match in _FULL_NAME.finditer(text) if " " in without_article(match[0])]


def short_name(answer: str, golden: str, question: str) -> str:
    """Return the surname, initials or abbreviation by which an answer gives a name that is asked for, "" for none.

    A surname is enough for a person, unless another first name is before it.

    Example:
        >>> [short_name(said, "Katarzyna Bielak", "Who judges claims?") for said in ("Ms Bielak", "Tomasz Bielak")]
        ['Bielak', '']
        >>> short_name("the Blaman Lab", "Blåman Laboratory", "Who owns it?"), short_name("NTF", "North Tide Forum", "")
        ('Blaman', 'NTF')
    """
    answer, golden = spelled_alike(answer), without_article(spelled_alike(golden).strip())
    if not _FULL_NAME.fullmatch(golden):
        return ""
    parts = [part.rstrip(".") for part in golden.split() if part[0].isupper()]
    if not parts[-1].isupper() and (answer_kind(question) == "person" or PATTERNS["which_person"].search(question)):
        for match in re.finditer(rf"(?<!\w)(?:([A-Z][\w'-]*)(\.?)\s+)?{re.escape(parts[-1])}\b", answer):
            before = (match[1] or "").lower()
            own = not before or is_common_word(before) or _TITLE.match(f"{before} x")
            if own or any(part.lower().startswith(before) for part in parts):
                return parts[-1]
    if parts[-1].lower() in WORDS["named_kinds"] and not any(map(is_word, parts[:-1])):
        return own[0] if (own := re.search(rf"\b{' '.join(map(re.escape, parts[:-1]))}\b", answer)) else ""
    initials = "".join(part[0] for part in parts)
    if len(parts) >= _MIN_INITIALS and re.search(rf"\b{initials}\b", answer):
        return initials
    clipped = r"\s+".join(rf"{part[:_MIN_CLIPPED]}\w*\b\.?" for part in map(re.escape, parts))
    short = re.search(rf"\b{clipped}", answer)
    said = [part.rstrip(".") for part in short[0].split()] if short else []
    same = any(map(str.__eq__, parts, said)) and all(map(str.startswith, parts, said))
    return short[0] if short and same else ""


def verdict(answer: str) -> bool | None:
    """Return whether an answer opens with a yes (True) or a no (False), None for neither.

    Example:
        >>> verdict("Yes, at all times."), verdict("No."), verdict("No visitor may enter.")
        (True, False, None)
    """
    match = _VERDICT.match(answer)
    return bool(match[1]) if match else None


def is_common_word(word: str) -> bool:
    """Check whether a word in lower case is in the dictionary, or is joined of such words that are not all nouns.

    A compound of nouns is a term: "pull-request".

    Example:
        >>> [is_common_word(word) for word in ("jack", "you", "max", "3rd-party", "sign-on", "pull-request", "jq")]
        [True, True, True, True, True, False, False]
    """
    if "-" not in word:
        return word in WORDS["clipped"] or word in WORDS["third_person"] or is_word(word)
    parts = word.split("-")
    known = all(is_word(part) or part in WORDS["particles"] or _ORDINAL.fullmatch(part) for part in parts)
    return known and not all(is_noun(part) and part not in WORDS["particles"] for part in parts)


def is_emphasis(word: str) -> bool:
    """Check whether specifications write a word in capitals to stress it, as RFC 2119 does.

    Example:
        >>> is_emphasis("should"), is_emphasis("post")
        (True, False)
    """
    return word in WORDS["requirement_words"]


def listed(members: Sequence[str]) -> str:
    """Return the members of a list as one text.

    Example:
        >>> listed(["the depot", "the mill", "the dock"])
        'the depot, the mill and the dock'
    """
    return " and ".join(filter(None, (", ".join(members[:-1]), members[-1])))
