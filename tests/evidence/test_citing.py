"""What an item cites beside its sentence: the heading that says what it is."""

from __future__ import annotations

from planted import read_markdown

from kgsynth.base.records import Document, Heading, Item, Span
from kgsynth.evidence.citing import with_headings


def span_of(document: Document, text: str) -> Span:
    start = document.text.index(text)
    return document.span(start, start + len(text))


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
