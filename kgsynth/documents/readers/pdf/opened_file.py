"""Open a PDF within limits, or say why it is not read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kgsynth.documents.unsupported import ENCRYPTED, UnsupportedFileError

_MAX_PAGES = 20_000
_HEADER_WITHIN = 1024  # bytes, as readers of PDF accept


@contextmanager
def opened(data: bytes) -> Iterator[Any]:
    """Open a pypdfium2 document for the time of a ``with`` statement.

    Raises:
        UnsupportedFileError: it is damaged, encrypted, or has too many pages.
    """
    import pypdfium2
    import pypdfium2.raw as raw

    if b"%PDF-" not in data[:_HEADER_WITHIN]:
        raise UnsupportedFileError("damaged: it does not begin as a PDF does")
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise UnsupportedFileError(ENCRYPTED) from error
        raise UnsupportedFileError("damaged: it cannot be opened as a PDF; save or print it as a PDF again") from error
    try:
        pages = len(document)
        if not pages:
            raise UnsupportedFileError("damaged: it has no pages")
        if pages > _MAX_PAGES:
            raise UnsupportedFileError(f"too large: {pages} pages, and at most {_MAX_PAGES} are read; split it")
        yield document
    finally:
        document.close()
