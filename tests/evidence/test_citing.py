"""What an item cites beside its sentence: other statements of the same fact, and the heading that says what it is."""

from __future__ import annotations

import pytest
from planted import knowledge_of, read_markdown

from kgsynth.base.records import Document, Heading, Item, Span
from kgsynth.evidence.citing import other_statements, with_headings
from kgsynth.evidence.knowledge import Knowledge

GANNET = "# Gannet\n\nA Gannet must be calibrated again every 12 months.\n"
OFTEN = "How often must a Gannet be calibrated?"


def span_of(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


def item_of(known: Knowledge, question: str, answer: str, sentence: str, doc: str = "a.md", code: str = "en") -> Item:
    evidence = ((span_of(known.documents[doc], sentence),),)
    return Item("q-1", question, (answer,), "simple", "factoid", code, evidence)


def found(texts: dict[str, str], question: str, answer: str, sentence: str) -> list[str]:
    known = knowledge_of(texts)
    return [span.text for span in other_statements(item_of(known, question, answer, sentence), known)]


# ---- the same fact in other words ----------------------------------------------------------------


def gannet(*others: str) -> list[str]:
    page = "# Calibration\n\nIntro.\n\n" + "\n\n".join(others) + "\n"
    texts = {"a.md": GANNET, "b.md": page}
    return found(texts, OFTEN, "every 12 months", "A Gannet must be calibrated again every 12 months.")


@pytest.mark.parametrize(
    "other",
    [
        "For the Gannet the interval between calibrations is 12 months, without exceptions.",
        "The calibration interval of the Gannet is twelve months.",
        "A Gannet is calibrated once a year, that is every 12 months.",
    ],
)
def test_the_same_value_of_the_same_subject_in_other_words_is_more_evidence(other: str) -> None:
    assert gannet(other) == [other]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("For the Skua the interval between calibrations is 12 months.", "another subject"),
        ("For the Gannet the interval between calibrations is 24 months.", "another value"),
        ("The battery of the Gannet lasts 12 months.", "another attribute"),
        ("A Gannet need not be calibrated every 12 months.", "it denies it"),
        ("If it was dropped, a Gannet is calibrated every 12 months.", "only in a case"),
        ("A Skua is calibrated every 24 months, a Gannet is calibrated every 12 months.", "two values"),
        ("A customer whose Gannet was calibrated waits 12 months for a refund.", "the value of something else"),
        ("Brandvik says that Oslo calibrates a Gannet every 12 months.", "about others too"),
    ],
)
def test_what_does_not_state_the_fact_is_no_evidence(other: str, why: str) -> None:
    assert gannet(other) == [], why


def test_a_heading_may_name_the_subject_unless_the_sentence_names_another() -> None:
    question, sentence = "How often is the Gannet calibrated?", "The Gannet is calibrated every 12 months."
    texts = {"a.md": f"# Rules\n\n{sentence}\n"}
    named = {**texts, "b.md": "# Probes\n\n## Gannet\n\nIt is calibrated every 12 months.\n"}
    assert found(named, question, "every 12 months", sentence) == ["It is calibrated every 12 months."]
    other = {**texts, "b.md": "# Probes\n\n## Gannet\n\nThe old Skua is calibrated every 12 months.\n"}
    assert found(other, question, "every 12 months", sentence) == []


def test_a_cell_of_a_table_states_what_prose_says() -> None:
    sentence = "The weight of the Tern is 62 grams."
    table = "# Data\n\n| | Weight |\n|---|---|\n| Tern | 62 grams |\n| Skua | 84 grams |\n"
    (cell,) = found(
        {"a.md": f"# Tern\n\n{sentence}\n", "b.md": table}, "What is the weight of the Tern?", "62 grams", sentence
    )
    assert "Tern | 62 grams" in cell and "Weight" in cell and "Skua" not in cell


def test_a_cell_that_is_asked_for_needs_no_verb() -> None:
    sentence = "A Tern 3 holds 16,000 readings, after which the oldest are overwritten."
    question, table = "How many readings does a Tern 3 hold?", "# T\n\n| Property | {} |\n|---|---|\n| {} | 16,000 |\n"
    for head, row, times in (("Tern 3", "Readings", 1), ("Tern 3", "Price", 0), ("Tern 2", "Readings", 0)):
        texts = {"a.md": f"# Tern\n\n{sentence}\n", "b.md": table.format(head, row)}
        assert len(found(texts, question, "16,000 readings", sentence)) == times, (head, row)


