"""What users write to a system: questions, greetings, commands, and the names by which they call themselves.

English and Chinese are known; in other languages a turn asks if it has a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.language.chinese.names import is_person
from kgsynth.language.english.text_forms import is_common_word
from kgsynth.language.text_words import ANY
from kgsynth.language.words import HAN, words

_CHINESE_NAME = re.compile(f"[{HAN}·]{{2,4}}(?=[，,。.！!；;、\\s]|$)")


def asks(text: str) -> bool:
    """Check whether a turn of a user asks something.

    Example:
        >>> [asks(text) for text in ("How do I reset it", "Tell me how to reset it.", "VPN broken", "如何重置密码")]
        [True, True, False, True]
    """
    bare = ANY.patterns["web_address"].sub(" ", text).strip()
    if re.search(r"[?？]", bare):
        return True
    inside = ANY.patterns["indirect_question"].search(bare) or ANY.patterns["chinese_question"].search(bare)
    return bool(inside or ANY.patterns["question_opening"].match(bare))


def is_small_talk(text: str) -> bool:
    """Check whether a turn greets, thanks or agrees, and no more.

    Example:
        >>> [is_small_talk(text) for text in ("Hi there!", "Can you help me?", "Hi, who leads it?", "您好，谢谢！")]
        [True, True, False, True]
    """
    found = words(text)
    chinese = "".join(word for word in found if not word.isascii())
    latin = [word for word in found if word.isascii()]
    if chinese and not ANY.patterns["chinese_small_talk"].fullmatch(chinese):
        return False
    return set(latin) <= ANY.words["small_talk"]


def is_command(text: str) -> bool:
    """Check whether a turn tells the system to do something, and does not ask.

    Example:
        >>> [is_command(text) for text in ("/reset", "Translate this to German.", "翻译成英文", "Where do I cancel?")]
        [True, True, True, False]
    """
    bare = text.strip()
    if re.match(r"[/!]\w", bare):
        return True
    return bool(ANY.patterns["command"].match(bare))


def follows_up(text: str) -> bool:
    """Check whether a question continues an earlier one, without which it cannot be understood.

    Example:
        >>> texts = "What about York?", "And how do I reset my badge?", "Which one? The last one?", "那上海呢？"
        >>> [follows_up(text) for text in texts]
        [True, False, True, True]
    """
    bare = text.strip()
    return bool(ANY.patterns["follow_up"].match(bare))


def own_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield where users name themselves in a text.

    After "I am" a name is only what has a capital and is no ordinary word; after "my name is" it may be written small.

    Example:
        >>> texts = ("My name is ada low, where is it?", "I'm Desmond Okri, I am Lost.", "我叫王小明，请问在哪里？")
        >>> [[text[start:end] for start, end in own_names(text)] for text in texts]
        [['ada low'], ['Desmond Okri'], ['王小明']]
    """
    for told in ANY.patterns["self"].finditer(text):
        name = ANY.patterns["own_name"].match(text, told.end())
        if name and told["sure"] is None and all(is_common_word(word.lower()) for word in name.group().split()):
            name = None
        if name is None and (told["sure"] or "").lower().startswith("my"):
            name = ANY.patterns["lower_name"].match(text, told.end())
        if name:
            yield name.span()
    for told in ANY.patterns["chinese_self"].finditer(text):
        start = told.end()
        whole = _CHINESE_NAME.match(text, start)
        if whole and (told.group() != "我是" or is_person(whole.group())):
            yield whole.span()
        elif told.group() != "我是" and (n := next((n for n in (4, 3, 2) if is_person(text[start : start + n])), 0)):
            yield start, start + n
