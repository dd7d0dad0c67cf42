"""Word files and slides made for the tests, and ways to damage files."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from test_documents_markdown import check_block

from kgsynth.base.records import Document, Skipped, StructureFact
from kgsynth.documents import read_folder
from kgsynth.documents.structure import structure


def word(build: Callable[[Any], None]) -> bytes:
    """Return a Word file that ``build`` fills."""
    import docx

    document = docx.Document()
    build(document)
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def slides(build: Callable[[Any], None]) -> bytes:
    """Return a presentation that ``build`` fills."""
    import pptx

    presentation = pptx.Presentation()
    build(presentation)
    saved = io.BytesIO()
    presentation.save(saved)
    return saved.getvalue()


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of the given parts."""
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in parts.items():
            made.writestr(name, content)
    return saved.getvalue()


def changed(data: bytes, change: Mapping[str, Callable[[bytes], bytes]]) -> bytes:
    """Return an archive with some of its parts changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    return archive({name: change.get(name, bytes)(part) for name, part in parts.items()})


def entry(name: str, data: bytes) -> Document | Skipped:
    """Return what becomes of one file in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_bytes(data)
        (found,) = read_folder(Path(folder))
    return found


def document(name: str, data: bytes) -> Document:
    found = entry(name, data)
    assert isinstance(found, Document), found
    for block in found.blocks:
        if block.kind != "meta":
            check_block(block, found.text)
    return found


def reason(name: str, data: bytes) -> str:
    found = entry(name, data)
    assert isinstance(found, Skipped), "it was read"
    return found.reason


def shown(made: Document) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in made.blocks if block.kind != "meta"]


def facts(made: Document, kind: str) -> list[StructureFact]:
    return [fact for fact in structure(made) if fact.kind == kind]


def told(made: Document, kind: str) -> list[tuple[str, ...]]:
    """Return subject, heads and values of each fact of a kind."""
    return [
        (fact.subject.text, *(head.text for head in fact.heads), *(value.text for value in fact.values))
        for fact in facts(made, kind)
    ]
