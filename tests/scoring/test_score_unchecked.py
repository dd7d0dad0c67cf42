"""What was not checked is never passed: states of questions, values that are missing, answers that deny, gates."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Document, Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import write
from kgsynth.language.english.denials import affirmed
from kgsynth.scoring.flow import score
from kgsynth.scoring.junit import junit
from kgsynth.scoring.metrics.answer_match import WORD_BY_WORD, sub_exact_match
from kgsynth.scoring.metrics.criteria import parse_gates, read_thresholds
from kgsynth.scoring.metrics.failure_causes import LOW_RANK
from kgsynth.scoring.page import page
from kgsynth.scoring.text import markdown, terminal

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue and must be worn at all times.\n"
DAYS, BADGE = Span("leave.md", 0, 28, TEXT[:28]), Span("leave.md", 30, 47, TEXT[30:47])
ITEMS = [
    Item("q1", "How many days of leave?", ("25",), "simple", "factoid", "en", ((DAYS,),)),
    Item("q2", "What colour is the badge?", ("blue",), "simple", "factoid", "en", ((BADGE,),)),
]
NOBODY = Item("q3", "Who leads Mars?", (), "unanswerable", "out_of_scope", "en", (), answerable=False)
RAG = """
from words import COLOUR

def right(question):
    return ("25", ["Staff have 25 days of leave."]) if "days" in question else (COLOUR, ["The badge is blue"])

def half(question):
    return "25"

def empty(question):
    return []

def nothing(question):
    return None

def unplaced(question):
    return ["a passage that is in no document at all"]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(ITEMS, tmp_path / "golden.jsonl")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_bytes(TEXT.encode())
    (tmp_path / "rag.py").write_text(RAG, encoding="utf-8")
    (tmp_path / "words.py").write_text("COLOUR = 'blue'\n", encoding="utf-8")
    return tmp_path


def run(function: str, *arguments: str) -> Result:
    return CliRunner().invoke(
        main, ["score", "golden.jsonl", "--rag", f"rag.py:{function}", "--docs", "docs", *arguments]
    )


# ---- states ------------------------------------------------------------------------------------------


def test_an_empty_result_for_every_question_is_a_failure_of_each(here: Path) -> None:
    result = run("empty", "--json")
    written = json.loads(result.stdout)
    assert (written["questions"], written["pass_rate"]) == ({"passed": 0, "failed": 2, "not checked": 0}, 0.0)
    assert written["causes"] == {"nothing retrieved": 2}
    names = ("recall@5", "context_recall", "file_recall", "document_coverage")
    assert [written["metrics"][name]["value"] for name in names] == [0.0] * 4
    assert run("empty", "--profile", "continuous").exit_code == 1
    assert run("empty", "--gate", "pass_rate>=0.1").exit_code == 1


def test_none_is_an_error_of_the_system(here: Path) -> None:
    result = run("nothing", "--fail-on-error", "0")
    assert result.exit_code == 4
    assert "failed on all 2 questions, first with: ValueError: it returned None; return a text" in result.stderr
    with pytest.raises(SystemUnreachableError, match="it returned None"):
        score(ITEMS, lambda question: None)
    (first, second) = score(ITEMS, lambda question: "25" if "days" in question else None).items
    assert (first.state, second.state, second.cause and second.cause.kind) == ("passed", "failed", "error")


