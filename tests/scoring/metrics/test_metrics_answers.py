"""Answer metrics: worked examples, SQuAD's rule, regular expressions, Chinese, and refusals."""

from __future__ import annotations

import random
import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Answer, Item
from kgsynth.golden.answer_patterns import plain_answers
from kgsynth.scoring.metrics import METRICS, ScoredCase
from kgsynth.scoring.metrics import answer_match as a


def test_tony_stark() -> None:
    assert a.exact_match("Tony Stark", ["Anthony Edward Stark"]) == 0
    assert a.token_overlap("Tony Stark", ["Anthony Edward Stark"]).f1 == pytest.approx(0.4)


def test_paris_in_a_long_sentence() -> None:
    said = "The capital of France, as everybody knows, is Paris."
    assert (a.sub_exact_match(said, ["Paris"]), a.exact_match(said, ["Paris"])) == (1, 0)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Cat.", ["cat"]),
        ("an a-the", ["athe"]),  # punctuation is removed before articles
        ("U.S.", ["us"]),
        ("’tis", ["’tis"]),  # SQuAD removes only ASCII punctuation
        ("the", []),
    ],
)
def test_normalisation_is_in_the_order_of_squad(text: str, expected: list[str]) -> None:
    assert a.tokens(text) == expected


def test_the_best_golden_answer_counts_and_gives_all_three_values() -> None:
    overlap = a.token_overlap("red blue", ["red", "red blue green white"])
    assert (overlap.precision, overlap.recall) == (0.5, 1.0)  # of the first: F1 2/3 equals the second's, first wins
    assert overlap.f1 == pytest.approx(2 / 3)


def test_tokens_are_counted_as_a_multiset() -> None:
    assert a.token_overlap("no no no", ["no"]).precision == pytest.approx(1 / 3)


@pytest.mark.parametrize(("said", "golden", "expected"), [("the", "an", 1), ("cat", "the", 0), ("", "cat", 0)])
def test_an_empty_side_scores_1_only_against_an_empty_one(said: str, golden: str, expected: int) -> None:
    assert a.token_overlap(said, [golden]).f1 == expected
    assert a.sub_exact_match(said, [golden]) == expected
    assert a.exact_match(said, [golden]) == expected


def test_sub_em_stops_at_token_boundaries() -> None:
    assert a.sub_exact_match("a category of things", ["cat"]) == 0
    assert a.sub_exact_match("the red big cat", ["red cat"]) == 0


