"""Every limit on the checks of the audit, moved: a finding appears, disappears or changes its severity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pytest
from doubles import HashingEncoder
from numpy.typing import NDArray
from planted import SPACY_MODEL, document, read_markdown

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.resources import Resources
from kgsynth.base.records import Analysis, Document, Finding, Item, Span
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.span_tracking import SpanTracker
from kgsynth.language import language

Move = Callable[[str, float], None]


def item(question: str, answer: str = "x", *spans: Span, kind: str = "simple", ident: str = "") -> Item:
    """An item with one evidence group for each span."""
    return Item(ident or question, question, (answer,), kind, "", "en", tuple((span,) for span in spans))


def found(
    code: str,
    items: Iterable[Item],
    documents: Sequence[Document] = (),
    resources: Resources | None = None,
    mix: Mapping[str, float] | None = None,
) -> list[Finding]:
    case = AuditCase(Dataset(items), {each.id: each for each in documents}, resources, mix)
    return list(CHECKS[code].find(case))


def span(page: Document, text: str) -> Span:
    start = page.text.index(text)
    return page.span(start, start + len(text))


# ---- answers and their evidence --------------------------------------------------------------------

ADA = document("a.md", "Ada Low leads the Borealis team in Leeds. It opened in 2004. York opened in 2015.")


def test_short_answers(move: Move) -> None:
    wrong = item("Who leads it?", "Tim Ray", span(ADA, "Ada Low leads the Borealis team in Leeds."))
    assert [finding.severity for finding in found("evidence", [wrong], [ADA])] == ["error"]
    move("short_answer_words", 1)
    assert [finding.severity for finding in found("evidence", [wrong], [ADA])] == ["warning"], "it may say more"


def test_supported_words(move: Move) -> None:
    loose = item("Who leads it?", "a calm and clever boss of a team in Leeds", span(ADA, ADA.text[:41]))
    assert [finding.severity for finding in found("evidence", [loose], [ADA])] == ["warning"], "2 of 5 content words"
    move("supported_word_share", 0.4)
    assert found("evidence", [loose], [ADA]) == []


def test_combined_numbers(move: Move) -> None:
    apart = item("How many years apart?", "eleven years", span(ADA, "It opened in 2004. York opened in 2015."))
    assert found("evidence", [apart], [ADA]) == []
    move("combined_numbers", 1)
    assert "'11' is not in the evidence" in found("evidence", [apart], [ADA])[0].message


# ---- the set as a whole ----------------------------------------------------------------------------


def test_the_size_of_a_set_that_is_judged(move: Move) -> None:
    items = [item(f"Who is {n}?", kind="reasoning") for n in range(10)]
    assert found("balance", items) == []
    move("audit_min_items", 10)
    assert [each.message for each in found("balance", items)] == ["all 10 items have the same type: reasoning"]


def of_types(simple: int, reasoning: int) -> list[Item]:
    types = ["simple"] * simple + ["reasoning"] * reasoning
    return [item(f"Who is {n}?", kind=kind) for n, kind in enumerate(types)]


def test_the_mix_of_a_large_and_of_a_small_set(move: Move) -> None:
    large, small = {"simple": 0.9, "reasoning": 0.1}, {"simple": 0.6, "reasoning": 0.4}
    assert found("balance", of_types(38, 2), mix=large) == found("balance", of_types(7, 3), mix=small) == []
    move("mix_share_off", 0.04)
    assert (
        found("balance", of_types(38, 2), mix=large)[0].message == "2 items of type reasoning, but the mix asks for 4"
    )
    move("mix_items_off", 0.5)
    assert found("balance", of_types(7, 3), mix=small)[0].message == "3 items of type reasoning, but the mix asks for 4"


def test_the_share_of_a_language(move: Move) -> None:
    pages = [Document(f"{n}.md", "word", "", "md", "", (), (), "zh" if n == 0 else "en") for n in range(10)]
    assert len(found("language", [item("Who is it?")], pages)) == 1
    move("language_document_share", 0.2)
    assert found("language", [item("Who is it?")], pages) == []


def test_the_share_of_sections(move: Move) -> None:
    page = read_markdown("a.md", "\n\n".join(f"## S{n}\n\nSentence {n} is here." for n in range(10)))
    items = [item(f"What is {n}?", "x", span(page, f"Sentence {n % 3} is here.")) for n in range(20)]
    assert found("sections", items, [page])[0].message.startswith("20 items are about 3 of 10 sections")
    move("asked_section_share", 0.3)
    assert found("sections", items, [page]) == []


def sized(questions: Iterable[int], answer: int = 1) -> list[Item]:
    """Items with questions of so many words, and one-word answers except the last."""
    items = [item(" ".join(["word"] * size), ident=str(n)) for n, size in enumerate(questions)]
    return [*items[:-1], item(items[-1].question, " ".join(["word"] * answer), ident="last")]


LENGTHS = [*[8] * 10, *[12] * 10]


def test_long_questions(move: Move) -> None:
    assert [each.item for each in found("length", sized([*LENGTHS, 45]))] == ["last"]
    move("usual_question_words", 45)
    assert found("length", sized([*LENGTHS, 45])) == []


def test_lengths_far_from_the_others(move: Move) -> None:
    assert [each.item for each in found("length", sized([*LENGTHS, 45]))] == ["last"]
    move("unusual_length_ranges", 4)
    assert found("length", sized([*LENGTHS, 45])) == [], "the median is 12, four times that is 48"


def test_long_answers(move: Move) -> None:
    assert [each.message.split(";")[0] for each in found("length", sized(LENGTHS, 35))] == ["the answer has 35 words"]
    move("usual_answer_words", 35)
    assert found("length", sized(LENGTHS, 35)) == []


def test_questions_of_one_length(move: Move) -> None:
    assert [each.item for each in found("length", sized([10, 11] * 10))] == [""], "0.5 of 10.5 words"
    move("uniform_length_deviation", 0.04)
    assert found("length", sized([10, 11] * 10)) == []


def test_a_set_that_copies_its_evidence(move: Move) -> None:
    text = "The old red mill stands in Leeds by the river."
    page = document("a.md", text)
    items = [item("Which mill stands in Leeds by what river?", "x", span(page, text), ident=str(n)) for n in range(20)]
    (finding,) = found("copied", items, [page])
    assert finding.item == "" and finding.message.endswith("the most in 0, 1, 10, 11, 12")
    move("copied_set_overlap", 1.0)
    assert found("copied", items, [page]) == []


def topics() -> list[str]:
    """The topics without questions of 100 chunks, 40 of which have one each; "walrus" is in 15 of the others."""
    pages = [document(f"{n:02}.md", f"Text {n}{' on the walrus' if n >= 85 else ''}.") for n in range(100)]
    items = [item(f"What is {n}?", "x", page.span(0, 4)) for n, page in enumerate(pages[:40])]
    return [finding.message for finding in found("topics", items, pages)]


def test_topics_that_are_missed_by_chance(move: Move) -> None:
    assert topics() == ["no question is about walrus (15 chunks)"]
    move("topic_expected_chunks", 7)  # 7 · 100 / 40 chunks
    assert topics() == []


def test_topics_that_are_too_common(move: Move) -> None:
    move("topic_chunk_share", 0.1)
    assert topics() == []


# ---- drift -----------------------------------------------------------------------------------------

DOORS = "Doors are closed at the same hour as in the years before."
NORTH, SOUTH = "In the north of it lies a lake.", "In the south of it lies a harbour."
FERRY = "The ferry to Tern sails at ten on every weekday."


def moved_to(old: str, new: str, neighbours: Sequence[str], after: str = "", text: str = DOORS) -> tuple[str, int]:
    """What became of ``text`` (its first occurrence after ``after``), and where it is now (-1 if unknown)."""
    page = document("a.md", old)
    start = old.index(text, old.index(after))
    status = SpanTracker(
        Dataset(
            [item("q", "x", Span("a.md", start, start + len(text), text), *(span(page, each) for each in neighbours))]
        ),
        {"a.md": document("a.md", new)},
    ).status(Span("a.md", start, start + len(text), text))
    return status.code, status.span.start if status.span else -1


TWO = f"{NORTH}\n\n{DOORS}\n\n{SOUTH}\n\n{DOORS}\n"
SHIFTED = f"New words.\n\n{TWO}"
RIGHT = SHIFTED.rindex(DOORS)


@pytest.mark.parametrize(
    "change",
    [
        lambda move: move("drift_neighbours", 0),
        lambda move: move("drift_support_ratio", 20),
        lambda move: move("drift_half_difference", 1e9),
    ],
    ids=["no neighbours", "a clear lead needed", "all moves alike"],
)
def test_the_support_of_neighbours(change: Callable[[Move], None], move: Move) -> None:
    assert moved_to(TWO, SHIFTED, [NORTH, SOUTH], SOUTH) == ("moved", RIGHT)
    change(move)
    assert moved_to(TWO, SHIFTED, [NORTH, SOUTH], SOUTH) == ("unsettled", -1)


def test_neighbours_that_moved_differently(move: Move) -> None:
    new = f"{NORTH}\n\n{'a' * 100}\n\n{DOORS}\n\n{'b' * 900}\n\n{DOORS}\n"
    assert moved_to(f"{NORTH}\n\n{DOORS}\n", new, [NORTH]) == ("moved", new.index(DOORS))
    move("drift_max_difference", 50)
    assert moved_to(f"{NORTH}\n\n{DOORS}\n", new, [NORTH]) == ("unsettled", -1)


def test_distant_neighbours(move: Move) -> None:
    filler = "a" * 2000
    old = f"{NORTH}\n\n{DOORS}\n\n{filler}\n\n{SOUTH}\n"
    new = f"New.\n\n{NORTH}\n\n{DOORS}\n\n{'b' * 441}\n\n{DOORS}\n\n{filler}\n\n{SOUTH}\n"
    assert moved_to(old, new, [NORTH, SOUTH]) == ("moved", new.index(DOORS)), "the south is far and moved like the copy"
    move("drift_half_distance", 1_000_000)
    assert moved_to(old, new, [NORTH, SOUTH]) == ("unsettled", -1)


def test_long_neighbours(move: Move) -> None:
    long = "In the north of it lies a lake that nobody has ever crossed by boat in the winter, as far as we all know."
    old = f"{long}\n\n{DOORS}\n\n{SOUTH}\n"
    new = f"New.\n\n{long}\n\n{DOORS}\n\n{'b' * 441}\n\n{DOORS}\n\n{SOUTH}\n"
    assert moved_to(old, new, [long, SOUTH]) == ("moved", new.index(DOORS))
    move("drift_neighbour_letters", 20)
    assert moved_to(old, new, [long, SOUTH]) == ("unsettled", -1)


def test_the_similarity_of_a_changed_text(move: Move) -> None:
    new = "A boat for Gdynia leaves by noon on each weekday.\n"
    assert moved_to(FERRY, new, [], text=FERRY)[0] == "vanished"
    move("changed_text_similarity", 50)
    assert moved_to(FERRY, new, [], text=FERRY)[0] == "changed"


def test_the_length_of_a_paragraph_with_a_changed_text(move: Move) -> None:
    assert moved_to(FERRY, "on every weekday.\n", [], text=FERRY)[0] == "vanished"
    move("changed_paragraph_share", 0.1)
    assert moved_to(FERRY, "on every weekday.\n", [], text=FERRY)[0] == "changed"


# ---- the same question -----------------------------------------------------------------------------

HALL = document("a.md", "Ada founded the hall. Bo runs the mill.")
FOUNDED, RUNS = span(HALL, "Ada founded the hall."), span(HALL, "Bo runs the mill.")


def test_reworded_questions(move: Move) -> None:
    pair = [item("Who founded it?", "Ada", FOUNDED), item("The person who founded it?", "Ada", FOUNDED)]
    assert [each.message[-6:] for each in found("near_duplicate", pair)] == ["(0.50)"]
    move("reworded_overlap", 0.6)
    assert found("near_duplicate", pair) == []


def vectors(cosine: float) -> Resources:
    """Resources in which the questions "one …" and "two …" have this cosine."""

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        rows = [[1.0, 0.0] if text.startswith("one") else [cosine, (1 - cosine**2) ** 0.5] for text in texts]
        return np.array(rows, np.float32)

    return Resources(encode=encode)


def test_the_cosine_of_questions_with_one_answer(move: Move) -> None:
    pair = [item("one founder?", "Ada", FOUNDED), item("two words?", "Ada", FOUNDED)]
    assert [each.code for each in found("paraphrase", pair, resources=vectors(0.9))] == ["paraphrase"]
    move("same_answer_cosine", 0.92)
    assert found("paraphrase", pair, resources=vectors(0.9)) == []


def test_thresholds_of_the_filters_are_those_of_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    apart = [item("one founder?", "Ada", FOUNDED), item("two words?", "Ada", RUNS)]
    assert found("paraphrase", apart, resources=vectors(0.9)) == []
    monkeypatch.setitem(DEFAULT_THRESHOLDS, "paraphrase", 0.88)
    assert len(found("paraphrase", apart, resources=vectors(0.9))) == 1
    near = [item("Who runs the old red mill by the river?", ident="a"), item("Who runs the old red mill?", ident="b")]
    assert found("near_duplicate", near) == []
    monkeypatch.setitem(DEFAULT_THRESHOLDS, "duplicate", 0.5)
    assert [each.message[-6:] for each in found("near_duplicate", near)] == ["(0.62)"], "5 of 8 pairs of words"
    text = "Nine red boats sail to the quiet harbour of Tern."
    page = document("b.md", text)
    turned = [item("Who says that nine red boats sail to the quiet harbour of Tern?", "x", span(page, text))]
    assert found("copied", turned, [page])[0].message.startswith("10 of the 13 words")
    monkeypatch.setitem(DEFAULT_THRESHOLDS, "copied", 0.8)
    assert found("copied", turned, [page]) == []


# ---- ranks -----------------------------------------------------------------------------------------


def hopeless() -> list[str]:
    """A question that shares no word with its evidence, which is the last of 20 chunks."""
    pages = [document("00.md", "alpha beta")] + [document(f"{n:02}.md", f"gamma delta n{n}") for n in range(1, 20)]
    asked = item("Which gamma epsilon zeta eta theta?", "x", pages[0].span(0, 5))
    return [each.message[-44:] for each in found("hopeless", [asked], pages, Resources(HashingEncoder(4096).encode))]


def test_safe_ranks(move: Move) -> None:
    assert hopeless() == ["has rank 20 of 20 chunks by embedding and holds 0 % of its words"[-44:]]
    move("safe_rank", 20)
    assert hopeless() == []


def test_shared_words_of_a_low_rank(move: Move) -> None:
    move("low_rank_word_share", 0)
    assert hopeless() == []


# ---- other answers ---------------------------------------------------------------------------------

LEAVE = read_markdown(
    "leave.md",
    """
    # Leave

    ## Norway

    Full-time employees have 27 working days of paid holiday a year.

    ## Canada

    Full-time employees have 20 working days of paid holiday a year.
    """,
)


def parse(text: Document) -> Analysis:
    return language("en").analyse(text, SPACY_MODEL)


def ambiguous(answer: str = "27 working days of paid holiday a year") -> list[str]:
    question = "How many working days of paid holiday a year do full-time employees have?"
    norway = span(LEAVE, "Full-time employees have 27 working days of paid holiday a year.")
    findings = found("ambiguous", [item(question, answer, norway)], [LEAVE], Resources(parse=parse))
    return [finding.message.rpartition(" says ")[2] for finding in findings]


OTHER = ["'20 working days of paid holiday a year'"]


@pytest.mark.parametrize(
    "change",
    [
        lambda move: move("parsed_sentence_share", 1.1),
        lambda move: move("parsed_sentences", 1),
        lambda move: move("known_phrase_share", 1.1),
        lambda move: move("answering_fact_share", 1.1),
    ],
    ids=["no other sentence is parsed", "one sentence is parsed", "no phrase is known", "no fact is asked about"],
)
def test_the_search_for_another_answer(change: Callable[[Move], None], move: Move) -> None:
    assert ambiguous() == OTHER
    change(move)
    assert ambiguous() == []


def test_words_besides_the_answer(move: Move) -> None:
    assert ambiguous("27 working days") == [], "paid, holiday and year are not in it"
    move("extra_answer_words", 3)
    assert ambiguous("27 working days") == OTHER


def test_the_share_of_words_of_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ambiguous() == OTHER
    monkeypatch.setitem(DEFAULT_THRESHOLDS, "ambiguous", 1.1)
    assert ambiguous() == []
