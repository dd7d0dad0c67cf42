"""The closed word classes of Chinese, in simplified characters."""

from __future__ import annotations

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
