"""The text of a passage is the proof: offsets that do not fit it, and texts in which what matters was changed."""

from __future__ import annotations

import pytest

from kgsynth.base.records import Document, Item, Passage, Span
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.markdown import read
from kgsynth.scoring.flow import score
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.metrics.scores import Scores

PUMP = (
    "# Aurex A1\n\nThe Aurex A1 is a device for the transport of cooling liquid in closed circuits. It was "
    "introduced on 12 March 2021 and is assembled in Oslo. Its housing is blue, so that it can be told from others at "
    "a glance.\n\n"
    "| Property | Value |\n|---|---|\n| Weight | 62 kg |\n| Warranty | 24 months |\n"
    "| Service life | 1.5 million cycles |\n\n## Use\n\nThe operator opens the [inlet valve](valves-2024.md#part-7), "
    "waits until the pressure is stable, and then closes the drain. Each replacement of a seal is written down in the "
    "service log by a certified technician.\n"
)


def page(doc: str, text: str) -> Document:
    return assemble(read(text), id=doc, format="md", sha256="")


PAGES = {
    "pump.md": page("pump.md", PUMP),
    "port.md": page("port.md", "# Port\n\nEvery ship that enters the port lists its berth with the harbour office.\n"),
}


def span(text: str, doc: str = "pump.md") -> Span:
    start = PAGES[doc].text.index(text)
    return Span(doc, start, start + len(text), text)


MARCH = span("It was introduced on 12 March 2021 and is assembled in Oslo.")
WEIGHT = span("Weight | 62 kg")
LIFE = span("Service life | 1.5 million cycles")
LOG = span("Each replacement of a seal is written down in the service log by a certified technician.")


def ranks(passage: Passage, wanted: Span, *answers: str) -> tuple[int | None, ...]:
    return Matcher(PAGES).match([passage], [[wanted]], answers).ranks


# ---- offsets and text ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end"), [(MARCH.start, MARCH.end), (0, 999_999)], ids=["the evidence", "the whole document"]
)
def test_a_text_that_is_not_at_its_offsets_covers_no_evidence(start: int, end: int) -> None:
    made_up = Passage("pump.md", start, end, text="This text is another one, about purple elephants.")
    found = Matcher(PAGES).match([made_up], [[MARCH]])
    assert (found.ranks, found.methods) == ((None,), ("document",))


def test_a_text_with_wrong_offsets_counts_where_it_is() -> None:
    shifted = Passage("pump.md", LOG.start, LOG.end, text=MARCH.text)
    found = Matcher(PAGES).match([shifted], [[MARCH], [LOG]])
    assert (found.ranks, found.methods) == ((1, None), ("text",))


@pytest.mark.parametrize(
    "text",
    [
        MARCH.text,
        MARCH.text.upper().replace(" ", "\n"),
        f"Aurex A1: data sheet of the maker, chapter on origin. {MARCH.text}",
        MARCH.text.replace("assembled", "asembled"),
    ],
    ids=["verbatim", "folded", "with a title in front", "similar"],
)
def test_offsets_hold_where_the_document_has_such_a_text(text: str) -> None:
    found = Matcher(PAGES).match([Passage("pump.md", MARCH.start, MARCH.end, text=text)], [[MARCH]])
    assert (found.ranks, found.methods) == ((1,), ("offsets",))


def test_offsets_hold_for_a_text_without_the_markup_of_its_source() -> None:
    start, end = PUMP.index("The operator opens"), PUMP.index(" Each replacement")
    plain = "The operator opens the inlet valve, waits until the pressure is stable, and then closes the drain."
    assert Matcher(PAGES).match([Passage("pump.md", start, end, text=plain)], [[MARCH]]).methods == ("offsets",)


def test_without_documents_offsets_must_fit_the_text_of_the_evidence() -> None:
    made_up = Passage("pump.md", MARCH.start, MARCH.end, text="This text is another one, about purple elephants.")
    right = Passage("pump.md", MARCH.start, MARCH.end, text=MARCH.text)
    assert Matcher().match([made_up], [[MARCH]]).ranks == (None,)
    assert Matcher().match([right], [[MARCH]]).ranks == (1,)


def test_different_texts_at_the_same_wrong_offsets_are_no_repeats() -> None:
    found = Matcher(PAGES).match([Passage("pump.md", 0, 5, text=each.text) for each in (LOG, MARCH)], [[MARCH]])
    assert found.ranks == (2,)


