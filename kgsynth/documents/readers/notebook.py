"""Read Jupyter notebooks: the text of their Markdown cells, their code, and what it printed; pictures are left out."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records.documents import Container
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers import markdown
from kgsynth.documents.readers.block_drafts import BlockDraft, ParsedFile
from kgsynth.documents.unsupported import UnsupportedFileError

_OUTPUT_NAME = "output"
_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_ANY_LINE_END = re.compile(r"\r\n?")


def read(text: str) -> ParsedFile:
    """Return the blocks of a notebook; ``ParsedFile.text`` is the text of its cells, joined by blank lines.

    Raises:
        UnsupportedFileError: it is not JSON, or not a notebook.

    Example:
        >>> cells = '{"cell_type": "markdown", "source": ["# Keys"]}, {"cell_type": "code", "source": "x = 1"}'
        >>> [(draft.kind, draft.text) for draft in read('{"cells": [' + cells + "]}").drafts]
        [('heading', 'Keys'), ('code', 'x = 1')]
    """
    try:
        notebook = parse_json(text, tolerant=True)
    except JsonError as error:
        raise UnsupportedFileError(f"damaged: {error}") from error
    cells = _cells(notebook)
    if cells is None:
        raise UnsupportedFileError("not a notebook: it has no cells")
    joined = _JoinedCells()
    for cell in cells:
        kind = cell.get("cell_type")
        source = _text(cell.get("source"))
        if kind == "markdown":
            joined.add(markdown.read(source))
        elif kind == "code":
            joined.add_code(source, _language(notebook))
            for output in _dicts(cell.get("outputs")):
                joined.add_code(_printed(output), _OUTPUT_NAME)
    return ParsedFile("\n\n".join(joined.texts), joined.drafts, joined.title, tuple(joined.containers))


class _JoinedCells:
    """The text of the cells so far, with its blocks and containers."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.length = 0
        self.title = ""
        self.drafts: list[BlockDraft] = []
        self.containers: list[Container] = []

    def add(self, parsed: ParsedFile) -> None:
        """Add what was read of a cell."""
        if not parsed.text.strip():
            return
        at, first = self.length + 2 * bool(self.texts), len(self.containers)
        self.texts.append(parsed.text)
        self.length = at + len(parsed.text)
        self.title = self.title or parsed.title
        for draft in parsed.drafts:
            runs = tuple((shown, source + at) for shown, source in draft.runs)
            inside = draft.inside + first if draft.inside >= 0 else -1
            self.drafts.append(replace(draft, start=draft.start + at, end=draft.end + at, runs=runs, inside=inside))
        for container in parsed.containers:
            parent = container.parent + first if container.parent >= 0 else -1
            moved = replace(container, parent=parent, start=container.start + at, end=container.end + at)
            self.containers.append(moved)

    def add_code(self, code: str, name: str) -> None:
        """Add a block of code, or what it printed."""
        shown = code.strip("\n").rstrip()
        draft = BlockDraft("code", 0, len(shown), shown, ((0, 0),), inside=0)
        self.add(ParsedFile(shown, [draft], containers=(Container(ContainerKind.CODE, -1, 0, len(shown), name),)))


def _cells(notebook: Any) -> list[dict[str, Any]] | None:
    """Return the cells of a notebook of version 4, None if it has none."""
    if not isinstance(notebook, dict):
        return None
    if isinstance(notebook.get("cells"), list):
        return _dicts(notebook["cells"])
    return None


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    """Return a text that may be stored as a list of its lines."""
    text = "".join(each for each in value if isinstance(each, str)) if isinstance(value, list) else value
    clean = text.encode("utf-8", "replace").decode("utf-8") if isinstance(text, str) else ""
    return _ANY_LINE_END.sub("\n", clean)


def _language(notebook: dict[str, Any]) -> str:
    """Return the programming language that the metadata name."""
    metadata = notebook.get("metadata")
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(part) if isinstance(metadata, dict) else None
        if isinstance(found, dict) and isinstance(found.get(key), str):
            return _text(found[key])
    return ""


def _printed(output: dict[str, Any]) -> str:
    """Return the text of an output, "" for a picture or an error."""
    if output.get("output_type") == "stream":
        return _ESCAPES.sub("", _text(output.get("text")))
    data = output.get("data", output)
    if not isinstance(data, dict) or any(str(key).startswith(("image", "png", "jpeg", "svg")) for key in data):
        return ""
    if output.get("output_type") in ("execute_result", "display_data", "pyout"):
        return _ESCAPES.sub("", _text(data.get("text/plain", data.get("text"))))
    return ""
