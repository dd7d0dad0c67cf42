"""Workbooks and delimited text: tables found in sheets, their heads, what values look like, where they stand."""

from __future__ import annotations

import datetime
import io
import pickle
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import saved, workbook
from table_maker import WRITERS, table_of

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import csv_table, sheets, spreadsheet
from kgsynth.documents.structure import structure
from kgsynth.documents.unsupported import UnsupportedFileError


def read(data: bytes) -> Document:
    return assemble(spreadsheet.read(data), id="a/price_list.xlsx", format="xlsx", sha256="")


def read_csv(text: str) -> Document:
    return assemble(csv_table.read(text), id="a/price_list.csv", format="csv", sha256="")


def cells(document: Document) -> dict[tuple[str, ...], str]:
    """Return row head, column heads -> value."""
    facts = [fact for fact in structure(document) if fact.kind == "cell"]
    return {(fact.subject.text, *(head.text for head in fact.heads)): fact.values[0].text for fact in facts}


PLANS: dict[str, object] = {
    "A1": "Prices of 2024", "A2": "Plan", "B2": "Price", "D2": "Share", "B3": "Monthly", "C3": "Yearly",
    "A4": "Team", "B4": 1500, "C4": 50.5, "D4": 0.25,
    "A5": "Pro", "B5": 9, "C5": datetime.date(2024, 1, 5), "D5": 0.125,
    "A6": "Total", "B6": 1509, "A7": "* prices without tax",
    "G3": "Name", "H3": "Seats", "G4": "Ada", "H4": 1, "G5": "Bo", "H5": 2,
}  # fmt: skip


def plans() -> bytes:
    book = workbook(Plans=PLANS, Secret={"A1": "hidden"})
    for merged in ("A1:D1", "A2:A3", "B2:C2", "D2:D3"):
        book["Plans"].merge_cells(merged)
    book["Plans"]["D4"].number_format, book["Plans"]["D5"].number_format = "0%", "0.0%"
    book["Secret"].sheet_state = "hidden"
    return saved(book)


def test_a_sheet_is_a_section_with_its_tables_titles_and_notes() -> None:
    document = read(plans())
    assert document.text.split("\n\n") == [
        "Plans",
        "Prices of 2024",
        "Plan\tPrice\tShare\nMonthly\tYearly\nTeam\t1500\t50.5\t25%\nPro\t9\t2024-01-05\t12.5%\nTotal\t1509",
        "* prices without tax",
        "Name\tSeats\nAda\t1\nBo\t2",
    ]
    assert [section.path for section in document.sections] == [("Price list",), ("Price list", "Plans")]
    assert document.remarks == ("hidden sheets are left out: 'Secret'",)


def test_cells_are_tied_to_one_or_two_rows_of_heads_and_to_their_place() -> None:
    document = read(plans())
    assert cells(document) == {
        ("Team", "Price", "Monthly"): "1500",
        ("Team", "Price", "Yearly"): "50.5",
        ("Team", "Share"): "25%",
        ("Pro", "Price", "Monthly"): "9",
        ("Pro", "Price", "Yearly"): "2024-01-05",
        ("Pro", "Share"): "12.5%",
        ("Total", "Price", "Monthly"): "1509",
        ("Ada", "Seats"): "1",
        ("Bo", "Seats"): "2",
    }
    for text, place in (("50.5", "C4"), ("12.5%", "D5"), ("Ada", "G4"), ("* prices without tax", "A7")):
        start = document.text.index(text)
        span = document.span(start, start + len(text))
        assert span.place is not None
        assert (span.place.sheet, span.place.cell) == ("Plans", place)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plan,Price\nTeam,5\nPro,9\n", {("Team", "Price"): "5", ("Pro", "Price"): "9"}),
        ("Plan;Price;Note\nTeam;5,00;a, b\nPro;9,50;c\n", {("Team", "Price"): "5,00", ("Team", "Note"): "a, b"}),
        ('Plan\tNote\tX\nTeam\t"two\nlines"\t1\nPro\tone\t2\n', {("Team", "Note"): "two lines"}),
        ("sep=|\nPlan|Price\nTeam|5\nPro|9\n", {("Team", "Price"): "5", ("Pro", "Price"): "9"}),
        (
            "id,name,price\n1,Team,5\n2,Pro,9\n",
            {("Team", "id"): "1", ("Team", "price"): "5"},
        ),  # the name, not a counter
        (
            "Country,2023,2024\nNorway,5,6\nPeru,7,8\n",
            {("Norway", "2023"): "5", ("Peru", "2024"): "8"},
        ),  # years
        ("Owner:,Ada\nSeats:,12\n", {("Owner:",): "Ada", ("Seats:",): "12"}),  # names with their values
        ("Owner,Ada\nSeats,12\nTown,Oslo\n", {("Owner",): "Ada", ("Seats",): "12", ("Town",): "Oslo"}),
        ("Owner,Ada\nSeats,12\n", {}),  # a head and a row, or two pairs: not known
        ("1,2,3\n4,5,6\n", {}),  # no heads
        ("Plan,Price\nTeam,5\nBig,7\n,\nPro,9\nMax,20\n", {("Max", "Price"): "20"}),  # an empty row within the table
        ("a,b,c\nx,1\ny,1,2,3\n", {("x", "b"): "1", ("y", "c"): "2"}),  # ragged
    ],
)
def test_heads_are_found(text: str, expected: dict[tuple[str, ...], str]) -> None:
    found = cells(read_csv(text))
    assert expected.items() <= found.items()
    assert bool(found) == bool(expected)


