"""Exact match and F1 of Chinese answers against the evaluation of CMRC 2018, written out here."""

from __future__ import annotations

import random
import re

import pytest

from kgsynth.scoring.metrics import answer_match

DROPPED = "-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』"
"""The marks that the evaluation of CMRC 2018 drops."""


def segments(text: str) -> list[str]:
    """Each Chinese character by itself, and the words between blanks of what is left, which the marks do not part."""
    bare = "".join(char for char in text.lower().strip() if char not in DROPPED)
    return re.findall(r"[\u4e00-\u9fa5]|[^\s\u4e00-\u9fa5]+", bare)


def longest_common(one: list[str], other: list[str]) -> int:
    """The length of the longest run that both have, by the table of the evaluation."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, left in enumerate(one):
        for j, right in enumerate(other):
            table[i + 1][j + 1] = table[i][j] + 1 if left == right else 0
    return max(map(max, table))


def f1_of(answer: str, golden: str) -> float:
    one, other = segments(golden), segments(answer)
    shared = longest_common(one, other)
    if not shared:
        return 0.0
    precision, recall = shared / len(other), shared / len(one)
    return 2 * precision * recall / (precision + recall)


def em_of(answer: str, golden: str) -> float:
    one, other = ("".join(char for char in text.lower().strip() if char not in DROPPED) for text in (answer, golden))
    return float(one == other)


@pytest.mark.parametrize(
    ("answer", "golden", "em", "f1"),
    [
        ("北京。", "北京", 1, 1.0),
        ("在北京", "北京", 0, 2 * (2 / 3) / (2 / 3 + 1)),
        ("京北", "北京", 0, 0.5),  # one character in a row, although both have both
        ("北京和上海", "上海和北京", 0, 0.4),
        ("《红楼梦》", "红楼梦", 1, 1.0),
        ("Redis 数据库", "redis 数据库", 1, 1.0),
        ("2018年3月", "2018年", 0, 2 * (2 / 4) / (2 / 4 + 1)),
        ("上海", "北京", 0, 0.0),
        ("", "北京", 0, 0.0),
    ],
)
def test_worked_examples(answer: str, golden: str, em: float, f1: float) -> None:
    assert answer_match.exact_match(answer, [golden], "zh") == em_of(answer, golden) == em
    assert (
        answer_match.token_overlap(answer, [golden], "zh").f1
        == pytest.approx(f1)
        == pytest.approx(f1_of(answer, golden))
    )


def test_planted_pairs_score_as_in_the_evaluation() -> None:
    chosen = random.Random(7)
    parts = [
        "北京",
        "上海的",
        "2018年",
        "Redis",
        "，",
        "、",
        "数据库",
        "《红楼梦》",
        " ",
        "3.5",
        "和",
        "（简称）",
        "FastAPI",
        "·",
    ]
    for _ in range(1000):
        golden, answer = ("".join(chosen.choices(parts, k=chosen.randint(1, 7))) for _ in range(2))
        golden += "年"
        if chosen.random() < 0.3:
            answer = golden.replace("，", "")
        pair = (answer, golden)
        assert answer_match.exact_match(answer, [golden], "zh") == em_of(*pair), pair
        assert answer_match.token_overlap(answer, [golden], "zh").f1 == pytest.approx(f1_of(*pair)), pair


def test_marks_of_latin_words_are_words_as_in_the_evaluation() -> None:
    overlap = answer_match.token_overlap("0.79英尺(24%)", ["0.79英尺"], "zh")
    assert overlap.precision == pytest.approx(3 / 7), "0.79 英 尺 ( 24 % )"
    assert answer_match.exact_match("Schindler's 名单", ["Schindler's 名单"], "zh") == 1


def test_the_best_of_several_golden_answers_counts() -> None:
    assert answer_match.token_overlap("北京", ["上海", "北京"], "zh").f1 == 1
    assert answer_match.exact_match("北京", ["上海", "北京"], "zh") == 1
