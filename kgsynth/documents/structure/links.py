"""Read links to other documents or sections, and find what they mean."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from kgsynth.base.records import Block, Document, StructureFact
from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.readers import READERS
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


# Find the document and the section that a link means: by file, with or without extension, and by anchor.
#
# A page that front matter gives another address ("aliases", "permalink") is found there. Where a site is published
# below another folder than that of its files, the last folder and file of a path are enough if only one document has
# them.

_OWN_ANCHOR = re.compile(
    r"\{:?[ ]*#(?P<braces>[\w\-.:]+)|<a\s[^<>]{0,200}?\b(?:name|id)\s*=\s*[\"']?(?P<tag>[^\"'\s<>]+)", re.IGNORECASE
)
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_ADDRESS = re.compile(r"^\s*(?:-\s+|[\w-]+:\s+)[\"']?/(?P<path>[\w\-./%~]+?)/?(?:\.html?)?[\"']?\s*$", re.MULTILINE)
_IMAGE = re.compile(r"\.(?:png|jpe?g|svg|gif|webp|ico|css|js)$", re.IGNORECASE)
_FOLDER_PAGES = ("index", "README", "readme", "_index")


class LinkTargets:
    """The documents of a folder, and the sections that anchors mean.

    Example:
        >>> from kgsynth.documents.assembly import assemble
        >>> from kgsynth.documents.readers.markdown import read
        >>> page = assemble(read("# Keys\\n\\n## Key sets\\n\\nText."), id="guide/keys.md", format="md", sha256="")
        >>> LinkTargets([page]).resolve("guide/keys#key-sets")
        ('guide/keys.md', 2)
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = {document.id: document for document in documents}
        self._anchors: dict[str, dict[str, int]] = {}
        self._addresses: dict[str, str] = {}
        self._tails: dict[str, set[str]] = defaultdict(set)
        for document in self._documents.values():
            for address in _addresses(document):
                self._addresses.setdefault(address, document.id)
            self._tails[_tail(document.id.removesuffix(f".{document.format}"))].add(document.id)

    def resolve(self, name: str) -> tuple[str, int] | None:
        """Return the document and the index of the section that ``name`` means; None if there is no such place.

        ``name`` is that of a ``see`` fact: a path below the folder, with an anchor after ``#`` if there is one.
        """
        path, _, anchor = name.partition("#")
        doc = self._document(path)
        if doc is None or not anchor:
            return None if doc is None else (doc, 0)
        if doc not in self._anchors:
            self._anchors[doc] = anchors(self._documents[doc])
        section = self._anchors[doc].get(anchor.casefold())
        return None if section is None else (doc, section)

    def _document(self, path: str) -> str | None:
        """Return the document at a path, which may lack its extension, have that of a built page, or be a folder."""
        stem = path.strip("/")
        folder = "" if stem in ("", ".") else f"{stem}/"
        bare = stem.removesuffix(".html").removesuffix(".htm")
        ways = [stem, *(f"{bare}{each}" for each in READERS)]
        ways += [f"{folder}{page}{each}" for page in _FOLDER_PAGES for each in READERS]
        found = next((way for way in ways if way in self._documents), None) or self._addresses.get(bare)
        same = self._tails.get(_tail(bare), set()) if found is None and _tail(bare) else set()
        return found or (min(same) if len(same) == 1 else None)


def _tail(path: str) -> str:
    """Return the last folder and the file of a path, "" if it has no folder."""
    folders = path.strip("/").split("/")
    return "/".join(folders[-2:]) if len(folders) > 1 else ""


def _addresses(document: Document) -> Iterator[str]:
    """Yield the paths that the front matter of a document gives, without the outer slashes."""
    for block in document.blocks:
        if block.kind != "meta":
            break
        yield from (match["path"] for match in _ADDRESS.finditer(block.text) if not _IMAGE.search(match["path"]))


def anchors(document: Document) -> dict[str, int]:
    """Return the section that each anchor of a document means; anchors are case-folded.

    They are those written as ``{#id}`` or ``<a name="id">``, and those that GitHub and MkDocs make of headings.
    """
    shown = [block for block in document.blocks if block.kind != "meta"]
    ends = [block.end for block in shown]
    found: dict[str, int] = {}
    for match in _OWN_ANCHOR.finditer(document.text):
        number = bisect_right(ends, match.start())
        if number < len(shown) and shown[number].kind != "code":
            found.setdefault((match["braces"] or match["tag"]).casefold(), shown[number].section)
    count: Counter[str] = Counter()
    for block in shown:
        if block.kind == "heading":
            slug = _NOT_IN_SLUG.sub("", block.text.casefold().strip()).replace(" ", "-")
            short = re.sub(r"-+", "-", slug).strip("-")
            times = count[slug]
            for each in (slug, short):
                for made in (f"{each}-{times}", f"{each}_{times}") if times else (each,):
                    found.setdefault(made, block.section)
            count[slug] += 1
    return found
