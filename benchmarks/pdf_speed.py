"""Time of reading a PDF beside pdfium alone, and the memory for it.

    python benchmarks/pdf_speed.py [PDF] [PAGES]

PDF is a file (default: one of PAGES, 1,000, made of the handbook in two columns). pdfium alone reads the text and a
box for each character of each page.
"""

from __future__ import annotations

import io
import resource
import sys
import time
from pathlib import Path

from arguments import call

from kgsynth.base.errors import InputError
from kgsynth.documents.readers import pdf

HANDBOOK = Path("corpora/handbook")
LINE = 52  # characters


def main(source: str = "", pages: int = 1000) -> None:
    """Print milliseconds a page, and the peak of memory."""
    if source and not Path(source).is_file():
        raise InputError(f"{source} is no file; give a PDF")
    data = Path(source).read_bytes() if source else made(pages)
    start = time.process_time()
    count = alone(data)
    between, before = time.process_time(), peak()
    pdf.read(data)
    end = time.process_time()
    print(f"{count} pages, {len(data) / 1e6:.1f} MB")
    own, ours = (1000 * seconds / count for seconds in (between - start, end - between))
    print(f"pdfium alone {own:.1f} ms a page, read {ours:.1f} ms a page")
    print(f"memory {before:.0f} MB before, {peak():.0f} MB after")


def alone(data: bytes) -> int:
    """Read text and boxes of each character by pdfium, return the number of pages."""
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    for page in document:
        text = page.get_textpage()
        text.get_text_range()
        for index in range(text.count_chars()):
            text.get_charbox(index)
        text.close()
        page.close()
    return len(document)


def made(pages: int) -> bytes:
    """Return a PDF of the handbook in two columns, again and again until there are enough pages."""
    from reportlab.pdfgen.canvas import Canvas

    words = [word for file in sorted(HANDBOOK.rglob("*.md")) for word in file.read_text(encoding="utf-8").split()]
    buffer, at = io.BytesIO(), 0
    canvas = Canvas(buffer, pagesize=(595, 842))
    for number in range(pages):
        canvas.setFont("Helvetica", 10)
        canvas.drawString(280, 30, str(number + 1))
        for x in (50, 310):
            for row in range(58):
                line = words[at % len(words)]
                while len(line) < LINE:
                    at += 1
                    line = f"{line} {words[at % len(words)]}"
                canvas.drawString(x, 780 - 12 * row, line[:LINE])
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def peak() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


if __name__ == "__main__":
    call(main)
