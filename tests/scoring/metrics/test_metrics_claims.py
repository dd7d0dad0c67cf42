"""Composed answers are scored by their claims: systems of known quality come out in their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from composed_items import COMPOSED, DOCUMENTS
from scripted import ScriptedModel

from kgsynth.base.records import Answer, Item
from kgsynth.models.llm import Prompt
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics import METRICS, ScoredCase
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.judged.replies import GoldenClaimsReply, JudgedGoldenClaim
from kgsynth.scoring.metrics.lookup import signatures
from kgsynth.scoring.metrics.scored_case import add_semantic_scores
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.text import headlines

if TYPE_CHECKING:
    from numpy.typing import NDArray

BY_QUESTION = {item.question: item for item in COMPOSED}


def claims_of(question: str, share: float) -> str:
    """The first claims of the question, as many as the share, in another order than in the golden answer."""
    texts = [claim.text for claim in BY_QUESTION[question].claims]
    return " ".join(reversed(texts[: round(share * len(texts))]))


def with_wrong_numbers(question: str) -> str:
    return re.sub(r"\d+", lambda match: str(int(match[0]) + 7), claims_of(question, 1))


def off_topic(question: str) -> str:
    return (
        f"That is a good question: {question} Many organisations have thought about this over the decades. Experts "
        "recommend a balanced approach that weighs costs against benefits. Clear communication builds trust."
    )


SYSTEMS: dict[str, Callable[[str], str]] = {
    "oracle": lambda question: claims_of(question, 1),
    "three quarters": lambda question: claims_of(question, 0.75),
    "half": lambda question: claims_of(question, 0.5),
    "wrong numbers": with_wrong_numbers,
    "off topic": off_topic,
    "empty": lambda question: "",
}


def run(system: str) -> Scores:
    return score(COMPOSED, SYSTEMS[system], docs=DOCUMENTS)


def case(said: str | None, item: Item = COMPOSED[0]) -> ScoredCase:
    return ScoredCase(item, Answer(item.id, said), None, None)


def measure(said: str | None, item: Item = COMPOSED[0]) -> tuple[float | None, float | None]:
    """The recall and precision of what was said."""
    found = case(said, item)
    return METRICS["claim_recall"].compute(found, 0), METRICS["claim_precision"].compute(found, 0)


def test_systems_of_known_quality_are_ranked_by_their_claims() -> None:
    found = {name: run(name).metrics for name in SYSTEMS}
    right = [
        sum(not re.search(r"\d", claim.text.replace("Skua 3", "")) for claim in item.claims) / 4 for item in COMPOSED
    ]
    recalls = {name: metrics["claim_recall"].value for name, metrics in found.items()}
    assert recalls == {
        "oracle": 1.0,
        "three quarters": 0.75,
        "half": 0.5,
        "wrong numbers": pytest.approx(sum(right) / 10, abs=0.03),
        "off topic": 0.0,
        "empty": 0.0,
    }
    precisions = {name: metrics["claim_precision"].value for name, metrics in found.items()}
    assert [precisions[name] for name in ("oracle", "three quarters", "half", "empty")] == [1.0, 1.0, 1.0, 0.0]
    assert 0.0 == precisions["off topic"] < precisions["wrong numbers"] < 0.5


def test_token_overlap_does_not_see_wrong_numbers() -> None:
    """What claims are for: by shared words the wrong numbers beat half of the right claims."""
    wrong, half = run("wrong numbers"), run("half")
    assert wrong.metrics["token_f1"].value > half.metrics["token_f1"].value
    assert wrong.metrics["claim_recall"].value < half.metrics["claim_recall"].value


@pytest.mark.parametrize("item", COMPOSED, ids=lambda item: item.id)
def test_the_golden_answer_scores_1_and_no_answer_scores_0(item: Item) -> None:
    assert measure(item.golden_answers[0], item) == (1.0, 1.0)
    assert measure("", item) == measure(None, item) == (0.0, 0.0)


def test_half_of_the_golden_answer_states_half_of_the_claims() -> None:
    for item in COMPOSED:
        first, _ = re.split(r"(?<=\.) ", item.golden_answers[0], maxsplit=1)
        stated = measure(first, item)
        assert stated[0] in (0.25, 0.5, 0.75) and stated[1] == 1.0, item.id


def test_a_claim_may_be_stated_in_other_words_with_the_same_numbers() -> None:
    assert measure("You have 25 days of leave if you are full-time staff.")[0] == 0.25
    assert measure("Unused days, at most 5, are carried over.")[0] == 0.25
    assert measure("You have 26 days of leave if you are full-time staff.") == (0.0, 0.0)


def test_a_name_must_be_in_the_sentence_or_in_what_it_refers_to() -> None:
    bridge = COMPOSED[4]
    assert measure("Marta Quill drew plans. She designed the arches.", bridge)[0] == 0.25
    assert measure("Jonas Boskov designed the arches.", bridge) == (0.0, 0.0)
    assert measure("Marta Quill drew plans. Boskov designed the arches.", bridge)[0] == 0.0


def test_a_denied_claim_is_not_stated_and_counts_against_precision() -> None:
    assert measure("Carried days do not expire on 31 March.") == (0.0, 0.0)
    assert measure("Carried days expire on 31 March, not at once.") == (0.25, 1.0)
    negative = replace(COMPOSED[0], claims=(replace(COMPOSED[0].claims[0], text="Interns do not get any leave."),))
    assert measure("Interns get leave.", negative)[0] == 0.0
    assert measure("Interns do not get any leave.", negative)[0] == 1.0


def test_a_number_of_the_question_need_not_be_repeated_but_may_not_be_replaced() -> None:
    item = replace(
        COMPOSED[0],
        question="What happens after 30 days?",
        claims=(replace(COMPOSED[0].claims[0], text="After 30 days the account is closed."),),
    )
    assert measure("The account is closed.", item)[0] == 1.0
    assert measure("After 60 days the account is closed.", item)[0] == 0.0


def test_sentences_that_say_nothing_do_not_count() -> None:
    assert measure("How does annual leave work? Carried days expire on 31 March.") == (0.25, 1.0)


def test_what_the_evidence_says_beside_the_claims_is_supported() -> None:
    item = replace(COMPOSED[0], claims=COMPOSED[0].claims[:1], golden_answers=("25 days of leave.",))
    assert measure("Full-time staff get 25 days of leave. Carried days expire on 31 March.", item) == (1.0, 1.0)
    assert measure("Full-time staff get 25 days of leave. Managers get a company car.", item) == (1.0, 0.5)


def test_a_limit_decides_how_many_words_of_a_claim_are_enough(move: Callable[[str, float], None]) -> None:
    said = "Days expire on 31 March after the holidays."
    assert measure(said)[0] == 0.25
    move("claim_word_share", 0.99)
    assert measure(said)[0] == 0.0


class Meanings:
    """An encoder for which two texts are alike if they are in one of the groups of texts given."""

    signature, max_tokens = "meanings", 100

    def __init__(self, *groups: set[str]) -> None:
        self.groups = groups

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[next((at for at, group in enumerate(self.groups) if text in group), 10 + len(text) % 50)] = 1
        return rows

    encode_questions = encode

    def encode_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self.encode([text]) for text in texts]


def by_meaning(said: str, *alike: str) -> tuple[float | None, float | None]:
    (found,) = add_semantic_scores([case(said)], Meanings({*alike}))
    return METRICS["claim_recall"].compute(found, 0), METRICS["claim_precision"].compute(found, 0)


def test_with_an_embedding_model_a_claim_may_be_stated_in_other_words(move: Callable[[str, float], None]) -> None:
    claim, said = COMPOSED[0].claims[2].text, "What is brought along lapses when March 31 is over."
    assert measure(said) == (0.0, 0.0)
    assert by_meaning(said, claim, said) == (0.25, 1.0)
    wrong = said.replace("31", "30")
    assert by_meaning(wrong, claim, wrong) == (0.0, 0.0), "similar is not the same: its number is another"
    move("claim_cosine", 1.1)
    assert by_meaning(said, claim, said)[0] == 0.0


def test_the_signature_says_whether_meaning_was_compared() -> None:
    plain, semantic = signatures(0.5), signatures(0.5, "tiny|sha256:00")
    assert "tiny" not in plain["claim_recall"] and "|model:tiny|sha256:00|" in semantic["claim_recall"]
    assert plain["token_f1"] == semantic["token_f1"]


# ---- passing -----------------------------------------------------------------------------------------


def causes(system: Callable[[str], str], items: Sequence[Item] = COMPOSED) -> set[str]:
    return {result.cause.kind if result.cause else "passed" for result in score(items, system).items}


def test_a_composed_answer_passes_by_its_claims_and_not_by_its_words() -> None:
    assert causes(SYSTEMS["oracle"]) == causes(SYSTEMS["three quarters"]) == {"passed"}
    assert causes(SYSTEMS["half"]) == causes(SYSTEMS["wrong numbers"]) - {"wrong answer"} == {"claims missing"}
    assert causes(SYSTEMS["off topic"]) == {"wrong answer"}
    assert causes(SYSTEMS["empty"]) == {"no answer given"}
    denied = "Carried days do not expire on 31 March. "
    assert causes(lambda question: denied + claims_of(question, 0.5), COMPOSED[:1]) == {"the answer denies it"}


def test_the_limits_of_passing(move: Callable[[str, float], None]) -> None:
    chatty = lambda question: f"{claims_of(question, 1)} {off_topic(question)} {off_topic('')}"  # noqa: E731
    assert causes(chatty) == {"answer not supported"}, "four statements of ten"
    move("claims_supported_share", 0.3)
    assert causes(chatty) == {"passed"}
    move("claims_passed_share", 0.5)
    assert causes(SYSTEMS["half"]) == {"passed"}


def test_the_cause_names_a_missing_claim() -> None:
    (result,) = score(COMPOSED[:1], SYSTEMS["half"]).items
    assert str(result.cause) == "claims missing: 2 of 4, such as 'Carried days expire on 31 March.'"


STEPS = Item(
    "s1", "How is the filter cleaned?", ("1. Stop the pump. 2. Rinse the filter for 5 minutes. 3. Dry the housing.",),
    "simple", "listing", "en", (), answer_kind="steps",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("Stop the pump, rinse the filter for 5 minutes, then dry the housing.", "passed"),
        ("1. Stop the pump.\n2. Rinse the filter for 5 minutes.\n3. Dry the housing.", "passed"),
        ("Rinse the filter for 5 minutes, dry the housing, and then stop the pump.", "steps out of order"),
        ("Stop the pump, rinse the filter for 9 minutes, then dry the housing.", "wrong answer"),
        ("Stop the pump, then rinse the filter for 5 minutes.", "wrong answer"),
    ],
)
def test_steps_pass_with_all_of_them_in_their_order(said: str, cause: str) -> None:
    assert causes(lambda question: said, [STEPS]) == {cause}


# ---- reports -----------------------------------------------------------------------------------------


def test_claims_are_among_the_main_figures_of_a_set_with_long_answers() -> None:
    scores = run("half")
    assert headlines(scores.metrics)[-2:] == ["claim_recall", "claim_precision"]
    assert not {"em", "token_f1"} & set(headlines(scores.metrics))
    short = [replace(item, id=f"d{item.id}", answer_kind="", claims=()) for item in COMPOSED]
    mostly_short = score([*COMPOSED[:3], *short], SYSTEMS["half"])
    assert {"em", "token_f1", "claim_recall"} <= set(headlines(mostly_short.metrics))


def test_the_overall_score_counts_claims_where_there_are_any() -> None:
    assert run("half").overall.weights["claim_recall"] == 2.0
    plain = score([replace(item, claims=()) for item in COMPOSED], SYSTEMS["half"]).overall
    assert "claim_recall" not in {*plain.weights, *plain.left_out}


# ---- with a judge ------------------------------------------------------------------------------------


def verdicts(prompt: Prompt) -> GoldenClaimsReply:
    """A judge that looks for each claim in the answer, letter for letter."""
    claims, answer = re.findall(r"<(?:claims|answer)-\w+>\n(.*?)\n</", prompt.user, re.S)
    stated = [line.partition(": ")[2] in answer for line in claims.splitlines()]
    judged = [JudgedGoldenClaim(at, "…", "stated" if each else "not stated") for at, each in enumerate(stated, 1)]
    wrong = [int(line.partition(":")[0]) for line in answer.splitlines() if line.partition(": ")[2] not in claims]
    return GoldenClaimsReply("…", tuple(judged), tuple(wrong))


def judged(says: Callable[[Prompt], object], system: Callable[[str], str]) -> tuple[Scores, ScriptedModel]:
    model = ScriptedModel(says)
    judge = Judge(model, metrics=("claim_recall_judged", "claim_precision_judged"))
    return score([*COMPOSED, STEPS], system, judge=judge), model


def test_a_judge_is_asked_once_for_each_question_with_claims() -> None:
    half = lambda question: f"{claims_of(question, 0.5)} It is warm." if question in BY_QUESTION else "?"  # noqa: E731
    scores, model = judged(verdicts, half)
    assert scores.metrics["claim_recall_judged"].value == 0.5
    assert scores.metrics["claim_precision_judged"].value == pytest.approx(2 / 3, abs=1e-6)
    assert [prompt.stage for prompt in model.prompts] == ["golden_claims"] * 10


def test_a_verdict_on_a_claim_that_does_not_exist_gives_no_value() -> None:
    one = GoldenClaimsReply("…", (JudgedGoldenClaim(7, "…", "stated"),), ())
    scores, _ = judged(lambda prompt: one, lambda question: "It is warm.")
    assert scores.metrics["claim_recall_judged"].value is None
    assert any("it judges the claims [7] of 4" in note for note in scores.notes)


# ---- citations ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "precision", "recall"),
    [
        ("25 days [1], requested in the portal [4].", 1.0, 0.5),
        ("25 days [1-3], requested in the portal [5].", 0.75, 0.75),
        ("25 days [1][9].", 0.5, 0.25),
        ("25 days.", None, None),
        ("It is days[0].", None, None),
    ],
)
def test_citations_are_scored_by_the_evidence_of_the_passages_cited(
    said: str, precision: float | None, recall: float | None
) -> None:
    """The first four passages retrieved have one evidence group each, the fifth has none."""
    passages = [*(claim.text for claim in COMPOSED[0].claims), "Otters eat fish."]
    scores = score(COMPOSED[:1], lambda question: (said, passages), docs=DOCUMENTS)
    assert scores.metrics["citation_precision"].value == precision
    assert scores.metrics["citation_recall"].value == recall
