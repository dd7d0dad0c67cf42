"""Words in which a question and a statement contradict each other: a denial, an opposite, an extreme.

Left out: what is denied, and opposites that depend on the subject.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.lexicon import PATTERNS, WORDS
from kgsynth.language.chinese.segmentation import tokens

_UNABLE = re.compile(r"\w不[到了见着动起]|没[^收落入药]")
"""A verb with what it fails to do: 看不到, 没压."""
_EXCEPTION = re.compile(r"除了?[^，。,]{1,30}?(?:以外|之外|外)|缺乏|缺少|失败|未遂")
_ALTERNATIVE = re.compile(r"(\w)[不没]\1|[是能可会与]否|有没有")
_PREFIXES = ("不", "非", "无", "未", "反")
_OPPOSITES = """
    安全 危险, 半 全, 包括 排除, 包含 排除, 保守 激进, 北 南, 北部 南部, 北方 南方, 被动 主动, 必须 可选, 必选 可选,
    必填 可选, 薄 厚, 出发 到达, 出口 进口, 出生 去世, 出生 死亡, 出现 消失, 创建 删除, 创立 解散, 成立 解散,
    成功 失败, 承认 否认, 初级 高级, 大 小, 最大 最小, 大于 小于, 打开 关闭, 单数 复数, 低 高, 降低 提高, 最低 最高,
    低于 高于, 地方 中央, 东 西, 东部 西部, 东方 西方, 动态 静态, 独立 依赖, 短 长, 最短 最长, 缩短 延长, 多 少,
    多数 少数, 最多 最少, 至多 至少, 多于 少于, 繁荣 衰落, 反对 支持, 反对 赞成, 反对 同意, 分散 集中, 丰富 贫乏,
    复杂 简单, 富 穷, 富裕 贫穷, 改善 恶化, 干燥 潮湿, 干 湿, 革命 反革命, 公开 秘密, 公有 私有, 公共 私人,
    攻击 防守, 进攻 防守, 古代 现代, 固定 可变, 固体 液体, 国内 国外, 过去 未来, 好 坏, 合法 非法, 和平 战争,
    合并 拆分, 横向 纵向, 后 前, 以前 以后, 之前 之后, 前任 继任, 缓慢 迅速, 慢 快, 最快 最慢, 积极 消极, 加入 退出,
    加快 减慢, 加速 减速, 加强 削弱, 增强 减弱, 增加 减少, 增长 下降, 上升 下降, 上涨 下跌, 增大 减小, 间接 直接,
    建立 废除, 建造 拆除, 将来 过去, 接受 拒绝, 接收 发送, 结束 开始, 禁止 允许, 禁用 启用, 精确 模糊, 旧 新,
    最旧 最新, 局部 整体, 局部 全局, 开启 关闭, 开放 封闭, 可见 隐藏, 显示 隐藏, 宽 窄, 冷 热, 寒冷 炎热, 里 外,
    出 入, 内 外, 内部 外部, 利 弊, 优点 缺点, 优势 劣势, 良性 恶性, 买 卖, 购买 出售, 明确 含糊, 男 女, 男性 女性,
    男子 女子, 难 易, 困难 容易, 浓 淡, 平等 不平等, 朋友 敌人, 强 弱, 强大 弱小, 轻 重, 轻视 重视, 取得 失去,
    获得 失去, 人工 自然, 入口 出口, 输入 输出, 上 下, 上游 下游, 上部 下部, 浅 深, 升高 降低, 胜 败, 胜利 失败,
    战胜 战败, 首次 末次, 首 末, 首都 地方, 水平 垂直, 死 生, 损失 收益, 盈利 亏损, 添加 删除, 添加 移除, 新增 删除,
    停止 继续, 停止 恢复,
    停止 启动, 同步 异步, 同意 拒绝, 完整 残缺, 文明 野蛮, 稀少 众多, 相同 不同, 相似 不同, 向上 向下,
    兴奋 抑制, 阳性 阴性, 引进 输出, 有利 不利, 有效 无效, 有限 无限, 幼年 成年, 早 晚, 最早 最晚, 真 假, 正 负,
    正常 异常, 正式 临时, 正确 错误, 左 右, 永久 临时, 自愿 强迫, 主要 次要, 专业 业余, 传统 现代, 先 后, 左侧 右侧,
    乐观 悲观, 客场 主场, 父亲 母亲, 儿子 女儿, 哥哥 弟弟, 丈夫 妻子, 公元 公元前
"""
"""Pairs of words that exclude each other in nearly every sentence."""


@lru_cache(maxsize=1 << 13)
def denies_something(text: str) -> bool:
    """Check whether a text denies something by a word such as 不; 不仅, 不超过 and 是不是 deny nothing.

    Example:
        >>> denies_something("水泵沒有運行"), denies_something("不仅有水泵"), denies_something("是不是水泵")
        (True, False, False)
    """
    folded = _ALTERNATIVE.sub(" ", plain(text))
    return any(
        (each.text in WORDS["denying"] or _UNABLE.fullmatch(each.text))
        and not (len(each.text) == 1 and PATTERNS["not_denying_after"].match(folded, each.end))
        for each in tokens(folded)
    )


def contradictions(question: str, statement: str) -> frozenset[str]:
    """Return how a statement contradicts a question: "denial", "opposite", "extreme".

    Denial: the question denies and the statement does not. Opposite: the statement has the opposite of a word of the
    question, and not the word. Extreme: the question singles out (最, 唯一, 第一) and the statement does not.

    Example:
        >>> sorted(contradictions("谁没有接受条约？", "李明拒绝了条约。"))
        ['denial', 'opposite']
        >>> contradictions("谁接受了条约？", "李明接受了条约。")
        frozenset()
    """
    asked, stated = plain(question), plain(statement)
    stated_words = {each.text for each in tokens(stated)}
    missing = [each.text for each in tokens(asked) if each.text not in stated]
    found = {
        "denial": _denies(asked) and not _denies(stated),
        "opposite": any(opposites(each) & stated_words for each in missing),
        "extreme": any(match.group() not in stated for match in PATTERNS["extreme"].finditer(asked)),
    }
    return frozenset(name for name, holds in found.items() if holds)


def _denies(text: str) -> bool:
    return denies_something(text) or bool(_EXCEPTION.search(text))


def opposites(word: str) -> frozenset[str]:
    """Return the words that mean the opposite of a word, by the list and the negative prefixes.

    Example:
        >>> sorted(opposites("公开")), "透明" in opposites("不透明")
        (['不公开', '反公开', '无公开', '未公开', '秘密', '非公开'], True)
    """
    affirmed = {word[1:] for prefix in _PREFIXES if word.startswith(prefix) and len(word) > 2}
    negated = {prefix + word for prefix in _PREFIXES if len(word) > 1}
    listed = _listed_opposites()
    turned = {word.replace(one, by) for one in word if len(word) > 1 for by in listed.get(one, ()) if len(by) == 1}
    return frozenset(affirmed | negated | turned | listed.get(word, set())) - {word}


@cache
def _listed_opposites() -> dict[str, set[str]]:
    table: dict[str, set[str]] = defaultdict(set)
    for pair in _OPPOSITES.split(","):
        one, other = pair.split()
        table[one].add(other)
        table[other].add(one)
    return dict(table)
