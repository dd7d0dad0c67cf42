"""Read links to other documents of the folder, or to sections of this one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from kgsynth.base.records import Block, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.structure.outline import Outline

_ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.IGNORECASE)


def links(outline: Outline) -> Iterator[StructureFact]:
    """Yield each link in the text; its name is its target below the folder, as "guide/keys.md#sets"."""
    for block in outline.blocks:
        if block.kind in ("navigation", "meta", "heading"):
            continue
        for start, end, target in _joined(block):
            name = _resolve(outline.document.id, target)
            if name:
                shown = outline.part(block, start, end)
                yield outline.fact(StructureKind.SEE, block.section, outline.heading(block.section), [shown], name=name)


def _joined(block: Block) -> list[tuple[int, int, str]]:
    """Return the links of a block; one whose text is partly code or bold is one link."""
    found: list[tuple[int, int, str]] = []
    for start, end, target in block.links:
        if found and found[-1][2] == target and not block.text[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], end, target)
        else:
            found.append((start, end, target))
    return found


def _resolve(doc: str, target: str) -> str:
    """Return the path below the folder that a link in ``doc`` leads to, "" if it leads out of the folder."""
    if _ELSEWHERE.match(target) or target == "#":
        return ""
    path, mark, anchor = unquote(target).partition("#")
    path = path.partition("?")[0]
    if path.startswith("/"):
        full = posixpath.normpath(path.lstrip("/") or ".")
    else:
        full = posixpath.normpath(posixpath.join(posixpath.dirname(doc), path)) if path else doc
    return "" if full.startswith("..") else full + mark + anchor
