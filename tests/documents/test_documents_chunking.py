"""Chunks cover the document, keep to their size, and stay inside sections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Chunk, Document, Item, content_id
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import CHUNKERS, TOKEN, chunk
from kgsynth.documents.readers import html, markdown, plain_text
from kgsynth.documents.readers.block_drafts import ExtractedText, TextPiece
from kgsynth.language.words import count_words
from kgsynth.scoring.systems.bundled import open_bundled


def document(text: str, name: str = "d.md") -> Document:
    return assemble(markdown.read(text), id=name, format="md", sha256="")


def encode(texts: Sequence[str]) -> NDArray[np.float32]:
    """Texts with the same first letter are similar."""
    rows = np.zeros((len(texts), 128), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        row[ord((text or " ")[0].lower()) % 128] = 1.0
    return rows


def cut(made: Document, strategy: str, size: int, overlap: int = 0) -> list[Chunk]:
    return list(chunk(made, strategy=strategy, size=size, overlap=overlap, encode=encode))


LINES = st.lists(
    st.sampled_from(
        [
            "# Big heading", "## Small", "### Smaller one", "One two three. Four five!",
            "A longer sentence of nine words stands here now.",
            "- item one", "- item two. And more", "> quoted words", "", "", "", "中文句子。另一个句子。",
            "```", "code = 1",
            "a-b-c-d-e-f-g-h",
            "| a | b |", "|---|---|", "![x](y.png)", "<!-- a comment of words -->", "---", "[x](y.z)",
        ]
    ), max_size=40,
)  # fmt: skip


@pytest.mark.parametrize("strategy", CHUNKERS)
@settings(max_examples=120, deadline=None)
@given(lines=LINES, size=st.integers(1, 30), data=st.data())
def test_chunks_cover_the_document_in_order(strategy: str, lines: list[str], size: int, data: st.DataObject) -> None:
    overlap = data.draw(st.integers(0, size - 1))
    made = document("\n".join(lines))
    chunks = cut(made, strategy, size, overlap)
    covered = [False] * len(made.text)
    before = None
    for piece in chunks:
        assert piece.text == made.text[piece.start : piece.end]
        assert piece.id == content_id("c", made.id, piece.start, piece.end, piece.text)
        if count_words(piece.text) > size:
            assert sum(count_words(token) > 0 for token in TOKEN.findall(piece.text)) == 1, (
                f"{piece.text!r} could have been split"
            )
        if before is not None:
            assert before.start < piece.start
            assert before.end < piece.end, "a chunk inside the one before"
            assert count_words(made.text[piece.start : before.end]) <= overlap
        covered[piece.start : piece.end] = [True] * (piece.end - piece.start)
        before = piece
    for block in made.blocks:
        if block.kind != "meta":
            lost = [i for i in range(block.start, block.end) if not covered[i] and not made.text[i].isspace()]
            assert not lost, f"{block} is not in any chunk"


@pytest.mark.parametrize("strategy", [name for name in CHUNKERS if name != "fixed"])
@settings(max_examples=120, deadline=None)
@given(lines=LINES)
def test_no_chunk_crosses_into_a_section_with_text_of_its_own(strategy: str, lines: list[str]) -> None:
    made = document("\n".join(lines))
    size = 3  # too small for any two sections to be merged
    for piece in cut(made, strategy, size):
        owners = {
            block.section
            for block in made.blocks
            if block.kind not in ("meta", "heading") and block.start < piece.end and piece.start < block.end
        }
        assert len(owners) <= 1, f"{piece.text!r} has text of {len(owners)} sections"


@pytest.mark.parametrize("strategy", [name for name in CHUNKERS if name != "fixed"])
def test_a_heading_is_in_the_chunk_of_its_text(strategy: str) -> None:
    made = document("# A\n\nOne two three four.\n\n## B\n\n### C\n\nFive six seven eight nine. Ten eleven twelve.\n")
    chunks = cut(made, strategy, 8)
    assert chunks[0].text == "# A\n\nOne two three four."
    assert chunks[1].text.startswith("## B\n\n### C\n\nFive six")
    assert all(piece.text.lstrip("# ").strip() not in ("A", "B", "C") for piece in chunks)
    sections = {section.id: section for section in made.sections}
    assert sections[chunks[1].section].title == "B", "the deepest section that contains the complete chunk"


def test_recursive_keeps_blocks_whole_where_sentence_does_not() -> None:
    made = document("One two three. Four five six.\n\nSeven eight nine. Ten eleven twelve.\n")
    assert [piece.text for piece in cut(made, "recursive", 9)] == [
        "One two three. Four five six.",
        "Seven eight nine. Ten eleven twelve.",
    ]
    assert [piece.text for piece in cut(made, "sentence", 9)] == [
        "One two three. Four five six.\n\nSeven eight nine.",
        "Ten eleven twelve.",
    ]


def test_recursive_merges_very_small_siblings_only() -> None:
    text = "# T\n\nIntro words.\n\n## A\n\none\n\n## B\n\ntwo\n\n## C\n\n" + "word " * 9 + "\n\n# U\n\nlast\n"
    made = document(text)
    assert [piece.text.split("\n")[0] for piece in cut(made, "recursive", 20)] == ["# T", "## A", "## C", "# U"]
    assert [piece.text.split("\n")[0] for piece in cut(made, "sentence", 20)] == ["# T", "## A", "## B", "## C", "# U"]


def test_fixed_overlap_is_exact() -> None:
    made = document(" ".join(f"w{number}" for number in range(10)))
    assert [piece.text for piece in cut(made, "fixed", 4, 1)] == ["w0 w1 w2 w3", "w3 w4 w5 w6", "w6 w7 w8 w9"]


def test_semantic_starts_a_chunk_where_the_topic_changes() -> None:
    made = document("Ants crawl. Apes climb. Axes cut. Bees buzz. Bats fly. Birds sing.")
    assert [piece.text for piece in cut(made, "semantic", 50)] == [
        "Ants crawl. Apes climb. Axes cut.",
        "Bees buzz. Bats fly. Birds sing.",
    ]


def test_meta_at_the_edges_is_in_no_chunk() -> None:
    made = document("---\ntitle: T\n---\n\nText here.\n\n<!-- end -->\n")
    assert [piece.text for piece in cut(made, "fixed", 50)] == ["Text here."]
    assert cut(document("---\ntitle: T\n---\n"), "recursive", 50) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"strategy": "magic"},
            "There is no chunking strategy 'magic': choose one of fixed, sentence, recursive, semantic",
        ),
        ({"size": 0}, "The chunk size is 0"),
        ({"size": 5, "overlap": 5}, "The overlap is 5: give at least 0 and less than the chunk size 5"),
        ({"overlap": -1}, "The overlap is -1"),
        ({"strategy": "semantic"}, "Semantic chunks need an encoder"),
        ({"strategy": "magic", "size": 0}, "; the chunk size is 0"),
    ],
)
def test_all_wrong_options_are_named_in_one_message(options: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", "")):
        chunk(document("x"), **options)  # type: ignore[arg-type]


def test_plain_text_is_chunked_by_its_headings() -> None:
    made = assemble(
        plain_text.read("FIRST PART\n\nOne two.\n\nSECOND PART\n\nThree four.\n"), id="t", format="txt", sha256=""
    )
    assert [piece.text for piece in cut(made, "sentence", 50)] == [
        "FIRST PART\n\nOne two.",
        "SECOND PART\n\nThree four.",
    ]


# ---- tables ------------------------------------------------------------------------------------------

PLANS = "# Plans\n\n| Plan | Price | Seats |\n|---|---|---|\n" + "".join(
    f"| Plan {n} | {n} euros per month | up to {n} seats |\n" for n in range(1, 9)
)


@pytest.mark.parametrize("strategy", [name for name in CHUNKERS if name != "fixed"])
@pytest.mark.parametrize("overlap", [0, 5])
def test_a_table_is_cut_between_its_rows_and_its_head_goes_with_each_part(strategy: str, overlap: int) -> None:
    chunks = cut(document(PLANS), strategy, 25, overlap)
    assert len(chunks) > 2
    for piece in chunks:
        assert piece.text.endswith("seats |"), "cut through a row"
    assert chunks[0].head == ""
    assert "| Plan | Price | Seats |" in chunks[0].text
    assert {piece.head for piece in chunks[1:]} == {"| Plan | Price | Seats |"}
    assert chunks[1].searched == f"| Plan | Price | Seats |\n{chunks[1].text}"


def test_fixed_chunks_know_no_tables() -> None:
    chunks = cut(document(PLANS), "fixed", 25)
    assert not any(piece.head for piece in chunks)
    assert not all(piece.text.endswith("seats |") for piece in chunks)


@pytest.mark.parametrize("strategy", [name for name in CHUNKERS if name != "fixed"])
def test_a_row_longer_than_a_chunk_is_cut(strategy: str) -> None:
    made = document("| Plan | About |\n|---|---|\n| Team | " + "word " * 30 + "|\n| Solo | short |\n")
    chunks = cut(made, strategy, 10)
    assert all(count_words(piece.text) <= 10 for piece in chunks)
    assert [piece.head for piece in chunks] == ["", *["| Plan | About |"] * (len(chunks) - 1)]
    assert "Solo | short |" in chunks[-1].text


def test_several_head_rows_go_with_a_part_also_with_cells_over_several_rows() -> None:
    rows = "".join(f"<tr><td rowspan=2>City {n}<td>old town<td>{n}00<tr><td>new town<td>{n}50" for n in range(1, 6))
    head = "<tr><th rowspan=2>City<th colspan=2>People<tr><th>Part<th>Number"
    made = assemble(html.read(f"<table>{head}{rows}</table>"), id="a.html", format="html", sha256="")
    chunks = cut(made, "recursive", 12)
    assert len(chunks) > 2
    assert {piece.text.split()[0] for piece in chunks[1:]} <= {"City", "new"}, "a part begins with a row"
    assert {piece.head for piece in chunks[1:]} == {"City\tPeople\nPart\tNumber"}


def test_the_rows_of_a_table_inside_a_row_that_is_too_long() -> None:
    extracted = ExtractedText()
    with extracted.within(ContainerKind.TABLE), extracted.within(ContainerKind.CELL, row=0, column=0):
        extracted.add("cell", [TextPiece("Left side")])
        with extracted.within(ContainerKind.TABLE):
            for row, name in enumerate(("Name Value", *(f"name{n} value{n}" for n in range(9)))):
                for column, text in enumerate(name.split()):
                    with extracted.within(ContainerKind.CELL, row=row, column=column, head=row == 0):
                        extracted.add("cell", [TextPiece(text)], joint="\t" if column else "\n")
    made = assemble(extracted.parsed(), id="b.docx", format="docx", sha256="")
    for strategy in ("sentence", "recursive"):
        chunks = cut(made, strategy, 7)
        assert len(chunks) > 2
        assert all(piece.text.split()[0].startswith("name") for piece in chunks[1:]), strategy
        assert [piece.head for piece in chunks[1:]] == ["Name\tValue"] * (len(chunks) - 1)


def test_a_heading_does_not_push_a_row_apart() -> None:
    made = document("# A heading of six words\n\n| a | b |\n|---|---|\n| one two three four | five six seven |\n")
    assert [piece.text for piece in cut(made, "sentence", 8)] == [
        "# A heading of six words\n\n| a | b |",
        "| one two three four | five six seven |",
    ]


def test_bundled_retrievers_search_the_head_with_each_part() -> None:
    system = open_bundled("bm25", [document(PLANS)], "recursive:25:0", 9, "")
    answer = system.ask(Item("q", "Price?", ("8 euros",), "simple", "factoid", "en", ()))
    assert len(answer.retrieved) == len(cut(document(PLANS), "recursive", 25))
    assert all(found.text == document(PLANS).text[found.start : found.end] for found in answer.retrieved)
