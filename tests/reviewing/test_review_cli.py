"""``kgsynth review``: export and import of forms, results, the reviewed set; and what it finds by itself."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from annotated import DOCUMENTS, ITEMS
from bs4 import BeautifulSoup
from click.testing import CliRunner, Result

from kgsynth.base.records_json import to_json
from kgsynth.cli import main
from kgsynth.golden.dataset import load, write
from kgsynth.reviewing.annotation import Annotation
from kgsynth.reviewing.store import ReviewStore
from kgsynth.reviewing.subject import cards, open_subject
from kgsynth.scoring.flow import score
from kgsynth.scoring.metrics.judged.labels import Label, read_labels


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["review", *map(str, arguments)])


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """The golden set of a run folder with its documents."""
    write(ITEMS, tmp_path / "golden.jsonl")
    lines = (to_json(document) + "\n" for document in DOCUMENTS.values())
    (tmp_path / "documents.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "golden.jsonl"


def fill_in(form: Path, annotator: str, decisions: list[str]) -> Path:
    """What the page of a form saves when all its items are decided."""
    page = BeautifulSoup(form.read_text("utf-8"), "html.parser")
    ids = [about.get_text() for about in page.select("article .about .mono")]
    grade = {"accept": {"fluency": 4}, "reject": {"fluency": 1}}
    rows = [
        {"id": item, "decision": decision, "grades": grade.get(decision, {})}
        for item, decision in zip(ids, decisions, strict=True)
    ]
    saved = {"review": json.loads(page.select("#data")[0].text)["review"], "annotator": annotator, "judgements": rows}
    form.with_name(f"{annotator}.json").write_text(json.dumps(saved), encoding="utf-8")
    return form.with_name(f"{annotator}.json")


def test_from_a_form_to_the_reviewed_set(golden: Path, tmp_path: Path) -> None:
    sent = run(golden, "--sample", "4", "--form", tmp_path / "form.html")
    assert sent.exit_code == 0 and "4 questions to review written to" in sent.output
    ada = fill_in(tmp_path / "form.html", "Ada", ["accept", "accept", "reject", "accept"])
    bo = fill_in(tmp_path / "form.html", "Bo", ["accept", "reject", "reject", "accept"])
    imported = run(golden, "--import", ada, "--import", bo)
    summary = "4 rows imported, 4 of them new or changed; 0 not filled in"
    assert imported.exit_code == 0 and imported.output.count(summary) == 2

    shown = run(golden, "--results")
    assert "4 of 4 questions decided by 2 annotators" in shown.output and "accept 5, reject 3" in shown.output
    figures = json.loads(run(golden, "--results", "--json").output)
    assert figures["alpha_nominal"] == pytest.approx(1 - 0.25 / (30 / 56)), "1 of 4 differs; 5 and 3 of 8"
    assert figures["annotators"]["Ada"]["bias"]["fluency"] == 0.75 and len(figures["disputes"]) == 1

    done = run(golden, "--apply", tmp_path / "reviewed.jsonl", "--on-tie", "keep")
    assert done.exit_code == 0 and "4 of 20 items decided: 3 kept" in done.output and "tie, kept" in done.output
    reviewed = load(tmp_path / "reviewed.jsonl")
    assert len(reviewed) == 19 and len(load(tmp_path / "reviewed.rejected.jsonl")) == 1
    assert sum("review" in item.metadata for item in reviewed) == 3


def test_tags_and_added_questions_are_in_the_reviewed_set(golden: Path, tmp_path: Path) -> None:
    run(golden, "--sample", "4", "--form", tmp_path / "form.html")
    page = BeautifulSoup((tmp_path / "form.html").read_text("utf-8"), "html.parser")
    assert page.select("#tags") and not page.select("#add"), "a form has no server to locate evidence"
    data = json.loads(page.select("#data")[0].text)
    ids = [each["id"] for each in data["items"]]
    assert [each["tags"] for each in data["items"]] == [[]] * 4
    form = {"review": data["review"], "annotator": "Ada"}
    rows = [{"id": ids[0], "decision": "accept", "tags": ["must pass"]}, {"id": ids[1], "tags": ["later"]}]
    (tmp_path / "ada.json").write_text(json.dumps({**form, "judgements": rows}), encoding="utf-8")
    assert run(golden, "--import", tmp_path / "ada.json").exit_code == 0
    store = ReviewStore(tmp_path / "golden.review.sqlite")
    store.add("ada", replace(ITEMS[0], id="q-new", question="How many barrels are in hall A?", metadata={}))
    store.close()
    done = run(golden, "--apply", tmp_path / "reviewed.jsonl")
    assert done.exit_code == 0 and "2 of 21 items decided: 2 kept" in done.output
    reviewed = {item.id: item for item in load(tmp_path / "reviewed.jsonl")}
    assert (reviewed[ids[0]].tags, reviewed[ids[1]].tags) == (("must pass",), ("later",))
    (first,), (new,) = (reviewed[key].metadata["review"]["decisions"] for key in (ids[0], "q-new"))
    assert new["annotator"] == "Ada", "spelt as before"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", first["at"]) and first["at"] == new["at"]


def test_a_row_with_a_problem_is_reported_and_the_exit_code_is_3(golden: Path, tmp_path: Path) -> None:
    run(golden, "--sample", "2", "--form", tmp_path / "form.html")
    imported = run(golden, "--import", fill_in(tmp_path / "form.html", "Ada", ["accept", "perhaps"]))
    assert imported.exit_code == 3 and "the decision is 'perhaps'" in imported.output
    assert "1 rows imported" in imported.output and "1 rows were not imported" in imported.output


def test_several_forms_are_imported_at_once(golden: Path, tmp_path: Path) -> None:
    run(golden, "--sample", "2", "--form", tmp_path / "form.html")
    ada, bo = (fill_in(tmp_path / "form.html", name, ["accept", "accept"]) for name in ("Ada", "Bo"))
    imported = run(golden, "--import", ada, "--import", bo)
    assert imported.exit_code == 0 and imported.output.count("2 rows imported") == 2


def test_the_form_is_one_file_without_links(golden: Path, tmp_path: Path) -> None:
    assert run(golden, "--form", tmp_path / "out" / "form.html", "--annotator", " Ada  Berg").exit_code == 0
    text = (tmp_path / "out" / "form.html").read_text("utf-8")
    assert '"annotator": "Ada Berg"' in text and "http://" not in text and "https://" not in text


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--results", "--apply", "x.jsonl"], 2, "use only one of --results and --apply at a time"),
        (["--form", "form.pdf"], 2, "must end in .html"),
        (["--annotator", "  "], 2, "must have 1 to 80 characters"),
        (["--sample", "200%", "--form", "form.html"], 2, "--sample 200%"),
        (["--answers", "nothing.jsonl"], 3, "nothing.jsonl cannot be read"),
        (["--results"], 3, "golden.review.sqlite does not exist, so no review of"),
        (["--apply", "x.jsonl"], 3, "no review of"),
    ],
)
def test_what_cannot_be_done_is_reported(golden: Path, arguments: list[str], code: int, message: str) -> None:
    done = run(golden, *arguments)
    assert (done.exit_code, message in done.output) == (code, True), done.output
    assert not list(golden.parent.glob("*.sqlite")), "a failed command does not begin a review"


def test_a_missing_form_is_reported(golden: Path, tmp_path: Path) -> None:
    run(golden, "--form", tmp_path / "form.html")
    done = run(golden, "--import", tmp_path / "nothing.json")
    assert done.exit_code == 3 and "nothing.json could not be used" in done.output


def test_invalid_documents_are_reported(golden: Path) -> None:
    (golden.parent / "documents.jsonl").write_text("{}\n", encoding="utf-8")
    done = run(golden, "--results")
    assert done.exit_code == 3 and "line 1, is not a document" in done.output and "--docs" in done.output


# ---- answers -----------------------------------------------------------------------------------------


@pytest.fixture
def scored(golden: Path) -> Path:
    """A folder that score wrote, below that of the set; every answer is "48 barrels"."""
    passage = {"doc": "depots.md", "start": 0, "end": len(DOCUMENTS["depots.md"].text)}
    score(
        golden,
        lambda question: {"answer": "48 barrels", "retrieved": [passage]},
        docs=tuple(DOCUMENTS.values()),
        out=golden.parent / "mine",
    )
    return golden.parent / "mine"


def test_a_run_of_score_uses_the_questions_of_the_set_above_it(scored: Path) -> None:
    subject = open_subject(scored)
    assert (subject.mode, subject.name) == ("answers", "mine/answers.jsonl")
    assert [(item.id, item.evidence) for item in subject.items] == [(item.id, item.evidence) for item in ITEMS]
    first, *_ = cards(subject, [ITEMS[0].id])
    assert first.answer is not None and first.answer.answer == "48 barrels"
    marked = [piece.text for piece in first.retrieved[0].pieces if piece.mark]
    assert marked == ["Depot 0 keeps 40 barrels in hall A."]
    assert "".join(piece.text for piece in first.retrieved[0].pieces) == DOCUMENTS["depots.md"].text


def test_without_that_set_the_questions_come_from_the_run(scored: Path, golden: Path) -> None:
    write(ITEMS[:3], golden)
    subject = open_subject(scored)
    assert [item.question for item in subject.items] == [item.question for item in ITEMS]
    assert subject.items[0].golden_answers == ITEMS[0].golden_answers and subject.items[0].evidence == ()


def test_answers_are_decided_correct_or_wrong(scored: Path) -> None:
    store = ReviewStore(scored / "answers.review.sqlite")
    ids = store.begin(open_subject(scored))
    store.save("Ada", [(ids[8], Annotation("correct")), (ids[9], Annotation("wrong"))])
    store.close()
    shown = run(scored, "--results")
    assert "correct: 0.500 of 2 items" in shown.output and "2 of 20 answers decided" in shown.output
    applied = run(scored, "--apply", scored / "labels.jsonl")
    assert applied.exit_code == 0 and "2 labels written" in applied.output
    labels = read_labels(scored / "labels.jsonl")
    texts = {item: answer.answer for item, answer in open_subject(scored).answers.items()}
    assert set(labels) == {Label(ids[8], True, "Ada", texts[ids[8]]), Label(ids[9], False, "Ada", texts[ids[9]])}


def test_with_answers_to_some_questions_only_those_are_reviewed(golden: Path, tmp_path: Path) -> None:
    lines = [json.dumps({"id": item.id, "answer": "x"}) for item in ITEMS[:2]]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    assert [item.id for item in open_subject(golden, tmp_path / "answers.jsonl").items] == [
        item.id for item in ITEMS[:2]
    ]
    shown = run(golden, "--answers", tmp_path / "answers.jsonl", "--form", tmp_path / "form.html")
    assert "18 questions have no record in" in shown.output and "2 answers to review" in shown.output
    (tmp_path / "answers.jsonl").write_text('{"id": "q-none", "answer": "x"}', encoding="utf-8")
    done = run(golden, "--answers", tmp_path / "answers.jsonl", "--results")
    assert done.exit_code == 3 and "answers none of the 20 questions" in done.output


# ---- pairs -------------------------------------------------------------------------------------------


@pytest.fixture
def other(scored: Path) -> Path:
    """The answers of another system, to the first twelve questions, which answers with the number of the question."""
    lines = [json.dumps({"id": item.id, "answer": f"theirs {number}"}) for number, item in enumerate(ITEMS[:12])]
    (scored.parent / "theirs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return scored.parent / "theirs.jsonl"


def test_pairs_are_blinded_by_the_seed_and_counted_by_system(scored: Path, other: Path, tmp_path: Path) -> None:
    sent = run(scored, "--versus", other, "--seed", "5", "--form", tmp_path / "pairs.html", "--annotator", "Ada")
    assert sent.exit_code == 0 and "8 questions have no record" in sent.output and "12 pairs to review" in sent.output
    shown = BeautifulSoup((tmp_path / "pairs.html").read_text("utf-8"), "html.parser").select(".pair")
    theirs_is_a = ["theirs" in pair.select(".given")[0].get_text() for pair in shown]
    assert 0 < sum(theirs_is_a) < 12 and all("48 barrels" in pair.get_text() for pair in shown)
    chosen = [  # Ada prefers theirs nine times, ours once; two are ties
        "tie" if number > 9 else "a" if theirs_is_a[number] == (number > 0) else "b" for number in range(12)
    ]
    imported = run(scored, "--versus", other, "--import", fill_in(tmp_path / "pairs.html", "Ada", chosen))
    assert imported.exit_code == 0 and "12 rows imported" in imported.output, imported.output
    found = json.loads(run(scored, "--versus", other, "--results", "--json").stdout)
    assert found["decisions"] == {"first": 1, "second": 9, "tie": 2}
    assert found["systems"] == ["mine/answers.jsonl", f"{scored.parent.name}/theirs.jsonl"]
    assert found["good"]["value"] == pytest.approx((1 + 2 / 2) / 12)
    shown = run(scored, "--versus", other, "--results").output
    assert "the first preferred, a tie counting half: 0.167" in shown and "first: mine/answers.jsonl" in shown
    assert run(scored, "--results").exit_code == 3, "the review of one system's answers is another one"


def test_the_page_of_pairs_shows_both_answers_and_names_neither_system(scored: Path, other: Path) -> None:
    done = run(scored, "--versus", other, "--form", scored / "pairs.html")
    text = (scored / "pairs.html").read_text("utf-8")
    assert done.exit_code == 0 and text.count('<div class="pair">') == 12 and "theirs.jsonl" not in text
    assert "A is better" in text and "Retrieved by B" in text and 'data-criterion="' not in text


def test_two_systems_need_answers_to_the_same_questions(golden: Path, scored: Path, tmp_path: Path) -> None:
    refused = run(golden, "--versus", scored, "--results")
    assert refused.exit_code == 2 and "compares two systems: give a folder that score wrote" in refused.output
    (tmp_path / "none.jsonl").write_text('{"id": "q-none", "answer": "x"}', encoding="utf-8")
    refused = run(scored, "--versus", tmp_path / "none.jsonl", "--results")
    assert refused.exit_code == 3 and "answers none of the questions of mine/answers.jsonl" in refused.output


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_the_page_also_where_a_shell_ignores_interrupts(golden: Path, sent: signal.Signals) -> None:
    """A shell starts what ends with ``&`` with interrupts ignored."""
    command = [sys.executable, "-m", "kgsynth", "review", str(golden), "--no-open", "--port", "0"]
    ignored = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=ignored) as process:
        assert process.stdout is not None
        try:
            assert "20 questions of" in process.stdout.readline()
            assert "open http://127.0.0.1:" in process.stdout.readline()
            process.send_signal(sent)
            rest, _ = process.communicate(timeout=20)
        finally:
            process.kill()
    assert "stopped; decided of 20 items: none" in rest and process.returncode == 0