def test_a_run_in_which_nothing_was_checked_is_not_green_anywhere(here: Path) -> None:
    result = run("unplaced", "-o", "out", "--junit", "junit.xml")
    assert result.exit_code == 1
    first = (
        "rag.py:unplaced: none of 2 questions could be checked, so nothing passed – none of the 2 passages was found"
    )
    assert result.stdout.startswith(first)
    reason = "no passage could be placed in the documents given; check that the system searches these, and returns "
    reason += "the text of passages"
    assert result.stdout.splitlines()[1] == f"note: 2 of 2 questions were not checked: {reason}"
    assert "no pass rate: no question was checked" in result.stdout
    assert "error: none of 2 questions could be checked, so nothing passed; the notes say why" in result.stderr
    written = json.loads((here / "out/scores.json").read_text(encoding="utf-8"))
    assert (written["questions"], written["pass_rate"]) == ({"passed": 0, "failed": 0, "not checked": 2}, None)
    lines = [json.loads(line) for line in (here / "out/items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(line["state"], line["not_checked"]) for line in lines] == [("not checked", reason)] * 2
    (suite,) = ElementTree.parse(here / "junit.xml").getroot()
    assert (suite.get("skipped"), suite.get("failures")) == ("2", "1")
    assert suite[0][0].get("message") == f"not checked: {reason}"
    page = BeautifulSoup((here / "out/report.html").read_text(encoding="utf-8"), "html.parser")
    assert page.find(id="failing").get_text() == "No question was checked"  # type: ignore[union-attr]
    assert "None of 2 questions could be checked, so nothing passed." in page.get_text()
    assert [each["data-state"] for each in page.select("#list > details")] == ["not checked"] * 2
    assert "**None of 2 questions could be checked" in (here / "out/scores.md").read_text(encoding="utf-8")


def test_a_pass_rate_is_over_the_checked_questions() -> None:
    def retrieves(question: str) -> object:
        return [("Staff have 25 days of leave." if "days" in question else "Nothing")]

    named = [replace(each, evidence=()) for each in ITEMS]
    scores = score([*named, NOBODY], retrieves, docs=None, gates=["pass_rate>=0.9"])
    assert [item.state for item in scores.items] == ["not checked"] * 3, "there is nothing to compare with"
    assert (scores.pass_rate, scores.passed) == (None, False)
    assert scores.failed_checks == [("pass_rate>=0.9", "no question could be checked")]
    scores = score(
        [*ITEMS, NOBODY], lambda question: {"answer": None, "retrieved": [{"doc": "leave.md", "start": 0, "end": 28}]}
    )
    assert [item.state for item in scores.items] == ["passed", "failed", "not checked"]
    assert scores.items[2].not_checked == "they are unanswerable, and the system gives no answers that could decline"
    assert (scores.pass_rate, scores.passed) == (0.5, False)
    assert scores.result == "1 of 3 questions passed, 1 failed, 1 was not checked"
    assert "Pass rate 50 % (of 2 checked questions)." in markdown(scores)
    suite = ElementTree.fromstring(junit(scores).encode())[0]
    assert (suite.get("skipped"), suite.get("failures")) == ("3", "0"), "no gate, failed, not checked"


def test_a_system_that_only_answers_is_checked_by_its_answers() -> None:
    scores = score(ITEMS, lambda question: "25")
    assert [item.state for item in scores.items] == ["passed", "failed"]
    assert scores.metrics["recall@5"].why == "the system returns no passages"
    empty = score(ITEMS, lambda question: {"answer": "25", "retrieved": []})
    assert [item.cause and item.cause.kind for item in empty.items] == ["nothing retrieved"] * 2
    assert empty.metrics["recall@5"].value == 0.0


def test_passages_known_by_their_document_pass_nothing_and_fail_where_it_is_another() -> None:
    def search(question: str) -> object:
        return [{"doc": "leave.md" if "days" in question else "other.md"}]

    scores = score(ITEMS, search)
    assert [item.state for item in scores.items] == ["not checked", "failed"]
    assert str(scores.items[1].cause) == "not retrieved: 1 of 1 documents (leave.md)"


def test_the_difference_survives_the_file_of_answers(here: Path) -> None:
    for name, expected in {"half": [None, None], "empty": [[], []]}.items():
        run(name, "-o", name)
        lines = (here / name / "answers.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["retrieved"] for line in lines] == expected
        again = score(ITEMS, str(here / name / "answers.jsonl"))
        assert (again.metrics["recall@5"].value is None) == (name == "half")


# ---- values that are missing -------------------------------------------------------------------------


def test_a_threshold_without_a_value_fails_unless_a_preset_does_not_apply(here: Path) -> None:
    result = run("half", "--profile", "continuous")
    assert result.exit_code == 1
    assert "recall@5>=0.75 (no value: the system returns no passages)" in result.stderr
    levels = {each.metric: each.level for each in score(ITEMS, lambda question: "25", thresholds="standard").thresholds}
    assert (levels["mrr"], levels["refusal"]) == ("failed", "not assessed"), "the set has no unanswerable question"
    (here / "own.toml").write_text("refusal = {warn = 0.9, fail = 0.8}\n", encoding="utf-8")
    scores = score(ITEMS, lambda question: "25", thresholds=here / "own.toml")
    assert scores.failed_checks == [("refusal>=0.8", "no unanswerable questions")]


@pytest.mark.parametrize("number", ["80", "1.5", "-0.1"])
def test_a_share_given_as_percent_is_refused(number: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"recall@5 is a share from 0 to 1, and {number} is not"):
        parse_gates([f"recall@5>={number}"])
    (tmp_path / "t.toml").write_text(f'"recall@5" = {{warn = 0.9, fail = {number}}}\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=rf"recall@5 is a share from 0 to 1, and {number} is not"):
        read_thresholds(tmp_path / "t.toml")


def test_gates_may_name_the_pass_rate_and_the_overall_score() -> None:
    gates = ["pass_rate>=0.5", "overall>=0.99", "latency_p95<=80", "answer_length<=80"]
    scores = score(ITEMS, lambda question: "25", gates=gates)
    assert [(gate.metric, gate.passed) for gate in scores.gates] == [
        ("pass_rate", True),
        ("overall", False),
        ("latency_p95", True),
        ("answer_length", True),
    ]
    with pytest.raises(ConfigError, match=r"pass_rate is a share from 0 to 1, and 90 is not: for 90 % write 0\.9"):
        parse_gates(["pass_rate>=90"])


def test_without_a_gate_the_last_line_says_that_failures_do_not_fail_the_command(here: Path) -> None:
    last = "no gate was set: exit 0; --gate 'pass_rate>=0.9' fails the command"
    result = run("half")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, last)
    assert last not in run("right").stdout
    assert last not in run("half", "--gate", "pass_rate>=0.1").stdout


def test_gates_of_the_settings_file_and_of_the_command_line_add_up(here: Path) -> None:
    (here / "kgsynth.toml").write_text("[score]\ngate = ['em>=0.9', 'mrr>=0']\n", encoding="utf-8")
    for arguments in ((), ("--gate", "sub_em>=0.1", "--gate", "mrr>=0")):
        found = json.loads(run("right", "--json", *arguments).stdout)["gates"]
        assert [gate["gate"] for gate in found] == ["em>=0.9", "mrr>=0", *arguments[1:2]]
    failed = "error: 2 of 3 gates failed: em>=0.9, mrr>=0 (no value: the system returns no passages)"
    assert failed in run("half", "--gate", "sub_em>=0.1").stderr


def test_a_misspelt_metric_is_answered_with_the_nearest_one() -> None:
    for name, meant in {"recal@5": "recall@5", "recall": "recall@5", "mr": "mrr", "pas_rate": "pass_rate"}.items():
        with pytest.raises(ConfigError) as caught:
            parse_gates([f"{name}>=0.5"])
        assert str(caught.value) == f"gate '{name}>=0.5': '{name}' is not a metric; did you mean {meant}?"


def test_a_gate_in_python_may_be_a_single_text() -> None:
    (gate,) = score(ITEMS, lambda _: "25", gates="em>=0.9").gates
    assert (gate.text, gate.passed) == ("em>=0.9", False)


# ---- answers that deny -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        ("It is certainly not blue.", False),
        ("The badge isn't blue.", False),
        ("Blue is not its colour.", False),
        ("It is neither blue nor red.", False),
        ("It is not red, it is blue.", True),
        ("It is blue, not red.", True),
        ("It is not only blue but bright.", True),
        ("Blue", True),
        ("It is not blue. No: it is blue.", True),
        ("It is not true that the answer is blue.", False),
        ("It isn't the case that, as some say, it is blue.", False),
        ("It is false that the badge is blue.", False),
        ("It is true that the badge is blue.", True),
        ("Blue is wrong.", False),
        ("It is red instead of blue.", False),
        ("Red rather than blue.", False),
        ("Anything but blue.", False),
        ("It is blue instead of red.", True),
        ("Instead of red, it is blue.", True),
        ("It is false that it is red; it is blue.", True),
        ("People wrongly believe it is blue, but the true answer is red.", False),
        ("Some mistakenly think that it is blue; it is red.", False),
        ("Contrary to blue, the documents name red.", False),
        ("It is a common misconception that it is blue.", False),
        ("No, that is a common misconception; blue has nothing to do with it.", False),
        ("It is not blue but red.", False),
        ("Anything except blue.", False),
        ("People wrongly believe it is red, but it is blue.", True),
        ("Contrary to what many think, it is blue.", True),
        ("It is a common misconception that it is red: it is blue.", True),
        ("It is blue and has nothing to do with red.", True),
        ("Blue; no misconception.", True),
        ("It is not red but blue.", True),
    ],
)
def test_an_answer_that_denies_the_golden_answer_does_not_pass(answer: str, passes: bool) -> None:
    (found,) = score([ITEMS[1]], lambda question: answer).items
    assert (found.cause and found.cause.kind) == (None if passes else "the answer denies it")
    assert found.metrics["sub_em"] == sub_exact_match(answer, ["blue"]) == 1.0, "the metric keeps its definition"


@pytest.mark.parametrize(
    ("golden", "question", "text"),
    [
        ("not blue", "What is the badge?", "The badge is blue."),
        ("blue", "Which colour is not allowed?", "The badge is blue."),
        ("blue", "Which colour is meant?", "No badge is blue."),
    ],
)
def test_nothing_is_denied_where_the_source_denies_too(golden: str, question: str, text: str) -> None:
    item = replace(
        ITEMS[1], question=question, golden_answers=(golden,), evidence=((Span("a.md", 0, len(text), text),),)
    )
    assert score([item], lambda _: "It is not blue.").items[0].cause is None


@pytest.mark.parametrize(
    ("answer", "passes"),
    [
        ("It is not blue.", False),
        ("The forbidden colour isn't blue.", False),
        ("It's certainly not the blue one.", False),
        ("Badges must not be blue.", True),
        ("It is not allowed to wear blue.", True),
        ("Blue is not permitted.", True),
        ("You may not wear blue.", True),
    ],
)
def test_a_question_of_what_is_forbidden_does_not_excuse_that_it_is_not_the_answer(answer: str, passes: bool) -> None:
    text = "Blue badges are prohibited."
    item = replace(ITEMS[1], question="Which colour does the office forbid?", evidence=((Span("a.md", 0, 27, text),),))
    assert (score([item], lambda _: answer).items[0].cause is None) == passes


@pytest.mark.parametrize(
    ("golden", "answer"),
    [
        ("contrary to the policy", "Posting it is contrary to the policy."),
        ("a common misconception", "It is a common misconception."),
        ("nothing to do with the fee", "It has nothing to do with the fee."),
    ],
)
def test_a_golden_answer_may_have_the_words_of_a_denial(golden: str, answer: str) -> None:
    item = replace(ITEMS[1], question="What is it?", golden_answers=(golden,), evidence=((DAYS,),))
    assert score([item], lambda _: answer).items[0].cause is None


@pytest.mark.parametrize(
    ("text", "answer", "passes"),
    [
        ("Guests are NOT admitted. The badge is blue.", "It is not blue.", False),
        ("The badge is blue, and never red.", "It is not blue.", False),
        ("The badge must not be blue.", "It is not blue.", True),
        ("The badge must not be blue.", "It is not true that it is blue.", False),
        ("It is wrong that the badge is blue.", "It is not true that it is blue.", True),
    ],
)
def test_only_the_clause_of_the_golden_answer_excuses_a_denial(text: str, answer: str, passes: bool) -> None:
    item = replace(ITEMS[1], evidence=((Span("a.md", 0, len(text), text),),))
    assert (score([item], lambda _: answer).items[0].cause is None) == passes


def test_only_the_clause_that_denies_is_left_out() -> None:
    text = "It is not salt, pepper and oil; the stock (1.5 litres) is."
    assert affirmed(text, []).split() == "pepper and oil; the stock (1.5 litres) is.".split()
    assert affirmed("No more than 25 days", []) == "No more than 25 days"


# ---- answers that hide --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        ("Blue or red.", "the answer hides among others"),
        ("It is red or perhaps blue.", "the answer hides among others"),
        ("It is blue, or azure.", None),
        ("I don't know. Possibly blue.", "refused"),
        ("blue " + "word " * 99, "the answer hides among others"),
        ("blue " + "word " * 98, None),
    ],
)
def test_an_answer_that_hides_the_golden_answer_does_not_pass(answer: str, cause: str | None) -> None:
    (found,) = score([ITEMS[1]], lambda _: answer).items
    assert (found.cause and found.cause.kind) == cause
    assert found.metrics["sub_em"] == 1.0, "the metric keeps its definition"