@pytest.mark.parametrize(
    ("said", "golden", "em", "f1"),
    [
        ("北京。", "北京", 1, 1.0),
        ("ＧＰＴ４是模型！", "GPT4是模型", 1, 1.0),
        ("GPT4是模型", "GPT4是鸟", 0, 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
        ("「2019年」", "2019年", 1, 1.0),
        ("在2019年", "2019", 0, 2 * (1 / 3) / (1 / 3 + 1)),
        ("上海", "北京", 0, 0.0),
    ],
)
def test_chinese_is_read_by_characters_after_nfkc_without_punctuation(
    said: str, golden: str, em: int, f1: float
) -> None:
    assert a.exact_match(said, [golden], "zh") == em
    assert a.token_overlap(said, [golden], "zh").f1 == pytest.approx(f1)


def test_a_chinese_golden_answer_is_found_inside_a_sentence() -> None:
    assert a.sub_exact_match("会议在北京，上海举行。", ["北京"], "zh") == 1
    assert a.sub_exact_match("会议在北平京都举行。", ["北京"], "zh") == 0


@pytest.mark.parametrize(
    "text",
    [
        "I don't know.",
        "I don’t know.",
        "Sorry. I cannot answer that question from the documents.",
        "The context does not mention who founded it.",
        "There is no information about that.",
        "That is not specified in the provided documents.",
        "Based on the context, it is not possible to determine the date.",
        "Unanswerable",
        "N/A",
        "",
        "我不知道。",
        "根据提供的资料，无法回答该问题。",
        "文中没有提到这一点。",
        "没有足够的信息。",
        "抱歉，未提及。",
        "文檔中沒有提到。",
        "根據資料無法回答。",
        "该信息未在文档中提供，无从得知。",
        "文章没有明确说明。",
        "没提到。",
        "资料中并未在相关章节中给出答案。",
    ],
)
def test_refusals_are_recognised(text: str) -> None:
    assert a.refuses(text)


@pytest.mark.parametrize(
    "text",
    [
        "The plan does not cover dental care.",
        "Unknown Pleasures",
        "No",
        "It is not provided through MetLife.",
        "In 2019. It moved to Sandsli. Nobody kept the old keys, and I don't know why.",
        "公司不提供牙科保险。",
        "知道答案的是他。",
        "公司没有食堂。",
        "员工不能在室内吸烟。",
        "不确定性原理",
    ],
)
def test_answers_with_a_negation_are_not_refusals(text: str) -> None:
    assert not a.refuses(text)


def test_golden_answers_without_words_are_ignored_as_in_squad() -> None:
    assert a.exact_match("", [".", "Oslo"]) == 0, "the evaluator of SQuAD 2.0 drops the first"
    assert a.exact_match("", ["."]) == a.token_overlap("", ["..."]).f1 == 1, "there is no other"


def test_chinese_inside_an_english_item_is_one_token_per_run_as_in_squad() -> None:
    assert a.tokens("the 大元通制 code") == ["大元通制", "code"]
    assert a.token_overlap("大元", ["大元通制"]).f1 == 0 < a.token_overlap("大元", ["大元通制"], "zh").f1


@pytest.mark.parametrize(
    "said",
    [
        "It can be found in [GitHub](https://github.com/x).",
        "It is in **Git**Hub",
        "It is in `GitHub` [1].",
        "It is in GitHub[1][2], mostly",
        "# Where\n\n1. *GitHub*【4†source】",
    ],
)
def test_markdown_and_citations_of_an_answer_are_ignored(said: str) -> None:
    item = Item("q", "Where?", ("GitHub",), "simple", "factoid", "en", ())
    case = ScoredCase(item, Answer("q", said), None, None)
    assert [METRICS[name].compute(case, 0) for name in ("sub_em", "token_recall", "factual_overlap")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("said", "golden"),
    [
        ("**Answer:** [2016](https://x.y/z) [1][2]", "2016"),
        ("[15](https://x.y/z) days to cure [1]", "15 days"),
        ("<p>The&nbsp;U.K.&nbsp;Bribery&nbsp;Act</p>", "U.K. Bribery Act"),
        ("<ul><li>child</li><li>labor</li></ul>", "child labor"),
        ("It is <b>2</b>016.<br/>Truly.", "2016. Truly"),
        ("<p class='x'>Q&amp;A</p>", "Q&A"),
        ("Use the <title> tag", "<title>"),
    ],
)
def test_linked_numbers_and_html_are_read(said: str, golden: str) -> None:
    item = Item("q", "Which?", (golden,), "simple", "factoid", "en", ())
    assert METRICS["sub_em"].compute(ScoredCase(item, Answer("q", said), None, None), 0) == 1
    assert a.is_correct(said, [golden])


def test_a_linked_number_may_be_a_citation() -> None:
    item = Item("q", "Where?", ("GitHub",), "simple", "factoid", "en", ())
    said = ScoredCase(item, Answer("q", "GitHub [1](https://x.y/z)"), None, None)
    assert METRICS["em"].compute(said, 0) == 1


def test_what_looks_like_a_citation_may_be_the_answer() -> None:
    item = Item("q", "Which element?", ("names[0]",), "simple", "factoid", "en", ())
    assert METRICS["em"].compute(ScoredCase(item, Answer("q", "names[0]"), None, None), 0) == 1


def test_length_counts_words_and_chinese_characters() -> None:
    item = Item("q", "Who?", (), "simple", "factoid", "en", ())
    cases = [ScoredCase(item, Answer("q", text), None, None) for text in ("three short words", "北京GPT4", "")]
    assert [METRICS["answer_length"].compute(case, 0) for case in cases] == [3, 3, 0]


PLAIN = st.text(max_size=30).filter(lambda text: not text.startswith("re:"))


@given(PLAIN, PLAIN)
def test_overlap_is_bounded_symmetric_and_1_for_equal_texts(first: str, second: str) -> None:
    there, back = a.token_overlap(first, [second]), a.token_overlap(second, [first])
    assert 0 <= there.f1 <= 1
    assert there.f1 == pytest.approx(back.f1)
    assert (there.precision, there.recall) == pytest.approx((back.recall, back.precision))
    assert a.exact_match(first, [first]) == a.sub_exact_match(first, [first]) == a.token_overlap(first, [first]).f1 == 1
    assert a.exact_match(first, [second]) <= a.sub_exact_match(first, [second])


# ---- the rule of SQuAD v2, reimplemented -------------------------------------------------------------


def normalised(text: str) -> list[str]:
    lowered = "".join(letter for letter in text.lower() if letter not in set(string.punctuation))
    return re.sub(r"\b(a|an|the)\b", " ", lowered).split()


def squad_em(golden: str, said: str) -> float:
    return float(" ".join(normalised(golden)) == " ".join(normalised(said)))


def squad_f1(golden: str, said: str) -> float:
    wanted, given_ = normalised(golden), normalised(said)
    if not wanted or not given_:
        return float(wanted == given_)
    same = sum((Counter(wanted) & Counter(given_)).values())
    precision, recall = same / len(given_), same / len(wanted)
    return 2 * precision * recall / (precision + recall) if same else 0.0


def test_agreement_with_squad_on_two_thousand_answers() -> None:
    rng = random.Random(2)
    pool = "The a an cat Cat's sat-down U.S. 3.14 the. (why?) An, é ’tis A-the red, red! blue & / ..".split()
    pool += ["", " "]
    differences, seen = [], Counter[str]()
    for _ in range(2000):
        said = " ".join(rng.choices(pool, k=rng.randint(0, 5)))
        golden = [" ".join(rng.choices(pool, k=rng.randint(0, 5))) for _ in range(rng.randint(1, 3))]
        kept = [text for text in golden if normalised(text)] or [""]  # as evaluate-v2.0.py does
        em, f1 = max(squad_em(text, said) for text in kept), max(squad_f1(text, said) for text in kept)
        seen.update({"equal": em == 1, "partly": 0 < f1 < 1, "nothing": f1 == 0, "no words": not normalised(said)})
        if a.exact_match(said, golden) != em or abs(a.token_overlap(said, golden).f1 - f1) > 1e-12:
            differences.append((said, golden))
    assert differences == []
    assert min(seen.values()) > 100, seen


# ---- regular expressions ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "em", "sub_em"),
    [
        ("Version 3.1", 1, 1),
        (" version 3.1.\n", 1, 1),
        ("v3.12", 0, 1),
        ("It is version 3.1, I think", 0, 1),
        ("version three", 0, 0),
    ],
)
def test_a_golden_answer_may_be_a_regular_expression(said: str, em: int, sub_em: int) -> None:
    golden = [r"re:(version |v)3\.1"]
    assert (a.exact_match(said, golden), a.sub_exact_match(said, golden)) == (em, sub_em)
    assert a.exact_match(said, ["version three", *golden]) == max(em, said == "version three")
    assert plain_answers(["3.1", *golden]) == ("3.1",)


def test_a_regular_expression_must_match_the_complete_answer() -> None:
    assert a.exact_match("a|b", [r"re:a\|b"]) == 1
    assert a.exact_match("yes and no", ["re:yes|no"]) == 0
    assert a.exact_match("re:", ["re:"]) == 0 < a.exact_match("", ["re:"]), (
        "an empty pattern matches only an empty answer"
    )