def test_a_name_is_found_only_with_the_same_verb() -> None:
    sentence = "The Salina plant is directed by Beatriz Falcão."
    turned = "Beatriz Falcão directs the Salina plant."
    texts = {
        "a.md": f"# Plants\n\n{sentence}\n",
        "b.md": f"# People\n\n{turned}\n\nAsk Beatriz Falcão where the Salina plant is.\n",
    }
    assert found(texts, "Who directs the Salina plant?", "Beatriz Falcão", sentence) == [turned]


def test_nothing_is_added_to_questions_on_several_passages_or_with_lists() -> None:
    known = knowledge_of({"a.md": GANNET, "b.md": "# B\n\nThe calibration interval of the Gannet is twelve months.\n"})
    item = item_of(known, OFTEN, "every 12 months", "A Gannet must be calibrated again every 12 months.")
    assert len(other_statements(item, known)) == 1
    for changed in ({"question_type": "multi_context"}, {"answer_kind": "list"}, {"answerable": False}):
        assert other_statements(Item(**{**fields_of(item), **changed}), known) == []


def fields_of(item: Item) -> dict[str, object]:
    return {name: getattr(item, name) for name in item.__dataclass_fields__}


def test_chinese_statements_are_found_too() -> None:
    sentence, other = "甘尼特探头每12个月校准一次。", "甘尼特探头的校准间隔为十二个月。"
    page = f"# 校准\n\n{other}\n\n贼鸥探头的校准间隔为12个月。\n\n甘尼特探头的电池寿命为12个月。\n"
    known = knowledge_of({"a.md": f"# 探头\n\n{sentence}\n", "b.md": page}, code="zh")
    item = item_of(known, "甘尼特探头每隔多久校准？", "每12个月", sentence, code="zh")
    assert [span.text for span in other_statements(item, known)] == [other]


def test_only_then_can_is_no_word_of_a_chinese_fact() -> None:
    sentence, other = "只有田块管理员才能修改静默期。", "田块管理员：可以修改告警和静默期。"
    page = f"# 角色\n\n禾图有三种角色：\n\n- 查看者：可以修改静默期。\n- {other}\n- 田块管理员：可以修改告警。\n"
    known = knowledge_of({"a.md": f"# 告警\n\n{sentence}\n", "b.md": page}, code="zh")
    item = item_of(known, "哪些管理员才能修改静默期？", "田块管理员", sentence, code="zh")
    assert [span.text for span in other_statements(item, known)] == [other]


# ---- the heading ---------------------------------------------------------------------------------

PREMIUM = "The company pays 100% of the premium."
INSURANCE = f"# Insurance\n\n## Health plan\n\n{PREMIUM}\n\n## Dental insurance\n\n{PREMIUM}\n"


def headed(text: str, question: str, sentence: str, *, last: bool = False, code: str = "en") -> Heading | None:
    page = read_markdown("a.md", text)
    start = page.text.rindex(sentence) if last else page.text.index(sentence)
    evidence = ((page.span(start, start + len(sentence)),),)
    item = Item("q-1", question, ("100%",), "conditional", "scoped", code, evidence)
    return with_headings(item, {"a.md": page}).evidence[0][0].heading


def test_the_heading_that_alone_has_words_of_the_question_is_cited() -> None:
    question = "For dental insurance, what percentage of the premium does the company pay?"
    heading = headed(INSURANCE, question, PREMIUM, last=True)
    assert heading is not None and heading.text == "Dental insurance"
    assert INSURANCE[heading.start : heading.end] == heading.text
    assert headed(INSURANCE, "For the health plan, what does the company pay?", PREMIUM) == Heading(
        16, 27, "Health plan"
    )


def test_no_heading_is_cited_if_the_sentence_says_it_itself() -> None:
    own = f"# Pay\n\n## Dental insurance\n\nFor dental insurance {PREMIUM.lower()}\n"
    question = "For dental insurance, what percentage of the premium does the company pay?"
    assert headed(own, question, f"For dental insurance {PREMIUM.lower()}") is None
    assert headed(INSURANCE, "What does the company pay of the premium?", PREMIUM) is None


def test_a_chinese_heading_is_cited_too() -> None:
    text = "# 保险\n\n## 医疗保险\n\n公司支付全部保费。\n\n## 牙科保险\n\n公司支付全部保费。\n"
    heading = headed(text, "牙科保险的保费由公司支付多少？", "公司支付全部保费。", last=True, code="zh")
    assert heading is not None and heading.text == "牙科保险"
