"""Read a block of raw HTML inside Markdown: its text in place, its tags gone.

A small scanner is enough here, for the text must be tied to the file, which HTML parsers do not do. Leaves out:
whole HTML files (``html``), navigation, scripts and styles.
"""

from __future__ import annotations

import html
import re

from kgsynth.documents.readers.block_drafts import Draft, Weave

_TOKEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style|svg)\b.*?(?:</(?P=raw)\s*>|\Z)"
    r"|<(?P<close>/?)(?P<tag>[a-zA-Z][\w-]*)(?:\s+(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)?/?>|<[!?][^>]*>"
    r"|(?P<entity>&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|\w{2,31});)|(?P<text>[^<&]+|[<&])",
    re.DOTALL,
)
_INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code del dfn em font i img input ins kbd label mark q s samp small span "
    "strike strong sub sup time tt u var wbr".split()
)
_KINDS = {"td": "cell", "th": "cell", "li": "item", "dd": "item", "dt": "item", "blockquote": "quote", "pre": "code"}
_KINDS |= {"nav": "navigation", "footer": "navigation", "aside": "navigation"}
_KINDS |= {f"h{level}": "heading" for level in range(1, 7)}


def fragment_drafts(text: str, start: int, end: int, kind: str) -> list[Draft]:
    """Return the drafts of ``text[start:end]``, raw HTML; ``kind`` is what stands outside of telling tags.

    Example:
        >>> [(d.kind, d.text) for d in fragment_drafts("<p>A &amp; <b>B</b></p><li>C</li>", 0, 33, "paragraph")]
        [('paragraph', 'A & B'), ('item', 'C')]
    """
    found: list[Draft] = []
    stack: list[str] = []
    weave, edges = Weave(text), [-1, -1]
    link = 0

    def close() -> None:
        nonlocal weave
        shown, runs, code = weave.woven()
        if shown:
            tag = next((name for name in reversed(stack) if name in _KINDS), "")
            level = int(tag[1]) if _KINDS.get(tag) == "heading" else 0
            own = _KINDS.get(tag, kind)
            found.append(Draft(own, edges[0], edges[1], shown, runs, level, code, weave.linked))
        weave = Weave(text)
        edges[0] = -1

    for match in _TOKEN.finditer(text, start, end):
        tag = (match.group("tag") or "").lower()
        if match.group("text") or match.group("entity"):
            piece = match.group("text") or html.unescape(match.group("entity"))
            if piece.strip():
                edges[0] = match.start() + len(piece) - len(piece.lstrip()) if edges[0] < 0 else edges[0]
                edges[1] = match.start() + len(match.group().rstrip())
            weave.add(piece, match.start(), code="code" in stack, link=link > 0, spelled=match.group("text") is None)
        elif tag == "br":
            weave.add(" ", match.start(), spelled=True)
        elif tag and (tag not in _INLINE_TAGS or tag == "code"):
            if tag != "code":
                close()
            _track(stack, tag, bool(match.group("close")))
        elif tag == "a":
            link = 0 if match.group("close") else 1
    close()
    return found


def _track(stack: list[str], tag: str, closes: bool) -> None:
    if not closes:
        stack.append(tag)
    elif tag in stack:
        while stack.pop() != tag:
            pass
