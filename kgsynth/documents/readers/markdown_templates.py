"""Hide everything that is not Markdown from the parser: front matter, templates, includes, anchors, footnote marks.

It is replaced by blanks in a copy of the same length, so every offset into the copy is an offset into the file. Fenced
and inline code is left as it is.
"""

from __future__ import annotations

import re

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n(.*?\r?\n)?(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_FRONT_MATTER_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*\r?$", re.MULTILINE)
_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})([^\n]*)")
_ODD_BLANKS = re.compile(r"[^\S\r\n]+(?=\r?$|\r)", re.MULTILINE)  # a line with a form feed is not blank to Markdown
_NOT_SPACE = re.compile(r"[^\s]")

_TEMPLATE = re.compile(
    r"""(?P<code>(?<![\\`])(?P<ticks>`+)(?!`)(?:(?!\n[ \t>]*\r?\n).)*?(?<!`)(?P=ticks)(?!`))
    |<!--.*?-->
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
    """Return where the front matter ends (0 if there is none), and its title ("" if it has none).

    Example:
        >>> front_matter("---\\ntitle: 'Key facts'\\n---\\nText")
        (27, 'Key facts')
    """
    match = _FRONT_MATTER.match(text)
    if match is None or not re.search(r"^[\w\"-]+[ \t]*[:=]", match.group(2) or "", re.MULTILINE):
        return 0, ""
    title = _FRONT_MATTER_TITLE.search(match.group(2))
    return match.end(), _unquoted(title.group(1)) if title else ""


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
    text = _CODE_SHORTCODE.sub(_fence_shortcode, text)
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
    return _CALLOUT.sub(lambda match: _blank(match.group()), _TEMPLATE.sub(_hidden, piece))


def _hidden(match: re.Match[str]) -> str:
    if match.group("code"):
        return match.group()
    if match.group("admonition") is not None:  # "!!! note" with indented text is read as a list item
        indent = match.group("admonition")
        return indent + "-" + _blank(match.group()[len(indent) + 1 :])
    return _blank(match.group())


def _fence_shortcode(match: re.Match[str]) -> str:
    code, base = match.group(), match.start()
    for number in (3, 1):
        start, end = match.start(number) - base, match.end(number) - base
        code = code[:start] + "```" + " " * (end - start - 3) + code[end:]
    return code


def _blank(piece: str) -> str:
    return _NOT_SPACE.sub(" ", piece)
