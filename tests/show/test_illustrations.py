"""Pages of PDFs as pictures and cells as tables, in reports and on the review page."""

from __future__ import annotations

import base64
import io
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from bs4 import BeautifulSoup
from made_files import drawn, lines
from placed_documents import FIRST_PAGE, NOTE, SECOND_PAGE, TALK, write_folder
from planted import read_markdown
from report_sets import audited, compared, generated, scored

from kgsynth.base.records import Answer, Document, Item, Passage, Span
from kgsynth.documents import read_documents
from kgsynth.documents.run_documents import SourceFiles, documents_folder
from kgsynth.golden.dataset import Dataset
from kgsynth.reviewing.api import RefusedError, ReviewApi
from kgsynth.reviewing.page import page as review_page
from kgsynth.reviewing.store import ReviewStore
from kgsynth.reviewing.subject import open_subject
from kgsynth.show import illustrations
from kgsynth.show.illustrations import Illustrations
from kgsynth.show.questions import view

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TABLE = """# Rates

| Plan | Price | Boats | Note |
|---|---|---|---|
| Basic | 12 | 3 | a |
| Half | 20 | 5 | b |
| Full | 30 | **9** | c |
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = write_folder(tmp_path_factory.mktemp("placed") / "docs")
    (made / "rates.md").write_text(TABLE, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def documents(folder: Path) -> dict[str, Document]:
    return {document.id: document for document in read_documents(folder)}


def asked(documents: dict[str, Document], number: int, *texts: tuple[str, str]) -> Item:
    groups = tuple((span_of(documents, *each),) for each in texts)
    return Item(f"q-{number:04}", f"Which is number {number}?", (texts[0][1],), "simple", "factoid", "en", groups)


def span_of(documents: dict[str, Document], doc: str, text: str) -> Span:
    start = documents[doc].text.index(text)
    return documents[doc].span(start, start + len(text))


@pytest.fixture(scope="module")
def items(documents: dict[str, Document]) -> list[Item]:
    evidence = [
        [("port.pdf", SECOND_PAGE[0])], [("prices.xlsx", "30")], [("talk.pptx", TALK[1][1][0])],
        [("rates.md", "**9**"), ("rates.md", "Full"), ("rates.md", "Boats")], [("prices.xlsx", NOTE)],
    ]  # fmt: skip
    return [asked(documents, number, *texts) for number, texts in enumerate(evidence)]


def passages(html: str) -> list[Any]:
    return BeautifulSoup(html, "html.parser").select("blockquote.passage")


# ---- places by name --------------------------------------------------------------------------------


def test_reports_name_page_sheet_cell_and_slide(
    documents: dict[str, Document], items: list[Item], tmp_path: Path
) -> None:
    named = (
        "port.pdf · page 2", "prices.xlsx · sheet Plans, cell B3", "prices.xlsx · sheet Plans, cell A6",
        "talk.pptx · slide 2",
    )  # fmt: skip
    dataset = Dataset(items)
    runs = [scored(documents, dataset, tmp_path / name, odd) for odd, name in enumerate(("even", "odd"))]
    pages = [generated(documents, dataset).html, *((run / "report.html").read_text("utf-8") for run in runs)]
    heads = {" ".join(each.small.text.split()) for each in passages(pages[0])}
    assert all(any(head.startswith(name) for head in heads) for name in named)
    assert any(head.startswith("rates.md · Rates") for head in heads), "a text file has no place"
    assert all(any(name in page for page in pages[1:]) for name in named), "of questions that failed"
    text = BeautifulSoup(compared(*runs).html, "html.parser").text
    assert all(name in text for name in named)
    assert "slide 2" in audited(documents, dataset).html or "page 2" in audited(documents, dataset).html


def test_a_passage_that_was_retrieved_has_its_page(documents: dict[str, Document], items: list[Item]) -> None:
    from kgsynth.scoring.passage_view import passage_views

    span = span_of(documents, "port.pdf", SECOND_PAGE[1])
    given = (Passage("port.pdf", span.start, span.end, span.text), Passage("port.pdf", None, None, span.text))
    answer = Answer("q-0000", None, (*given, Passage("port.pdf", None, None, "another text")))
    places = [each.place for each in passage_views(answer, items[0], [None], documents)]
    assert [place and place.page for place in places] == [2, 2, None]


# ---- tables ----------------------------------------------------------------------------------------


def cells_of(shown: Any) -> list[list[str]]:
    return [[f"[{cell.text}]" if cell.mark else cell.text for cell in row] for row in shown.rows]


def test_cells_of_one_table_are_marked_in_one_table(documents: dict[str, Document], items: list[Item]) -> None:
    groups = view(items[3], documents, Illustrations(documents)).groups
    (first,), (second,), (third,) = groups
    assert cells_of(first.table) == [["Plan", "Price", "[Boats]", "Note"], ["[Full]", "30", "[9]", "c"]]
    assert first.table is not None and first.table.left_out == "2 of 4 rows"
    assert [cell.head for cell in first.table.rows[0]] == [True] * 4
    assert second.table is None and third.table is None
    assert [piece.text for piece in second.pieces] == ["Full"], "it stands in the table of the first"


def test_a_cell_of_a_sheet_is_shown_in_its_table_and_a_note_below_it_as_text(
    documents: dict[str, Document], items: list[Item]
) -> None:
    ((shown,),) = view(items[1], documents, Illustrations(documents)).groups
    assert cells_of(shown.table) == [["Plan", "Price", "Boats"], ["Full", "[30]", "9"]]
    ((note,),) = view(items[4], documents, Illustrations(documents)).groups
    assert note.table is None and NOTE in "".join(piece.text for piece in note.pieces)


def test_merged_heads_and_wide_tables() -> None:
    html = (
        "<table><tr><th rowspan=2>Plan</th><th colspan=2>Price</th></tr><tr><th>May</th><th>June</th></tr>"
        "<tr><td>Full</td><td>30</td><td>40</td></tr></table>"
    )
    page = read_markdown("a.md", f"# Rates\n\n{html}\n")
    start = page.text.index("40")
    item = Item("q", "?", ("40",), "simple", "", "en", ((page.span(start, start + 2),),))
    ((shown,),) = view(item, {"a.md": page}, Illustrations({"a.md": page})).groups
    assert shown.table is not None
    assert [[(cell.text, cell.rows, cell.columns) for cell in row] for row in shown.table.rows] == [
        [("Plan", 2, 1), ("Price", 1, 2)], [("May", 1, 1), ("June", 1, 1)],
        [("Full", 1, 1), ("30", 1, 1), ("40", 1, 1)],
    ]  # fmt: skip
    head = "".join(f"| h{n} " for n in range(30)) + "|\n" + "|---" * 30 + "|\n"
    row = "".join(f"| v{n} " for n in range(30)) + "|\n"
    page = read_markdown("a.md", f"# W\n\n{head}{row}")
    start = page.text.index("v20")
    item = Item("q", "?", ("v20",), "simple", "", "en", ((page.span(start, start + 3),),))
    ((shown,),) = view(item, {"a.md": page}, Illustrations({"a.md": page})).groups
    assert shown.table is not None and shown.table.left_out == "8 of 30 columns"
    assert {"v0", "v19", "v20", "v21"} <= {cell.text for cell in shown.table.rows[1]}


def test_hostile_cells_stay_text(documents: dict[str, Document]) -> None:
    page = read_markdown("a.md", "# R\n\n| A | B |\n|---|---|\n| x | `<script>1</script>` |\n")
    start = page.text.index("<script>")
    item = Item("q", "?", ("x",), "simple", "", "en", ((page.span(start, start + 8),),))
    from kgsynth.show.pages import render

    html = render("reviewing/page.html", **_review_values(item, page))
    assert "<script>1" not in html and "&lt;script&gt;1" in html


def _review_values(item: Item, page: Document) -> dict[str, Any]:
    from kgsynth.reviewing.subject import Card, Subject

    subject = Subject(Path("a"), (item,), {page.id: page})
    shown = view(item, {page.id: page}, Illustrations({page.id: page}))
    return {
        "kind": "Review", "title": "R", "subject": subject, "form": True, "data": {"evidence": {item.id: []}},
        "cards": [Card(shown, None, ())], "criteria": {}, "reasons": {}, "grades": (), "script": "",
        "content_policy": "",
    }  # fmt: skip


# ---- pictures --------------------------------------------------------------------------------------


def picture_of(address: str) -> Any:
    from PIL import Image

    return Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB")


def is_mark(pixel: tuple[int, ...]) -> bool:
    return pixel[0] > 240 and 200 < pixel[1] < 230 and pixel[2] < 20


def test_the_page_is_drawn_with_every_line_marked(folder: Path) -> None:
    from kgsynth.documents.assembly import assemble
    from kgsynth.documents.readers import pdf

    def two_lines(canvas: Any) -> None:
        lines(canvas, ["The tower reports each change of the wind", "to all ships by radio."], 60, 700)

    data = drawn(two_lines)
    (folder.parent / "pdf").mkdir(exist_ok=True)
    (folder.parent / "pdf/a.pdf").write_bytes(data)
    import hashlib

    page = assemble(pdf.read(data), id="a.pdf", format="pdf", sha256=hashlib.sha256(data).hexdigest())
    span = page.span(0, len(page.text.rstrip()))
    address = Illustrations({"a.pdf": page}, folder.parent / "pdf").picture(span)
    picture = picture_of(address)
    first = 2 * (page.places[0].place.bbox[1] - 90)  # the upper edge, at two pixels a point
    for part in page.places:
        left, top, _, bottom = part.place.bbox
        assert is_mark(picture.getpixel((round(2 * left) - 1, round(top + bottom - first))))
    assert picture.getpixel((20, 20)) == (255, 255, 255)


def test_a_report_holds_pictures_of_pdf_evidence_only(
    folder: Path, documents: dict[str, Document], items: list[Item]
) -> None:
    for number, item in enumerate(items):
        ((shown, *_), *_) = view(item, documents, Illustrations(documents, folder)).groups
        assert bool(shown.picture) is (number == 0)


def test_without_the_file_or_with_another_in_its_place_there_is_only_text(
    folder: Path, documents: dict[str, Document], items: list[Item], tmp_path: Path
) -> None:
    def picture(place: Path | None) -> str:
        ((shown,),) = view(items[0], documents, Illustrations(documents, place)).groups
        assert SECOND_PAGE[0] in "".join(piece.text for piece in shown.pieces)
        return shown.picture

    assert picture(folder) and not picture(None) and not picture(tmp_path)
    shutil.copy(folder / "talk.pptx", tmp_path / "port.pdf")
    assert not picture(tmp_path)
    outside = replace(documents["port.pdf"], id="../docs/port.pdf")
    assert SourceFiles(folder).find(outside) is None


def test_pictures_stop_at_a_number_and_a_size(
    folder: Path, documents: dict[str, Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    spans = [span_of(documents, "port.pdf", text) for text in (*FIRST_PAGE, *SECOND_PAGE)]
    monkeypatch.setattr(illustrations, "_MAX_PICTURES", 3)
    few = Illustrations(documents, folder)
    assert [bool(few.picture(span)) for span in spans] == [True] * 3 + [False] * 5
    monkeypatch.setattr(illustrations, "_MAX_PICTURES", 60)
    size = len(Illustrations(documents, folder).picture(spans[0]))
    monkeypatch.setattr(illustrations, "_MAX_BYTES", 2 * size + 10)
    small = Illustrations(documents, folder)
    assert [bool(small.picture(spans[0])) for _ in range(3)] == [True, True, False], "each use of a picture counts"


def test_the_folder_is_given_or_that_of_the_run(tmp_path: Path, documents: dict[str, Document]) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run/manifest.json").write_text('{"docs": "../docs"}', encoding="utf-8")
    assert documents_folder("here") == Path("here")
    for golden in (tmp_path / "run", tmp_path / "run/golden.jsonl"):
        found = documents_folder(list(documents.values()), golden)
        assert found is not None and found.resolve() == tmp_path / "docs"
    for wrong in ("[]", '{"docs": 3}', "{", '{"docs": "../gone"}'):
        (tmp_path / "run/manifest.json").write_text(wrong, encoding="utf-8")
        assert documents_folder(None, tmp_path / "run") is None


# ---- the review page -------------------------------------------------------------------------------


@pytest.fixture
def api(folder: Path, items: list[Item], tmp_path: Path) -> Any:
    Dataset(items).save(tmp_path / "golden.jsonl")
    subject = open_subject(tmp_path / "golden.jsonl", docs=folder)
    store = ReviewStore(tmp_path / "review.sqlite")
    yield ReviewApi(subject, list(store.begin(subject)), store)
    store.close()


def test_the_review_page_asks_for_pictures_and_the_form_holds_them(api: ReviewApi) -> None:
    served, form = (review_page(api.subject, api.ids, form=form) for form in (False, True))
    span = api.subject.items[0].evidence[0][0]
    address = f"/picture?doc=port.pdf&amp;start={span.start}&amp;end={span.end}"
    assert re.search(rf'<img class="page" hidden data-src="{re.escape(address)}"', served)
    assert "base64" not in served and 'src="data:image/png;base64,' in form


def test_pictures_are_served_of_evidence_under_review_only(api: ReviewApi) -> None:
    span = api.subject.items[0].evidence[0][0]
    drawn, kind = api.picture("port.pdf", str(span.start), str(span.end))
    assert kind == "image/png" and drawn.startswith(b"\x89PNG")
    for doc, start, end in (
        ("port.pdf", "0", "9"),
        ("../docs/port.pdf", "0", "9"),
        ("prices.xlsx", "1", "2"),
        ("", "", ""),
    ):
        with pytest.raises(RefusedError, match="there is no picture of") as refused:
            api.picture(doc, start, end)
        assert refused.value.status == 404


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_review_page_shows_the_page_of_a_pdf(browser: Browser, api: ReviewApi, width: int, scheme: Any) -> None:
    import threading

    from kgsynth.reviewing.page import policy
    from kgsynth.reviewing.server import Server

    token = "t" * 24
    with Server(api, review_page(api.subject, api.ids, annotator="Ada"), policy(), token, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
        page, told = context.new_page(), list[str]()
        page.on("console", lambda message: told.append(message.text))
        page.goto(f"{server.url}&doc={quote('x')}")
        picture = page.locator("article:not([hidden]) img.page")
        picture.wait_for()
        assert picture.evaluate("each => each.naturalWidth") == 1190
        assert page.evaluate("document.documentElement.scrollWidth") <= width and told == []
        context.close()
        server.shutdown()


@pytest.mark.browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_report_with_pictures_and_tables_is_not_too_wide(
    browser: Browser, folder: Path, documents: dict[str, Document], items: list[Item], tmp_path: Path, width: int
) -> None:
    from kgsynth.auditing.flow import check_set
    from kgsynth.auditing.page import page as audit_page

    dataset = Dataset(replace(item, difficulty="odd") for item in items)  # each has a finding, so each is shown
    html = audit_page(check_set(dataset, documents).to_json(), dataset, documents, folder).html
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    context = browser.new_context(viewport={"width": width, "height": 844})
    page, told = context.new_page(), list[str]()
    page.on("console", lambda message: told.append(message.text))
    page.goto((tmp_path / "report.html").as_uri())
    page.evaluate("for (const each of document.querySelectorAll('#list > details')) each.open = true")
    page.locator("img.page").first.wait_for()
    assert page.locator("table.cells mark").count() and not page.locator("table.cells button").count()
    assert page.evaluate("document.documentElement.scrollWidth") <= width and told == []
    context.close()
