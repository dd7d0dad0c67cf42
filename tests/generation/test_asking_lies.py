"""A language model that lies in every way, and fails on every third request: nothing false gets into the set."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from typing import Any

import pytest
from desk import MIX, desk
from faq_pages import PAGES
from scripted_model import Asked, Direct, Faithful, longest_sentence, passages, proposal, proposals, stage

from kgsynth.base.records import Item
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.quoted_proof import headings_at
from kgsynth.generation.asking.ways import FULL
from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.models.llm import Failure

LIES = ("no such quote", "wrong number", "wrong computation", "other page", "other claim")
TRUE = "the truth"


class Liar(Faithful):
    """Tells the truth about some scenes and lies about others, always the same; its verdicts are honest."""

    def __init__(self, *lies: str) -> None:
        self.lies, self.told, self.by_question = lies, Counter[str](), dict[str, str]()

    def write(self, asked: Asked) -> str:
        lie = random.Random(asked.user).choice([*self.lies, TRUE])
        self.told[lie] += 1
        question, quotes = (
            self.question(asked),
            [(n, longest_sentence(text)) for n, text in enumerate(passages(asked), 1)],
        )
        self.by_question[question] = lie
        answer = " ".join(" ".join(quote.split()) for _, quote in quotes)
        made = proposal(question, answer, *quotes)
        if lie == "no such quote":
            made = proposal(question, answer, *((number, f"{quote} Or so.") for number, quote in quotes))
        if lie == "wrong number":
            made["answer"] = (
                re.sub(r"\d+", "731", answer) if re.search(r"\d", answer) else f"{answer} It takes 731 days."
            )
        if lie == "wrong computation":
            computed = {"value": "731", "expression": "5 + 6"}
            made = {**made, "answer": f"{answer} That makes 731.", "computed": [computed]}
        if lie == "other page":
            made["answer"] = self.elsewhere(asked)
        if lie == "other claim":
            claimed = ["It is forbidden at night for everybody"] * len(quotes)
            made = proposal(question, "; ".join(claimed), *quotes, claims=claimed)
        return proposals(made)

    def elsewhere(self, asked: Asked) -> str:
        """The longest sentence of a page that is not shown."""
        shown = " ".join(passages(asked))
        others = [
            text for _, text in sorted(PAGES.items()) if text.split("\n")[0] not in asked.user.split("<passage")[0]
        ]
        found = [longest_sentence(text) for text in others if longest_sentence(text) not in shown]
        return " ".join(random.Random(asked.user).choice(found or ["It is elsewhere."]).split())

    def check(self, number: int, shown: str) -> dict[str, Any]:
        golden = re.search(r"<golden-(\w+)>\n(.*?)\n</golden-\1>", shown, re.DOTALL)
        said = super().check(number, shown)
        if not golden:
            return said
        pairs = re.findall(r"^\d+\. (.*)\n   quotes: (.*)$", golden[2], re.MULTILINE)
        held = " ".join(quotes for _, quotes in pairs)
        answer = golden[2].partition("\n")[0].removeprefix("Golden answer: ")
        beyond = [answer[a:b] for a, b in sentence_spans(answer) if not set(words(answer[a:b])) <= set(words(held))]
        claims = [set(words(claim)) <= set(words(quotes)) for claim, quotes in pairs]
        return {**said, "claims": claims, "beyond": " ".join(beyond)}


def ask(liar: Liar, failing: float = 0.0) -> tuple[Any, Direct]:
    def says(asked: Asked) -> str | Failure:
        said = liar(asked)
        return Failure("no reply") if random.Random(f"{stage(asked)}{asked.user}").random() < failing else said

    return desk().ask(says, n=20, mix=MIX, way=FULL)


def stated(item: Item) -> str:
    """What the question, the evidence and the headings above it say, in lower case."""
    documents = desk().knowledge.documents
    spans = [span for group in item.evidence for span in group]
    headings = [title for span in spans for title in headings_at(documents[span.doc], span.start)]
    plain = [documents[span.doc].plain(span.start, span.end) for span in spans]
    return " ".join([item.question, *(span.text for span in spans), *plain, *headings]).lower()


def assert_all_is_stated(items: list[Item]) -> None:
    for item in items:
        assert recompute(item.derivation, desk().knowledge.documents) == item.golden_answers
        told = set(words(stated(item)))
        marked = re.findall(r"\d+|[A-Z]\w+", item.golden_answers[0])
        assert marked and [word for word in marked if word.lower() not in told] == [], item.golden_answers


@pytest.mark.parametrize("failing", [0.0, 0.4])
def test_every_figure_and_name_of_every_answer_is_in_its_evidence(failing: float) -> None:
    liar = Liar(*LIES)
    asked, _ = ask(liar, failing)
    assert set(liar.told) == {*LIES, TRUE}, "every lie was tried"
    assert_all_is_stated(asked.accepted)
    accepted = {liar.by_question[item.question] for item in asked.accepted}
    assert TRUE in accepted and accepted <= {TRUE, "wrong number", "wrong computation"}
    for item in asked.accepted:
        assert "731" not in item.golden_answers[0], "only a true part of such an answer stays"
    if failing:
        assert any("no reply" in rejection.detail for _, rejection in asked.rejected)


@pytest.mark.parametrize(
    ("lie", "rules", "detail"),
    [
        ("no such quote", {"quoted"}, "no passage has the quote"),
        ("wrong number", {"quoted"}, "no sentence is proved|has no quote"),
        ("wrong computation", {"quoted"}, "'5 + 6' is 11, not '731'|of the computation '5 \\+ 6'"),
        ("other page", {"quoted", "verified"}, "no sentence is proved|says more than the passages"),
        ("other claim", {"verified"}, "the quotes do not state: 'It is forbidden"),
    ],
)
def test_each_lie_is_rejected_with_its_reason(lie: str, rules: set[str], detail: str) -> None:
    liar = Liar(lie)
    asked, _ = ask(liar)
    found: dict[str, set[str]] = defaultdict(set)
    for item, rejection in asked.rejected:
        if liar.by_question[item.question] == lie and rejection.rule not in ("duplicate", "self_contained"):
            found[rejection.rule].add(rejection.detail)
    assert found and set(found) <= rules, dict(found)
    assert all(re.search(detail, each) for details in found.values() for each in details), dict(found)
    assert_all_is_stated(asked.accepted)
