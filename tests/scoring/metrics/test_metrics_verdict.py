"""Right and wrong answers in many phrasings: which pass, and why the others fail."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kgsynth.base.records import Item, Span
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.answer_match import has_its_words
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.text import terminal

TEXTS = {
    "weight.md": "Weight | 62 kg",
    "colour.md": "Its housing is red.",
    "start.md": "It was introduced on 17 June 2020.",
    "chair.md": "The Claims Board is chaired by Henrike Voss.",
    "members.md": "The finance committee has seven members.",
    "leave.md": "Employees have 28 days of annual leave.",
    "price.md": "List price | $310",
    "claim.md": "A claim costs 45 euros.",
    "noise.md": "The noise limit is 85 decibels.",
    "warranty.md": "Warranty | 60 months",
    "cycles.md": "Service life | 1.5 million cycles",
    "password.md": "Passwords must have at least 14 characters.",
    "visit.md": "Visitors must be accompanied.",
}
QUESTIONS = {
    "weight": ("What is the weight of the Aurex A1?", "62 kg"),
    "colour": ("What colour is the housing of the Borel B2?", "red"),
    "start": ("When was the Cadmus C3 introduced?", "17 June 2020"),
    "chair": ("Who chairs the Claims Board?", "Henrike Voss"),
    "members": ("How many members does the finance committee have?", "seven"),
    "leave": ("How many days of annual leave do employees have?", "28 days"),
    "price": ("What is the list price of the Dorvan D4?", "$310"),
    "claim": ("How much does a warranty claim cost?", "45 euros"),
    "noise": ("What is the noise limit in the assembly hall?", "85 decibels"),
    "warranty": ("How long is the warranty of the Elkem E5?", "60 months"),
    "cycles": ("How many service cycles does the Cadmus C3 last?", "1.5 million cycles"),
    "password": ("How many characters must a password have?", "at least 14"),
    "visit": ("Are visitors to be accompanied?", "yes"),
}
SHORT = ("weight", "colour", "start", "chair", "members", "price")
DENIED, AMONG = "the answer denies it", "the answer hides among others"
BESIDE, CHANGED = "gives another value beside the right one", "the answer changes it"


def item(name: str) -> Item:
    question, golden = QUESTIONS[name]
    doc = f"{name}.md"
    span = Span(doc, 0, len(TEXTS[doc]), TEXTS[doc])
    return Item(name, question, (golden,), "simple", "factoid", "en", ((span,),))


def scored(name: str, answer: str, *passages: str) -> Scores:
    """Score one answer whose X is the golden answer; the evidence is retrieved before other ``passages``."""
    golden = QUESTIONS[name][1]
    texts = [TEXTS[f"{name}.md"], *passages]
    retrieved = [{"text": text} for text in texts]
    return score([item(name)], lambda _: {"answer": answer.replace("X", golden), "retrieved": retrieved})


def cause(name: str, answer: str, *passages: str) -> str | None:
    found = scored(name, answer, *passages).items[0].cause
    return found.kind if found else None


# ---- marks between words -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize(
    "answer",
    [
        "Value—X—as stated",
        "Answer:X",
        "per datasheet/X",
        "The value is as follows—X.",
        "Value--X",
        "(said:X)",
        "X;see A",
    ],
)
def test_a_mark_between_words_parts_them(name: str, answer: str) -> None:
    scores = scored(name, answer)
    assert scores.items[0].cause is None
    assert scores.metrics["sub_em"].value == 1
    assert scores.metrics["em"].value == 0


@pytest.mark.parametrize(
    ("name", "answer"),
    [("cycles", "1.51.5 million cycles"), ("members", "anti-seven"), ("weight", "1.62 kg"), ("weight", "10-62 kg")],
)
def test_marks_inside_numbers_and_compounds_part_nothing(name: str, answer: str) -> None:
    assert cause(name, answer) is not None


# ---- thoughts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize(
    "answer",
    [
        "<think>Could it be purple? I can't find it.</think>X",
        "<thinking>\nNot Paris.\n</thinking>\n\nX",
        "<reasoning>9999 <think>or 8</think> perhaps</reasoning> X",
        "◁think▷9999◁/think▷X",
        "the template opened the thoughts, 9999</think>X",
    ],
)
def test_thoughts_are_taken_off_before_anything_is_compared(name: str, answer: str) -> None:
    scores = scored(name, answer)
    assert (scores.items[0].cause, scores.items[0].actual) == (None, QUESTIONS[name][1])
    assert scores.metrics["em"].value == 1
    assert "thoughts were taken off 1 of 1 answer: only what follows <think>…</think> is compared" in scores.notes


@pytest.mark.parametrize("answer", ["<think>It is X.</think>", "<think>It is X, so", "<think>It is X.</think>\n"])
def test_an_answer_that_is_only_thoughts_is_empty(answer: str) -> None:
    found = scored("weight", answer).items[0]
    assert str(found.cause) == "no answer given"
    assert found.metrics["sub_em"] == 0


def test_a_wrong_answer_after_right_thoughts_is_wrong() -> None:
    assert cause("weight", "<think>Maybe X.</think>9999") is not None


def test_a_tag_that_the_question_is_about_is_no_thought() -> None:
    about = Item("q", "Which tag opens the thoughts?", ("<think>",), "simple", "factoid", "en", ())
    assert score([about], lambda _: "<think>").items[0].cause is None


# ---- denials, and values that are superseded or contradicted -------------------------------------------


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("I doubt that it is X.", DENIED),
        ("It is unlikely to be X.", DENIED),
        ("It is hardly X.", DENIED),
        ("Definitely not: X.", DENIED),
        ("False: X.", DENIED),
        ("The claim 'X' fails to be true.", DENIED),
        ("No, X is a common misconception.", DENIED),
        ("every value except X", DENIED),
        ("the opposite of X", DENIED),
        ("Formerly X, now it is 77 units.", DENIED),
        ("It used to be X, but that has changed to something else.", DENIED),
        ("X but this is out of date; the correct value is 9999.", DENIED),
        ("almost X, namely 9999", CHANGED),
        ("less than X", CHANGED),
        ("twice X", CHANGED),
        ("half of X", CHANGED),
    ],
)
def test_an_answer_that_takes_the_golden_answer_back_fails(name: str, answer: str, expected: str) -> None:
    assert cause(name, answer) == expected


@pytest.mark.parametrize("name", ["weight", "members", "price", "leave"])
@pytest.mark.parametrize("answer", ["X thousand million", "minus X", "1 to X", "below X", "three times X"])
def test_a_word_that_changes_a_number_fails(name: str, answer: str) -> None:
    assert cause(name, answer) == CHANGED


@pytest.mark.parametrize("answer", ["X. It is 80 kg.", "80 kg; the answer is X; it is 80 kg"])
def test_another_value_of_the_same_kind_beside_the_right_one_fails(answer: str) -> None:
    assert cause("weight", answer) == BESIDE


def test_a_value_that_the_sources_have_is_no_other_value() -> None:
    assert cause("weight", "X. It is 80 kg with its case.", "With its case the A1 weighs 80 kg.") is None


def test_a_word_that_the_evidence_has_too_changes_nothing() -> None:
    text = "The tank must hold less than 62 kg."
    limited = Item(
        "q", "How much may the tank hold?", ("62 kg",), "simple", "factoid", "en", ((Span("a", 0, 35, text),),)
    )
    assert score([limited], lambda _: "Less than 62 kg.").items[0].cause is None


def test_the_words_of_a_passage_change_nothing() -> None:
    answer = "It was built from 1299 to X."
    assert cause("start", answer) == CHANGED
    assert cause("start", answer, "The mill was built from 1299 to 17 June 2020.") is None


@pytest.mark.parametrize("golden", ["None", "not found"])
def test_a_golden_answer_may_read_like_a_refusal(golden: str) -> None:
    asked = Item("q", "Which treaties protect it?", (golden,), "simple", "factoid", "en", ())
    assert score([asked], lambda _: golden).items[0].cause is None


def test_what_something_was_superseded_by_is_not_taken_back() -> None:
    assert cause("chair", "The old chair was superseded by X.") is None


def test_one_long_sentence_of_a_passage_is_a_quotation() -> None:
    sentence = (
        "The Aurex A1 weighs 62 kg, " + "and it is carried by two people or a cart, " * 8 + "as it has no wheels."
    )
    assert cause("weight", sentence, sentence) is None


def test_what_was_so_before_answers_a_question_about_the_past() -> None:
    named = Item("q", "What was the firm called before 1990?", ("Skua",), "simple", "factoid", "en", ())
    assert score([named], lambda _: "It used to be Skua, but now it is Tern.").items[0].cause is None


RIGHT = [
    "It is X (137 lb).",
    "X (about 137 pounds)",
    "X, as of 2024",
    "not 99 litres but X",
    "It is not 99 litres; it is X.",
    "It used to be 99 litres, but now it is X.",
    "X. Please verify this with the manufacturer.",
    "X. Note that this is not true for devices of other makers.",
    "According to section 3.2 of the manual (page 14), it is X.",
    "As the 2019 edition of the manual says, X.",
    "I believe it is X.",
    "Exactly X.",
    'The document states: "X".',
    "**Answer:** X",
    "Step 1: I read the table. Step 2: I read the value. The answer is X.",
    "X (source: pump-a.md, line 12)",
    "X. However, always check the latest version of the documents.",
    "X. However, the correct value is always on the label.",
    "Although the documents are short, they say X.",
    "Answer – X – as given in the passages",
    "X; see the table for other devices.",
    "X. For comparison, the previous model had a different value.",
    "X. Nothing else is mentioned in the documents.",
    "Sure! The answer is: X.",
    "X\n\nLet me know if you have 1 or 2 more questions.",
    "X. To summarise: X.",
    "Answer:\nX",
    "X, because the passage says so.",
    "X (documents retrieved on 3 March 2024).",
    "X (found in 1 of 5 passages).",
    "X (confidence: 95%)",
    "The documents leave no doubt: X.",
    "There is no doubt that it is X.",
    "It is X instead of 99 litres.",
    "It is without doubt X.",
    "I am not sure about other sources, but the documents say X.",
    "Do not confuse it with other values: the answer is X.",
    "- X [1]\n\nSources:\n1. pump-a.md\n2. pump-b.md",
    '{"answer": "X", "sources": ["pump-a.md"], "score": 0.93}',
    "X, no more and no less.",
    "It's X, i.e. what the passage states.",
    "The documents don't say much, but they do say X.",
    "Some say it is 80 units, but this is wrong; it is X.",
    "Everything else is out of date. It is X.",
    "X, as stated, per the datasheet",
]


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize("answer", RIGHT)
def test_a_right_answer_passes_in_other_phrasings(name: str, answer: str) -> None:
    assert cause(name, answer) is None


# ---- several answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize(
    "answer",
    [
        "X / 99 litres / purple / Paris",
        "purple, Paris, 99 litres, X, Anna Smith",
        "- purple\n- Paris\n- X\n- 99 litres\n- Anna Smith",
        "1. purple\n2. **X**\n3. Paris",
        "purple; X; 99 litres",
        "purple and X",
        "X or 99 litres",
        "One of: purple, Paris, X, 99 litres.",
    ],
)
def test_an_answer_among_alternatives_hides(name: str, answer: str) -> None:
    assert cause(name, answer) == AMONG


@pytest.mark.parametrize("answer", ["yes and no", "Yes and no.", "no and yes"])
def test_yes_and_no_is_no_answer(answer: str) -> None:
    assert cause("visit", answer) == AMONG


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("chair", "Henrike Voss, the Claims Board"),
        ("chair", "Berlin, Henrike Voss"),
        ("start", "17 June 2020, Wednesday, afternoon"),
        ("visit", "Yes, at all times, by an employee"),
        ("weight", "- Weight: 62 kg\n- Colour: blue\n- Height: 1 m"),
        ("colour", "## Answer\n\nred\n\n### Source\n\nThe documents."),
        ("weight", "It could be 62 kg."),
    ],
)
def test_details_beside_an_answer_are_no_alternatives(name: str, answer: str) -> None:
    assert cause(name, answer) is None


FILLER = "The plant closes on holidays, and every visitor signs the book at the gate before the tour begins. "
PAGE = f"{FILLER}The Aurex A1 weighs 62 kg. {FILLER}{FILLER}Lamps stay lit."


def test_a_page_in_place_of_an_answer_hides_it(tmp_path: Path, move: Callable[[str, float], None]) -> None:
    place = PAGE.index("The Aurex")
    span = Span("page.md", place, place + 26, PAGE[place : place + 26])
    asked = Item("q", QUESTIONS["weight"][0], ("62 kg",), "simple", "factoid", "en", ((span,),))
    own_words = " ".join(reversed(FILLER.split())) + " It weighs 62 kg. " + " ".join(reversed(PAGE.split()))
    (tmp_path / "page.md").write_text(PAGE, encoding="utf-8")
    documents = tmp_path

    def found(answer: str, passage: str, docs: Path | None) -> str | None:
        reply = {"answer": answer, "retrieved": [{"text": passage}]}
        why = score([asked], lambda _: reply, docs=docs).items[0].cause
        return why.kind if why else None

    assert found(PAGE, span.text, documents) == AMONG, "a document"
    assert found(PAGE, PAGE, None) == AMONG, "a passage"
    assert found(own_words, span.text, documents) is None
    assert found(span.text, span.text, documents) is None, "a sentence of the page answers"
    move("copied_answer_words", 80)
    assert found(PAGE, span.text, documents) is None
    move("copied_answer_words", 50)
    move("copied_answer_sentences", 9)
    assert found(PAGE, span.text, documents) is None
    move("copied_answer_sentences", 3)
    move("copied_answer_times", 40)
    assert found(PAGE, span.text, documents) is None


def test_how_many_words_are_short_is_a_limit(move: Callable[[str, float], None]) -> None:
    assert cause("weight", "purple; X; 99 litres") == AMONG
    move("alternative_words", 1)
    assert cause("weight", "purple; X; 99 litres") is None


def test_how_far_a_conversion_may_be_rounded_is_a_limit(move: Callable[[str, float], None]) -> None:
    assert cause("weight", "It is X; it is 140 lb.") is None, "63.5 kg"
    move("conversion_rounding", 0.01)
    assert cause("weight", "It is X; it is 140 lb.") == BESIDE


# ---- refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHORT)
@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ("The documents don't say much, but they do say X.", False),
        ("I can't find it in passage 1. Passage 2 says X.", False),
        ("I don't know. Possibly X.", True),
        ("The documents do not say that it is X.", True),
        ("I cannot find it in the documents; it might be X.", True),
    ],
)
def test_an_answer_that_affirms_the_golden_answer_is_no_refusal(name: str, answer: str, refused: bool) -> None:
    scores = scored(name, answer)
    assert (scores.items[0].cause is not None) == refused
    assert scores.refusals is not None
    assert scores.refusals["answerable"] == {"answered": int(not refused), "refused": int(refused)}


# ---- the same value in another form --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("members", "7"),
        ("members", "It has 7 members."),
        ("cycles", "1,500,000 cycles"),
        ("claim", "€45"),
        ("claim", "It costs EUR 45."),
        ("leave", "28"),
        ("noise", "85 dB"),
        ("start", "2020-06-17"),
        ("start", "It was introduced on June 17th, 2020."),
        ("weight", "62 kilograms"),
        ("weight", "62,000 g"),
        ("warranty", "five years"),
        ("warranty", "The warranty is 5 years."),
        ("password", "14 or more"),
        ("price", "310 dollars"),
    ],
)
def test_a_value_in_another_form_passes(name: str, answer: str) -> None:
    scores = scored(name, answer)
    assert scores.items[0].cause is None
    assert scores.metrics["em"].value == 0, "the metric keeps its definition"


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("members", "8"),
        ("members", "7 chairs"),
        ("weight", "62"),
        ("weight", "62 tonnes"),
        ("weight", "less than 62 kilograms"),
        ("weight", "twice 62 kilograms"),
        ("weight", "It is not 62 kilograms."),
        ("weight", "62 kilograms or 80 litres"),
        ("warranty", "six years"),
        ("start", "June 2020"),
        ("start", "2020-06-18"),
        ("password", "14 or less"),
    ],
)
def test_another_value_does_not(name: str, answer: str) -> None:
    assert cause(name, answer) is not None


def test_a_number_that_a_passage_has_in_another_form_is_supported() -> None:
    question, _ = QUESTIONS["weight"]
    asked = Item("q", question, ("62 kg",), "simple", "factoid", "en", item("weight").evidence)
    passages = ["Weight | 62 kg", "Service life | 1.5 million cycles", "It has seven wheels."]

    def why(answer: str) -> str:
        return str(score([asked], lambda _: {"answer": answer, "retrieved": passages}).items[0].cause)

    assert why("1,500,000") == "retrieved but not used"
    assert why("7") == "retrieved but not used"
    assert why("1,600,000") == "answer not supported: in no passage: 1,600,000"


# ---- right in other words, wrong in the old words ------------------------------------------------------

OTHER_WORDS = {
    "range": ("What is the range of the Tern 3?", "−30 to +60 °C", "The Tern 3 works from −30 to +60 °C."),
    "accuracy": ("What is the accuracy of the Tern 3?", "±0.5 °C", "Accuracy | ±0.5 °C"),
    "hotel": ("What is the hotel ceiling in Bergen?", "1,900 kroner a night", "In Bergen it is 1,900 kroner a night."),
    "copy": ("How often is Cellar copied?", "every four hours, day and night",
    "Cellar is copied every four hours, day and night."),
    "yearly": ("How often is the Gannet calibrated?", "every 12 months", "It is calibrated every 12 months."),
    "alarms": ("How many alarms does Bellman raise?", "about 4,100", "Bellman raises about 4,100 alarms a week."),
    "until": ("Until when is it repaired?", "31 December 2026", "It is repaired until 31 December 2026."),
    "head": ("Who directs the plant?", "Beatriz Falcão", "Beatriz Falcão directs the plant."),
    "pair": ("Who were exempt?", "Mongols and Semuren", "Mongols and Semuren were exempt."),
    "owner": ("Who owns Tidemark?", "Blåmann Laboratory", "Owner | Blåmann Laboratory"),
    "roof": ("Why are there no panels?", "because the roof would not have carried their weight",
    "There are no panels because the roof would not "
    "have carried their weight."),
    "room": ("Where does the board meet?", "the Boiler Room and on video",
    "The board meets in the Boiler Room and on video."),
    "unit": ("What is a golden unit?", "a device kept back from each production batch",
    "A golden unit is a device kept back from each production batch."),
    "store": ("How many readings does the Skua 3 store?", "64,000 readings", "The Skua 3 stores 64,000 readings."),
    "logs": ("For how long are access logs kept?", "400 days", "Access logs are kept for 400 days."),
    "plan": ("In Poland, what percentage does the firm pay?", "3.5 per cent", "The firm pays 3.5 per cent."),
    "tell": ("What should you do with many probes?", "declare them to the airline at least 48 hours ahead, since the "
    "transmitters contain lithium cells", "Declare them to the airline at least 48 hours ahead, since the transmitters "
    "contain lithium cells."),
    "sale": ("In which year did the Skua 3 go on sale?", "2017", "The Skua 3 went on sale in 2017."),
    "council": ("Which officer chairs the Safety Council?", "Inês Cardoso", "Inês Cardoso chairs the Safety Council."),
    "judge": ("Who judges disputed claims?", "Katarzyna Bielak", "Katarzyna Bielak judges disputed claims."),
    "review": ("What is a quiet review?", "an account that looks for causes and not for culprits",
    "A quiet review is an account that looks for causes and not for culprits."),
}  # fmt: skip
"""Name -> question, golden answer, evidence."""


def cause_of(name: str, answer: str, code: str = "en", kind: str = "") -> str | None:
    question, golden, text = OTHER_WORDS[name] if code == "en" else CHINESE[name]
    span = Span(f"{name}.md", 0, len(text), text)
    asked = Item(name, question, (golden,), "simple", "factoid", code, ((span,),), answer_kind=kind or "phrase")
    found = score([asked], lambda _: {"answer": answer, "retrieved": [{"text": text}]}).items[0].cause
    return found.kind if found else None


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("range", "-30°C to 60°C"),
        ("range", "between minus 30 and plus 60 degrees Celsius"),
        ("accuracy", "+/- 0.5 degrees Celsius"),
        ("accuracy", "plus or minus half a degree Celsius"),
        ("hotel", "NOK 1,900 per night"),
        ("hotel", "1900 NOK/night"),
        ("copy", "every 4 h"),
        ("yearly", "once a year"),
        ("alarms", "Around 4100 per week"),
        ("alarms", "approx. 4.1k"),
        ("until", "It is repaired up to Dec 31st, 2026."),
        ("until", "until 31/12/2026"),
        ("head", "Beatriz Falcao"),
        ("head", "Ms Falcão"),
        ("head", "Dr Falcão directs it"),
        ("pair", "They are Mongols and Semuren."),
        ("owner", "It belongs to the Blamann Lab."),
        ("roof", "The roof couldn't bear their weight."),
        ("room", "In the Boiler Room"),
        ("unit", "One device from each production batch that is held back"),
        ("logs", "Access logs are kept for 400 days, and backups for 90 days."),
        ("review", "An account looking for causes rather than culprits"),
        ("store", "Sixty-four thousand; once it is full, the oldest ones get overwritten."),
        ("sale", "It was in twenty seventeen."),
        ("sale", "The Skua 3 has been sold since '17."),
        ("hotel", "You can spend at most NOK 1900 per night on a hotel there."),
        ("yearly", "It has to be done annually."),
        ("until", "to the end of 2026, i.e. until 31.12.2026"),
        ("owner", "The Blamann lab owns it"),
        ("head", "Beatriz Falcão directs the plant, and Tiago Moura is her deputy."),
        ("roof", "There are no panels because the roof would not have carried their weight."),
        (
            "tell",
            "Let the airline know no later than two days before you fly, because there are lithium cells in their "
            "transmitters.",
        ),
    ],
)
def test_a_right_answer_in_other_words_passes(name: str, answer: str) -> None:
    assert cause_of(name, answer) is None


SUBJECT = "the answer gives it to another subject"


@pytest.mark.parametrize(
    ("name", "answer", "expected"),
    [
        ("range", "−40 to +60 °C", None),
        ("accuracy", "±0.5 °F", None),
        ("hotel", "1,900 euros a night", None),
        ("hotel", "1,900 kroner a week", None),
        ("yearly", "every 12 or 24 months", AMONG),
        ("until", "after 31 December 2026", CHANGED),
        ("head", "Ana Falcão", None),
        ("head", "Falcão or Moreno", AMONG),
        ("head", "It isn't Falcão.", DENIED),
        ("roof", "because the roof would have carried their weight", None),
        ("roof", "because the walls would not have carried their weight", None),
        ("store", "The Skua 2 stores 64,000 readings.", SUBJECT),
        ("store", "The Skua 2 stores 64,000 readings; the Skua 3 stores 32,000.", SUBJECT),
        ("logs", "400 days was the old rule; now 90 days", DENIED),
        ("logs", "It was raised from 400 days to 500 days.", DENIED),
        ("plan", "The firm pays 3.5 per cent in Norway and 4 per cent in Poland.", SUBJECT),
        ("review", "an account that looks for culprits and not for causes", DENIED),
        ("sale", "It went on sale in 2021; 2017 was only the year in which its development began.", SUBJECT),
        ("council", "Inês Cardoso is a member of the Safety Council, but it is chaired by Sigrun Vatne.", SUBJECT),
        ("head", "Tiago Moura; Beatriz Falcão is his deputy.", BESIDE),
        ("head", "It is Rui Falcão, the husband of Beatriz Falcão.", BESIDE),
        ("head", "Beatriz Falcão and Tiago Moura direct the plant.", AMONG),
        ("head", "Beatriz Falcão was its director until she left.", DENIED),
        ("head", "Beatriz Falcão; she no longer is.", DENIED),
        ("plan", "The staff pays 3.5 per cent, and the firm pays 1.5 per cent.", SUBJECT),
        ("logs", "400 days after a visit; 500 days without one", BESIDE),
        ("alarms", "About 310 million alarms, from some 4,100 readings", None),
        ("unit", "a toy kept back from each production batch", None),
        ("judge", "Katarzyna Bielak hands disputed claims to Stuart Bain, who judges them.", SUBJECT),
        (
            "tell",
            "declare them to the customs at least 48 hours ahead, since the transmitters contain lithium cells",
            None,
        ),
    ],
)
def test_a_wrong_answer_in_the_old_words_fails(name: str, answer: str, expected: str | None) -> None:
    """Without an expected cause, the answer does not have the golden answer, and the passages decide what is said."""
    found = cause_of(name, answer)
    assert found == expected if expected else found in ("retrieved but not used", "answer not supported")


CHINESE = {
    "hotel": ("省会城市的住宿上限是多少？", "每晚450元", "省会城市的住宿上限是每晚450元。"),
    "burst": ("为什么会关闭阀门？", "防止管道爆裂", "甘霖会关闭阀门，防止管道爆裂。"),
    "pay": ("事假是否带薪？", "否", "事假 | 否"),
    "kept": ("全量备份保留多少天？", "90天", "全量备份保留90天。"),
    "valves": ("一台甘霖最多控制多少个阀门？", "8个", "一台甘霖最多控制8个阀门。"),
    "parts": ("青禾设有哪些部门？", "研发中心; 客户成功部; 行政财务部", "研发中心\n客户成功部\n行政财务部"),
    "sleep": ("如果温度过低，田讯2号会怎样？", "停止采集并进入休眠", "田讯2号会停止采集并进入休眠。"),
    "moved": (
        "什么是数据迁移？",
        "把客户在其他平台上的历史读数导入禾图的过程",
        "数据迁移是把客户在其他平台上的历史读数导入禾图的过程。",
    ),
    "link": ("什么是云雀网关？", "连接传感器和禾图平台的设备", "云雀网关是连接传感器和禾图平台的设备。"),
    "save": ("为什么只在变化时上传数据？", "为了节省电量", "为了节省电量，只在变化时上传数据。"),
    "oldest": ("如果断网，网关会怎样？", "先删除最早的数据", "如果断网，网关会先删除最早的数据。"),
    "who": ("哪些客户可以使用接口？", "企业版客户", "企业版客户可以使用接口。"),
    "founded": ("公司成立于哪一年？", "2014年", "公司成立于2014年。"),
    "firm": ("为什么读数仅供参考？", "土壤还没有恢复原来的紧实度", "土壤还没有恢复原来的紧实度，读数仅供参考。"),
}


@pytest.mark.parametrize(
    ("name", "answer", "right"),
    [
        ("hotel", "一晚四百五十块", True),
        ("hotel", "450元/晚", True),
        ("hotel", "每晚450美元", False),
        ("burst", "是为了避免管道爆裂。", True),
        ("burst", "为了加速管道爆裂", False),
        ("pay", "不带薪", True),
        ("pay", "是", False),
        ("kept", "保留九十天", True),
        ("kept", "增量备份保留90天，全量备份保留7天", False),
        ("valves", "至少8个阀门", False),
        ("sleep", "停止休眠并进入采集", False),
        ("sleep", "它会停下采集，然后休眠。", True),
        ("moved", "就是将客户原来存放在别家平台的历史数据搬进禾图。", True),
        ("moved", "把客户在禾图上的历史读数导出到其他平台的过程。", False),
        ("link", "它是一种硬件，作用是让传感器接入禾图平台，最多可带64台传感器。", True),
        ("link", "云雀网关是连接禾图平台和客户手机的设备。", False),
        ("save", "这么做可以省电。", True),
        ("save", "为了节省流量。", False),
        ("save", "不是为了省电，是为了减少流量。", False),
        ("sleep", "停止采集并进入重启。", False),
        ("oldest", "先删除最新的数据，最早的数据保留。", False),
        ("who", "企业版客户和专业版客户都可以使用。", False),
        ("who", "只有购买了企业版的客户可以使用。", True),
        ("founded", "公司成立于2016年，2014年只是注册商标的年份。", False),
        ("firm", "因为土壤已经恢复原来的紧实度，读数不再变化。", False),
    ],
)
def test_chinese_answers_in_other_and_in_the_old_words(name: str, answer: str, right: bool) -> None:
    assert (cause_of(name, answer, "zh") is None) is right


def test_a_list_with_an_added_member_fails() -> None:
    assert cause_of("parts", "行政财务部、研发中心和客户成功部", "zh", "list") is None
    assert cause_of("parts", "研发中心、客户成功部、行政财务部、市场部", "zh", "list") == BESIDE
    assert cause_of("parts", "研发中心、客户成功部", "zh", "list") is not None


def test_what_is_judged_by_words_says_so_in_its_title() -> None:
    scores = scored("weight", "9999")
    assert "pass rate by words 0 %" in terminal(scores)
    found = scores.items[0].cause
    assert found and found.advice.startswith("read the answer, which may be right in other words; if it is wrong, ")


@pytest.mark.parametrize("piece", ["1,", "7", "1.", "5 $", "-1", "(1)", "5 ", "between 5 ", "5  ", "e.g. "])
def test_the_longest_answer_a_system_may_give_is_judged_in_seconds(piece: str) -> None:
    begun = time.process_time()
    assert not has_its_words(piece * (100_000 // len(piece)), ["every 12 months"], "en", "How often is it serviced?")
    assert time.process_time() - begun < 5
