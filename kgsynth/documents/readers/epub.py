"""Read e-books: the chapters in reading order as one document, each by the reader of HTML.

Tables of contents are left out, and so are covers and pictures. A book with protected chapters is not read.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from kgsynth.documents.readers import html
from kgsynth.documents.readers.block_drafts import NO_TARGET, BlockDraft, ExtractedText, ParsedFile
from kgsynth.documents.readers.office_package import open_archive
from kgsynth.documents.unsupported import UnsupportedFileError, check_length, decode

if TYPE_CHECKING:
    from zipfile import ZipFile

_BOOK_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTER_TYPES = ("application/xhtml+xml", "text/html")
_FONT_METHODS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
_OUT_OF_BOOK = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.IGNORECASE)


def read(data: bytes) -> ParsedFile:
    """Return the blocks of an e-book; ``ParsedFile.text`` is the text of its chapters.

    Raises:
        UnsupportedFileError: it is damaged, or its chapters are protected.
    """
    with open_archive(data) as archive:
        names = set(archive.namelist())
        _refuse_protected(archive, names)
        package = _package(archive, names)
        folder = posixpath.dirname(package)
        root = _xml(archive, package)
        title = next((" ".join((each.text or "").split()) for each in _elements(root, "title")), "")
        extracted = ExtractedText()
        chapters = list(dict.fromkeys(_chapters(root, folder)))
        for name in chapters:
            if name in names:
                html.add_page(extracted, decode(_part(archive, name))[0])
                check_length(extracted.length, len(data))
    missing = [name for name in chapters if name not in names]
    remarks = (f"{len(missing)} of {len(chapters)} chapters are missing",) if missing else ()
    parsed = extracted.parsed(title, remarks)
    inside = {posixpath.basename(name) for name in chapters}
    return replace(parsed, drafts=[_with_own_links(draft, inside) for draft in parsed.drafts])


def _refuse_protected(archive: ZipFile, names: set[str]) -> None:
    """Raise UnsupportedFileError if anything but fonts is encrypted."""
    if _ENCRYPTION not in names:
        return
    for each in _elements(_xml(archive, _ENCRYPTION), "EncryptedData"):
        methods = [str(method.get("Algorithm")) for method in _elements(each, "EncryptionMethod")]
        if not any(method.startswith(_FONT_METHODS) for method in methods):
            raise UnsupportedFileError("protected against copying; only books without DRM can be read")


def _package(archive: ZipFile, names: set[str]) -> str:
    """Return the name of the part that lists the chapters."""
    found = ""
    if _BOOK_CONTAINER in names:
        found = next((str(each.get("full-path")) for each in _elements(_xml(archive, _BOOK_CONTAINER), "rootfile")), "")
    if found not in names:
        raise UnsupportedFileError("damaged: it is a zip archive, but not a book")
    return found


def _chapters(root: Any, folder: str) -> Iterator[str]:
    """Yield the parts in reading order, without the table of contents."""
    items = {str(each.get("id")): each for each in _elements(root, "item")}
    for reference in _elements(root, "itemref"):
        item = items.get(str(reference.get("idref")))
        if item is None or item.get("media-type") not in _CHAPTER_TYPES:
            continue
        if "nav" not in str(item.get("properties") or "").split():
            yield posixpath.normpath(posixpath.join(folder, unquote(str(item.get("href")))))


def _part(archive: ZipFile, name: str) -> bytes:
    import zlib
    from zipfile import BadZipFile

    try:
        return archive.read(name)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        raise UnsupportedFileError(f"damaged: {name!r} in it cannot be unpacked") from error


def _xml(archive: ZipFile, name: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    root = etree.fromstring(_part(archive, name), parser)
    if root is None:
        raise UnsupportedFileError(f"damaged: {name!r} in it is not XML")
    return root


def _elements(root: Any, name: str) -> Iterator[Any]:
    """Yield the elements of a name in any namespace."""
    return (each for each in root.iter("{*}" + name))


def _with_own_links(draft: BlockDraft, inside: set[str]) -> BlockDraft:
    """Return a draft whose links to chapters are links into this document."""
    links = []
    for start, end, target in draft.links:
        path, mark, anchor = target.partition("#")
        own = not _OUT_OF_BOOK.match(target) and posixpath.basename(unquote(path)) in inside
        links.append((start, end, (mark + anchor or NO_TARGET) if own else target))
    return replace(draft, links=tuple(links))
