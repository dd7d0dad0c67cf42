"""Hostile files of each format: a named skip or a result within limits; nothing fetched, nothing outside read."""

from __future__ import annotations

import re
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile_files import SECRET, book, ending, hostile
from made_files import changed

from kgsynth import documents
from kgsynth.base.records import Skipped
from kgsynth.documents import read_folder
from kgsynth.documents.readers import epub
from kgsynth.documents.readers.html import add_page
from kgsynth.documents.unsupported import UnsupportedFileError

SECONDS, MEGABYTES = 12.0, 600  # of the quick ones
MEMORY = "not read: its reader gave up (SIGABRT), most often because it needs more memory than it may take"
ENDED = rf"not read: it takes more than \d+ s of computing|{re.escape(MEMORY)}"
PLACES = "^too large: its tables have more than 2,000,000 places; split it$"
LARGE_IN_IT = "' in it grows to 1000"
EXPECTED = {
    "docx, laughs": "damaged: Maximum entity",
    "pptx, laughs": "damaged: Maximum entity",
    "xlsx, laughs": "damaged: .*unrecognized entity",
    "xlsx, entity outside": "damaged: .*unrecognized entity",
    "ods, laughs": "damaged: it cannot be opened as a workbook",
    "ods, entity outside": "damaged: it cannot be opened as a workbook",
    "ods, a billion repeated cells": "damaged: it cannot be opened as a workbook",
    "docx, bomb": LARGE_IN_IT,
    "pptx, bomb": LARGE_IN_IT,
    "xlsx, bomb": LARGE_IN_IT,
    "ods, bomb": LARGE_IN_IT,
    "epub, bomb": LARGE_IN_IT,
    "epub, many files": "too large: unpacked, it has 25000 files",
    "epub, path outside": "it contains no text",
    "epub, absolute path": "it contains no text",
    "pdf, page tree in a circle": "no text on 1 of 1 pages",
    "json, deep": "nested more than 100 levels deep",
    "eml, 1,000 messages in messages": "nested too deeply to be read",
    "csv, field of 50 MB": "too large: 50000016 bytes",
    "csv, a million columns": "too large: it has rows of up to 1,000,001 cells",
    "csv, rows that are padded": "too large: it has rows of up to 200,001 cells",
    "xlsx, last cell": "reaches over 1,048,576 rows and 16,384 columns",
    "docx, 2,000 tables in tables": "damaged: Excessive depth",
    "docx, 9.5 million characters in 10 kB": r"^too large: its [\d,]+ bytes hold a text of 9,5\d\d,\d{3} characters",
    "docx, a million empty paragraphs": r"^'word/document\.xml' in it grows to \d+ bytes when unpacked$",
    "pptx, a cell over four billion columns": PLACES,
    "html, 400 cells over a thousand rows and columns": PLACES,
    "html, 2,000 cells over a thousand rows and columns, each in a table": PLACES,
    "pptx, 100,000 shapes": "^too large: it has more than 50,000 shapes; split it$",
}
"""What is in the file -> the reason to skip it; the others are read."""
SLOW = {
    "pdf, 10,000 pages": "",
    "pdf, forms in a circle": ENDED,
}
"""Those that take longer: read if the reason is empty, otherwise either read or ended."""
NAMES = sorted(hostile("", ""))


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A server that nobody should call."""
    with socket.create_server(("127.0.0.1", 0)) as made:
        made.setblocking(False)
        yield made


def memory() -> int:
    """The most memory that this process has held since it was last asked, in megabytes; 0 where it is not known."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    found = re.search(r"VmHWM:\s+(\d+)", status.read_text())
    Path("/proc/self/clear_refs").write_text("5")
    return int(found[1]) // 1024 if found else 0


