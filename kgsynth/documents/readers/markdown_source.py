"""Hide from the parser of Markdown what is not Markdown: notes, front matter, templates, includes, anchors."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import BlockDraft
from kgsynth.documents.readers.nesting import NOTE_NAMES, Nesting

# Find the notes of Markdown, whose marks are hidden from the parser: ``!!! note``, ``/// note``, ``::: warning``.
#
# Those of GitHub are quotations that begin with ``[!NOTE]``. The name and the title of each are read here.

_KNOWN_NOTES = NOTE_NAMES | {"check", "summary", "todo"}
_MARK = re.compile(
    r"""^[ \t]*(?P<mark>!!!|\?\?\?\+?|/{3,}|:{3,})[ \t]*
    (?:\{?\.?(?:callout-)?(?P<name>[A-Za-z][\w-]*)\}?(?P<rest>[^\r\n]*))?""",
    re.VERBOSE | re.MULTILINE,
)
_NOTE_TITLE = re.compile(
    r"""[^"\r\n]*"(?P<quoted>[^"\r\n]+)"|[ \t]*\|[ \t]*(?P<after>[^\r\n]+)|\[(?P<square>[^\]\r\n]+)\]"""
)
_COLON_TITLE = re.compile(r"[ \t]+(?P<after>[^\s{\"][^\r\n]*)")
_CALLOUT_NAME = re.compile(r"[ \t>]*>[ \t]*\[!(?P<name>\w+)\][+-]?[ \t]*\r?$", re.MULTILINE)


class NoteMark(NamedTuple):
    """Where a note begins and ends, its name, and its title with its offset; ``end`` -1 for an indented note."""

    start: int
    end: int
    name: str
    title: str = ""
    title_at: int = 0


def note_marks(text: str, copy: str) -> Iterator[NoteMark]:
    """Yield the notes of ``text``; ``copy`` is what the parser reads, where the marks of notes are hidden."""
    opened: list[tuple[str, NoteMark | None]] = []
    count: Counter[str] = Counter()
    for match in _MARK.finditer(text):
        mark, start = match["mark"], match.start("mark")
        if copy.startswith(mark, start):  # code, which is not hidden
            continue
        found = _named(text, match)
        if mark[0] in "!?":
            if found:
                yield found
        elif match["name"]:
            opened.append((mark, found))
            count[mark] += 1
        elif count[mark]:
            while opened:
                opener, note = opened.pop()
                count[opener] -= 1
                if opener == mark:
                    if note:
                        yield note._replace(end=match.end())
                    break


def callout_name(text: str, start: int, end: int) -> str:
    """Return the name of the note that the first line of a quotation announces, "" if it announces none.

    Example:
        >>> callout_name("> [!NOTE]\\n> Text.", 0, 9)
        'note'
    """
    match = _CALLOUT_NAME.match(text, start, end)
    return match["name"].lower() if match and match["name"].lower() in _KNOWN_NOTES else ""


def _named(text: str, match: re.Match[str]) -> NoteMark | None:
    name = (match["name"] or "").lower()
    if name not in _KNOWN_NOTES:
        return None
    title = _NOTE_TITLE.match(text, match.start("rest"), match.end("rest"))
    if title is None and match["mark"][0] == ":":
        title = _COLON_TITLE.match(text, match.start("rest"), match.end("rest"))
    if title is None or title.lastgroup is None:
        return NoteMark(match.start("mark"), -1, name)
    words = title[title.lastgroup].rstrip()
    return NoteMark(match.start("mark"), -1, name, words, title.start(title.lastgroup))


def add_notes(marks: Iterable[NoteMark], drafts: list[BlockDraft], nesting: Nesting) -> None:
    """Put the drafts of each note, and the containers around them, into a container.

    The title of a note becomes a meta block of it.
    """
    drafts.sort(key=lambda draft: draft.start)
    starts = [draft.start for draft in drafts]
    items = {each.start: number for number, each in enumerate(nesting.found) if each.kind == ContainerKind.ITEM}
    for mark in sorted(marks):  # outer notes come before inner ones
        if mark.end < 0:  # it was read as a list item
            number = items.get(mark.start, -1)
            if number >= 0:
                nesting.found[number] = replace(nesting.found[number], kind=ContainerKind.NOTE, name=mark.name)
        else:
            number = _enclose(
                mark, drafts, range(bisect_left(starts, mark.start), bisect_left(starts, mark.end)), nesting
            )
        if number >= 0 and mark.title:
            end, runs = mark.title_at + len(mark.title), ((0, mark.title_at),)
            drafts.append(BlockDraft("meta", mark.start, end, mark.title, runs, inside=number))


def _enclose(mark: NoteMark, drafts: list[BlockDraft], inside: range, nesting: Nesting) -> int:
    """Add a note around some drafts and the containers that begin in it; return its index, -1 without drafts."""
    if not inside:
        return -1
    found = nesting.found
    around = drafts[inside[0]].inside
    while around >= 0 and found[around].start >= mark.start:
        around = found[around].parent
    note = nesting.add(ContainerKind.NOTE, around, mark.start, name=mark.name)
    for number in inside:
        outermost, above = -1, drafts[number].inside
        while above not in (around, note, -1):
            outermost, above = above, found[above].parent
        if above != around:
            continue
        if outermost < 0:
            drafts[number] = replace(drafts[number], inside=note)
        else:
            found[outermost] = replace(found[outermost], parent=note)
    return note


# Hide everything that is not Markdown from the parser: front matter, templates, includes, anchors, footnote marks.
#
# It is replaced by blanks in a copy of the same length, so every offset into the copy is an offset into the file.
# Fenced and inline code is left as it is.

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n(.*?\r?\n)?(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FRONT_MATTER_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+)$", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_ODD_BLANKS = re.compile(
    r"(?<![^\S\r\n])[^\S\r\n]++(?=\r?$|\r)", re.MULTILINE
)  # a line with a form feed is not blank to Markdown
_NOT_SPACE = re.compile(r"[^\s]")

_TEMPLATE = re.compile(
    r"""(?P<ticks>(?<![\\`])`++)                     # inline code, if another such run ends it in this paragraph
    |(?P<comment><!--)                             # to the next -->, if there is one
    |\{\{[#<%](?:(?!\}\}).){0,2000}\}\}            # mdBook includes, Hugo shortcodes
    |\{\{(?:(?!\}\}|\n).){0,400}\}\}               # {{ variables }}
    |\{%(?:(?!%\}).){0,2000}%\}                    # {% template tags %}
    |\{\*[ ](?:(?!\*\}|\n).){0,400}\*\}            # {* MkDocs includes *}
    |(?<=[ \t])\{:?[ ]*[#.][\w\-.: #="]*\}(?=[ \t]*\r?$)   # { #anchor } after a heading
    |^[ \t]*\{:[^\n}]*\}(?=[ \t]*\r?$)
    |(?<=^)[ \t]*\[\^[^\]\s]{1,60}\]:              # where a footnote begins
    |\[\^[^\]\s]{1,60}\]                           # footnote marks
    |^[ \t]*/{3,}(?:[ \t]*[\w-]+[ \t]*(?:\|[^\n]*)?)?(?=\r?$)
    |^[ \t]*:{3,}[^\n]*
    |^[ \t]*(?:@\w+|\[(?:toc|TOC|\[TOC\]|\[_TOC_\])\])(?=[ \t]*\r?$)
    |^(?P<admonition>[ \t]*)(?:!!!|\?\?\?\+?|===\+?)[ ][^\n]*
    |</?[A-Z]\w*(?:[ \t\r\n]++(?:"[^"]*+"|'[^']*+'|[^<>"']++){0,400}+)?/?>(?=[ \t]*\r?$) # <Listing …> on a line
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_BLANK_LINE = re.compile(r"\r?\n[ \t]*\r?\n")
_NO_TEXT = "[]()"  # begins a list item, whose text would be code if a blank line came first
_CALLOUT = re.compile(r"(?<=>)[ \t]*\[!\w+\][+-]?(?=[ \t]*\r?$)", re.MULTILINE)
_TICKS = re.compile(r"`+")
_PARAGRAPH_END = re.compile(r"(?=\n[ \t>]*+\r?\n)")
_SHORTCODE = re.compile(
    r"^[ \t]*+(?P<mark>\{\{<[ ]*+(?P<closes>/?)[ ]*+(?P<name>[\w-]++)(?:(?!>\}\})[^\n])*+>\}\})(?P<rest>[^\r\n]*+)",
    re.MULTILINE,
)
_CODE_SHORTCODE_NAME = re.compile(r"highlight|code|example|mermaid")


def front_matter(text: str) -> tuple[int, str]:
    """Return where the front matter ends (0 if there is none), and its title ("" if it has none).

    Example:
        >>> front_matter("---\\ntitle: 'Key facts'\\n---\\nText")
        (27, 'Key facts')
    """
    match = _FRONT_MATTER.match(text)
    if match is None or not re.search(r"^[\w\"-]+[ \t]*[:=]", match.group(2) or "", re.MULTILINE):
        return 0, ""
    title = _FRONT_MATTER_TITLE.search(match.group(2))
    return match.end(), _unquoted(title.group(1).removesuffix("\r").rstrip(" \t")) if title else ""


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return " ".join(value.split())


def hide_templates(text: str) -> str:
    """Return ``text`` with front matter and templates replaced by blanks, so that its length is the same.

    Example:
        >>> hide_templates("# Title { #t }\\n{{#include a.rs}}\\nSee[^1] `{{ x }}`")
        '# Title       \\n                 \\nSee     `{{ x }}`'
    """
    end, _ = front_matter(text)
    text = _blank(text[:end]) + text[end:]
    text = _fence_shortcodes(text)
    text = "".join(piece if code else _hide_in_prose(piece) for piece, code in _by_fences(text))
    return _ODD_BLANKS.sub(lambda match: " " * len(match.group()), text)


def _by_fences(text: str) -> list[tuple[str, bool]]:
    """Split ``text`` into pieces with whether each is fenced code; an unclosed fence extends to the end."""
    pieces: list[tuple[str, bool]] = []
    lines: list[str] = []
    fence = ""
    for line in re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text):
        match = _FENCE.match(line)
        if not fence and match and not (match.group(1)[0] == "`" and "`" in match.group(2)):
            pieces.append(("".join(lines), False))
            lines, fence = [line], match.group(1)
        elif fence and match and match.group(1).startswith(fence) and not match.group(2).strip():
            pieces.append(("".join([*lines, line]), True))
            lines, fence = [], ""
        else:
            lines.append(line)
    pieces.append(("".join(lines), bool(fence)))
    return pieces


def _hide_in_prose(piece: str) -> str:
    return _CALLOUT.sub(lambda match: _blank(match.group()), "".join(_with_templates_hidden(piece)))


def _with_templates_hidden(piece: str) -> Iterator[str]:
    """Yield ``piece`` in parts, templates replaced by blanks. Takes time in proportion to its length."""
    runs: dict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(piece):
        runs[len(run.group())].append(run.start())
    ends = [match.start() for match in _PARAGRAPH_END.finditer(piece)]
    last_close = piece.rfind("-->")
    reached = at = 0
    while match := _TEMPLATE.search(piece, at):
        at = match.end()
        if ticks := match.group("ticks"):
            close = _first_from(runs[len(ticks)], at)
            if close >= 0 and not 0 <= _first_from(ends, at) < close:
                at = close + len(ticks)
            continue
        if match.group("comment"):
            close = piece.find("-->", at) if at <= last_close else -1
            if close < 0:
                continue
            at = close + 3
            yield piece[reached : match.start()] + _blank(piece[match.start() : at])
        else:
            yield piece[reached : match.start()] + _hidden(match)
        reached = at
    yield piece[reached:]


def _first_from(places: list[int], at: int) -> int:
    """Return the first of the sorted ``places`` that is not before ``at``, -1 if there is none."""
    number = bisect_left(places, at)
    return places[number] if number < len(places) else -1


def _hidden(match: re.Match[str]) -> str:
    if match.group("admonition") is not None:  # "!!! note" with indented text is read as a list item
        indent = match.group("admonition")
        rest = _blank(match.group()[len(indent) + 1 :])
        if len(rest) > len(_NO_TEXT) and _BLANK_LINE.match(match.string, match.end()):
            rest = f" {_NO_TEXT}{rest[len(_NO_TEXT) + 1 :]}"
        return f"{indent}-{rest}"
    return _blank(match.group())


def _fence_shortcodes(text: str) -> str:
    """Return ``text`` with the shortcodes around code replaced by fences."""
    marks = list(_SHORTCODE.finditer(text))
    closing: dict[str, list[int]] = defaultdict(list)
    for number, mark in enumerate(marks):
        if mark["closes"]:
            closing[mark["name"]].append(number)
    parts, reached, at = [], 0, 0
    while at < len(marks):
        mark = marks[at]
        opens = not mark["closes"] and _CODE_SHORTCODE_NAME.search(mark["name"]) and not mark["rest"].strip(" \t")
        close = _first_from(closing[mark["name"]], at) if opens else -1
        if close >= 0:
            for each in (mark, marks[close]):
                start, end = each.span("mark")
                parts.append(text[reached:start] + "```" + " " * (end - start - 3))
                reached = end
        at = max(at, close) + 1
    return "".join(parts) + text[reached:]


def _blank(piece: str) -> str:
    return _NOT_SPACE.sub(" ", piece)
