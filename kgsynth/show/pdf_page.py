"""Draw the part of a PDF page around a piece of evidence, with the evidence marked."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.base.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

_SCALES = (2.0, 1.5, 1.0)  # pixels a point: the first with which the picture is small enough
_MAX_PICTURE = 60_000  # bytes
_ABOVE_AND_BELOW = 90.0  # points of the page that are shown around the evidence
_PICTURE_MARK = (255, 214, 0)
_PICTURE_EDGE = (200, 120, 0)
_QUALITY = 70
_PICTURE_MAX_POINTS = 3_000.0  # width or height of a page that is drawn


def page_picture(source: str | Path | bytes, page: int, boxes: Sequence[tuple[float, ...]]) -> bytes:
    """Return a picture of the part of a page around ``boxes``, which are marked: a PNG, or a much smaller JPEG.

    ``page`` counts from 1; each box is left, top, right, bottom in points from the top left corner of the page as
    displayed. The whole width of the page is shown. At most 60 kB, unless the page is a photograph.

    Raises:
        InputError: the file cannot be opened, or has no such page.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(source)
    except (pypdfium2.PdfiumError, FileNotFoundError) as error:
        name = "the PDF" if isinstance(source, bytes) else str(source)
        raise InputError(f"{name} cannot be opened as a PDF; give the file the evidence was read from") from error
    try:
        if not 1 <= page <= len(document):
            raise InputError(f"page {page} is not in the PDF, which has {len(document)} pages")
        found = b""
        for scale in _SCALES:
            found = _encoded(_cropped(document[page - 1], scale, boxes))
            if len(found) <= _MAX_PICTURE:
                break
        return found
    finally:
        document.close()


def _cropped(page: object, scale: float, boxes: Sequence[tuple[float, ...]]) -> Image:
    """Return the strip of a page around ``boxes``, with them marked."""
    from PIL import Image, ImageChops, ImageDraw

    width, height = page.get_size()  # type: ignore[attr-defined]
    scale = min(scale, scale * _PICTURE_MAX_POINTS / max(width, height))
    top, bottom = min(box[1] for box in boxes), max(box[3] for box in boxes)
    first, last = max(0.0, top - _ABOVE_AND_BELOW), min(height, bottom + _ABOVE_AND_BELOW)
    drawn = page.render(scale=scale, crop=(0, height - last, 0, first)).to_pil().convert("RGB")  # type: ignore[attr-defined]
    mark = Image.new("RGB", drawn.size, "white")
    edge, fill = 2, []
    for left, upper, right, lower in boxes:
        fill.append((left * scale - 2, (upper - first) * scale - 1, right * scale + 2, (lower - first) * scale + 1))
    pen = ImageDraw.Draw(mark)
    for box in fill:  # edges first, so that they stay only around all lines together
        pen.rectangle((box[0] - edge, box[1] - edge, box[2] + edge, box[3] + edge), fill=_PICTURE_EDGE)
    for box in fill:
        pen.rectangle(box, fill=_PICTURE_MARK)
    made: Image.Image = ImageChops.multiply(drawn, mark)
    return made


def _encoded(picture: Image) -> bytes:
    """Return a PNG of 64 colors, which text needs no more of, or a JPEG if it is much smaller."""
    from PIL import Image

    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.quantize(64, dither=Image.Dither.NONE).save(png, "PNG")
    if png.tell() <= _MAX_PICTURE:
        return png.getvalue()
    picture.save(jpeg, "JPEG", quality=_QUALITY)
    return jpeg.getvalue() if jpeg.tell() < png.tell() / 2 else png.getvalue()
