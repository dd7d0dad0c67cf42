"""Turn the inline markup of AsciiDoc into pieces of text: bold, code, links; footnotes are set aside."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kgsynth.documents.readers.block_drafts import NO_TARGET, Pieces, TextPiece
from kgsynth.documents.unsupported import UnsupportedFileError

_MAX_SUBSTITUTED = 2_000_000  # characters that the attributes of one file may stand for
_MAX_VALUE = 20_000  # characters of one attribute
_MAX_DEPTH = 12  # marks within marks
_BUILT_IN = {
    "amp": "&", "apos": "'", "asterisk": "*", "backslash": "\\", "backtick": "`", "blank": "", "caret": "^",
    "cpp": "C++", "deg": "°", "empty": "", "endsb": "]", "gt": ">", "lt": "<", "nbsp": "\u00a0", "plus": "+",
    "quot": '"', "sp": " ", "startsb": "[", "tilde": "~", "two-colons": "::", "two-semicolons": ";;", "vbar": "|",
    "wj": "", "zwsp": "",
}  # fmt: skip
_ATTRIBUTE_REFERENCE = re.compile(r"\\?\{([\w-]+)\}")
_ADOC_MARKUP = re.compile(
    r"""
      \\(?P<escaped>[*_`#^~+\\\[<{]|(?:link|xref|https?|footnote):)
    | \+\+\+(?P<raw3>.*?)\+\+\+
    | (?<!\w)\+\+(?P<raw2>.+?)\+\+(?!\w)
    | ["']`(?P<quoted>[^`]+)`["']
    | ``(?P<code2>.+?)``
    | (?<![\w`])`(?P<code1>[^`\s](?:[^`]*[^`\s])?)`(?!\w)
    | (?<![\w+])\+(?P<raw1>\S(?:[^+]*\S)?)\+(?![\w+])
    | \*\*(?P<strong2>.+?)\*\*
    | (?<![\w*])\*(?P<strong1>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])
    | (?:\[[^\[\]]*\])?\#\#(?P<marked2>.+?)\#\#
    | (?<![\w&])(?:\[[^\[\]]*\])?\#(?P<marked1>[^\s\#](?:[^\#]*[^\s\#])?)\#(?!\w)
    | __(?P<plain2>.+?)__
    | (?<!\w)_(?P<plain1>[^\s_](?:[^_]*[^\s_])?)_(?!\w)
    | \^(?P<high>[^\s^]+)\^ | ~(?P<low>[^\s~]+)~
    | <<(?P<cross>[^<>,]{1,300})(?:,\s*(?P<cross_text>[^<>]*?))?>>
    | footnote(?:ref)?:[^\s\[\]]*\[(?P<note>(?:[^\[\]]|\[[^\[\]]*\])*)\]
    | (?:kbd|btn|pass|stem|latexmath|asciimath|icon):[\w,]*\[(?P<shown>[^\]]*)\]
    | menu:(?P<menu>[^\s\[\]]+(?:[ ][^\s\[\]]+)*)\[(?P<menu_text>[^\]]*)\]
    | image:(?!:)[^\s\[\]]+\[(?P<image>[^\]]*)\]
    | anchor:[\w-]+\[(?P<anchor>[^\]]*)\]
    | (?<!\w)(?:link|xref|mailto):(?P<target>\+\+[^\s\[\]]+\+\+|[^\s\[\]]*)\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\]
    | (?P<url>(?:https?|ftp|irc)://[^\s\[\]<>]*[^\s\[\]<>.,;:!?)'"*_`])(?:\[(?P<url_text>(?:[^\[\]]|\[[^\[\]]*\])*)\])?
    | \[\[\[?(?P<id>[\w:.-]+)(?:,[^\[\]]*)?\]?\]\]
    | (?P<break>[ ]\+)(?=\n|\Z)
    | (?P<dash>(?<=\w)--(?=\w)|(?<=[ ])--(?=[ ]))
    """,
    re.VERBOSE | re.DOTALL,
)
_CALLOUT_NUMBER = re.compile(
    r"[ \t]*(?://|#|;;|--)?[ \t]*(?:<!--)?<(?:\d{1,3}|\.)>(?:-->)?(?=[ \t]*$|[ \t]*<)", re.MULTILINE
)


@dataclass(slots=True)
class InlineText:
    """Reads inline markup with the attributes of one file; ``notes`` are the footnotes since they were last taken."""

    attributes: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    substituted: int = 0

    def define(self, name: str, value: str) -> None:
        """Set an attribute; references in its value are replaced now, as AsciiDoc does."""
        self.attributes[name.lower()] = self.substitute(value)[:_MAX_VALUE]

    def substitute(self, text: str) -> str:
        """Return a text with references to known attributes replaced; others stay as they are.

        Raises:
            UnsupportedFileError: the attributes make too much text.
        """

        def value(match: re.Match[str]) -> str:
            name = match[1].lower()
            if match[0].startswith("\\"):
                return match[0][1:]
            found = self.attributes.get(name, _BUILT_IN.get(name))
            if found is None:
                return match[0]
            self.substituted += len(found)
            if self.substituted > _MAX_SUBSTITUTED:
                raise UnsupportedFileError("its attributes make too much text")
            return found

        return _ATTRIBUTE_REFERENCE.sub(value, text) if "{" in text else text

    def pieces(self, text: str) -> Pieces:
        """Return the pieces of a text with markup."""
        return self._parsed(self.substitute(text), TextPiece(""), 0)

    def _parsed(self, text: str, around: TextPiece, depth: int) -> Pieces:
        if depth > _MAX_DEPTH:
            return [around._replace(text=text)]
        pieces: Pieces = []
        at = 0
        for match in _ADOC_MARKUP.finditer(text):
            pieces.append(around._replace(text=text[at : match.start()]))
            pieces += self._marked(match, around, depth + 1)
            at = match.end()
        pieces.append(around._replace(text=text[at:]))
        return [piece for piece in pieces if piece.text]

    def _marked(self, match: re.Match[str], around: TextPiece, depth: int) -> Pieces:
        kind = match.lastgroup or ""
        value = match[kind] if kind else ""
        if kind in ("code1", "code2"):
            raw = value[1:-1] if len(value) > 2 and value[0] == value[-1] == "+" else ""
            code = around._replace(code=True)
            return [code._replace(text=raw)] if raw else [
                piece._replace(code=True) for piece in self._parsed(value, code, depth)
            ]  # fmt: skip
        if kind in ("strong1", "strong2"):
            return self._parsed(value, around._replace(strong=True), depth)
        if kind in ("plain1", "plain2", "marked1", "marked2", "high", "low"):
            return self._parsed(value, around, depth)
        if kind == "quoted":
            marks = "“”" if match[0][0] == '"' else "‘’"
            return [around._replace(text=marks[0]), *self._parsed(value, around, depth), around._replace(text=marks[1])]
        if kind in ("cross", "cross_text"):
            target = match["cross"].strip()
            target = target if "#" in target or target.endswith((".adoc", ".asciidoc")) else f"#{target}"
            return self._link(target, match["cross_text"] or match["cross"].strip().strip("#_"), around, depth)
        if kind == "text":
            target = match["target"].strip("+") if match["target"].startswith("++") else match["target"]
            shown = re.sub(r"(?:\^|,\s*(?:window|role|opts|options)=[^,\]]*)+$", "", value)
            target = f"mailto:{target}" if match[0].startswith("mailto:") else target
            named = match[0].startswith("xref:") and "#" not in target and "." not in target
            return self._link(
                f"#{target}" if named else target or NO_TARGET, shown or match["target"].strip("+#_"), around, depth
            )
        if kind in ("url", "url_text"):
            shown = re.sub(r"(?:\^|,\s*(?:window|role)=[^,\]]*)+$", "", match["url_text"] or "")
            return self._link(match["url"], shown or match["url"], around, depth)
        return self._kept(kind, value, match, around)

    def _kept(self, kind: str, value: str, match: re.Match[str], around: TextPiece) -> Pieces:
        if kind == "note":
            if value:
                self.notes.append(value)
            return []
        if kind in ("image", "anchor", "id"):
            return []
        if kind == "menu_text":
            value = " > ".join(part for part in (match["menu"], *re.split(r"\s*>\s*", value)) if part)
        shown = {"break": "\n", "dash": "—"}.get(kind, value)
        return [around._replace(text=shown)]

    def _link(self, target: str, shown: str, around: TextPiece, depth: int) -> Pieces:
        return self._parsed(shown, around._replace(link=target), depth) if not around.link else [
            around._replace(text=shown)
        ]  # fmt: skip


def without_callouts(code: str) -> str:
    """Return code without the numbers in angle brackets that explanations below it refer to.

    Example:
        >>> without_callouts("x = 1 # <1>")
        'x = 1'
    """
    return _CALLOUT_NUMBER.sub("", code)
