"""Read inline Markdown: emphasis, code, links and entities, each character with its place in the file.

markdown-it gives the lines of a block, but not the places of its inline tokens; ``parser`` adds them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kgsynth.documents.readers.block_drafts import NO_TARGET, CleanText, TextPiece
from kgsynth.language.words import HAN, HAN_EXTENSION, HANGUL, KANA

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_CJK_BESIDE_EMPHASIS = re.compile(f"[{KANA}{HAN_EXTENSION}{HAN}{HANGUL}]")
_BREAK_TAG = re.compile(r"</?(?:br|p|div|li|hr)\b", re.IGNORECASE)


@cache
def parser() -> MarkdownIt:
    """Return a parser that sets ``meta["at"]`` of each inline token: its offset into the block's content."""
    from markdown_it import MarkdownIt
    from markdown_it.parser_inline import ParserInline
    from markdown_it.rules_inline.state_inline import StateInline

    class PlacedState(StateInline):
        def pushPending(self) -> Token:  # noqa: N802 - the parser's own name
            token = super().pushPending()
            token.meta["at"] = max(0, self.src.rfind(token.content, 0, self.pos))
            return token

        def push(self, ttype: str, tag: str, nesting: Any) -> Token:
            """Note the parser's position at each token."""
            token = super().push(ttype, tag, nesting)
            token.meta["at"] = self.pos
            return token

        def scanDelims(self, start: int, canSplitWord: bool) -> Any:  # noqa: N802, N803
            """Let emphasis open after a Chinese character and close before one, even beside punctuation."""
            found = super().scanDelims(start, canSplitWord)
            before, after = self.src[start - 1 : start], self.src[start + found.length : start + found.length + 1]
            if self.src[start] != "*" or not before.strip() or not after.strip():
                return found
            return found._replace(
                can_open=found.can_open or bool(_CJK_BESIDE_EMPHASIS.match(before)),
                can_close=found.can_close or bool(_CJK_BESIDE_EMPHASIS.match(after)),
            )

    class PlacedInline(ParserInline):
        def parse(self, src: str, md: Any, env: Any, tokens: list[Token]) -> list[Token]:
            """Parse as the base class does, with a state that notes positions."""
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


class SourceMap:
    """Maps offsets into a block's content to offsets into the file."""

    def __init__(self, places: list[tuple[int, int]], content: str) -> None:
        self.content = content
        self.keys = [key for key, _ in places]
        self.values = [value for _, value in places]

    def source(self, at: int) -> int:
        """Return the offset in the file of the character at ``at``."""
        number = max(0, bisect_right(self.keys, at) - 1)
        return self.values[number] + at - self.keys[number]

    def add(self, clean: CleanText, piece: TextPiece, at: int) -> None:
        """Add ``piece`` to the text in stretches that are unbroken in the file too."""
        text = piece.text
        inside = self.keys[bisect_right(self.keys, at) : bisect_left(self.keys, at + len(text))]
        cuts = [0, *(key - at for key in inside), len(text)]
        for low, high in pairwise(cuts):
            clean.add(piece._replace(text=text[low:high]), self.source(at + low))


def add_inline(children: list[Token], clean: CleanText, places: SourceMap) -> str:
    """Add the text of inline tokens; return the alternative texts of the images among them."""
    links, strong, reached, images = [""], 0, 0, []
    for child in children:
        at = max(child.meta.get("at", 0), reached)
        if child.type in ("text", "text_special"):
            reached = _add_text(child, at, clean, places, TextPiece(child.content, False, links[-1], strong > 0))
        elif child.type == "code_inline":
            inside = at + len(child.markup)
            inside += _stripped_blanks(places.content, inside, child.content)
            places.add(clean, TextPiece(child.content, True, links[-1], strong > 0), inside)
            reached = inside + len(child.content) + len(child.markup)
        elif child.type in ("softbreak", "hardbreak"):
            newline = places.content.find("\n", at)
            clean.add(TextPiece("\n"), places.source(newline - 1) + 1)
        elif child.type == "html_inline":
            if _BREAK_TAG.match(child.content):
                clean.add(TextPiece(" "), places.source(at), encoded=True)
            reached = at + len(child.content)
        elif child.type == "image":
            images.append(child.content)
        elif child.type == "link_open":
            reached = at + (child.info == "auto")
            links.append(str(child.attrGet("href") or NO_TARGET))
        elif child.type == "link_close":
            links.pop()
        strong += child.nesting * (child.tag == "strong")
    return " ".join(images)


def _add_text(token: Token, at: int, clean: CleanText, places: SourceMap, piece: TextPiece) -> int:
    """Add a text token, an escape or an entity; return where it ends."""
    if token.info == "entity":
        clean.add(piece, places.source(at), encoded=True)
        return at + len(token.markup)
    if token.info == "escape" and token.content != token.markup:
        at += 1  # after the backslash
    places.add(clean, piece, at)
    return at + len(token.content)


def _stripped_blanks(content: str, at: int, code: str) -> int:
    """Return how many blanks, 0 or 1, the parser removed from the front of a piece of inline code."""
    return int(" ".join(content[at : at + len(code)].split("\n")) != code)