def test_a_cell_of_delimited_text_is_placed_by_its_cell_alone() -> None:
    document = read_csv("Plan,Price\nTeam,5\n")
    start = document.text.index("5")
    place = document.place(start, start + 1)
    assert place is not None
    assert (place.sheet, place.cell) == ("", "B2")


def test_a_column_of_sentences_is_text() -> None:
    document = read(saved(workbook(Notes={"B2": "Read this first.", "B3": "Prices are in euros."})))
    kinds = [(block.kind, block.text) for block in document.blocks]
    assert kinds == [("heading", "Notes"), ("paragraph", "Read this first."), ("paragraph", "Prices are in euros.")]


def test_a_quotation_mark_that_nothing_closes_does_not_hide_the_file() -> None:
    assert read_csv('Plan,Price\nTeam,5\nPro,"9\nMax,7\n').text == 'Plan\tPrice\nTeam\t5\nPro\t"9\nMax\t7'
    long = "x" * 200_000
    assert read_csv(f'Plan,Price\nTeam,"{long}"\nPro,"9" m\n').text == f"Plan\tPrice\nTeam\t{long}\nPro\t9 m"


def test_only_so_many_cells_are_read_and_the_rest_is_remarked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets.RowLimit.__init__, "__defaults__", (7, ()))
    document = read(saved(workbook(A={f"{column}{row}": f"x{row}" for row in range(1, 9) for column in "AB"})))
    assert document.remarks == ("only the first 3 rows of the sheet 'A' are read, which have 6 cells",)


def test_a_million_empty_rows_are_nothing() -> None:
    started = time.process_time()
    document = read(saved(workbook(A={"A1": "Plan", "B1": "Price", "A2": "Team", "B2": 5, "C1048576": "end"})))
    assert document.text == "A\n\nPlan\tPrice\nTeam\t5\n\nend"
    assert time.process_time() - started < 10


def _with_part(data: bytes, name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.namelist():
            new.writestr(entry, content if entry == name else old.read(entry))
    return made.getvalue()


def test_hostile_workbooks_are_refused_with_the_reason() -> None:
    good = saved(workbook(A={"A1": "x", "B2": 5}))
    ole = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(2000)
    bomb = _with_part(good, "xl/worksheets/sheet1.xml", b" " * 60_000_000)
    entities = b'<!DOCTYPE a [<!ENTITY x "xxxxxxxxxx">]><worksheet><sheetData>&x;</sheetData></worksheet>'
    far = saved(workbook(A={"A1": "x", "XFD1048576": "y"}))
    encrypted = ole + "EncryptedPackage".encode("utf-16-le") + bytes(2000)  # an entry of its list of streams
    for data, reason in (
        (encrypted, "^encrypted; save it without a password$"),
        (b"text", "damaged"),
        (good[: len(good) // 2], "damaged"),
        (ole, "damaged"),
        (bomb, "when unpacked"),
        (far, "reaches over 1,048,576 rows and 16,384 columns"),
    ):
        with pytest.raises(UnsupportedFileError, match=reason):
            spreadsheet.read(data)
    try:
        assert "xxxx" not in spreadsheet.read(_with_part(good, "xl/worksheets/sheet1.xml", entities)).text
    except UnsupportedFileError as error:
        assert "damaged" in str(error)


_SAMPLES = {extension: WRITERS[extension].write([table_of(1, spans=False)]) for extension in (".xlsx", ".ods")}


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(_SAMPLES)), st.integers(0, 10_000), st.binary(min_size=1, max_size=8))
def test_damaged_bytes_are_read_or_refused(extension: str, at: int, new: bytes) -> None:
    data = bytearray(_SAMPLES[extension])
    at %= len(data)
    data[at : at + len(new)] = new
    try:
        parsed = spreadsheet.read(bytes(data))
    except UnsupportedFileError:
        return
    assemble(parsed, id="a.xlsx", format="xlsx", sha256="")


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet='ab1 ,;\t|"\n\r#', max_size=60))
def test_any_text_is_read_as_a_table(text: str) -> None:
    document = read_csv(text)
    structure(document)
    assert all(document.text[block.start : block.end] == block.text for block in document.blocks)


def test_the_cells_of_a_read_sheet_stay_text_until_they_are_asked_for() -> None:
    document = read(saved(workbook(Plans={"A1": "Plan", "B1": "Price", "A2": "Team", "B2": 5, "A4": "Pro", "B4": 9})))
    packed = pickle.dumps(document)
    assert packed.count(b"Team") == 1, "it is in the text of the document, and in no block"
    again = pickle.loads(packed)
    assert [block.text for block in again.blocks] == ["Plans", "Plan", "Price", "Team", "5", "Pro", "9"]
    assert [str(document.place(block.start, block.end).cell) for block in again.blocks[3:]] == ["A2", "B2", "A4", "B4"]
    assert again == document
    assert pickle.loads(pickle.dumps(again)) == document, "also when its cells have been made"
    assert not hasattr(document, "cells")
