"""A small folder of documents that are not text: a PDF of two pages, a workbook and a presentation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_files import drawn, lines, saved, slides, workbook

FIRST_PAGE = (
    "Annika Berglund leads the Harbour Office since 2014. She signs every licence of the port.",
    "The Harbour Office keeps the register of berths for 30 years.",
    "Captain Olav Dahl founded the Pilot Station in 1987.",
    "The Pilot Station owns nine boats and a tug with the name Viking.",
    "Freight trains leave the Northern Terminal at six in the morning, because the bridge is closed by day.",
)
SECOND_PAGE = (
    "The Northern Terminal was opened by Queen Sonja in 1996.",
    "Ole Halvorsen inspects the cranes of the Northern Terminal every Monday.",
    "A crane of the Northern Terminal lifts 40 tonnes.",
)
NOTE = "Marit Lindqvist became captain of the Coastal Ferry in 2011."
TALK = (
    ("Ferry plans", ("The Coastal Ferry carries 120 cars.", "The Coastal Ferry was built by Lofoten Verft in 2003.")),
    ("Staff", ("Sigrid Moe commands the Coastal Ferry.", "The Coastal Ferry costs 90 kroner per car.")),
)


def _pdf() -> bytes:
    def first(canvas: Any) -> None:
        lines(canvas, ["The port of Bodo"], 60, 780, ("Helvetica-Bold", 20))
        lines(canvas, FIRST_PAGE, 60, 740)

    def second(canvas: Any) -> None:
        lines(canvas, ["Northern Terminal"], 60, 780, ("Helvetica-Bold", 16))
        lines(canvas, SECOND_PAGE, 60, 740)

    return drawn(first, second)


def _slides(presentation: Any) -> None:
    for title, texts in TALK:
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = title
        frame = slide.placeholders[1].text_frame
        frame.text = texts[0]
        for text in texts[1:]:
            frame.add_paragraph().text = text


def write_folder(folder: Path) -> Path:
    """Write the documents into a folder, and return it."""
    folder.mkdir(parents=True)
    (folder / "port.pdf").write_bytes(_pdf())
    prices = {"A1": "Plan", "B1": "Price", "C1": "Boats", "A2": "Basic", "B2": 12, "C2": 3, "A3": "Full", "B3": 30}
    (folder / "prices.xlsx").write_bytes(saved(workbook(Plans={**prices, "C3": 9, "A6": NOTE})))
    (folder / "talk.pptx").write_bytes(slides(_slides))
    (folder / "read.md").write_text("# Visits\n\nErik Strand guards the Old Lighthouse of Bodo since 2001.\n")
    return folder
