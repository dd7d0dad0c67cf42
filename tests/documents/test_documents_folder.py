"""Reading a folder: the order, which files are skipped and why, several processes."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import kgsynth
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Document, Item, Skipped, Span
from kgsynth.cli.folder_options import chosen_documents, shortened
from kgsynth.documents import READERS, read_documents, read_folder
from kgsynth.documents.assembly import readable_name
from kgsynth.documents.folder_listing import FileSelection
from kgsynth.documents.readers import READERS_OF_BYTES
from kgsynth.documents.unsupported import UnsupportedFileError, read_bytes
from kgsynth.golden.dataset import Dataset, load
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.language.detection import guess_language


def reasons(folder: Path, **options: int) -> dict[str, str]:
    return {found.path: found.reason for found in read_folder(folder, **options) if isinstance(found, Skipped)}


def test_documents_and_skipped_files_are_sorted_by_path(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a.md", "a/b/c.rst", "B.html", "x.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Some text.", "utf-8")
    found = [item.id if isinstance(item, Document) else item.path for item in read_folder(tmp_path)]
    assert found == sorted(["b.md", "a/z.txt", "a.md", "a/b/c.rst", "B.html", "x.pdf"])


def test_a_known_document_is_returned_if_a_file_has_its_name_and_its_bytes(tmp_path: Path) -> None:
    for name in ("changed.md", "gone.md", "same.md"):
        (tmp_path / name).write_text(f"The text of {name}.", "utf-8")
    known = {document.id: document for document in read_documents(tmp_path)}
    (tmp_path / "changed.md").write_text("Another text.", "utf-8")
    (tmp_path / "gone.md").rename(tmp_path / "renamed.md")
    changed, renamed, same = read_folder(tmp_path, known=known)
    assert same is known["same.md"]
    assert [changed, renamed] == [read for read in read_folder(tmp_path) if read != same]
    assert isinstance(changed, Document) and changed.text == "Another text."
    assert isinstance(renamed, Document) and renamed.id == "renamed.md"


def test_a_known_document_whose_file_cannot_be_read_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Some text.", "utf-8")
    known = {document.id: document for document in read_documents(tmp_path)}
    (tmp_path / "a.md").write_text("", "utf-8")
    assert list(read_folder(tmp_path, known=known)) == [Skipped("a.md", "empty")]


def test_every_extension_has_a_reader_that_reads(tmp_path: Path) -> None:
    text = sorted(extension for extension, reader in READERS.items() if reader not in READERS_OF_BYTES | {"notebook"})
    for extension in text:
        content = '"Plain words."' if READERS[extension] == "records" else "Plain words.\n"
        (tmp_path / f"file{extension}").write_text(content, "utf-8")
    documents = list(read_folder(tmp_path))
    assert [document.format for document in documents if isinstance(document, Document)] == sorted(
        extension[1:] for extension in text
    )
    assert all(find_spec(f"kgsynth.documents.readers.{reader}") for reader in READERS.values())
    assert all(document.blocks[0].text == "Plain words." for document in documents if isinstance(document, Document))


def test_each_skipped_file_has_its_reason(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("Text.", "utf-8")
    (tmp_path / "paper.xyz").write_bytes(b"%PDF")
    (tmp_path / "noext").write_text("x", "utf-8")
    (tmp_path / "nul.txt").write_bytes(b"ab\0c")
    (tmp_path / "garbage.txt").write_bytes(b"\x01\xff\x02")
    (tmp_path / "bom.txt").write_bytes(b"\xef\xbb\xbfab\xff")
    (tmp_path / "empty.md").write_bytes(b"")
    (tmp_path / "blank.md").write_bytes(b" \n\n")
    (tmp_path / "big.md").write_bytes(b"x" * 101)
    (tmp_path / ".hidden.md").write_text("x", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config.txt").write_text("x", "utf-8")
    (tmp_path / "script.html").write_text("<script>x</script>", "utf-8")
    found = reasons(tmp_path, max_bytes=100)
    assert found == {
        ".git": "a hidden folder",
        ".hidden.md": "a hidden file",
        "big.md": "too large: 101 bytes, and at most 100 are read; split it",
        "blank.md": "empty",
        "bom.txt": "not UTF-8 at byte 5, though the rest of it is",
        "empty.md": "empty",
        "garbage.txt": "binary: it is not UTF-8 at byte 1, and in no other encoding of text",
        "noext": "it has no extension, so its format is not known; rename it, for example to NAME.txt",
        "nul.txt": "binary: it contains NUL bytes",
        "paper.xyz": "'.xyz' files are not supported; convert it to .md, .html or .txt",
        "script.html": "it contains no text",
    }


def test_the_size_is_checked_before_the_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "big.md").write_bytes(b"x" * 101)

    def refuse(self: Path) -> bytes:
        raise AssertionError(f"{self} was read")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert "101 bytes" in reasons(tmp_path, max_bytes=100)["big.md"]


def test_only_links_inside_the_folder_are_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "docs", tmp_path / "outside"
    (folder / "sub").mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.md").write_text("secret", "utf-8")
    (folder / "a.md").write_text("Text.", "utf-8")
    (folder / "sub" / "up").symlink_to(folder)
    (folder / "self").symlink_to(folder / "self")
    (folder / "out").symlink_to(outside)
    (folder / "out.md").symlink_to(outside / "secret.md")
    (folder / "gone.md").symlink_to(folder / "nothing.md")
    (folder / "same.md").symlink_to(folder / "a.md")
    found = list(read_folder(folder))
    assert reasons(folder) == {
        "gone.md": "a broken link",
        "out": "a link to a place outside the folder",
        "out.md": "a link to a place outside the folder",
        "self": "a circular link",
        "sub/up": "a circular link",
    }
    assert [document.id for document in found if isinstance(document, Document)] == ["a.md", "same.md"]


def test_an_unreadable_file_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked.md").write_text("x", "utf-8")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert reasons(tmp_path) == {"locked.md": "it cannot be opened (Permission denied)"}


def test_a_file_nested_too_deeply_does_not_end_the_run(tmp_path: Path) -> None:
    (tmp_path / "deep.html").write_text("<div>" * 20_000 + "x", "utf-8")
    (tmp_path / "quotes.md").write_text(">" * 20_000 + "x", "utf-8")
    (tmp_path / "z.md").write_text("Text.", "utf-8")
    found = list(read_folder(tmp_path))
    assert found[0] == Skipped("deep.html", "nested too deeply to be read")
    assert isinstance(found[-1], Document)


def test_a_folder_that_cannot_be_used_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match=r"There is no folder .*nowhere"):
        read_folder(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is not a folder"):
        read_folder(tmp_path / "file")
    assert list(read_folder(tmp_path)) == [
        Skipped("file", "it has no extension, so its format is not known; rename it, for example to NAME.txt")
    ], "the caller decides what to do with a folder without documents"


def test_a_file_that_is_gone_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedFileError, match="it cannot be opened"):
        read_bytes(tmp_path / "gone.md", max_bytes=100)


def test_a_folder_without_readable_documents_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\0\xff")
    with pytest.raises(InputError, match="contains no readable document; give the folder the golden set was made from"):
        read_documents(tmp_path)


def test_the_text_is_that_of_the_file_without_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.md").write_bytes(b"\xef\xbb\xbf# T\r\n\r\nOne\r\ntwo.\r\n")
    (made,) = read_documents(tmp_path)
    assert made.text == "# T\r\n\r\nOne\r\ntwo.\r\n"
    assert [(block.kind, block.text) for block in made.blocks] == [("heading", "T"), ("paragraph", "One two.")]
    low, high = made.blocks[1].locate(4, 7)
    assert made.text[low:high] == "two"
    assert made.id == "sub/a.md"
    assert len(made.sha256) == 64


def test_the_number_of_processes_does_not_change_the_result(tmp_path: Path) -> None:
    for number in range(55):
        (tmp_path / f"{number}.md").write_text(f"# File {number}\n\nText.", "utf-8")
    (tmp_path / "x.bin").write_bytes(b"\0")
    assert list(read_folder(tmp_path, processes=2)) == list(read_folder(tmp_path))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Redis 是一个数据库系统", "zh"),
        ("A text with one 字 in it", "en"),
        ("123", "en"),
        ("模型 models are good", "en"),
    ],
)
def test_language_is_chinese_if_more_than_a_fifth_of_the_letters_are(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_a_title_is_made_from_the_path() -> None:
    assert readable_name("a/user_guide-2.md") == "User guide 2"
    assert readable_name("README.md") == "README"
    assert readable_name("guide/index.html") == "Guide"


@pytest.mark.skipif(os.name == "nt", reason="names are bytes on POSIX only")
def test_a_name_that_is_not_utf8_is_skipped(tmp_path: Path) -> None:
    try:
        (tmp_path / os.fsdecode(b"bad\xff.md")).write_text("x", "utf-8")
    except OSError:
        pytest.skip("this file system requires UTF-8 names")
    assert reasons(tmp_path) == {"bad\\xff.md": "its name is not UTF-8"}


def test_patterns_choose_files_and_each_left_out_is_named(tmp_path: Path) -> None:
    for name in (
        "a.md", "b.txt", "drafts/c.md", "drafts/d.md", "old.md", "keep.md", "node_modules/x.md", "sub/venv/y.md",
        "package-lock.json", ".kgsynthignore",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Some text.", "utf-8")
    (tmp_path / ".kgsynthignore").write_text("# of last year\nold*\n", "utf-8")
    found = list(read_folder(tmp_path, include=["*.md"], exclude=["drafts/", "k*", "!keep.md"]))
    assert [each.id for each in found if isinstance(each, Document)] == ["a.md", "keep.md"]
    assert {each.path: each.reason for each in found if isinstance(each, Skipped)} == {
        "b.txt": "left out: matches no --include pattern",
        "drafts": "left out: matches --exclude 'drafts/'",
        "node_modules": "a folder of installed packages (node_modules)",
        "old.md": "left out: matches .kgsynthignore 'old*'",
        "package-lock.json": "a lock file, which a program wrote",
        "sub/venv": "a folder of installed packages (venv)",
    }
    assert [each.id for each in read_documents(tmp_path, ["drafts/"], ["d.md"])] == ["drafts/c.md"]


def test_an_invalid_pattern_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--exclude: .*write patterns as in \.gitignore"):
        FileSelection.of(tmp_path, exclude=["!"])
    (tmp_path / ".kgsynthignore").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"\.kgsynthignore cannot be used .*: correct it"):
        read_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("a.png", "a picture; kgsynth reads text only"),
        ("a.zip", "an archive; unpack it first"),
        ("a.DOC", "an old or other format of a word processor; save it as .docx"),
        ("a.odt", "an old or other format of a word processor; save it as .docx"),
        ("a.xlsb", "another format of sheets; save it as .xlsx or .csv"),
        ("a.wiki", "typesetting; convert it to .md or .html, for example with pandoc"),
        ("a.numbers", "another format of sheets; save it as .xlsx or .csv"),
        ("a.toml", "settings or data; convert what should be asked about to .json, .yaml or .md"),
        ("a.log", "a log; kgsynth asks about documents"),
        ("~$a.docx", "a lock file, which an office program leaves while a document is open"),
    ],
)
def test_what_is_not_read_is_named_with_the_next_step(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert reasons(tmp_path) == {name: reason}


def test_the_patterns_of_a_run_are_used_for_its_set(tmp_path: Path) -> None:
    docs, run = tmp_path / "docs", tmp_path / "run"
    (docs / "drafts").mkdir(parents=True)
    run.mkdir()
    for name in ("a.md", "drafts/b.md", "c.txt"):
        (docs / name).write_text("Some text.", "utf-8")
    (run / "manifest.json").write_text('{"config": {"include": ["*.md"], "exclude": ["drafts/"]}}', "utf-8")

    item = Item("q-1", "Who?", ("Some",), "simple", "factoid", "en", ((Span("a.md", 0, 4, "Some"),),))
    Dataset([item]).save(run / "golden.jsonl")

    def ids(*given: tuple[str, ...], golden: Path) -> list[str]:
        found = chosen_documents(docs, *given)
        in_python = kgsynth.audit(golden, found, quick=True).documents
        assert sorted(in_python) == [document.id for document in open_set(golden, found).documents]
        return sorted(in_python)

    shutil.copy(run / "golden.jsonl", tmp_path)
    assert ids((), (), golden=run / "golden.jsonl") == ids((), (), golden=run) == ["a.md"]
    assert sorted(kgsynth.audit(load(run), docs, quick=True).documents) == ["a.md"], "a set knows its file"
    assert ids(("a.*", "*.txt"), (), golden=run) == ["a.md", "c.txt"], "given ones go before them"
    assert ids((), (), golden=tmp_path / "golden.jsonl") == ["a.md", "c.txt", "drafts/b.md"]
    with pytest.raises(click.UsageError, match="give it with --docs"):
        chosen_documents(None, ("*.md",), ())


def test_remarks_are_shortened() -> None:
    assert shortened([f"r{number}" for number in range(7)], " in x") == [
        "r0",
        "r1",
        "r2",
        "r3",
        "r4",
        "and 2 more in x",
    ]
