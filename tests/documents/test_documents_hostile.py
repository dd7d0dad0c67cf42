"""Documents that once ended a run or took minutes: each costs at most its own file, and soon."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hostile_documents import RAISING, SLOW

from kgsynth import documents
from kgsynth.base.records import Document, Skipped
from kgsynth.documents import read_folder
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk
from kgsynth.documents.readers import html, markdown, plain_text, rst
from kgsynth.documents.unsupported import UnsupportedFileError

READERS = {"md": markdown, "html": html, "txt": plain_text, "rst": rst}
ONCE_MINUTES = (
    "bracket and tabs|no-break spaces|short lines|capital tag and blanks|capital tags on lines|open comments|"
    "front matter without an end|simple table in Markdown|stars on lines|one head again and again|deep sections|"
    "open tags in a block|open tags of all kinds|blanks in a tag|open anchors|anchors without an end|"
    "quoted attributes without an end|open HTML comments|superscripts|abbreviations|abbreviations on lines|"
    "code in plain text|role with blanks|substitutions"
)


@pytest.mark.parametrize("what", ONCE_MINUTES.split("|"))
def test_the_time_grows_with_the_length(what: str) -> None:
    """Read and chunk 30,000 characters in 3 s of processor time; these took minutes for 100,000."""
    kind, make = SLOW[what]
    text = make(30_000)
    begun = time.process_time()
    try:
        made = assemble(READERS[kind].read(text), id="a", format=kind, sha256="")
        for strategy in ("recursive", "sentence", "fixed"):
            list(chunk(made, strategy=strategy))
    except UnsupportedFileError as error:
        assert str(error) in ("nested too deeply to be read", "its substitutions make too much text")
    assert time.process_time() - begun < 3


@pytest.mark.parametrize("what", RAISING)
def test_what_once_ended_a_run_is_read(what: str, tmp_path: Path) -> None:
    kind, text = RAISING[what]
    (tmp_path / f"a.{kind}").write_text(text, "utf-8")
    (found,) = read_folder(tmp_path)
    assert isinstance(found, Document)
    assert "after" in found.blocks[-1].text
    assert "".join(piece.text for piece in chunk(found)).endswith(found.blocks[-1].text)


class PanicException(BaseException):
    """What a library in Rust raises."""


@pytest.mark.parametrize(
    "error",
    [ValueError("no\nnumber"), AssertionError("block out of range"), KeyError("x"), OSError("x"), PanicException("x")],
)
def test_a_reader_that_fails_costs_its_file_only(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.rst").write_text("Text.", "utf-8")
    (tmp_path / "b.md").write_text("Text.", "utf-8")

    def fail(text: str) -> None:
        raise error

    monkeypatch.setattr(rst, "read", fail)
    monkeypatch.setattr(documents, "_in_this_process", lambda entry: True)
    first, second = read_folder(tmp_path)
    what = f"{type(error).__name__}: {' '.join(str(error).split())}"
    assert first == Skipped("a.rst", f"its .rst reader failed ({what})")
    assert isinstance(second, Document)


def test_a_file_that_takes_too_long_is_skipped_and_the_folder_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """docutils needs minutes for 40,000 characters of "a-": its process is ended, and another reads the next file."""
    monkeypatch.setattr(documents, "_SECONDS", 3.0)
    monkeypatch.setattr(documents, "_SECONDS_PER_MEGABYTE", 0.0)
    (tmp_path / "a.md").write_text("Some words.\n\n" * 500, "utf-8")
    (tmp_path / "b.rst").write_text(SLOW["hyphens"][1](40_000), "utf-8")
    (tmp_path / "c.md").write_text("Some words.\n\n" * 500, "utf-8")
    (tmp_path / "d.md").write_text("Short.", "utf-8")
    found = list(read_folder(tmp_path))
    assert [type(each).__name__ for each in found] == ["Document", "Skipped", "Document", "Document"]
    assert found[1] == Skipped("b.rst", "not read: it takes more than 3 s of computing")


def test_substitutions_that_double_are_not_written_out(tmp_path: Path) -> None:
    text = SLOW["substitutions"][1](746)
    (tmp_path / "a.rst").write_text(text, "utf-8")
    assert list(read_folder(tmp_path)) == [Skipped("a.rst", "its substitutions make too much text")]


def test_more_than_four_hundred_open_tags_are_too_many(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<div>" * 390 + "Text", "utf-8")
    (tmp_path / "b.html").write_text("<div>" * 410 + "Text", "utf-8")
    first, second = read_folder(tmp_path)
    assert isinstance(first, Document)
    assert second == Skipped("b.html", "nested too deeply to be read")
