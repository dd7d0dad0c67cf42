"""Read the links of a PDF page: where they stand and what they point to. Nothing is followed."""

from __future__ import annotations

from ctypes import byref, c_int, create_string_buffer
from typing import Any, NamedTuple

from kgsynth.documents.readers.block_drafts import NO_TARGET
from kgsynth.documents.readers.pdf.page_frame import Box, PageFrame

_MAX_LINKS = 2_000  # of a page
_MAX_TARGET = 4_000  # bytes of an address


class LinkArea(NamedTuple):
    """A link at a place as displayed; one inside the file has no target."""

    box: Box
    target: str


def read_links(document: Any, page: Any, frame: PageFrame) -> list[LinkArea]:
    """Return the links of a pypdfium2 page."""
    import pypdfium2.raw as raw

    found: list[LinkArea] = []
    at, link, rect = c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    while len(found) < _MAX_LINKS and raw.FPDFLink_Enumerate(page, byref(at), byref(link)):
        if not raw.FPDFLink_GetAnnotRect(link, byref(rect)):
            continue
        action = raw.FPDFLink_GetAction(link)
        target = NO_TARGET
        if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
            buffer = create_string_buffer(_MAX_TARGET)
            raw.FPDFAction_GetURIPath(document, action, buffer, _MAX_TARGET)
            target = buffer.value.decode("utf-8", "replace") or NO_TARGET
        found.append(LinkArea(frame.box(rect.left, rect.bottom, rect.right, rect.top), target))
    return found


def link_at(links: list[LinkArea], box: Box) -> str:
    """Return the target of the link that contains the middle of a box, "" for none."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next(
        (link.target for link in links if link.box[0] <= x <= link.box[2] and link.box[1] <= y <= link.box[3]), ""
    )
