"""Draw the part of a PDF page around a piece of evidence, with the evidence marked."""

from __future__ import annotations

import io
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


def page_picture(source: str | Path | bytes, page: int, bbox: tuple[float, ...]) -> bytes:
    """Return a picture of the part of a page around ``bbox``, which is marked: a PNG, or a much smaller JPEG.

    ``page`` counts from 1; ``bbox`` is left, top, right, bottom in points from the top left corner of the page as
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
            found = _encoded(_cropped(document[page - 1], scale, bbox))
            if len(found) <= _MAX_PICTURE:
                break
        return found
    finally:
        document.close()


def _cropped(page: object, scale: float, bbox: tuple[float, ...]) -> Image:
    """Return the strip of a page around ``bbox``, with it marked."""
    from PIL import Image, ImageChops, ImageDraw

    width, height = page.get_size()  # type: ignore[attr-defined]
    scale = min(scale, scale * _PICTURE_MAX_POINTS / max(width, height))
    _, top, _, bottom = bbox
    first, last = max(0.0, top - _ABOVE_AND_BELOW), min(height, bottom + _ABOVE_AND_BELOW)
    drawn = page.render(scale=scale, crop=(0, height - last, 0, first)).to_pil().convert("RGB")  # type: ignore[attr-defined]
    box = [(value - (first if number % 2 else 0)) * scale for number, value in enumerate(bbox)]
    box = [box[0] - 2, box[1] - 1, box[2] + 2, box[3] + 1]
    mark = Image.new("RGB", drawn.size, "white")
    ImageDraw.Draw(mark).rectangle(box, fill=_PICTURE_MARK)
    made: Image.Image = ImageChops.multiply(drawn, mark)
    ImageDraw.Draw(made).rectangle(box, outline=_PICTURE_EDGE)
    return made


def _encoded(picture: Image) -> bytes:
    """Return a PNG of 64 colors, which text needs no more of, or a JPEG if it is much smaller."""
    from PIL import Image

    png, jpeg = io.BytesIO(), io.BytesIO()
    picture.quantize(64, dither=Image.Dither.NONE).save(png, "PNG", optimize=True)
    if png.tell() <= _MAX_PICTURE:
        return png.getvalue()
    picture.save(jpeg, "JPEG", quality=_QUALITY)
    return jpeg.getvalue() if jpeg.tell() < png.tell() / 2 else png.getvalue()
