"""The inline half of the Markdown reader: emphasis, code, links, entities, each character with its place.

markdown-it says on which lines a block stands, but not where its inline tokens do; a state that notes the parser's
position at each token mends that. Leaves out: blocks (``markdown``).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kgsynth.documents.readers.block_drafts import Weave

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_BREAK_TAG = re.compile(r"</?(?:br|p|div|li|hr)\b", re.IGNORECASE)


@cache
def parser() -> MarkdownIt:
    """Return a parser whose inline tokens know where they stand: ``meta["at"]``, into the inline's content."""
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline.state_inline import StateInline

    class PlacedState(StateInline):
        def pushPending(self) -> Token:  # noqa: N802 - the parser's own name
            token = super().pushPending()
            token.meta["at"] = max(0, self.src.rfind(token.content, 0, self.pos))
            return token

        def push(self, ttype: str, tag: str, nesting: Any) -> Token:
            """Note where the parser stands at each token."""
            token = super().push(ttype, tag, nesting)
            token.meta["at"] = self.pos
            return token

        def scanDelims(self, start: int, canSplitWord: bool) -> Any:  # noqa: N802, N803
            """Let emphasis open behind a Chinese character and close before one, whatever punctuation it holds."""
            found = super().scanDelims(start, canSplitWord)
            before, after = self.src[start - 1 : start], self.src[start + found.length : start + found.length + 1]
            if self.src[start] != "*" or not before.strip() or not after.strip():
                return found
            return found._replace(
                can_open=found.can_open or bool(_CJK.match(before)),
                can_close=found.can_close or bool(_CJK.match(after)),
            )

    class PlacedInline(ParserInline):
        def parse(self, src: str, md: Any, env: Any, tokens: list[Token]) -> list[Token]:
            """Parse as the base class does, with a state that notes places."""
            state = PlacedState(src, md, env, tokens)
            self.tokenize(state)
            for rule in self.ruler2.getRules(""):
                rule(state)
            found: list[Token] = state.tokens
            return found

    made = MarkdownIt("commonmark").enable("table")
    made.inline = PlacedInline()
    made.inline.ruler2.disable("fragments_join")
    made.core.ruler.disable("text_join")
    return made


class Places:
    """From offsets into an inline's content to offsets into the file."""

    def __init__(self, places: list[tuple[int, int]], content: str) -> None:
        self.content = content
        self.keys = [key for key, _ in places]
        self.values = [value for _, value in places]

    def source(self, at: int) -> int:
        """Return where the character at ``at`` stands in the file."""
        number = max(0, bisect_right(self.keys, at) - 1)
        return self.values[number] + at - self.keys[number]

    def add(self, weave: Weave, piece: str, at: int, code: bool, link: bool) -> None:
        """Hand ``piece`` to the weave in stretches that are unbroken in the file too."""
        cuts = [0, *(key - at for key in self.keys if at < key < at + len(piece)), len(piece)]
        for low, high in pairwise(cuts):
            weave.add(piece[low:high], self.source(at + low), code=code, link=link)


def weave_inline(children: list[Token], weave: Weave, places: Places) -> str:
    """Weave the text of inline tokens; return the alternative texts of the images among them."""
    link, reached, images = 0, 0, []
    for child in children:
        at = max(child.meta.get("at", 0), reached)
        if child.type in ("text", "text_special"):
            reached = _weave_text(child, at, weave, places, link > 0)
        elif child.type == "code_inline":
            inside = at + len(child.markup)
            inside += _stripped(places.content, inside, child.content)
            places.add(weave, child.content, inside, True, link > 0)
            reached = inside + len(child.content) + len(child.markup)
        elif child.type in ("softbreak", "hardbreak"):
            newline = places.content.find("\n", at)
            weave.add("\n", places.source(newline - 1) + 1)
        elif child.type == "html_inline":
            if _BREAK_TAG.match(child.content):
                weave.add(" ", places.source(at), spelled=True)
            reached = at + len(child.content)
        elif child.type == "image":
            images.append(child.content)
        elif child.type == "link_open":
            reached = at + (child.info == "auto")
        link += child.nesting * (child.tag == "a")
    return " ".join(images)


def _weave_text(token: Token, at: int, weave: Weave, places: Places, link: bool) -> int:
    """Weave a text token, an escape or an entity; return where it ends."""
    if token.info == "entity":
        weave.add(token.content, places.source(at), link=link, spelled=True)
        return at + len(token.markup)
    if token.info == "escape" and token.content != token.markup:
        at += 1  # behind the backslash
    places.add(weave, token.content, at, False, link)
    return at + len(token.content)


def _stripped(content: str, at: int, code: str) -> int:
    """Say whether one blank was taken off the front of a piece of inline code."""
    return int(" ".join(content[at : at + len(code)].split("\n")) != code)
