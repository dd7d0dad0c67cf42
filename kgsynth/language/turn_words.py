"""What users write to a system: questions, greetings, commands, and the names by which they call themselves.

English and Chinese are known; in other languages a turn asks if it has a question mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kgsynth.language.chinese.names import is_person
from kgsynth.language.english.text_forms import is_common_word
from kgsynth.language.words import HAN, words

_WEB_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")

_SMALL_TALK = frozenset(
    """hi hello hey there good morning afternoon evening day thanks thank you very much so a lot many ok okay bye
    goodbye great cool nice perfect awesome excellent yes no yep nope sure please everyone all team again got it
    understood how are doing can help me could is anyone anybody here cheers lol test testing""".split()
)
"""Words of which a turn without a matter consists; a question needs another word."""
_CHINESE_SMALL_TALK = re.compile(
    "(?:你好|您好|嗨|哈喽|大家|早上好|下午好|晚上好|早安|晚安|非常|十分|谢谢|感谢|多谢|好的|好|嗯|哦|再见|拜拜|收到|明白|知道|可以|"
    "在吗|有人吗|请问|麻烦|辛苦|打扰|一下|测试|能|帮|我|啊|呀|吧|吗|了|你|您|们)+"
)

_QUESTION_OPENING = re.compile(
    r"(?:(?:and|so|but|also|please|hi|hello|hey)\b[,!. ]*)*(?:who|whom|whose|what|when|where|why|which|how|can|could|"
    r"do|does|did|is|are|was|were|am|will|would|should|shall|may|must|have|has|had|isn't|aren't|don't|doesn't|can't)\b",
    re.I,
)
_INDIRECT_QUESTION = re.compile(
    r"\b(?:tell|explain|show|know|wonder\w*|find out|understand|figure out|describe|learn)\b.{0,40}?"
    r"\b(?:how|what|where|when|why|which|who|whether|if)\b",
    re.I,
)
_CHINESE_QUESTION = re.compile(
    "什么|怎么|怎样|如何|为何|多少|多久|多长|多大|哪|谁|几[天个次点年月号种位]|吗|呢|是否|能否|可否|有没有|是不是|能不能|可不可以|会不会|要不要"
)
_COMMAND = re.compile(
    r"(?:please |can you |could you )*(?:stop|cancel|reset|restart|clear|exit|quit|menu|start|continue|go on|retry|"
    r"regenerate|undo|translate|summari[sz]e|rewrite|rephrase|shorten|write|draft|generate|create|make|format|fix|draw|"
    r"send|delete|convert|forward)\b",
    re.I,
)
_CHINESE_COMMAND = re.compile(
    "(?:请|帮我|麻烦|给我)*(?:停止|取消|重置|重新|清空|退出|返回|继续|翻译|总结|改写|缩短|写|生成|删除|转换|发送)"
)

_FOLLOW_UP = re.compile(
    r"(?:(?:and|but|so|ok|then)\b[, ]*)*(?:what|how) about\b|(?:and|or) (?!how|wh|can|could|do|does|did|is|are|will|"
    r"should)\w|why not\b|(?:what|anything) else\b|.*\b(?:this|that|other|first|second|last|previous|same) one\b",
    re.IGNORECASE,
)
_CHINESE_FOLLOW_UP = re.compile("那么?[^，,。]{0,12}呢[？?]?|还有(?:呢|别的|其他)|为什么(?:呢)?[？?]?$|然后呢")

_SELF = re.compile(
    r"\b(?P<sure>my (?:full )?name is|my name's|call me|this is|signed,?)\s+|\b(?:i am|i'm|i’m)\s+", re.I
)
_OWN_NAME = re.compile(r"[A-Z][\w’'-]+(?:\s+(?:[A-Z]\.|(?:van|von|de|der|da|bin|al)\b|[A-Z][\w’'-]+)){0,3}")
_LOWER_NAME = re.compile(r"[a-z][\w’'-]+(?:\s+[a-z][\w’'-]+)?(?=\s*(?:[,.;!?]|and\b|$))")
_CHINESE_SELF = re.compile("我叫|我的名字[是叫]|我是")
_CHINESE_NAME = re.compile(f"[{HAN}·]{{2,4}}(?=[，,。.！!；;、\\s]|$)")


def asks(text: str) -> bool:
    """Check whether a turn of a user asks something.

    Example:
        >>> [asks(text) for text in ("How do I reset it", "Tell me how to reset it.", "VPN broken", "如何重置密码")]
        [True, True, False, True]
    """
    bare = _WEB_ADDRESS.sub(" ", text).strip()
    if re.search(r"[?？]", bare):
        return True
    return any(
        (_QUESTION_OPENING.match(bare), _INDIRECT_QUESTION.search(bare), _CHINESE_QUESTION.search(bare)),
    )


def is_small_talk(text: str) -> bool:
    """Check whether a turn greets, thanks or agrees, and no more.

    Example:
        >>> [is_small_talk(text) for text in ("Hi there!", "Can you help me?", "Hi, who leads it?", "您好，谢谢！")]
        [True, True, False, True]
    """
    found = words(text)
    chinese = "".join(word for word in found if not word.isascii())
    latin = [word for word in found if word.isascii()]
    return set(latin) <= _SMALL_TALK and (not chinese or bool(_CHINESE_SMALL_TALK.fullmatch(chinese)))


def is_command(text: str) -> bool:
    """Check whether a turn tells the system to do something, and does not ask.

    Example:
        >>> [is_command(text) for text in ("/reset", "Translate this to German.", "翻译成英文", "Where do I cancel?")]
        [True, True, True, False]
    """
    bare = text.strip()
    if re.match(r"[/!]\w", bare):
        return True
    return bool(_COMMAND.match(bare) or _CHINESE_COMMAND.match(bare))


def follows_up(text: str) -> bool:
    """Check whether a question continues an earlier one, without which it cannot be understood.

    Example:
        >>> texts = "What about York?", "And how do I reset my badge?", "Which one? The last one?", "那上海呢？"
        >>> [follows_up(text) for text in texts]
        [True, False, True, True]
    """
    bare = text.strip()
    return bool(_FOLLOW_UP.match(bare) or _CHINESE_FOLLOW_UP.match(bare))


def own_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield where users name themselves in a text.

    After "I am" a name is only what has a capital and is no ordinary word; after "my name is" it may be written small.

    Example:
        >>> texts = ("My name is ada low, where is it?", "I'm Desmond Okri, I am Lost.", "我叫王小明，请问在哪里？")
        >>> [[text[start:end] for start, end in own_names(text)] for text in texts]
        [['ada low'], ['Desmond Okri'], ['王小明']]
    """
    for told in _SELF.finditer(text):
        name = _OWN_NAME.match(text, told.end())
        if name and told["sure"] is None and all(is_common_word(word.lower()) for word in name.group().split()):
            name = None
        if name is None and (told["sure"] or "").lower().startswith("my"):
            name = _LOWER_NAME.match(text, told.end())
        if name:
            yield name.span()
    for told in _CHINESE_SELF.finditer(text):
        start = told.end()
        whole = _CHINESE_NAME.match(text, start)
        if whole and (told.group() != "我是" or is_person(whole.group())):
            yield whole.span()
        elif told.group() != "我是" and (n := next((n for n in (4, 3, 2) if is_person(text[start : start + n])), 0)):
            yield start, start + n
