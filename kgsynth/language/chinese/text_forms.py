"""Chinese words, names and answers in the form in which they are compared, and the closed word classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from kgsynth.base.thresholds import LIMITS
from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.segmentation import NAME_TAGS, cut, tokens
from kgsynth.language.words import HAN, folded

STOP_WORDS = frozenset(
    """的 了 着 过 地 得 之 所 者 吗 呢 吧 啊 呀 么 嘛 是 为 即 乃 系 就是 都是 而是 也是 在 于 从 自 由 向 往 到 至 对
    对于 关于 至于 与 和 及 以及 跟 同 并 并且 而 而且 或 或者 还是 但 但是 不过 然而 却 则 把 将 被 给 让 叫 使 以
    用 按 按照 根据 依据 通过 经 经过 随着 除 除了 因 因为 由于 因此 因而 所以 如果 若 若是 假如 倘若 当 时 时候
    的时候 之后 之前 以后 以前 其中 之间 期间 年 月 日 号 什么 甚么 啥 谁 哪 哪个 哪些 哪里 哪儿 何 何时 何处 何地
    何人 何种 为何 为什么 为甚么 如何 怎么 怎样 怎么样 怎 多少 几 几个 多 多么 是否 有没有 能否 可否 是不是 会不会
    能不能 有 没有 没 无 不 未 非 也 都 还 又 再 就 才 只 仅 很 太 更 最 已 已经 曾 曾经 正 正在 会 能 能够 可 可以
    可能 应 应该 应当 需 要 想 请 请问 我 我们 你 你们 您 他 她 它 他们 她们 它们 自己 其 此 该 本 这 那 这个 那个
    这些 那些 这样 那样 这种 那种 这里 那里 此时 如此 上述 下列 以下 某 某个 某些 每 每个 各 各个 一个 一种 一些
    一样 个 些 种 类 位 名 项 等 等等 上 下 中 里 内 外 前 后 来 去 起 出 做 作 进行 是什么 有什么 叫做 叫作 称为 指
    指的是 分别 主要 具体 约 大约 左右 以来 起来 下来 上面 下面 方面 来说 而言 属于 位于""".split()
)
"""Words that say nothing of what a text is about."""

PRONOUNS = frozenset(
    "我 我们 咱们 你 你们 您 他 她 它 他们 她们 它们 自己 其 之 此 该 这 那 这个 那个 这些 那些".split()
)
FIRST_PERSON = frozenset("我 我们 咱们 本人 笔者".split())
SECOND_PERSON = frozenset("你 你们 您".split())
DEMONSTRATIVES = frozenset("这 那 这个 那个 这些 那些 这种 那种 这里 那里 这样 那样 此 该 上述 以下 下列 如此".split())
CONJUNCTIONS = frozenset("和 与 及 以及 或 或者 但 但是 而 而且 并 并且 跟 不过".split())
PREPOSITIONS = frozenset("在 于 从 自 由 向 往 到 对 对于 关于 按 按照 根据 通过 用 以 为了 把 被 将 比".split())
SUBORDINATORS = frozenset(
    "如果 若 因为 由于 虽然 尽管 除非 只要 只有 当 以便 为了 假如 即使 无论 不管 一旦 否则 所以 因此".split()
)
MODALS = frozenset("可以 可能 能 能够 会 应 应该 应当 必须 需要 须 要 不得".split())
COPULAS = frozenset("是 为 即 系 属于 成为".split())
NEGATIONS = frozenset("不 没 没有 未 无 非 别 勿 莫 并未 从未 不是 不能 不会 无法".split())
QUANTIFIERS = frozenset("一些 许多 很多 大量 多数 大多数 少数 几个 若干 各种 某些 每个 所有 全部 任何 部分".split())
VAGUE_NOUNS = frozenset(
    "东西 事情 情况 问题 方面 方式 内容 部分 信息 地方 过程 事物 样子 特点 因素 意思 事 事件".split()
)
VAGUE_ADJECTIVES = frozenset("不同 相关 其他 其它 相应 一定 重要 主要 特定 有关 具体 各种 类似 某些 一般".split())
LIGHT_VERBS = frozenset("有 做 作 进行 使用 用 提供 包括 包含 具有 存在 成为 得到 发生 属于 给 让 处理 实现".split())
CONNECTIVES = frozenset("因此 所以 然而 但是 不过 此外 另外 同时 于是 而且 例如 比如 最后 首先 其次 总之 并且".split())
DEICTIC = frozenset("现在 目前 今天 昨天 明天 今年 去年 明年 最近 近日 目前为止 当前 如今 这里 本页 上面 下面".split())

# Chinese words, names and answers in the form in which they are compared.

_PERSON_TITLE = re.compile(r"(?<=..)(?:先生|女士|小姐|太太|博士|教授|老师|同志|院士|阁下)$")
_QUOTE_MARKS = "《》“”「」『』\"' "
_WORD_EDGES = ".-_&"
_COPULA = re.compile(r"^(?:是|为|在|于|即|就是|大约|位于)(?=.)")
_VERDICT = re.compile(
    r"\W*(?:(是的?|对的?|可以|能够?|会|有|需要|必须)|否|不(?:是|对|可以|能|会|需要|行|必)?|没有|不?可)(?=\W|的?$)"
)
_REQUIREMENTS = frozenset("must shall should may required recommended optional not".split())
"""The words of RFC 2119, which specifications in Chinese keep in English."""


@lru_cache(maxsize=1 << 14)
def _content_words(text: str) -> tuple[str, ...]:
    words = (word.strip(_WORD_EDGES) for word in cut(plain(text).lower()))
    return tuple(word for word in words if word and word not in STOP_WORDS and word[0] != "哪")


def content_stems(text: str) -> list[str]:
    """Return the content words of a text in order, in simplified characters and lower case; Chinese has no endings.

    Example:
        >>> content_stems("李明負責安裝 ＦａｓｔＡＰＩ 的水泵。")
        ['李明', '负责', '安装', 'fastapi', '水泵']
    """
    return list(_content_words(text))


def singular(noun: str) -> str:
    """Return a noun without the ending of the plural of persons.

    Example:
        >>> singular("员工们"), singular("水泵"), singular("我们")
        ('员工', '水泵', '我们')
    """
    return noun[:-1] if noun.endswith("们") and len(noun) > 2 else noun


def listed(members: Sequence[str]) -> str:
    """Return the members of a list as one text.

    Example:
        >>> listed(["仓库", "磨坊", "码头"]), listed(["仓库"])
        ('仓库、磨坊和码头', '仓库')
    """
    return "和".join(filter(None, ("、".join(members[:-1]), members[-1])))


# ---- names -----------------------------------------------------------------------------------------


def bare_name(text: str) -> str:
    """Return a mention of a name without quotation marks and title, its white space folded.

    Example:
        >>> bare_name("《红楼梦》"), bare_name("李明先生"), bare_name("Redis  Cluster")
        ('红楼梦', '李明', 'Redis Cluster')
    """
    return _PERSON_TITLE.sub("", " ".join(text.split()).strip(_QUOTE_MARKS))


def name_form(text: str) -> str:
    """Return a name in the form in which it is compared.

    Example:
        >>> name_form("「臺灣大學」"), name_form("ＦａｓｔＡＰＩ")
        ('台湾大学', 'fastapi')
    """
    return plain(folded(bare_name(text)))


def is_name(title: str) -> bool:
    """Check whether a heading is nothing but a name: one or two words that jieba tags as names, or a Latin name.

    Example:
        >>> is_name("葡萄牙"), is_name("病假"), is_name("概述")
        (True, False, False)
    """
    words = [each for each in tokens(plain(title)) if each.text.strip()]
    return 0 < len(words) <= LIMITS.name_heading_words and all(
        each.tag in NAME_TAGS and not (each.text.isascii() and each.text.islower()) for each in words
    )


def name_places(text: str) -> list[tuple[int, int]]:
    """Return where jieba finds names of persons and organizations in a text.

    Example:
        >>> name_places("由郝知远分管")
        [(1, 4)]
    """
    return [
        (each.start, each.end)
        for each in tokens(text)
        if each.tag in ("nr", "nrt", "nrfg", "nt") and len(each.text) > 1
    ]


def short_name(answer: str, golden: str, question: str) -> str:
    """Return "": Chinese names are not shortened to a surname.

    Example:
        >>> short_name("李", "李明", "谁负责？")
        ''
    """
    return ""


def verdict(answer: str) -> bool | None:
    """Return whether an answer opens with a yes (True) or a no (False), None for neither.

    Example:
        >>> verdict("是的，可以。"), verdict("否"), verdict("不带薪")
        (True, False, None)
    """
    match = _VERDICT.match(plain(answer))
    return bool(match[1]) if match else None


def is_common_word(word: str) -> bool:
    """Check whether a word is in jieba's dictionary and not as a name; a word in Latin letters never is.

    Example:
        >>> [is_common_word(word) for word in ("水泵", "北京", "redis")]
        [True, False, False]
    """
    found = [each for each in tokens(plain(word)) if each.text.strip()]
    return bool(re.search(f"[{HAN}]", word)) and all(each.tag not in NAME_TAGS for each in found)


def is_emphasis(word: str) -> bool:
    """Check whether specifications write a word in capitals to stress it, as RFC 2119 does.

    Example:
        >>> is_emphasis("should"), is_emphasis("post")
        (True, False)
    """
    return word in _REQUIREMENTS


def pronoun_for_name(question: str) -> str:
    """Return a question with a pronoun in place of its only name, "" if it does not have exactly one name.

    Example:
        >>> pronoun_for_name("谁修理“海鸥三号”？"), pronoun_for_name("北京在哪里？")
        ('谁修理它？', '它在哪里？')
        >>> pronoun_for_name("李明和王强认识吗？")
        ''
    """
    quoted = re.findall(r"[《“「『][^》”」』]+[》”」』]", question)
    if len(quoted) == 1:
        return question.replace(quoted[0], "它")
    names = [each for each in tokens(question) if each.tag in NAME_TAGS]
    if quoted or len(names) != 1:
        return ""
    pronoun = "他" if names[0].tag == "nr" else "它"
    return f"{question[: names[0].start]}{pronoun}{question[names[0].end :].lstrip()}"


# ---- answers ---------------------------------------------------------------------------------------


def answer_form(text: str) -> str:
    """Return an answer in the form in which it is compared: without outer marks and copula, numbers as digits.

    Example:
        >>> answer_form("是九臺水泵。"), answer_form("「北京」")
        ('9台水泵', '北京')
    """
    return _COPULA.sub("", digits(folded(text).strip("《》“”「」『』\"'"))).replace(" ", "")
