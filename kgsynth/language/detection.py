"""Which language is a text in? By its script, or, among languages with Latin letters, by their commonest words.

Left out: texts of names alone, and languages so similar that their commonest words are the same.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.thresholds import LIMITS
from kgsynth.language import LANGUAGES, language
from kgsynth.language.lexicon import Lexicon
from kgsynth.language.words import HAN, HAN_COMPATIBILITY, HAN_EXTENSION, has_cjk, words

_LATIN = ("da", "de", "en", "es", "fi", "fr", "id", "it", "nb", "nl", "pl", "pt", "ro", "sv", "tr")
_SCRIPTS = {"zh": re.compile("[\u3400-\u9fff]"), "en": re.compile("[A-Za-z]")}


def guess_language(text: str) -> str:
    """Return the first language with enough of the letters, otherwise "en"; Chinese is known without its package.

    Example:
        >>> guess_language("Redis 是一个数据库"), guess_language("Redis is a database")
        ('zh', 'en')
    """
    if text.isascii():
        return DEFAULT_LANGUAGE
    enough = LIMITS.letter_share * sum(char.isalpha() for char in text)
    own = {code: _letters(language(code).SCRIPT) for code in LANGUAGES if code != DEFAULT_LANGUAGE}
    known = {"zh": _letters(HAN_EXTENSION + HAN + HAN_COMPATIBILITY)} | own
    return next((code for code in sorted(known) if len(known[code].findall(text)) > enough), DEFAULT_LANGUAGE)


@cache
def _letters(ranges: str) -> re.Pattern[str]:
    return re.compile(f"[{ranges}]" if ranges else "(?!)")


def script_language(question: str) -> str:
    """Return "zh" for a question with a Chinese character, else "en".

    Example:
        >>> script_language("什么是 Redis?"), script_language("What is Redis?")
        ('zh', 'en')
    """
    return "zh" if re.search(f"[{HAN}]", question) else "en"


def in_script(text: str, code: str) -> bool:
    """Check whether a text is written in the letters of a language, apart from a name now and then.

    Example:
        >>> in_script("Who leads the 北京站 depot?", "en"), in_script("谁领导北京站?", "en"), in_script("Who?", "zh")
        (True, False, False)
    """
    script = _SCRIPTS.get(code)
    foreign = sum(map(has_cjk, words(text))) if code in _LATIN else 0
    return script is None or (bool(script.search(text)) and foreign <= LIMITS.foreign_word_share * len(words(text)))


def other_language(text: str, code: str) -> str:
    """Return the language that a text is in when it is certainly not ``code``, else "".

    Only languages with Latin letters are told apart.

    Example:
        >>> other_language("Wer leitet die Abteilung und wie lange schon?", "en")
        'de'
        >>> other_language("Who leads Die Welt?", "en")
        ''
    """
    if code not in _LATIN:
        return ""
    found = set(words(text))
    own = len(found & _common_words(code))
    fewest = LIMITS.language_common_words
    if own >= fewest and own * LIMITS.words_per_common_word >= len(found):  # true of nearly every sentence
        return ""
    counts = {other: len(found & _common_words(other) - _common_words(code)) for other in _LATIN if other != code}
    best = max(sorted(counts), key=lambda other: counts[other])
    return best if counts[best] >= max(fewest, own + 1) else ""


@cache
def _common_words(code: str) -> frozenset[str]:
    """Return the commonest words of a language."""
    return Lexicon(Path(__file__).with_name("common_words.toml")).words[code]