def test_what_counts_as_hidden_is_a_limit(move: Callable[[str, float], None]) -> None:
    words = "blue " + "word " * 39
    assert score([ITEMS[1]], lambda _: words).items[0].cause is None
    move("hidden_answer_words", 40)
    assert score([ITEMS[1]], lambda _: words).items[0].cause is not None
    move("hidden_answer_times", 41)
    assert score([ITEMS[1]], lambda _: words).items[0].cause is None


def test_an_or_in_the_question_or_the_evidence_excuses_one_in_the_answer() -> None:
    item = replace(ITEMS[1], question="Is the badge blue or red?")
    assert score([item], lambda _: "Of blue or red: blue or so they say.").items[0].cause is None


def test_a_report_says_that_answers_are_compared_word_by_word(here: Path) -> None:
    line = f"note: {WORD_BY_WORD}"
    assert line in run("right").stdout.splitlines()
    run("right", "-o", "out")
    assert WORD_BY_WORD in (here / "out/scores.md").read_text("utf-8")
    assert WORD_BY_WORD in (here / "out/report.html").read_text("utf-8")
    assert WORD_BY_WORD not in score(ITEMS, lambda _: ["Staff have 25 days of leave."]).notes


def test_without_gates_a_failed_question_fails_the_run() -> None:
    scores = score(ITEMS, lambda _: "25")
    assert not scores.passed and scores.failures == [("q2", "wrong answer")]
    assert score(ITEMS, lambda _: "25 blue").passed
    assert score(ITEMS, lambda _: "25", gates=["pass_rate>=0.5"]).passed
    case = next(ElementTree.fromstring(junit(scores)).iter("testcase"))
    assert case.get("name") == "no gate was set"
    assert case[0].tag == "skipped" and case[0].get("message") == "no gate was set: 1 of 2 questions failed"


