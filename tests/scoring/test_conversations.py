"""Later questions of a conversation: every kind of system gets the earlier turns, and reports show them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from planted import read_markdown
from services import Request, Service, service

from kgsynth.base.records import Item, Turn
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.models.llm import LLMSettings
from kgsynth.reviewing.page import page
from kgsynth.reviewing.subject import open_subject
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems import open_system
from kgsynth.scoring.systems.settings import chat_messages
from kgsynth.scoring.text import markdown

__all__ = ["service"]

TEXT = "Ada Low leads the desk in Oslo. Ben Ash leads the desk in York. Otters eat fish in Bergen."
DESKS = read_markdown("desks.md", TEXT)
FIRST, SECOND = "Who leads the desk in Oslo?", "And in York?"
EARLIER = (Turn(FIRST, "Ada Low"),)
STANDALONE = "Who leads the desk in York?"
TURNS = [{"question": FIRST, "answer": "Ada Low"}]


def spans(text: str) -> tuple[tuple[object, ...], ...]:
    return ((DESKS.span(TEXT.index(text), TEXT.index(text) + len(text)),),)


ITEMS = [
    Item("q1", FIRST, ("Ada Low",), "simple", "factoid", "en", spans("Ada Low leads the desk in Oslo.")),
    Item(
        "q2", SECOND, ("Ben Ash",), "simple", "factoid", "en", spans("Ben Ash leads the desk in York."),
        history=EARLIER, standalone=STANDALONE,
    ),
]  # fmt: skip


def alone(question: str) -> str:
    """A system that takes no history: it understands only whole questions."""
    return {FIRST: "Ada Low", STANDALONE: "Ben Ash"}.get(question, "Otters")


def following(question: str, history: list[dict[str, str]]) -> str:
    return "Ben Ash" if history == TURNS and question == SECOND else "Ada Low" if not history else "Otters"


# ---- functions ---------------------------------------------------------------------------------------


def keyword_only(question: str, *, history: list[dict[str, str]] | None = None) -> str:
    return following(question, history or [])


async def asynchronous(question: str, history: list[dict[str, str]]) -> str:
    return following(question, history)


@pytest.mark.parametrize("function", [following, keyword_only, asynchronous])
def test_a_function_with_a_parameter_history_gets_the_earlier_turns(function: Callable[..., object]) -> None:
    scores = score(ITEMS, function)
    assert scores.metrics["em"].value == 1.0
    assert not any("earlier turns" in note for note in scores.notes)


def test_a_function_without_it_gets_the_bare_question_and_a_note_says_so() -> None:
    scores = score(ITEMS, alone)
    assert scores.metrics["em"].value == 0.5
    assert (
        "1 of 2 questions have earlier turns, which alone does not take: it got the bare question; --standalone asks "
        "them as they are understood without those"
    ) in scores.notes
    assert not any("earlier turns" in note for note in score(ITEMS[:1], alone).notes)


def test_standalone_questions_need_no_history_and_count_as_another_system(tmp_path: Path) -> None:
    bare, whole = (score(ITEMS, alone, standalone=each, out=tmp_path) for each in (False, True))
    assert (bare.metrics["em"].value, whole.metrics["em"].value) == (0.5, 1.0)
    assert whole.signature == f"{bare.signature}|standalone" and whole.reused == 0
    assert not any("earlier turns" in note for note in whole.notes)
    told: list[object] = []
    score(ITEMS, lambda question, history: told.append((question, history)) or "x", standalone=True)
    assert told == [(FIRST, []), (STANDALONE, [])]


# ---- services, processes, models, retrievers ---------------------------------------------------------


def test_a_service_gets_the_turns_in_its_body_and_a_first_question_is_sent_as_before(service: Service) -> None:
    service.says = lambda request: {"answer": "x"}
    score(ITEMS, service.url)
    bodies = sorted((request.body for request in service.requests), key=len)
    assert bodies == [{"question": FIRST}, {"question": SECOND, "history": TURNS}]


def test_a_template_places_the_turns_or_leaves_them_out(service: Service, tmp_path: Path) -> None:
    service.says = lambda request: {"answer": "x"}
    config = tmp_path / "rag.toml"

    def asked(body: str) -> tuple[Request, tuple[str, ...]]:
        config.write_text(body, encoding="utf-8")
        system = open_system(service.url, config=config)
        notes = score(ITEMS[1:], system).notes
        system.close()
        return service.requests[-1], notes

    request, notes = asked('[body]\nturns = "${history}"\nq = "${question}"\ntext = "so far: ${history}"')
    assert request.body == {"turns": TURNS, "q": SECOND, "text": f"so far: {json.dumps(TURNS)}"}
    request, _ = asked('[body]\nmessages = "${messages}"')
    assert request.body["messages"] == [
        {"role": "user", "content": FIRST},
        {"role": "assistant", "content": "Ada Low"},
        {"role": "user", "content": SECOND},
    ]
    assert not any("earlier turns" in note for note in notes)
    request, notes = asked('[body]\nq = "${question}"')
    assert request.body == {"q": SECOND} and any("does not take" in note for note in notes)


def test_a_process_gets_the_turns_in_its_line(tmp_path: Path) -> None:
    echo = tmp_path / "echo.py"
    echo.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps({'id': asked['id'], 'answer': json.dumps(asked)}), flush=True)\n",
        encoding="utf-8",
    )
    first, second = score(ITEMS, f"exec:{sys.executable} {echo}").items
    assert json.loads(first.actual or "") == {"id": "q1", "question": FIRST}
    assert json.loads(second.actual or "") == {"id": "q2", "question": SECOND, "history": TURNS}


def test_a_language_model_gets_the_turns_as_messages(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", service.url)
    service.says = lambda request: {"choices": [{"message": {"content": "Ben Ash"}}]}
    for target in ("naive:tiny", "sequential:tiny"):
        model = open_system(
            target, docs=[DESKS], retriever=None if target[0] == "n" else "bm25", settings=LLMSettings()
        )
        score(ITEMS[1:], model)
        model.close()
        messages = service.requests[-1].body["messages"]
        assert [message["role"] for message in messages] == ["system", "user", "assistant", "user"]
        assert [message["content"] for message in messages[1:3]] == [FIRST, "Ada Low"]
        assert SECOND in messages[-1]["content"]


def test_a_retriever_searches_for_the_bare_question_or_the_standalone_one() -> None:
    bare, whole = (score(ITEMS, "bm25", docs=[DESKS], standalone=each) for each in (False, True))
    assert any("which bm25 does not take" in note for note in bare.notes)
    assert whole.system == "bm25, standalone questions"


def test_messages_of_a_first_question() -> None:
    assert chat_messages(ITEMS[0]) == [{"role": "user", "content": FIRST}]


# ---- reports -----------------------------------------------------------------------------------------


def test_scores_are_broken_down_by_turn_only_if_there_are_conversations() -> None:
    scores = score(ITEMS, alone)
    assert {turn: values["em"].value for turn, values in scores.by["turn"].items()} == {"1": 1.0, "2": 0.0}
    assert "## By turn" in markdown(scores)
    assert "turn" not in score(ITEMS[:1], alone).by


def test_turns_are_in_the_order_of_numbers() -> None:
    items = [Item(f"q{n}", f"{n}?", ("x",), "simple", "", "en", (), history=EARLIER * n) for n in range(11)]
    assert list(score(items, lambda question: "x").by["turn"]) == [str(n + 1) for n in range(11)]


def test_reports_show_the_earlier_turns_above_the_question(tmp_path: Path) -> None:
    scores = score(ITEMS, alone, docs=[DESKS], out=tmp_path / "run")
    first, second = map(json.loads, (tmp_path / "run" / "items.jsonl").read_text(encoding="utf-8").splitlines())
    assert "history" not in first and "turn" not in first
    assert (second["history"], second["turn"]) == (TURNS, 2)
    assert f"{FIRST} – Ada Low" in markdown(scores)
    html = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    shown = html[html.index('class="turns"') :]
    assert FIRST in shown[:300] and "Ada Low" in shown[:300]


def test_a_review_shows_the_earlier_turns_above_the_question(tmp_path: Path) -> None:
    write(ITEMS, tmp_path / "golden.jsonl")
    score(ITEMS, alone, docs=[DESKS], out=tmp_path / "run")
    for place in (tmp_path / "golden.jsonl", tmp_path / "run"):
        subject = open_subject(place, docs=[DESKS])
        html = page(subject, ["q2"])
        assert html.index('class="turns"') < html.index(f">{SECOND}</h1>")
    (tmp_path / "golden.jsonl").unlink()
    kept = open_subject(tmp_path / "run", docs=[DESKS]).by_id["q2"]
    assert kept.history == EARLIER


def test_the_command_line_asks_standalone_questions(tmp_path: Path) -> None:
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "rag.py").write_text(
        f"def ask(question):\n    return {{{FIRST!r}: 'Ada Low', {STANDALONE!r}: 'Ben Ash'}}.get(question, 'x')\n",
        encoding="utf-8",
    )
    command = ["score", str(tmp_path / "golden.jsonl"), "--rag", f"{tmp_path / 'rag.py'}:ask", "--json"]
    values = [
        json.loads(CliRunner().invoke(main, [*command, *more]).stdout)["metrics"]["em"]["value"]
        for more in ([], ["--standalone"])
    ]
    assert values == [0.5, 1.0]
