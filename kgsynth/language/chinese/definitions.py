"""Sentences that say what a thing is, by their form alone: 云雀网关是一种…的设备; words that contrast."""

from __future__ import annotations

import re

from kgsynth.language.chinese.characters import plain
from kgsynth.language.chinese.segmentation import tokens
from kgsynth.language.words import HAN

_THING = rf"(?P<name>[“「《`]?[{HAN}A-Za-z][{HAN}\w.+#/ -]{{1,18}}?[”」》`]?)(?:\s?[（(][^（）()]{{1,40}}[）)])?"
_SAYS_WHAT = re.compile(rf"^(?:所谓)?{_THING}\s?(?:是指|指的是|是)(?P<what>.{{6,}})$")
_ENTRY = re.compile(rf"^{_THING}[:：]\s?(?P<what>.{{6,}})$")
_ODD_NAME = re.compile(
    r"[它他她其该此这那哪]|^(?:我|你|您|咱|大家|人们|如果|当|因为|由于|但|而|所以|因此|例如|比如|以上|以下|上述|下面|首先|其次|最后|同时|"
    r"另外|此外|不过|虽然|只|就|也|都|还|不|没|更|最|有|在|从|对|用|把|被|让|使|可以|可能|目前|现在|通常|一般|另一|另外|本|每|各|某|"
    r"问题|原因|目的|结果|重点|关键|区别|目标|答案|方法|一[个种些])|[和与及或的了]$|(?:问题|原因|目的|结果|就|都|也|不|还|并|则|只|更|便|通常|可能|应该|"
    r"必须|已经|主要|一般|正|又)$|的.*的"
)
_JUDGEMENT = re.compile(
    r"^(?:最|很|非常|更|相当|十分|比较|好|坏|对的|错的|正确|必[须要]|可[以能]|不|没|否|因为|为了|由于|由|在|如何|怎|什么|谁|一样|相同|"
    r"非|个|这|那|它|我|你|有)"
)
_PART_END = re.compile(r"[，,。；;！!？?]")
_KIND_TAGS = frozenset("n nz vn eng l j nrt nr ns i".split())
_IN_NAME = frozenset("n ng nr ns nt nz nrt nrfg eng vn j l b s i m x".split())
"""Tags of words that a name can have; a verb, a pronoun or an adverb is none: 实际上, 即使你."""
_ENDS_AS_NOUN = re.compile(r"的[^的]{1,8}$")
_CONTRAST = re.compile(
    r"不同于|有别于|区别|差异|不同的是|[与和跟]\S{1,20}不同|[与和]\S{1,20}相比|相比之下|而不是|而非|相反|对比|一样|相同|类似|相似"
)


def definition(sentence: str, title: str = "") -> tuple[str, str]:
    """Return what a sentence defines and the kind of thing it is, ("", "") for no definition.

    An entry of a glossary is "term：…的…". A ``title`` changes nothing: Chinese names have no article.

    Example:
        >>> definition("云雀网关是一种把传感器接入网络的通信设备。"), definition("这是一种设备。")
        (('云雀网关', '设备'), ('', ''))
    """
    text = " ".join(sentence.split())
    match = _SAYS_WHAT.match(text) or _ENTRY.match(text)
    if match is None or _ODD_NAME.search(plain(match["name"])) or _JUDGEMENT.match(plain(match["what"])):
        return "", ""
    if any(each.tag not in _IN_NAME for each in tokens(match["name"])):
        return "", ""
    kind = _kind(match["what"], entry=match.re is _ENTRY)
    return (match["name"].strip("`“”「」"), kind) if kind else ("", "")


def _kind(what: str, *, entry: bool) -> str:
    """Return the noun in which the first part of a definition ends, "" if it ends in another word.

    In an ``entry`` without 是, 的 before the noun shows that it is one and not the object of a verb.
    """
    first = _PART_END.split(what.rstrip("。.!！"), maxsplit=1)[0]
    if entry and not _ENDS_AS_NOUN.search(first):
        return ""
    words = [each for each in tokens(first) if each.text.strip()]
    last = words[-1] if words else None
    shown = last is not None and last.tag in _KIND_TAGS and len(last.text) > 1
    return last.text if shown and last is not None else ""