def read(name: str, folder: Path, server: socket.socket) -> Any:
    """Return what becomes of a hostile file, after a check that nothing outside the folder was read."""
    (folder / "docs").mkdir()
    (folder / "secret.txt").write_text(SECRET, "utf-8")
    file, make = hostile(str(folder / "secret.txt"), f"http://127.0.0.1:{server.getsockname()[1]}/x")[name]
    (folder / "docs" / file).write_bytes(make())
    (found,) = read_folder(folder / "docs")
    assert SECRET not in (found.reason if isinstance(found, Skipped) else found.text)
    with pytest.raises(BlockingIOError):  # nobody has called
        server.accept()
    return found


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SLOW])
def test_a_hostile_file_is_skipped_or_read_within_limits(
    name: str, tmp_path: Path, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        documents, "_in_this_process", lambda entry: True
    )  # in this process, whose time and memory are known
    memory()
    before, begun = memory(), time.process_time()
    found = read(name, tmp_path, server)
    assert time.process_time() - begun < SECONDS
    assert memory() - before < MEGABYTES
    reason = EXPECTED.get(name, "")
    if reason:
        assert isinstance(found, Skipped) and re.search(reason, found.reason), found
    else:
        assert not isinstance(found, Skipped), found


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the processor time of a worker is not asked for")
@pytest.mark.parametrize("name", SLOW)
def test_a_file_that_takes_long_is_ended_or_read(name: str, tmp_path: Path, server: socket.socket) -> None:
    found = read(name, tmp_path, server)
    if isinstance(found, Skipped):
        assert SLOW[name] and re.fullmatch(SLOW[name], found.reason), found


def test_a_small_pdf_that_draws_itself_for_ever_is_ended(
    tmp_path: Path, server: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_SECONDS", 3.0)
    found = read("pdf, forms in a circle", tmp_path, server)
    assert isinstance(found, Skipped) and re.fullmatch(ENDED, found.reason), found


def test_files_that_end_their_process_cost_nothing_but_themselves(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Read them in one folder, with a file before and after each; all are small."""
    made = ending()
    for number, (file, make) in enumerate(made.values()):
        (tmp_path / f"{number}{Path(file).suffix}").write_bytes(make())
        (tmp_path / f"{number}z.html").write_text("<p>Text.", "utf-8")
    found = list(read_folder(tmp_path))
    assert [type(each).__name__ for each in found] == ["Skipped", "Document"] * len(made)
    reasons = dict(zip(made, (each.reason for each in found if isinstance(each, Skipped)), strict=True))
    crashed = "not read: its reader crashed (SIGSEGV), most often because it is nested too deeply"
    assert reasons["yaml, 30,000 lists in lists"] == crashed
    assert "nested more than 100 levels deep" in reasons["json, 30,000 lists in lists"]
    assert reasons["xlsx, row 99999999999"].startswith("damaged: its sheet 'A' begins in row 1215752191")
    if sys.platform == "linux":
        assert reasons["xlsx, four billion shared strings"] == MEMORY
        assert reasons["xlsx, a text of 1 MB in 6,000 cells"] == MEMORY
    assert capfd.readouterr() == ("", "")


def test_a_book_is_read_only_until_it_has_more_text_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty chapters of 900,000 letters would need half a minute, and the text of two is refused."""
    read: list[str] = []
    monkeypatch.setattr(epub.html, "add_page", lambda extracted, text: read.append(text) or add_page(extracted, text))
    chapter = f"<html><body><p>{'Text of it. ' * 75_000}</p></body></html>".encode()
    items = "".join(f'<item id="c{n}" media-type="application/xhtml+xml" href="{n}.xhtml"/>' for n in range(30))
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(30)).encode()
    whole = book(items, {f"{n}.xhtml": chapter for n in range(30)})
    data = changed(whole, {"OEBPS/b.opf": lambda part: part.replace(b'<itemref idref="c"/>', order)})
    most = max(1_000_000, 100 * len(data))
    with pytest.raises(UnsupportedFileError, match=r"^too large: its [\d,]+ bytes hold a text of [\d,]+ characters"):
        epub.read(data)
    assert len(read) == most // 900_000 + 1 < 30


def test_a_file_of_up_to_half_a_megabyte_is_ended_within_half_a_minute(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    for size, seconds in ((100, 20), (330_000, 20), (500_000, 30), (2_000_000, 120)):
        path.write_bytes(b"x" * size)
        assert documents._seconds(("a.epub", path)) == seconds
