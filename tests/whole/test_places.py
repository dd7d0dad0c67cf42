"""Where evidence stands in files that are not text: in golden.jsonl, kept by every command, corrected by the audit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_files import drawn, lines, two_columns
from placed_documents import FIRST_PAGE, NOTE, SECOND_PAGE, TALK, write_folder

import kgsynth
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.fix import fix, settle
from kgsynth.auditing.flow import check_set
from kgsynth.base.errors import InputError
from kgsynth.base.records import Document, Item, PlacedText, SourcePlace, Span
from kgsynth.documents import read_documents
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import pdf
from kgsynth.golden.dataset import Dataset, load
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.golden.item_json import from_json, to_json

PLACE_KEYS = ("page", "bbox", "sheet", "cell", "slide")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run over the placed documents with hashed vectors, in ``run`` beside ``docs``."""
    from doubles import HashingEncoder

    base = tmp_path_factory.mktemp("placed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kgsynth.models.encoder.load_encoder", lambda name="": HashingEncoder())
        mix = {"simple": 0.8, "unanswerable": 0.2}
        kgsynth.generate(
            write_folder(base / "docs"), base / "run", config=kgsynth.Config(n=24, processes=1, mix=mix, fill=True)
        )
    return base


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def spans_of(row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (span for group in row["evidence"] for span in group)
    yield from row["hard_negatives"]


def place(span: dict[str, Any]) -> dict[str, Any]:
    return {key: span[key] for key in PLACE_KEYS if key in span}


# ---- end to end ------------------------------------------------------------------------------------


def test_every_span_of_a_run_says_where_it_stands(made: Path) -> None:
    names = {".pdf": {"page", "bbox"}, ".pptx": {"slide"}, ".md": set[str]()}
    seen: dict[tuple[str, str], int] = {}
    for file in ("golden.jsonl", "candidates.jsonl", "rejected.jsonl"):
        for row in rows(made / "run" / file):
            for span in spans_of(row):
                suffix = Path(span["doc"]).suffix
                if suffix == ".xlsx":
                    assert span["sheet"] == "Plans" and span["cell"]
                else:
                    assert place(span).keys() == names[suffix], span
                seen[file, suffix] = seen.get((file, suffix), 0) + 1
    assert {suffix for file, suffix in seen if file == "golden.jsonl"} == {".pdf", ".pptx", ".xlsx", ".md"}


def test_the_place_is_that_of_the_sentence(made: Path) -> None:
    wanted = {
        SECOND_PAGE[0]: ("page", 2),
        TALK[1][1][0]: ("slide", 2),
        NOTE: ("cell", "A6"),
        FIRST_PAGE[1]: ("page", 1),
    }
    found = {span["text"]: span for row in rows(made / "run/candidates.jsonl") for span in spans_of(row)}
    assert {text: (key, found[text][key]) for text, (key, _) in wanted.items()} == wanted
    x0, y0, x1, y1 = found[SECOND_PAGE[0]]["bbox"]  # its base line is 740 points above the foot of a page of 842
    assert 58 <= x0 <= 62 and y0 < 842 - 740 < y1 < y0 + 14 and x1 > 300


def test_hard_negatives_have_the_place_of_their_chunk(made: Path) -> None:
    negatives = [span for row in rows(made / "run/golden.jsonl") for span in row["hard_negatives"]]
    sheets = {(span["sheet"], span["cell"]) for span in negatives if span["doc"] == "prices.xlsx"}
    assert sheets == {("Plans", "A1:C6")}, "the chunk has the table of A1 to C3 and the note in A6"
    assert {span["page"] for span in negatives if span["doc"] == "port.pdf"} <= {1, 2}


def test_loading_and_saving_keeps_places(made: Path, tmp_path: Path) -> None:
    golden = made / "run/golden.jsonl"
    load(golden).save(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == golden.read_bytes()
    assert list(load(golden).sample(3)) and open_set(golden).dataset.questions == load(golden).questions


def test_an_audit_of_a_fresh_set_finds_nothing_about_places_and_fix_changes_nothing(made: Path) -> None:
    documents = {document.id: document for document in read_documents(made / "docs")}
    report = check_set(load(made / "run"), documents)
    assert "place" not in report.counts and not report.at_least("error")
    fixed = fix(report.dataset, report.documents)
    assert fixed.moved == 0 and [to_json(item) for item in fixed.dataset] == [to_json(item) for item in report.dataset]


def test_scores_and_reviewed_sets_keep_places(made: Path, tmp_path: Path) -> None:
    from kgsynth.comparison.runs import compare
    from kgsynth.reviewing.annotation import Annotation
    from kgsynth.reviewing.reviewed_set import apply_decisions, write_reviewed_set
    from kgsynth.reviewing.store import SavedAnnotation
    from kgsynth.reviewing.subject import open_subject

    golden = {item.id: to_json(item)["evidence"] for item in load(made / "run")}
    for name in ("one", "two"):
        kgsynth.score(made / "run", "bm25", docs=made / "docs", out=tmp_path / name, history=False)
    assert {row["id"]: row["evidence"] for row in rows(tmp_path / "one/items.jsonl")} == golden
    compared = compare([tmp_path / "one", tmp_path / "two"])
    assert {span.place.page for each in compared.questions for group in each.evidence for span in group if span.place}
    subject = open_subject(made / "run")
    first = subject.items[0]
    edited = [SavedAnnotation("Ada", first.id, Annotation("edit", question="Who asks this now?"))]
    write_reviewed_set(apply_decisions(subject, edited, "keep"), tmp_path / "reviewed.jsonl", subject.path)
    kept = [row for row in rows(tmp_path / "reviewed.jsonl") if row["question"] == "Who asks this now?"]
    assert [row["evidence"] for row in kept] == [golden[first.id]]


def test_the_evidence_of_another_tools_file_gets_its_place(made: Path, tmp_path: Path) -> None:
    row = {"user_input": "Who opened it?", "reference": "Queen Sonja", "reference_contexts": [SECOND_PAGE[0]]}
    (tmp_path / "ragas.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (item,) = open_set(tmp_path / "ragas.jsonl", made / "docs").dataset
    found = item.evidence[0][0].place
    assert found is not None and found.page == 2 and len(found.bbox) == 4


# ---- the audit -------------------------------------------------------------------------------------


def wrongly_placed(item: Item, **values: Any) -> Item:
    first = item.evidence[0][0]
    return replace(item, evidence=((replace(first, place=SourcePlace(**values)),),))


def about(made: Path, text: str) -> tuple[Item, dict[str, Document]]:
    documents = {document.id: document for document in read_documents(made / "docs")}
    doc = next(each for each in documents.values() if text in each.text)
    start = doc.text.index(text)
    return Item("q-1", "Who is it?", (text,), "simple", "", "en", ((doc.span(start, start + len(text)),),)), documents


@pytest.mark.parametrize(
    ("text", "values", "message"),
    [
        (SECOND_PAGE[0], {"page": 1, "bbox": (1, 2, 3, 4)}, "the set says page 1, the document page 2"),
        (
            NOTE,
            {"sheet": "Plans", "cell": "B7"},
            "the set says sheet Plans, cell B7, the document sheet Plans, cell A6",
        ),
        (TALK[1][1][0], {"slide": 1}, "the set says slide 1, the document slide 2"),
        (TALK[1][1][0], {"page": 2}, "the set says page 2, the document slide 2"),
    ],
)
def test_a_place_that_contradicts_the_document_is_a_warning_and_fixed(
    made: Path, text: str, values: dict[str, Any], message: str
) -> None:
    right, documents = about(made, text)
    wrong = wrongly_placed(right, **values)
    report = check_set(Dataset([wrong]), documents)
    (finding,) = [each for each in report.findings if each.code == "place"]
    assert finding.severity == "warning" and message in finding.message
    made_right = settle(report, lambda dataset: check_set(dataset, documents))
    assert [to_json(item) for item in made_right.dataset] == [to_json(right)] and made_right.moved == 1
    assert "place" in CHECKS and not [
        each for each in check_set(Dataset([right]), documents).findings if each.code == "place"
    ]


def test_a_place_for_a_text_file_is_a_warning(made: Path) -> None:
    right, documents = about(made, "Erik Strand guards")
    (finding,) = CHECKS["place"].find(_case(wrongly_placed(right, page=3), documents))
    assert "the set says page 3, the document nothing, since read.md is text" in finding.message
    assert fix(Dataset([wrongly_placed(right, page=3)]), documents).dataset[0].evidence[0][0].place is None


def test_a_set_without_places_is_no_finding_and_gets_them_when_it_is_fixed(made: Path) -> None:
    right, documents = about(made, NOTE)
    bare = replace(right, evidence=((replace(right.evidence[0][0], place=None),),))
    assert not list(CHECKS["place"].find(_case(bare, documents)))
    assert to_json(fix(Dataset([bare]), documents).dataset[0]) == to_json(right)


def test_a_stale_place_is_corrected_when_the_document_changed(made: Path) -> None:
    right, documents = about(made, SECOND_PAGE[0])

    def only(canvas: Any) -> None:
        lines(canvas, ["Northern Terminal"], 60, 780, ("Helvetica-Bold", 16))
        lines(canvas, SECOND_PAGE, 90, 700)

    now = assemble(pdf.read(drawn(only)), id="port.pdf", format="pdf", sha256="")
    found = fix(Dataset([right]), {**documents, "port.pdf": now}).dataset[0].evidence[0][0].place
    assert found is not None and found.page == 1 and 88 <= found.bbox[0] <= 92 and found.bbox[1] < 142 < found.bbox[3]


def _case(item: Item, documents: dict[str, Document]) -> Any:
    from kgsynth.auditing.case import AuditCase

    return AuditCase(Dataset([item]), documents)


# ---- the form of places ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given_place",
    [{"page": True}, {"page": "3"}, {"page": -1}, {"bbox": [1, 2, 3]}, {"bbox": [1, 2, 3, "4"]}, {"slide": 2.5},
     {"page": 1, "bbox": [1, 2, float("inf"), 4]}, {"cell": 7}],
)  # fmt: skip
def test_a_place_that_is_none_is_an_error(given_place: dict[str, Any]) -> None:
    span = {"doc": "a.pdf", "start": 0, "end": 3, "text": "Ada", **given_place}
    with pytest.raises(InputError, match="the place of a span of 'evidence'"):
        from_json({"id": "q", "question": "Who?", "golden_answers": ["Ada"], "evidence": [[span]]})


# ---- one box ---------------------------------------------------------------------------------------


def boxed(*boxes: tuple[int, tuple[float, ...]]) -> SourcePlace | None:
    placed = tuple(PlacedText(10 * n, 10 * n + 9, SourcePlace(page, box)) for n, (page, box) in enumerate(boxes))
    return Document("a.pdf", "x" * 999, "", "pdf", "", (), (), places=placed).place(0, 999)


def test_the_box_of_a_span_over_two_columns_is_that_of_the_first() -> None:
    left, right = [(1, (60, 100 + 12 * n, 250, 110 + 12 * n)) for n in (0, 1)], (1, (310, 100, 500, 110))
    assert boxed(*left, right) == SourcePlace(1, (60, 100, 250, 122))
    lower = (1, (310, 300, 500, 310))  # the column beside begins further down
    assert boxed(*left, lower) == SourcePlace(1, (60, 100, 250, 122))


def test_the_box_of_a_span_over_two_pages_is_on_the_first() -> None:
    assert boxed((1, (60, 700, 250, 710)), (2, (60, 50, 250, 60))) == SourcePlace(1, (60, 700, 250, 710))


def test_pieces_of_a_line_and_rows_of_a_table_are_one_box() -> None:
    row = [(1, (60 + 100 * n, 100, 140 + 100 * n, 110)) for n in range(3)]
    below = [(1, (60 + 100 * n, 115, 140 + 100 * n, 125)) for n in range(3)]
    assert boxed(*row, *below) == SourcePlace(1, (60, 100, 340, 125))


def test_a_sentence_over_two_columns_of_a_page_keeps_the_box_of_its_beginning() -> None:
    page = assemble(pdf.read(drawn(two_columns)), id="port.pdf", format="pdf", sha256="")
    start, end = page.text.index("The pilot decides"), page.text.index("as he is told.") + 14
    found = page.span(start, end).place
    assert found is not None and found.bbox[2] < 310, "the right column begins at 310"
    first = page.span(start, start + 9).place
    assert first is not None
    assert found.bbox[:2] == first.bbox[:2]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 400), st.integers(1, 200), st.integers(1, 40)), min_size=1))
