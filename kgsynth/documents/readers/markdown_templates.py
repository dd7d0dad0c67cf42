"""Hide from the Markdown parser what is not Markdown: front matter, templates, includes, anchors, footnote marks.

Everything hidden is blanked out in a copy of the same length, so every offset into the copy is an offset into the
file. Code, fenced or inline, is left as it is. Leaves out: Markdown itself.
"""

from __future__ import annotations

import re

_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n(.*?\r?\n)?(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*\r?$", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_ODD_BLANKS = re.compile(r"[^\S\r\n]+(?=\r?$|\r)", re.MULTILINE)
_BLANKED = re.compile(r"[^\s]")

_INLINE = re.compile(
    r"""(?P<code>(?<![\\`])(?P<ticks>`+)(?!`)(?:(?!\n[ \t>]*\r?\n).)*?(?<!`)(?P=ticks)(?!`))
    |<!--.*?-->
    |\{\{[#<%](?:(?!\}\}).){0,2000}\}\}            # mdBook includes, Hugo shortcodes
    |\{\{(?:(?!\}\}|\n).){0,400}\}\}               # {{ variables }}
    |\{%(?:(?!%\}).){0,2000}%\}                    # {% template tags %}
    |\{\*[ ](?:(?!\*\}|\n).){0,400}\*\}            # {* MkDocs includes *}
    |(?<=[ \t])\{:?[ ]*[#.][\w\-.: #="]*\}(?=[ \t]*\r?$)   # { #anchor } behind a heading
    |^[ \t]*\{:[^\n}]*\}(?=[ \t]*\r?$)
    |(?<=^)[ \t]*\[\^[^\]\s]{1,60}\]:              # where a footnote begins
    |\[\^[^\]\s]{1,60}\]                           # footnote marks
    |^[ \t]*/{3,}(?:[ \t]*[\w-]+[ \t]*(?:\|[^\n]*)?)?(?=\r?$)
    |^[ \t]*:{3,}[^\n]*
    |^[ \t]*(?:@\w+|\[(?:toc|TOC|\[TOC\]|\[_TOC_\])\])(?=[ \t]*\r?$)
    |^(?P<admonition>[ \t]*)(?:!!!|\?\?\?\+?|===\+?)[ ][^\n]*
    |</?[A-Z]\w*(?:[ \t\r\n]+(?:"[^"]*"|'[^']*'|[^<>"'])*)?/?>(?=[ \t]*\r?$)   # <Listing …>, alone on its line
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_CALLOUT = re.compile(r"(?<=>)[ \t]*\[!\w+\][+-]?(?=[ \t]*\r?$)", re.MULTILINE)
_CODE_SHORTCODE = re.compile(
    r"^[ \t]*(\{\{<[ ]*(?P<name>[\w-]*(?:highlight|code|example|mermaid)[\w-]*)\b(?:(?!>\}\})[^\n])*>\}\})[ \t]*\r?$"
    r".*?^[ \t]*(\{\{<[ ]*/[ ]*(?P=name)[ ]*>\}\})",
    re.MULTILINE | re.DOTALL,
)


def front_matter(text: str) -> tuple[int, str]:
    """Return where the front matter ends (0: there is none) and the title it gives ("" for none).

    Example:
        >>> front_matter("---\\ntitle: 'Key facts'\\n---\\nText")
        (27, 'Key facts')
    """
    match = _FRONT.match(text)
    if match is None or not re.search(r"^[\w\"-]+[ \t]*[:=]", match.group(2) or "", re.MULTILINE):
        return 0, ""
    title = _TITLE.search(match.group(2))
    return match.end(), _unquoted(title.group(1)) if title else ""


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return " ".join(value.split())


def hide(text: str) -> str:
    """Return ``text``, letter for letter as long, with front matter and templates blanked out.

    Example:
        >>> hide("# Title { #t }\\n{{#include a.rs}}\\nSee[^1] `{{ x }}`")
        '# Title       \\n                 \\nSee     `{{ x }}`'
    """
    end, _ = front_matter(text)
    text = _blank(text[:end]) + text[end:]
    text = _CODE_SHORTCODE.sub(_fenced, text)
    text = "".join(piece if code else _hide_prose(piece) for piece, code in _by_fences(text))
    return _ODD_BLANKS.sub(lambda match: " " * len(match.group()), text)  # a form feed is no line to Markdown


def _by_fences(text: str) -> list[tuple[str, bool]]:
    """Split ``text`` into stretches outside and inside of code fences; an unclosed fence reaches to the end."""
    pieces: list[tuple[str, bool]] = []
    held: list[str] = []
    mark = ""
    for line in re.findall(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+", text):
        match = _FENCE.match(line)
        if not mark and match and not (match.group(1)[0] == "`" and "`" in match.group(2)):
            pieces.append(("".join(held), False))
            held, mark = [line], match.group(1)
        elif mark and match and match.group(1).startswith(mark) and not match.group(2).strip():
            pieces.append(("".join([*held, line]), True))
            held, mark = [], ""
        else:
            held.append(line)
    pieces.append(("".join(held), bool(mark)))
    return pieces


def _hide_prose(piece: str) -> str:
    return _CALLOUT.sub(lambda match: _blank(match.group()), _INLINE.sub(_hidden, piece))


def _hidden(match: re.Match[str]) -> str:
    if match.group("code"):
        return match.group()
    if match.group("admonition") is not None:  # "!!! note" with indented text is read as a list item
        indent = match.group("admonition")
        return indent + "-" + _blank(match.group()[len(indent) + 1 :])
    return _blank(match.group())


def _fenced(match: re.Match[str]) -> str:
    whole, base = match.group(), match.start()
    for number in (3, 1):
        start, end = match.start(number) - base, match.end(number) - base
        whole = whole[:start] + "```" + " " * (end - start - 3) + whole[end:]
    return whole


def _blank(piece: str) -> str:
    return _BLANKED.sub(" ", piece)