def run(passage: Passage, wanted: Span, answer: str) -> Scores:
    item = Item("q", "What about the pump?", (answer,), "simple", "factoid", "en", ((wanted,),))
    return score([item], lambda _: [passage], docs=[*PAGES.values()])


def test_a_note_counts_the_passages_whose_offsets_do_not_fit_their_text() -> None:
    found = run(Passage("pump.md", LOG.start, LOG.end, text=MARCH.text), MARCH, "12 March 2021")
    wrong = f"1 of 1 passage came with offsets of another text, such as pump.md [{LOG.start}, {LOG.end})"
    assert f"{wrong}; their text was searched for instead" in found.notes
    assert not any("offsets" in note for note in run(Passage("pump.md", text=MARCH.text), MARCH, "12 March 2021").notes)


# ---- nearly the same text --------------------------------------------------------------------------


def around(wanted: Span, old: str, new: str, size: int = 150) -> str:
    """Return a long stretch of the document with the evidence, in which ``old`` was replaced."""
    stretch = PUMP[max(0, wanted.start - size) : wanted.end + size]
    assert old in stretch
    return stretch.replace(old, new)


@pytest.mark.parametrize(
    ("wanted", "old", "new", "answer"),
    [
        (WEIGHT, "62 kg", "purple", "62 kg"),
        (WEIGHT, "62 kg", "26 kg", "62 kg"),
        (MARCH, "12 March 2021", "99 March 99", "12 March 2021"),
        (MARCH, "12 March 2021", "12 March 2012", "Oslo"),
        (MARCH, "Oslo", "Graz", "Oslo"),
        (LIFE, "1.5 million", "15 million", "1.5 million cycles"),
        (LIFE, "1.5 million", "-1.5 million", "1.5 million cycles"),
        (LOG, "certified technician", "visitor", "a certified technician"),
    ],
)
def test_a_text_with_another_figure_or_without_the_answer_is_no_evidence(
    wanted: Span, old: str, new: str, answer: str
) -> None:
    altered = Passage("pump.md", text=around(wanted, old, new))
    assert Matcher(PAGES).match([altered], [[wanted]], [answer]).ranks == (None,)
    assert ranks(Passage("pump.md", text=around(wanted, old, old)), wanted, answer) == (1,), "the text itself is"


@pytest.mark.parametrize(
    ("wanted", "old", "new", "answer"),
    [
        (LOG, "written down", "writen down", "a certified technician"),
        (LOG, "certified", "certi-\nfied", "a certified technician"),
        (WEIGHT, "Service life", "Servce lfe", "62 kg"),
        (MARCH, "12 March", "**12** March", "12 March 2021"),
        (LIFE, "1.5 million", "1.5  Million", "1.5 million cycles"),
    ],
    ids=["a typing error", "a line end", "an error beside the evidence", "marks", "letter case"],
)
def test_a_slip_that_leaves_figures_and_answer_alone_is_still_evidence(
    wanted: Span, old: str, new: str, answer: str
) -> None:
    assert ranks(Passage("pump.md", text=around(wanted, old, new)), wanted, answer) == (1,)


def test_an_altered_end_of_a_text_found_in_pieces_is_no_evidence() -> None:
    title = "Another program says what this is about. "
    for new, found in (("a visitor", None), ("a certified technician", 1)):
        text = title + LOG.text.replace("a certified technician", new)
        passage = Passage("pump.md", text=text)
        assert Matcher(PAGES).locate(passage)[1] == "similar text"
        assert ranks(passage, LOG, "a certified technician") == (found,)


def test_two_near_passages_that_share_evidence_cover_it_together() -> None:
    at = PUMP.index("written down")
    halves = [PUMP[MARCH.start - 80 : at].replace("transport", "trnsport"), PUMP[at:].replace("service", "servce")]
    passages = [Passage("pump.md", text=text) for text in halves]
    matched = Matcher(PAGES).match(passages, [[LOG]], ["a certified technician"])
    assert matched.methods[0] == "similar text" and matched.ranks == (2,)


def test_a_report_says_that_altered_passages_do_not_count_and_that_similar_ones_are_uncertain() -> None:
    found = run(Passage("pump.md", text=around(WEIGHT, "62 kg", "purple")), WEIGHT, "62 kg")
    assert found.items[0].cause is not None and found.items[0].cause.kind == "not retrieved"
    assert any(
        note.startswith("not counted as evidence: 1 of 1 passage resembling evidence, but with") for note in found.notes
    )
    caveat = "1 of 1 passages were not found exactly (similar text 1), so recall may be too high or too low"
    assert found.caveat.startswith(caveat)