def test_the_box_contains_the_beginning(given_boxes: list[tuple[int, int, int, int]]) -> None:
    boxes = [
        (1 + n // 5, (x, 10.0 * y, x + width, 10.0 * y + height)) for n, (y, x, width, height) in enumerate(given_boxes)
    ]
    found = boxed(*boxes)
    assert found is not None
    (left, top, right, bottom), first = found.bbox, boxes[0][1]
    assert left <= first[0] and top <= first[1] and right >= first[2] and bottom >= first[3]


def test_cells_are_one_range() -> None:
    def ranged(*cells: str) -> str:
        placed = tuple(PlacedText(9 * n, 9 * n + 8, SourcePlace(sheet="S", cell=cell)) for n, cell in enumerate(cells))
        found = Document("a.xlsx", "x" * 999, "", "xlsx", "", (), (), places=placed).place(0, 999)
        assert found is not None
        return found.cell

    assert ranged("C7") == "C7" and ranged("A1", "B1", "C1") == "A1:C1"
    assert ranged("B2", "C2", "A3") == "A2:C3", "the last row is shorter, the first begins later"
    assert ranged("Z9", "AA10") == "Z9:AA10" and ranged("A1:C2", "D1") == "A1:D2" and ranged("", "B4") == "B4"


def test_a_span_without_place_is_equal_to_one_with_it() -> None:
    assert Span("a", 0, 1, "x", SourcePlace(1)) == Span("a", 0, 1, "x")
