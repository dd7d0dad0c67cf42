"""Hostile documents made at random: a folder with one is read, at most its own file is skipped, and it is soon done."""

from __future__ import annotations

import tempfile
import time
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from fuzzing import tried
from hostile_files import XML_PARTS, many_pages, sample
from hypothesis import given
from hypothesis import strategies as st
from made_files import changed, check_block

from kgsynth import documents
from kgsynth.base.records import Document, Skipped
from kgsynth.documents import read_folder
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk
from kgsynth.documents.readers import READERS, html, markdown, plain_text
from kgsynth.documents.unsupported import UnsupportedFileError

HANDBOOK = Path(__file__).parents[2] / "corpora" / "handbook"
REASONS = (
    "nested too deeply to be read",
    "it contains no text",
    "empty",
    "its substitutions stand for",
    "binary",
    "not UTF-8",
)
SHORT, LONG = 3_500, 20_000  # characters; a short file is read in this process
SOON = 6.0  # seconds of processor time, for what takes a tenth

ANY = [
    " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\x0b", "\x0c", "\x1b[2J", "\x1b]0;x\x07", "\u202e", "\u2066",
    "\u2028", "\u00a0",
    "\u3000", "\ufeff", "\x85", "a", "Word", "e.g.", "etc. A", "A.", ". ", "? Yes", "\u6a21\u578b", "\u3002",
    "\U0001f469\u200d\U0001f680", "1", "9" * 4301, "\\", "\"", "'", "(", ")",
]  # fmt: skip
FRAGMENTS = {
    "md": [
        "# ", "## T #", "- ", "* ", "1. ", "> ", "    ", "```", "~~~", "`", "``", "**", "_", "[a](b)", "[", "](",
        "![", "[^1]", "[^1]:", "<b>",
        "<A ", "</A>", "<A b='", "<br>", "<div>", "</div>", "<p>", "<!--", "-->", "<!", "<?", "<style>", "</style",
        "&amp;", "&#65;", "&#", "|",
        "\\|", "|a|b|", "\n|-|-|\n", "{{", "}}", "{{< code >}}", "{{< /code >}}", "{%", "%}", "{#x}", " {: .x}",
        "---\n", "+++\n", "title: x", "===",
        "!!! note", "=== \"T\"", ":::", "///", "***", "@x", "[toc]", "[!NOTE]", "-*- x -*-",
    ],
    "html": [
        "<p>", "</p>", "<a ", "<a href='", "</a>", "<div>", "</div>", "<div class=nav>", "<ul><li>", "<li>", "</ul>",
        "<table>", "<tr><td>", "</table>",
        "<h1>", "</h1>", "<pre>", "</pre>", "<code>", "</code>", "<script>", "</script>", "<style>", "<!--", "--",
        "-->", "<!", "<![CDATA[", "]]>", "<?",
        "?>", "&", "&amp;", "&#", "&#x", ";", "&#" + "1" * 4301, "<sup>", "<header>", "<footer>", "<b>", "</b>",
        "<br>", "/", ">", "<", "=", "<title>",
        "<svg>", "<textarea>", "</", "hidden", "<template>",
    ],
    "txt": ["- ", "1. ", "a) ", "====", "----", "    ", "+--+", "| a |", "> ", "CAPITALS", "Chapter 1 ", "1.1 A", ":"],
    "rst": [
        "*", "**", "`", "``", "``a``", "`a <b>`_", "|", "|a|", "_", "__", "[1]_", "[#]_", ":ref:`", ":a:",
        "::\n\n  ", ".. ", ".. note::", ".. a::",
        ".. |a| replace:: |b| |b|\n", ".. |b| replace:: |a|\n", ".. _a: b\n", ".. [1] ", ".. code::",
        ".. include:: /etc/passwd\n", ".. raw:: html",
        ".. table::", ".. list-table::", ".. csv-table::", ".. class:: A", ".. versionadded:: 1", "====", "----",
        "\n====\n", "=== ===", "+---+", "| a |",
        "- ", "#. ", "1. ", "(a) ", "i. ", ":a: b", "-a  b", ">>> ", "  ", "PEP: 1\nTitle: x\n", "http://", "a-",
        "@", "/",
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read all files in this process, whose time is known."""
    monkeypatch.setattr(documents, "_in_this_process", lambda entry: True)


def texts(kind: str, longest: int = SHORT) -> st.SearchStrategy[str]:
    """Fragments of a format in any order, each of them up to many times, nested or not."""
    piece = st.sampled_from(FRAGMENTS[kind] + ANY) | st.text(max_size=3)
    run = st.tuples(piece, st.integers(1, 60)).map(lambda pair: pair[0] * pair[1])
    return st.lists(piece | run, max_size=40).map(lambda pieces: "".join(pieces)[:longest])


@cache
def pages(kind: str) -> list[str]:
    found = [path.read_text("utf-8") for path in sorted(HANDBOOK.rglob(f"*.{kind}"))]
    assert found
    return found


@st.composite
def mutated(draw: st.DrawFn, kind: str) -> str:
    """Return a piece of a page of the handbook with fragments put over it."""
    text = draw(st.sampled_from(pages(kind)))
    at = draw(st.integers(0, max(0, len(text) - 400)))
    text = text[at : at + SHORT]
    for _ in range(draw(st.integers(1, 8))):
        start = draw(st.integers(0, len(text)))
        over = draw(st.integers(0, 40))
        text = text[:start] + draw(st.sampled_from(FRAGMENTS[kind] + ANY)) + text[start + over :]
    return text[:SHORT]


def check_read(kind: str, data: bytes) -> None:
    """Check that a folder with this file is read: the file, or why it is skipped, and the file beside it."""
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"a.{kind}").write_bytes(data)
        Path(folder, "b.txt").write_text("Another file.", "utf-8")
        first, second = read_folder(Path(folder))
    assert isinstance(second, Document)
    if isinstance(first, Skipped):
        assert first.reason.startswith(REASONS), first.reason
    else:
        check_spans(first)
    assert time.process_time() - begun < SOON


def check_spans(made: Document) -> None:
    """Check that all spans are verbatim, and that the chunks are made."""
    reached = 0
    for block in made.blocks:
        check_block(block, made.text)
        assert block.start >= reached, "blocks overlap or are out of order"
        reached = block.end
    for strategy in ("recursive", "sentence", "fixed"):
        for piece in chunk(made, strategy=strategy, size=30, overlap=5):
            assert piece.text == made.text[piece.start : piece.end] != ""


@pytest.mark.parametrize("kind", FRAGMENTS)
def test_fragments_of_a_format_in_any_order(kind: str) -> None:
    @tried(40)
    @given(texts(kind))
    def check(text: str) -> None:
        check_read(kind, text.encode("utf-8", "surrogatepass"))

    check()


@pytest.mark.parametrize("kind", FRAGMENTS)
def test_pages_of_the_handbook_with_damage(kind: str) -> None:
    @tried(15)
    @given(mutated(kind))
    def check(text: str) -> None:
        check_read(kind, text.encode())

    check()


@pytest.mark.parametrize("kind", FRAGMENTS)
def test_bytes_of_several_encodings(kind: str) -> None:
    @tried(15)
    @given(
        st.lists(st.tuples(texts(kind, 200), st.sampled_from(["utf-8", "latin-1", "utf-16", "gb18030"])), max_size=4)
    )
    def check(parts: list[tuple[str, str]]) -> None:
        check_read(kind, b"".join(text.encode(encoding, "replace") for text, encoding in parts)[:SHORT])

    check()


@pytest.mark.parametrize("kind", ["md", "html", "txt"])
def test_long_documents_of_few_fragments_are_soon_read(kind: str) -> None:
    """Repeat up to three fragments; docutils is left out, since only its limit of time ends it."""
    reader = {"md": markdown, "html": html, "txt": plain_text}[kind]
    piece = st.sampled_from(FRAGMENTS[kind] + [each for each in ANY if len(each) < 100])

    @tried(6)
    @given(st.lists(piece, min_size=1, max_size=3).map("".join), piece, piece)
    def check(repeated: str, opening: str, closing: str) -> None:
        text = opening + repeated * (LONG // len(repeated)) + closing
        begun = time.process_time()
        try:
            check_spans(assemble(reader.read(text), id="a", format=kind, sha256=""))
        except UnsupportedFileError as error:
            assert str(error) == "nested too deeply to be read"
        assert time.process_time() - begun < SOON

    check()


BITS = st.lists(st.tuples(st.integers(0, 1 << 20), st.binary(max_size=12)), min_size=1, max_size=8)


def damaged(data: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    for at, new in changes:
        place = at % (len(data) + 1)
        data = data[:place] + new + data[place + len(new) + at % 3 :]
    return data


@pytest.mark.parametrize("kind", [*XML_PARTS, "pdf"])
def test_small_files_that_are_not_text_with_damage(kind: str) -> None:
    """Bytes of the file, or of the part in it that holds the text, are put over or taken out."""
    whole = many_pages(2) if kind == "pdf" else sample(kind)
    read = import_module(f"kgsynth.documents.readers.{READERS[f'.{kind}']}").read

    @tried(15)
    @given(BITS, st.booleans())
    def check(changes: list[tuple[int, bytes]], inside: bool) -> None:
        if inside and kind in XML_PARTS:
            data = changed(whole, {XML_PARTS[kind]: lambda part: damaged(part, changes)})
        else:
            data = damaged(whole, changes)
        begun = time.process_time()
        try:
            check_spans(assemble(read(data), id="a", format=kind, sha256=""))
        except UnsupportedFileError as error:
            assert str(error)
        assert time.process_time() - begun < SOON

    check()