# ---- answers that are reused -------------------------------------------------------------------------


def test_reused_answers_are_reported_and_a_changed_import_asks_again(here: Path) -> None:
    line = "note: 2 answers reused from the run in out (answers.jsonl of "
    assert "reused" not in run("right", "-o", "out", "-q").output
    assert any(each.startswith(line) for each in run("right", "-o", "out", "-q").stdout.splitlines()[:5])
    as_json = run("right", "-o", "out", "-q", "--json")
    assert line in as_json.stderr and json.loads(as_json.stdout)
    assert "reused" not in run("right", "-o", "out", "--fresh").output
    (here / "words.py").write_text("COLOUR = 'green'\n", encoding="utf-8")
    assert "reused" not in run("right", "-o", "out").output, "the module that the file imports has changed"
    assert run("right", "--fresh").exit_code == 2


def test_one_id_twice_in_a_file_of_answers_is_refused(here: Path) -> None:
    lines = [{"id": "q1", "answer": "25"}, {"id": "q2", "answer": "red"}, {"id": "q1", "answer": "30"}]
    (here / "a.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    result = CliRunner().invoke(main, ["score", "golden.jsonl", "--rag", "a.jsonl"])
    assert result.exit_code == 3
    assert (
        "line 3 of a.jsonl: the question 'q1' was answered before, in line 1 of a.jsonl: delete one of them"
        in result.stderr
    )


def test_a_system_of_ones_own_that_returns_nothing_has_failed() -> None:
    class Silent:
        name, signature = "silent", "silent|1"

        def ask(self, item: Item) -> Answer:
            return Answer(item.id, "25" if item.id == "q1" else None)

        def close(self) -> None: ...

    scores = score(ITEMS, Silent())
    assert [item.state for item in scores.items] == ["passed", "failed"]
    assert str(scores.items[1].cause) == "error: no reply: it has neither an answer nor passages"


# ---- rank --------------------------------------------------------------------------------------------


def _passages_before(n: int) -> list[object]:
    """``n`` passages without evidence, then all evidence of the set."""
    return [{"doc": "leave.md", "start": 28, "end": 29 + at} for at in range(n)] + [
        {"doc": "leave.md", "start": 0, "end": len(TEXT)}
    ]


def test_without_answers_a_question_passes_only_with_evidence_in_the_first_passages() -> None:
    high = score(ITEMS, lambda _: _passages_before(LOW_RANK - 1))
    low = score(ITEMS, lambda _: _passages_before(LOW_RANK))
    assert (high.n_passed, low.n_passed) == (2, 0)
    assert low.failures[0][1] == f"retrieved but low: rank {LOW_RANK + 1}"
    assert low.metrics["context_recall"].value == 1, "the passages hold it all the same"
    assert any(f"passes if all its evidence is in the first {LOW_RANK} passages" in note for note in low.notes)


def _many_questions(n: int) -> tuple[list[Item], list[Document]]:
    """Questions with one document each."""
    documents = [Document(f"d{at}.md", f"The skua number {at} nests here.", "", "md", "1", (), ()) for at in range(n)]
    items = [
        replace(ITEMS[0], id=f"q{at:02}", question=f"Where is skua {at}?", evidence=((doc.span(0, 20),),))
        for at, doc in enumerate(documents)
    ]
    return items, documents


HARDER = "harder set (generate says how)"


@pytest.mark.parametrize(
    ("below", "advice"),
    [(0, f"make a {HARDER}"), (8, f"look at recall@1, or make a {HARDER}")],
    ids=["all first", "8 at rank 2"],
)
def test_a_set_that_is_too_easy_is_called_so_in_the_first_lines(below: int, advice: str) -> None:
    """Of 30 questions the rank of 8 is 2: recall@1 has room for 8, the least that would be found, and mrr for 4."""
    items, documents = _many_questions(30)

    def first(question: str) -> list[object]:
        at = int(question[14:-1])
        return [{"doc": f"d{other}.md", "start": 0, "end": 20} for other in ((at, 29) if at >= below else (29, at))]

    scores = score(items, first, docs=documents)
    note = (
        "this set is too easy to tell this system from a better one at 5: 30 of 30 questions passed, and a difference "
        f"below 8 questions is often missed; {advice}"
    )
    assert scores.saturated == scores.to_json()["saturated"] == note
    assert terminal(scores).splitlines()[1] == f"note: {note}"
    assert f"**Note:** {note}." in markdown(scores).split("##")[0]
    answers = {item.id: Answer(item.id, None) for item in items}
    assert BeautifulSoup(page(scores, items, answers, {}).html, "html.parser").select_one("p.warn").text == f"{note}."


def test_a_set_that_leaves_room_is_not_called_too_easy() -> None:
    items, documents = _many_questions(30)
    half = score(items, lambda question: [{"doc": f"d{question[14:-1][-1]}.md", "start": 0, "end": 20}], docs=documents)
    assert (half.n_passed, half.saturated) == (10, "")
    answering = score(items, lambda _: "25 days").saturated
    assert answering.startswith("this set is too easy to tell this system from a better one: 30 of 30"), "without k"


def test_as_many_passages_count_as_a_question_has_groups_of_evidence() -> None:
    starts = range(LOW_RANK + 2)
    groups = tuple((Span("leave.md", 2 * at, 2 * at + 1, TEXT[2 * at]),) for at in starts)
    item = replace(ITEMS[0], evidence=groups)
    assert score([item], lambda _: [{"doc": "leave.md", "start": 2 * at, "end": 2 * at + 1} for at in starts]).passed


def test_documents_without_places_must_be_among_the_first_too() -> None:
    others = [{"doc": f"other-{at}.md"} for at in range(LOW_RANK)]
    documents = [Document("leave.md", TEXT, "", "md", "1", (), ())]
    documents += [Document(each["doc"], "Nothing.", "", "md", "1", (), ()) for each in others]
    low = score(ITEMS, lambda _: [*others, {"doc": "leave.md"}], docs=documents)
    assert (low.causes, low.metrics["file_recall"].value) == ({"retrieved but low": 2}, 1.0)
    assert score(ITEMS, lambda _: [*others[1:], {"doc": "leave.md"}], docs=documents).questions["not checked"] == 2


def test_a_right_answer_passes_with_low_evidence_and_a_note_says_so() -> None:
    def ask(question: str) -> object:
        return {"answer": "25" if "days" in question else "blue", "retrieved": _passages_before(LOW_RANK)}

    scores = score(ITEMS, ask)
    assert scores.n_passed == 2
    assert f"2 of the questions that passed have evidence only below rank {LOW_RANK}" in " ".join(scores.notes)


# ---- the overall score -------------------------------------------------------------------------------


def test_the_overall_score_and_the_title_agree_with_the_pass_rate() -> None:
    """An answer that denies has all words of the golden answer."""
    evidence = [{"doc": "leave.md", "start": 0, "end": len(TEXT)}]

    def deny(question: str) -> object:
        return {"answer": "It is not 25." if "days" in question else "It is not blue.", "retrieved": evidence}

    def half(question: str) -> object:
        return {"answer": "25" if "days" in question else "It is not blue.", "retrieved": evidence}

    denied, mixed = score(ITEMS, deny), score(ITEMS, half, gates="overall<=0.5")
    assert denied.overall and denied.overall.value == denied.pass_rate == 0
    assert denied.overall.components["retriever"] == 1, "a component is the mean of its metrics"
    assert mixed.overall and mixed.overall.value == mixed.pass_rate == 0.5, "every metric of the first question is 1"
    assert mixed.passed and mixed.to_json()["overall"]["value"] == 0.5  # type: ignore[index]
    assert "questions that failed count 0" in terminal(mixed) and "questions that failed count 0" in markdown(mixed)
    answers = {item.id: Answer(item.id, "It is not blue.", ()) for item in ITEMS}
    html = page(denied, ITEMS, answers, {}).html
    found = BeautifulSoup(html, "html.parser")
    assert found.h1 and found.h1.get_text().startswith(f"{denied.system} passes 0 % of 2 questions by words, finds")
    assert found.title and "passes 0 % of 2 questions" in found.title.get_text()
