"""BLEU, ROUGE and METEOR compared with the packages that define them, and where these fail."""

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
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge1", "rouge2", "rougeL"])
    differences, above = [], 0
    for said, wanted in ascii_pairs(1000):
        theirs = {name: score.fmeasure for name, score in scorer.score(wanted, said).items()}
        ours = {
            "rouge1": o.rouge_n(said, [wanted], 1),
            "rouge2": o.rouge_n(said, [wanted], 2),
            "rougeL": o.rouge_l(said, [wanted]),
        }
        above += ours["rouge2"] > 0
        differences += [(said, wanted, name) for name in ours if abs(ours[name] - theirs[name]) > 1e-12]
    assert differences == []
    assert above > 300, "the pairs share enough to tell the two apart"


def test_rouge_reads_chinese_unlike_rouge_score() -> None:
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(["rouge1"])
    assert scorer.score("会议在北京", "会议在北京")["rouge1"].fmeasure == 0
    assert scorer.score("GPT4是模型", "GPT4是鸟")["rouge1"].fmeasure == 1
    assert o.rouge_n("会议在北京", ["会议在北京"], 2) == o.rouge_l("会议在北京", ["会议在北京"]) == 1
    assert o.rouge_n("GPT4是鸟", ["GPT4是模型"], 1) == pytest.approx(2 * (2 / 3) * (2 / 4) / (2 / 3 + 2 / 4))


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
    streams = [[golden[at] for _, golden in pairs] for at in (0, 1)]
    whole = sacrebleu.BLEU(tokenize=tokenizer).corpus_score([said for said, _ in pairs], streams)
    assert o.corpus_bleu(pairs) == pytest.approx(whole.score / 100, abs=1e-12)


def test_an_identical_two_word_answer_has_bleu_1_and_not_0_as_by_default() -> None:
    default = pytest.importorskip("sacrebleu.metrics").BLEU().sentence_score("Tony Stark", ["Tony Stark"]).score
    assert default == 0
    assert o.bleu("Tony Stark", ["Tony Stark"]) == 1


def test_a_corpus_may_mix_languages_and_numbers_of_golden_answers() -> None:
    pairs = [("the red cat sat down", ["a dog", "the red cat sat down"]), ("会议在北京举行", ["会议在北京举行"])]
    assert o.corpus_bleu(pairs) == 1
    assert o.corpus_bleu([]) == 0


class NoSynonyms:
    """A stemmer that changes nothing and an empty WordNet, so that METEOR has only exact matches."""

    def stem(self, word: str) -> str:
        return word

    def synsets(self, word: str) -> list[object]:
        return []


def test_meteor_agrees_with_nltk_on_texts_without_repeated_words() -> None:
    meteor_score = pytest.importorskip("nltk.translate.meteor_score").single_meteor_score
    rng = random.Random(9)
    pool = [f"w{number}" for number in range(12)]
    for _ in range(300):
        said, wanted = (rng.sample(pool, rng.randint(1, 10)) for _ in range(2))
        theirs = meteor_score(wanted, said, stemmer=NoSynonyms(), wordnet=NoSynonyms())
        assert o.meteor(" ".join(said), [" ".join(wanted)]) == pytest.approx(theirs, abs=1e-12), (said, wanted)


def test_meteor_of_one_identical_word_is_half_and_scattered_words_score_less() -> None:
    assert o.meteor("Paris", ["Paris"]) == 0.5
    assert o.meteor("红色", ["红色"]) == 1 - 0.5 * (1 / 2) ** 3  # two characters in one run
    # three matches: in one run, or in three
    assert o.meteor("a b c", ["a b c"]) == pytest.approx(1 - 0.5 / 27)
    assert o.meteor("c b a", ["a b c"]) == 0.5
    assert o.meteor("red", ["blue"]) == 0


def test_meteor_pairs_a_repeated_word_with_the_place_after_the_last_pair() -> None:
    # the second "the" follows "sat": one run of four, not two runs
    assert o.meteor("cat sat the mat", ["the cat sat the mat"]) == pytest.approx(
        (1 * 0.8 / (0.9 * 1 + 0.1 * 0.8)) * (1 - 0.5 * (1 / 4) ** 3)
    )


@pytest.mark.parametrize("said", ["", "。", "..."])
def test_an_answer_without_words_scores_0(said: str) -> None:
    golden = ["the red cat"]
    assert [o.rouge_n(said, golden, 1), o.rouge_l(said, golden), o.meteor(said, golden), o.bleu(said, golden)] == [
        0
    ] * 4


def test_the_best_golden_answer_counts() -> None:
    golden = ["nothing of it", "the red cat"]
    assert (o.rouge_n("red cat", golden, 2), o.rouge_l("the cat", golden)) == (pytest.approx(2 / 3), pytest.approx(0.8))
