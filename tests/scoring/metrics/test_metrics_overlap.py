"""BLEU and ROUGE-L compared with the packages that define them, and where these fail."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from kgsynth.scoring.metrics import text_overlap as o

CHINESE = "我在北京上海会议举行模型公司年月日人是不了"


def ascii_pairs(count: int, seed: int = 5) -> Iterator[tuple[str, str]]:
    """Pairs of sentences that share words, with capitals, digits and punctuation."""
    rng = random.Random(seed)
    words = "The cat sat on a mat don't U.S. 3.14 1,200 x_y re-read It's END (why?) \"so\" e-mail 50% & / the".split()
    marks = [chr(code) for code in range(32, 127)]
    for _ in range(count):
        said, wanted = (
            " ".join(
                rng.choice(words) if rng.random() < 0.95 else rng.choice(marks) * 2 for _ in range(rng.randint(0, 25))
            )
            for _ in range(2)
        )
        yield (wanted if rng.random() < 0.05 else said), wanted


def test_rouge_agrees_with_rouge_score_on_a_thousand_ascii_pairs() -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    differences, above = [], 0
    for said, wanted in ascii_pairs(1000):
        theirs, ours = scorer.score(wanted, said)["rougeL"].fmeasure, o.rouge_l(said, [wanted])
        above += ours > 0
        differences += [(said, wanted)] * (abs(ours - theirs) > 1e-12)
    assert differences == []
    assert above > 300, "the pairs share enough"


def test_rouge_reads_chinese_unlike_rouge_score() -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rougeL"])
    assert scorer.score("会议在北京", "会议在北京")["rougeL"].fmeasure == 0
    assert scorer.score("GPT4是模型", "GPT4是鸟")["rougeL"].fmeasure == 1
    assert o.rouge_l("会议在北京", ["会议在北京"]) == 1
    assert o.rouge_l("GPT4是鸟", ["GPT4是模型"]) == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_bleu_agrees_with_sacrebleu_with_effective_order(language: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    rng = random.Random(3)
    if language == "en":
        others = ascii_pairs(500, 6)
        pairs = [(said, [wanted, next(others)[0]]) for said, wanted in ascii_pairs(500)]
    else:
        lines = ["".join(rng.choices(CHINESE + "GPT4 3.5，。", k=rng.randint(2, 20))) + "是" for _ in range(900)]
        pairs = [(lines[at], lines[at + 1 : at + 3]) for at in range(0, 900, 3)]
    pairs = [(said, golden) for said, golden in pairs if all(text.strip() for text in golden)]
    tokenizer = {"en": "13a", "zh": "zh"}[language]
    theirs = sacrebleu.BLEU(effective_order=True, tokenize=tokenizer)
    wrong = [
        (said, golden)
        for said, golden in pairs
        if abs(o.bleu(said, golden) - theirs.sentence_score(said, golden).score / 100) > 1e-12
    ]
    assert wrong == [] and len(pairs) > 250


def test_an_identical_two_word_answer_has_bleu_1_and_not_0_as_by_default() -> None:
    default = pytest.importorskip("sacrebleu.metrics").BLEU().sentence_score("Tony Stark", ["Tony Stark"]).score
    assert default == 0
    assert o.bleu("Tony Stark", ["Tony Stark"]) == 1


@pytest.mark.parametrize("said", ["", "。", "..."])
def test_an_answer_without_words_scores_0(said: str) -> None:
    golden = ["the red cat"]
    assert [o.rouge_l(said, golden), o.bleu(said, golden)] == [0, 0]


def test_the_best_golden_answer_counts() -> None:
    assert o.rouge_l("the cat", ["nothing of it", "the red cat"]) == pytest.approx(0.8)


def test_a_blank_golden_answer_is_no_reference() -> None:
    assert (o.bleu("the red cat", [" "]), o.bleu("the red cat", [" ", "the red cat"])) == (0, 1)
