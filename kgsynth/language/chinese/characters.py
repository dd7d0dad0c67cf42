"""Chinese text in the one form in which it is compared: simplified characters, half-width letters and figures."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from typing import Any

_CONVERTED_TEXTS = 20_000


def simplified(text: str) -> str:
    """Return a text in simplified characters, the rest as it is.

    Example:
        >>> simplified("臺灣的軟體，Redis。")
        '台湾的软体，Redis。'
    """
    return text if text.isascii() else _simplified(text)


def plain(text: str) -> str:
    """Return a text in simplified characters after NFKC, with its letter case.

    Example:
        >>> plain("約３萬元（ＵＳＤ）")
        '约3万元(USD)'
    """
    return simplified(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=_CONVERTED_TEXTS)
def _simplified(text: str) -> str:
    return str(_converter().convert(text))


@cache
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")
