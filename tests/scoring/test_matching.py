"""Which passage covers which evidence: offsets, texts, documents, unions, repeats, and the text index."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Document, Heading, Passage, Span
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.html import read as read_html
from kgsynth.documents.readers.markdown import read
from kgsynth.documents.text_index import MIN_SIMILARITY, Place, TextIndex
from kgsynth.scoring.matching import Matcher

LEAVE = (
    "# Leave\n\nEvery employee has 25 days of leave a year.\n\n"
    "Unused days  move\nto the next year, but no more than five of them, and they lapse at the end of March.\n"
)
TEAMS = "# Teams\n\nThe Platform Reliability Team is led by Priya Nandakumar, who works from Halifax in Canada.\n"
TEXTS = {"benefits/leave.md": LEAVE, "people/teams.md": TEAMS}


def pages(texts: Mapping[str, str]) -> dict[str, Document]:
    return {doc: assemble(read(text), id=doc, format="md", sha256="") for doc, text in texts.items()}


PAGES = pages(TEXTS)


def span(doc: str, text: str) -> Span:
    start = TEXTS[doc].index(text)
    return Span(doc, start, start + len(text), text)


DAYS = span("benefits/leave.md", "Every employee has 25 days of leave a year.")
LED = span("people/teams.md", "led by Priya Nandakumar")


def at(found: Span, before: int = 0, after: int = 0) -> Passage:
    return Passage(found.doc, max(0, found.start - before), found.end + after)


# ---- coverage by offsets -------------------------------------------------------------------------


def test_a_passage_covers_a_span_at_exactly_half_of_its_characters_and_not_below() -> None:
    ten = Span("a.md", 10, 20, "0123456789")
    assert Matcher().match([Passage("a.md", 0, 15)], [[ten]]).ranks == (1,)
    assert Matcher().match([Passage("a.md", 0, 14)], [[ten]]).ranks == (None,)
    assert Matcher(cover=0.4).match([Passage("a.md", 0, 14)], [[ten]]).ranks == (1,)
    assert Matcher(cover=1.0).match([Passage("a.md", 10, 19)], [[ten]]).ranks == (None,)


def test_the_passage_that_completes_a_union_counts() -> None:
    ten = Span("a.md", 10, 20, "0123456789")
    found = Matcher().match([Passage("a.md", 0, 13), Passage("b.md", 0, 99), Passage("a.md", 17, 30)], [[ten]])
    assert found.ranks == (3,)
    assert found.evidence is not None
    assert (found.evidence.newly_covered, found.evidence.covers_any) == ([0, 0, 1], [False, False, True])


def test_the_overlap_of_two_passages_is_counted_once() -> None:
    ten = Span("a.md", 10, 20, "0123456789")
    assert Matcher().match([Passage("a.md", 0, 14), Passage("a.md", 5, 14)], [[ten]]).ranks == (None,)


def test_parts_of_two_different_copies_do_not_add_up() -> None:
    copies = [Span("a.md", 0, 10, "0123456789"), Span("b.md", 0, 10, "0123456789")]
    assert Matcher().match([Passage("a.md", 0, 4), Passage("b.md", 4, 8)], [copies]).ranks == (None,)


def test_either_copy_covers_the_group_and_the_other_is_then_a_repeat() -> None:
    found = Matcher().match([at(LED), at(DAYS)], [[DAYS, LED]])
    assert found.ranks == (1,)
    assert found.evidence is not None
    assert (found.evidence.newly_covered, found.evidence.covers_any) == ([1, 0], [True, True])


def test_one_passage_may_cover_several_groups() -> None:
    second = span("benefits/leave.md", "no more than five of them")
    found = Matcher().match([Passage("benefits/leave.md", 0, len(LEAVE))], [[DAYS], [second], [LED]])
    assert found.ranks == (1, 1, None)
    assert found.evidence is not None
    assert found.evidence.newly_covered == [2]


def test_a_repeated_passage_keeps_its_rank_and_counts_as_irrelevant() -> None:
    found = Matcher().match([at(DAYS), at(DAYS), at(LED)], [[DAYS], [LED]])
    assert found.ranks == (1, 3)
    assert found.evidence is not None
    assert found.evidence.covers_any == [True, False, True]


def test_files_are_counted_once_however_many_groups_they_have() -> None:
    second = span("benefits/leave.md", "no more than five of them")
    found = Matcher().match([Passage("benefits/leave.md", 0, 5)], [[DAYS], [second], [LED]])
    assert found.files is not None
    assert (found.files.n_groups, len(found.files.group_ranks)) == (2, 1)
    assert found.ranks == (None, None, None)  # the file is right, the place is not


def test_without_evidence_there_is_no_relevance_but_passages_are_still_matched() -> None:
    found = Matcher().match([at(DAYS)], [])
    assert (found.evidence, found.files, found.methods) == (None, None, ("offsets",))


@pytest.mark.parametrize("cover", [0.0, -1.0, 1.01])
def test_an_invalid_cover_is_an_error_with_its_value(cover: float) -> None:
    with pytest.raises(ConfigError, match=f"--cover {cover} is out of range"):
        Matcher(cover=cover)


# ---- how a passage is matched ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passage", "method"),
    [
        (Passage("benefits/leave.md", 0, 9), "offsets"),
        (Passage("benefits/leave.md", 0, 9, text="nowhere to be found in any document"), "document"),
        (Passage("benefits/leave.md", text="Unused days move to the next year, but no more"), "text"),
        (Passage(text="Unused days move to the\n\n next year,  but no more"), "text"),
        (Passage(text="Unused days move to the next year but no more than 5 of them, and they lapse"), "similar text"),
        (Passage("people/teams.md", text="Something quite different that is not in there"), "document"),
        (Passage("people/teams.md"), "document"),
        (Passage(id="people/teams.md"), "document"),
        (Passage(text="Something quite different that is not in there"), "nothing"),
        (Passage("nobody/knows.md", 0, 10), "nothing"),
        (Passage(id="c17", score=0.3), "nothing"),
        (Passage(), "nothing"),
    ],
)
def test_the_most_certain_method_that_works_is_used(passage: Passage, method: str) -> None:
    assert Matcher(PAGES).match([passage], [[DAYS]]).methods == (method,)


def test_a_located_text_covers_the_evidence_at_its_place() -> None:
    wanted = span("benefits/leave.md", "move\nto the next year")
    (place,), _ = Matcher(PAGES).locate(Passage(text="Unused days move to the next year,"))
    assert LEAVE[place.start : place.end] == "Unused days  move\nto the next year,"
    assert Matcher(PAGES).match([Passage(text="days move to the next year")], [[wanted]]).ranks == (1,)


def test_a_document_alone_counts_as_a_file_and_covers_no_evidence() -> None:
    found = Matcher().match([Passage("people/teams.md")], [[DAYS], [LED]])
    assert found.ranks == (None, None) and found.files is not None
    assert found.files.covers_any == [True], "the file is one of the two needed"


def test_a_given_text_is_not_overridden_by_its_document() -> None:
    said_elsewhere = Passage("people/teams.md", text="Something quite different that is not in there")
    assert Matcher(PAGES).match([said_elsewhere], [[LED]]).ranks == (None,), "the text does not contain the evidence"


def test_a_text_in_its_own_document_is_not_searched_elsewhere() -> None:
    texts = {"a.md": "The badge is blue and round. Other things.", "b.md": "Before. The badge is blue and round."}
    passage = Passage("a.md", text="The badge is blue and round.")
    assert Matcher(pages(texts)).match([passage], [[Span("b.md", 8, 36, "The badge is blue and round.")]]).ranks == (
        None,
    )


@pytest.mark.parametrize("name", ["people/teams.md", "nobody/knows.md"])
def test_a_text_that_is_not_in_the_document_it_names_is_found_where_it_is(name: str) -> None:
    """The name is a claim, the text is the proof."""
    found = Matcher(PAGES).match([Passage(name, text="Every employee has 25 days of leave a year.")], [[DAYS]])
    assert (found.ranks, found.methods, found.docs) == ((1,), ("text",), {"benefits/leave.md"})
    joined = Passage(
        name, text="Every employee has 25 days of leave a year. " + "Priya leads another sort of unit. " * 9
    )
    assert Matcher(PAGES).match([joined], [[DAYS]]).methods == ("evidence text",)


def test_a_text_without_a_document_counts_wherever_it_occurs() -> None:
    texts = {"a.md": "The badge is blue and round. Other things.", "b.md": "Before. The badge is blue and round."}
    evidence = [Span("b.md", 8, 36, "The badge is blue and round.")]
    places, _ = Matcher(pages(texts)).locate(Passage(text="The badge is blue and round."))
    assert places == (Place("a.md", 0, 28), Place("b.md", 8, 36))
    assert Matcher(pages(texts)).match([Passage(text="The badge is blue and round.")], [evidence]).ranks == (1,)


@pytest.mark.parametrize(
    "name", ["/srv/data/docs/benefits/leave.md", "./benefits/leave.md", "benefits\\leave.md", "leave.md"]
)
def test_a_path_with_more_or_fewer_folders_is_resolved(name: str) -> None:
    found = Matcher(PAGES).match([Passage(name, DAYS.start, DAYS.end)], [[DAYS]])
    assert (found.ranks, found.methods) == ((1,), ("offsets",))


def test_an_ambiguous_name_matches_no_document() -> None:
    assert Matcher(pages({"a/x.md": "one", "b/x.md": "two"})).locate(Passage("x.md"))[1] == "nothing"


def test_without_the_documents_a_path_is_taken_literally() -> None:
    root = Span("leave.md", 0, 10, "0123456789")
    found = Matcher().match([Passage("archive/leave.md", 0, 10)], [[root]])
    assert (found.ranks, found.methods) == ((None,), ("offsets",))


# ---- the index -------------------------------------------------------------------------------------


def test_chinese_is_found_over_line_breaks() -> None:
    texts = {"zh.md": "员工每年有二十五天\n年假，未使用的假期可以转入下一年。"}
    (place,), alike = TextIndex(texts).find("有二十五天年假，未使用的假期可以转入")
    assert (texts["zh.md"][place.start : place.end], alike) == ("有二十五天\n年假，未使用的假期可以转入", 1.0)


def test_every_exact_place_is_returned_also_of_texts_too_short_for_a_key() -> None:
    index = TextIndex({"a.md": "ab ab ab", "b.md": "xaby"})
    assert index.find("a b")[0] == [Place("a.md", 0, 2), Place("a.md", 3, 5), Place("a.md", 6, 8), Place("b.md", 1, 3)]
    assert index.find("ab", "b.md")[0] == [Place("b.md", 1, 3)]
    assert index.find("ab", "c.md") == ([], 0.0)


def test_a_text_does_not_run_over_the_end_of_a_document() -> None:
    index = TextIndex({"a.md": "the first document ends here", "b.md": "the second one begins there"})
    assert index.find("document ends here the second one begins")[0] == []


def test_the_floor_separates_similar_from_other_texts() -> None:
    rng = random.Random(3)
    source = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=4000))
    index = TextIndex({"a.md": source})
    passage = source[1000:1400]
    similar = passage[:60] + "0" * 20 + passage[80:]  # 380 of 400 letters stay: 1 - 40 / 800 = 0.95
    other = passage[:60] + "0" * 60 + passage[120:]  # 340 stay: 0.85
    (place,), alike = index.find(similar)
    assert (place, alike) == (Place("a.md", 1000, 1400), pytest.approx(0.95))
    assert index.find(other) == ([], 0.0)
    assert 0.85 < MIN_SIMILARITY < 0.95


KILNS = (
    "# The *Linnet* kiln\n\nIt holds “ninety” plates – no more – and the list of those that fit is kept beside the "
    "door; see [the list](plates.md).\nThe Café Æsir fires it at 1,250 °C."
)


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ('THE *LINNET* KILN IT HOLDS "NINETY" PLATES - NO MORE -', 1.0),  # case, quotes, dashes
        ("see [the list](plates.md). The Cafe\u0301 Æsir fires it", 1.0),  # a mark by itself
        ("Ｉｔ holds\u200b “ninety”\u00a0plates – no\u00ad more", 1.0),  # full width, and what cannot be seen
        ("it holds ninety plates no more and the list of those that fit is kept beside the door see", 0.95),  # letters
        ("No more, and the list of those that fit is kept beside the door: see the list. The Cafe", 0.9),  # no target
        ("No more than nine, and a list of those that fit is kept in Leeds or beside some desk", 0.0),
        ("*#“”–;[]().," * 4, 0.0),  # nothing is left to compare
    ],
)
def test_texts_are_folded_and_then_compared_by_their_letters(text: str, alike: float) -> None:
    places, found = TextIndex({"kilns.md": KILNS, "other.md": "Nothing of the kind stands here. " * 9}).find(text)
    assert alike <= found <= (alike or 0.0) + 0.05
    assert [place.doc for place in places] == ["kilns.md"] * bool(alike)


def test_a_repetitive_text_is_found() -> None:
    index = TextIndex({"a.md": "-" * 200_000 + "end of the rule"})
    assert index.find("-" * 40 + "end of the rule")[0] == [Place("a.md", 200_000 - 40, 200_015)]


@given(st.text(alphabet="ab \n中.", max_size=300), st.integers(0, 300), st.integers(0, 80))
@settings(max_examples=200, deadline=None)
def test_any_stretch_of_a_text_is_found_where_it_was_taken(text: str, start: int, size: int) -> None:
    piece = text[start : start + size]
    places, alike = TextIndex({"other.md": "中" * 50, "x.md": text}).find(piece, "x.md")
    if not piece.split():
        assert places == []
        return
    assert alike == 1.0
    bare = "".join(piece.split())
    assert all("".join(text[place.start : place.end].split()) == bare for place in places)
    if len(bare) >= 17:  # shorter ones are returned without their overlaps
        first = start + len(piece) - len(piece.lstrip())
        assert first in {place.start for place in places}


def test_placing_all_chunks_of_a_corpus_does_not_grow_with_its_square() -> None:
    rng = random.Random(5)
    vocabulary = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(3000)]

    def seconds(size: int) -> float:
        texts = {f"{n}.md": " ".join(rng.choices(vocabulary, k=2000)) for n in range(size)}
        chunks = [text[cut : cut + 900] for text in texts.values() for cut in range(0, len(text) - 900, 900)]
        index = TextIndex(texts)
        begun = time.perf_counter()
        assert all(index.find(chunk)[1] == 1.0 for chunk in chunks)
        return time.perf_counter() - begun

    seconds(5)
    small, large = seconds(10), seconds(80)
    assert large < small * 8 * 3  # eight times the corpus; its square would be 64


# ---- texts of other extractors ---------------------------------------------------------------------

MANUAL = """---
title: The **Skua** manual
---
# The *Skua* manual

The [Skua 3](../products/skua-3.md "product page of the third one") is a **wind _sensor_**; it weighs `62 g` without
its mast, and its `calibrate --all` command takes five minutes.

- Fit the *first* clamp before the mast is raised.
- Do not lift it by the cable, which is “soft”.

| part | supplier |
|------|:--------:|
| mast | [Teal & Sons](https://teal.example.com/catalogue/masts?size=3&colour=grey) |
| cable | Harrow Wire |

> An office in Århus certifies the final efficiency of extraction fans.
"""


@pytest.mark.parametrize(
    ("passage", "source"),
    [
        (  # links, emphasis and code without their markup
            "The Skua 3 is a wind sensor; it weighs 62 g without its mast, and its calibrate --all command",
            (
                'Skua 3](../products/skua-3.md "product page of the third one") is a **wind _sensor_**; it weighs '
                "`62 g` without\nits mast, and its `calibrate --all` command"
            ),
        ),
        (  # bullets, line breaks inside words
            '• Fit the first clamp before the mast is rai-\nsed.\n• Do not lift it by the cable, which is "soft".',
            ("Fit the *first* clamp before the mast is raised.\n- Do not lift it by the cable, which is “soft”."),
        ),
        (  # the cells of a table, one on each line
            "part\nsupplier\nmast\nTeal & Sons\ncable\nHarrow Wire",
            (
                "part | supplier |\n|------|:--------:|\n| mast | [Teal & Sons](https://teal.example.com/catalogue/masts?"
                "size=3&colour=grey) |\n| cable | Harrow Wire"
            ),
        ),
        (  # ligatures, soft hyphens, no spaces, a mark by itself, a hyphen at the end of a line
            "Anoﬃcein A\u030arhuscer\u00adtiﬁes the ﬁnal eﬃciency of extrac-\ntion fans",
            "An office in Århus certifies the final efficiency of extraction fans",
        ),
    ],
)
def test_a_text_without_markup_is_found_at_its_place_in_the_source(passage: str, source: str) -> None:
    start = MANUAL.index(source)
    ((place,), method) = Matcher(pages({"skua.md": MANUAL, "leave.md": LEAVE})).locate(Passage(text=passage))
    assert method == "text"
    assert place.doc == "skua.md" and (place.start, place.end) in (
        (start, start + len(source)),
        (start - len("The ["), start + len(source)),
    )


def test_text_of_html_is_found_in_the_file() -> None:
    html = (
        '<html><body><h1>Leave</h1><p>Each <b>clerk</b> has <a href="days.html">25 days</a> of leave.</p></body></html>'
    )
    page = assemble(read_html(html), id="leave.html", format="html", sha256="")
    ((place,), method) = Matcher({"leave.html": page}).locate(Passage(text="Each clerk has 25 days of leave."))
    assert (page.text[place.start : place.end], method) == ("Each clerk has 25 days of leave.", "text")


def perturbed(text: str, rng: random.Random) -> str:
    """What an extractor makes of a text: other spaces, ligatures, quotes, bullets, and hyphens at line ends."""
    for plain, other in (("ffi", "ﬃ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("“", '"'), ("”", '"'), ("--", "–")):
        text = text.replace(plain, other) if rng.random() < 0.5 else text
    words = []
    for word in text.split():
        cut = rng.randint(1, len(word))
        words.append(
            f"{word[:cut]}{rng.choice(('-' + chr(10), chr(0xAD)))}{word[cut:]}" if rng.random() < 0.2 else word
        )
    return rng.choice(("• ", "", "\n")) + rng.choice((" ", "\n", "  ", "", "\u00a0")).join(words)


@given(st.data(), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_any_part_of_a_page_is_found_without_its_markup(data: st.DataObject, rng: random.Random) -> None:
    page = pages({"skua.md": MANUAL})["skua.md"]
    shown = [(block, at) for block in page.blocks for at, letter in enumerate(block.text) if letter.isalnum()]
    first = data.draw(st.integers(0, len(shown) - 20))
    last = data.draw(st.integers(first + 19, len(shown) - 1))
    start, end = (block.locate(at, at + 1) for block, at in (shown[first], shown[last]))
    passage = Passage(text=perturbed(page.plain(start[0], end[1]), rng))
    places, method = Matcher({"skua.md": page, **pages({"leave.md": LEAVE})}).locate(passage)
    assert method in ("text", "similar text"), passage
    assert any(place.doc == "skua.md" and place.start <= start[0] and (place.end or 0) >= end[1] for place in places)


def test_placing_plain_texts_does_not_grow_with_the_square_of_the_corpus() -> None:
    rng = random.Random(7)
    vocabulary = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(3000)]

    def seconds(size: int) -> float:
        marked = [
            "\n\n".join(
                " ".join(f"**{word}**" if n % 7 == 0 else word for n, word in enumerate(rng.choices(vocabulary, k=100)))
                + " [see](https://example.com/a/long/address/of/a/page)"
                for _ in range(10)
            )
            for _ in range(size)
        ]
        documents = pages({f"{n}.md": text for n, text in enumerate(marked)})
        matcher, begun = Matcher(documents), time.perf_counter()
        for doc, page in documents.items():
            for block in page.blocks:
                places, method = matcher.locate(Passage(text=block.text))
                assert method == "text" and places[0].doc == doc
        return time.perf_counter() - begun

    seconds(5)
    small, large = seconds(10), seconds(80)
    assert large < small * 8 * 3


# ---- the text of the evidence ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("From the pump log: Ada Low leads the **kilns** of Leeds, and has led them for years. Next page.", (1,)),
        ("From the pump log: Ada Low leads the kilns of Bath, and has led them for years. Next page.", (None,)),
        ("kilns of Leeds, and has led them for years. The others left long ago, as the history says.", (1,)),
        ("The log is kept by Ada Low, and the kilns of Leeds are old; they have been there for years.", (None,)),
        ("Ada Low leads the ki-\nlns of Leeds, and has led", (1,)),  # the target of the link is not in it
        ("kilns of Leeds, and so on", (None,)),
        ("led them for years. The others left long ago, as the page on the history of the kilns says.", (None,)),
        ("Ada Low leads the pumps.", (None,)),
        ("", (None,)),
    ],
)
def test_without_the_documents_a_passage_is_compared_with_the_evidence(text: str, found: tuple[int | None]) -> None:
    evidence = Span("kilns.md", 70, 138, "Ada Low leads the [kilns](k.md) of Leeds, and has led them for years.")
    assert Matcher().match([Passage("7f3a.pdf", text=text)], [[evidence]]).ranks == found


def test_short_evidence_counts_only_as_whole_words() -> None:
    weight = Span("skua.md", 10, 14, "62 g")
    for text, found in (("It weighs 62 g.", 1), ("It weighs 162 g.", None), ("It weighs 62 grams.", None)):
        assert Matcher().match([Passage(text=text)], [[weight]]).ranks == (found,)


def test_two_passages_that_hold_the_halves_of_evidence_cover_it_together() -> None:
    text = "Every employee of the depot has 25 days of leave a year, and five of them may be carried over into March."
    halves = [Passage(text=text[:44]), Passage(text=text[44:90])]
    assert Matcher(cover=0.7).match(halves, [[Span("a.md", 0, len(text), text)]]).ranks == (2,)


def test_a_passage_with_a_title_in_front_still_holds_its_evidence() -> None:
    title = "Handbook > Benefits > Leave > Days\nKeywords: leave, days, year, holiday, carry, March\n\n"
    passage = Passage("benefits/leave.md", text=f"{title}Every employee has 25 days of leave a year.")
    found = Matcher(PAGES).match([passage], [[DAYS]])
    assert (found.ranks, found.methods) == ((1,), ("evidence text",))


# ---- texts of a PDF that another program read ---------------------------------------------------------------

COLUMNS = [
    "The harbour office keeps a list of all ships that enter the port.",
    "Each of them takes a berth, and the pilot signs for it at the gate.",
    "Dues are paid within thirty days after the ship has left again.",
    "Whoever pays later is charged two percent for each further month.",
]


def in_pdf(*texts: str) -> Mapping[str, Document]:
    page = assemble(read("\n\n".join(texts)), id="port.pdf", format="pdf", sha256="")
    return {"port.pdf": page}


def covered_lines(passage: Passage) -> list[int]:
    """The numbers of the lines that a passage covers."""
    pages = in_pdf(*COLUMNS)
    text = pages["port.pdf"].text
    groups = [[Span("port.pdf", text.index(line), text.index(line) + len(line), line)] for line in COLUMNS]
    ranks = Matcher(pages).match([passage], groups).ranks
    return [number for number, rank in enumerate(ranks) if rank]


@pytest.mark.parametrize("doc", ["port.pdf", None])
def test_a_passage_with_its_lines_in_another_order_is_found_in_pieces(doc: str | None) -> None:
    assert covered_lines(Passage(doc, text="\n".join(COLUMNS[n] for n in (2, 0, 3)))) == [0, 2, 3]


def test_page_heads_marks_and_moved_words_do_not_hide_what_a_passage_holds() -> None:
    moved = "ffice keeps a list of all ships that enter the port.\n\nThe  har\n\nbour o"  # as a justified line is read
    heads = "Page 4\n\n(cid:127)\n(cid:127)\nHarbour rules\n\nInternal handbook, third edition of 2021\n\n"
    assert covered_lines(Passage("port.pdf", text=f"{moved}\n\n{heads}{COLUMNS[1]}")) == [0, 1]
    glyphs = " (cid:127) ".join(COLUMNS[1].split(" "))
    assert covered_lines(Passage(text=glyphs)) == [1]


def test_pieces_need_half_of_a_passage_in_its_document_and_almost_all_of_it_elsewhere(
    move: Callable[[str, float], None],
) -> None:
    other = "Nothing of this second part of the passage stands anywhere in the rules of the port, not at all."
    mixed = f"{COLUMNS[3]} {other} {COLUMNS[0]}"  # 58 % of its letters
    assert covered_lines(Passage("port.pdf", text=mixed)) == [0, 3]
    assert not Matcher(in_pdf(*COLUMNS)).locate(Passage(text=mixed))[0], "it may be from anywhere"
    move("passage_pieces_share", 0.7)
    assert Matcher(in_pdf(*COLUMNS)).locate(Passage("port.pdf", text=mixed))[1] == "document"


def test_a_few_shared_words_are_no_piece() -> None:
    text = "All ships list their berth. Pay the pilot. The gate has left. Enter for each month. Two percent for it."
    assert covered_lines(Passage("port.pdf", text=text)) == []


# ---- evidence with its heading -------------------------------------------------------------------

INSURANCE = (
    "# Insurance\n\n## Health\n\nThe company pays 80% of the premium.\n\n"
    "## Dental\n\nThe company pays 100% of the premium.\n\n## Vision\n\nThe company pays 100% of the premium.\n"
)
PREMIUM = "The company pays 100% of the premium."


def under_dental() -> Span:
    start, head = INSURANCE.index(PREMIUM), INSURANCE.index("Dental")
    return Span("a.md", start, start + len(PREMIUM), PREMIUM, heading=Heading(head, head + 6, "Dental"))


def test_a_passage_at_the_place_of_evidence_needs_no_heading() -> None:
    evidence = under_dental()
    known = Matcher(pages({"a.md": INSURANCE}))
    assert known.match([at(evidence)], [[evidence]]).ranks == (1,)
    assert known.match([at(under_dental(), before=-8, after=60)], [[evidence]]).ranks == (1,)
    assert Matcher().match([at(evidence)], [[evidence]]).ranks == (1,)


def test_a_text_that_stands_in_several_places_must_hold_the_heading_too() -> None:
    evidence = under_dental()
    known = Matcher(pages({"a.md": INSURANCE}))
    found = known.match([Passage(text=PREMIUM), Passage(text=f"## Dental\n\n{PREMIUM}")], [[evidence]])
    assert found.ranks == (2,), "the first could be that of another insurance"
    titled = Passage("a.md", text=f"Dental: {PREMIUM} Details are in the plan.")  # as systems put titles in front
    assert known.match([titled], [[evidence]]).ranks == (1,)
    plain = Span("a.md", evidence.start, evidence.end, evidence.text)
    assert known.match([Passage(text=PREMIUM)], [[plain]]).ranks == (1,)


def test_a_text_that_stands_in_one_place_only_needs_no_heading() -> None:
    text = INSURANCE.replace("80%", "60%").replace("Vision\n\nThe company pays 100%", "Vision\n\nThe company pays 50%")
    assert Matcher(pages({"a.md": text})).match([Passage(text=PREMIUM)], [[under_dental()]]).ranks == (1,)


def test_without_the_documents_a_text_must_hold_the_heading_too() -> None:
    texts = [PREMIUM, f"Vision\n{PREMIUM}", f"Dental\n{PREMIUM}"]
    found = Matcher().match([Passage(text=text) for text in texts], [[under_dental()]])
    assert found.ranks == (3,)
