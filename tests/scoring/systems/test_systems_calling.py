"""Calling a Python function, reading what it returns, and files of answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kgsynth.base.errors import ConfigError, InputError, SystemUnreachableError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.scoring.systems import NO_RECORD, TARGETS, open_system
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.scoring.systems.reply_reader import from_json, to_answer, to_json


def item(name: str) -> Item:
    return Item(name, f"What is {name}?", (name,), "simple", "factoid", "en", ())


def module(folder: Path, code: str, name: str = "rag.py") -> str:
    (folder / name).write_text(code, encoding="utf-8")
    return str(folder / name)


# ---- what a system returns ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Ada", Answer("q", "Ada")),
        ([], Answer("q", None, retrieved_nothing=True)),
        ({"answer": "Ada", "retrieved": []}, Answer("q", "Ada", retrieved_nothing=True)),
        (("Ada", None), Answer("q", "Ada")),
        (("Ada", ["t"]), Answer("q", "Ada", (Passage(text="t"),))),
        ({"answer": "Ada"}, Answer("q", "Ada")),
        ({"contexts": ["t"]}, Answer("q", None, (Passage(text="t"),))),
        (
            {"answer": "Ada", "retrieved": [{"doc": "a.md", "start": 1, "end": 4, "score": 2, "other": 1}]},
            Answer("q", "Ada", (Passage("a.md", 1, 4, score=2.0),), unused_keys=("other of passages",)),
        ),
        (("Ada", [Passage(id="c1")]), Answer("q", "Ada", (Passage(id="c1"),))),
    ],
)
def test_every_shape_is_read(raw: object, expected: Answer) -> None:
    assert to_answer("q", raw) == expected


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (None, "it returned None; return a text, a list of passages, or"),
        ({"answer": None}, "it returned an object with the keys answer without answer or retrieved; return a text"),
        (42, "it returned 42 without answer or retrieved; return a text"),
        ({"answer": 42}, "answer is 42: give a text"),
        ({"reply": "Ada"}, "an object with the keys reply without answer or retrieved"),
        (("Ada", 5), "retrieved is 5: give a list"),
        (("Ada", [3]), "retrieved.0 is 3: give an object with named parts, or for a passage its text"),
        (("Ada", [{"page": 3}]), "give its text, or a mapping"),
        (("Ada", [{"doc": "a", "start": 1.5, "end": 2}]), "retrieved.0.start is 1.5: input should be a valid integer"),
        (("Ada", [{"doc": "a", "start": 9, "end": 2}]), "from 9 to 2: give a valid range"),
        (("Ada", [{"text": "t", "score": float("nan")}]), "retrieved.0.score is nan: input should be a finite number"),
    ],
)
def test_a_wrong_shape_is_an_error_with_its_value(raw: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        to_answer("q", raw)


def test_numpy_numbers_are_numbers() -> None:
    import numpy as np

    found = to_answer("q", [{"doc": "a", "start": np.int64(1), "end": np.int32(3), "score": np.float32(0.5)}])
    assert json.dumps(to_json(found))  # plain types, or this fails


def test_json_round_trip_keeps_the_known_fields() -> None:
    answer = Answer("q", "Ada", (Passage("a.md", 1, 4, "abc", "c1", 0.5), Passage(text="x")), 0.25)
    assert list(to_json(answer)) == ["id", "answer", "retrieved", "latency_s", "error"]
    assert from_json(json.loads(json.dumps(to_json(answer)))) == answer


# ---- python ----------------------------------------------------------------------------------------


def test_a_function_gets_the_question_and_its_latency_is_measured(tmp_path: Path) -> None:
    system = open_system(module(tmp_path, "def ask(q):\n    return q.upper(), ['p']\n") + ":ask")
    found = system.ask(item("x"))
    assert (found.answer, found.retrieved, found.error) == ("WHAT IS X?", (Passage(text="p"),), None)
    assert found.latency_s is not None
    assert found.latency_s >= 0


def test_async_functions_share_one_event_loop(tmp_path: Path) -> None:
    code = "import asyncio\nloops = set()\nasync def ask(q):\n    await asyncio.sleep(0)\n"
    code += "    loops.add(id(asyncio.get_running_loop()))\n    return str(len(loops))\n"
    system = open_system(module(tmp_path, code) + ":ask")
    assert [system.ask(item(name)).answer for name in "abc"] == ["1", "1", "1"]
    system.close()


def test_a_sync_function_may_run_a_loop_of_its_own(tmp_path: Path) -> None:
    code = "import asyncio\nasync def inner(q):\n    return q\ndef ask(q):\n    return asyncio.run(inner(q))\n"
    assert open_system(module(tmp_path, code) + ":ask").ask(item("x")).answer == "What is x?"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("raise KeyError(q)", "KeyError: 'What is x?'"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("return {'answer': 42}", "ValueError: answer is 42: give a text"),
        ("raise ValueError", "ValueError"),
    ],
)
def test_a_failure_becomes_the_error_of_that_item(tmp_path: Path, body: str, error: str) -> None:
    found = open_system(module(tmp_path, f"def ask(q):\n    {body}\n") + ":ask").ask(item("x"))
    assert found == Answer("x", None, error=error)


def test_an_interrupt_is_not_a_failure_of_the_item(tmp_path: Path) -> None:
    system = open_system(module(tmp_path, "def ask(q):\n    raise KeyboardInterrupt\n") + ":ask")
    with pytest.raises(KeyboardInterrupt):
        system.ask(item("x"))


def test_the_file_can_import_its_neighbours(tmp_path: Path) -> None:
    module(tmp_path, "word = 'next door'\n", "kgsynth_test_neighbour.py")
    target = module(tmp_path, "from kgsynth_test_neighbour import word\ndef ask(q):\n    return word\n") + ":ask"
    assert open_system(target).ask(item("x")).answer == "next door"


def test_the_signature_covers_what_the_file_imports_from_its_own_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()
    code = {
        "rag.py": "from shop.search import find\ndef ask(q):\n    from late import word\n    return find(q)\n",
        "shop/__init__.py": "",
        "shop/search.py": "from . import index\nimport json\ndef find(q):\n    return index.NAME\n",
        "shop/index.py": "NAME = 'one'\n",
        "late.py": "word = 'later'\n",
        "other.py": "word = 'not imported'\n",
    }
    for name, text in code.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    systems = {"function": "rag.py:ask", "script": "exec:python rag.py", "module": "exec:python -m rag"}
    before = {kind: open_system(target).signature for kind, target in systems.items()}
    for changed, differs in {
        "other.py": False,
        "shop/index.py": True,
        "late.py": True,
        "shop/__init__.py": True,
    }.items():
        (tmp_path / changed).write_text(f"{code[changed]}NAME = 'two'\n", encoding="utf-8")
        now = {kind: open_system(target).signature for kind, target in systems.items()}
        assert {kind: now[kind] != before[kind] for kind in now} == dict.fromkeys(systems, differs), changed
        before = now


def test_the_signature_changes_with_the_file(tmp_path: Path) -> None:
    first = open_system(module(tmp_path, "def ask(q):\n    return 'a'\n") + ":ask")
    second = open_system(module(tmp_path, "def ask(q):\n    return 'b'\n") + ":ask")
    assert first.name == second.name == "rag.py:ask"
    assert first.signature != second.signature
    assert second.ask(item("x")).answer == "b"


@pytest.mark.parametrize(
    ("code", "function", "reason"),
    [
        ("import no_such_module_of_kgsynth\n", "ask", "fails on import .ModuleNotFoundError: No module named"),
        ("def ask(:\n", "ask", "fails on import .SyntaxError"),
    ],
)
def test_a_file_that_cannot_be_used_is_unreachable(tmp_path: Path, code: str, function: str, reason: str) -> None:
    with pytest.raises(SystemUnreachableError, match=reason) as caught:
        open_system(f"{module(tmp_path, code)}:{function}")
    assert caught.value.exit_code == 4


def test_a_missing_file_or_function_an_unknown_target_and_missing_documents_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no file"):
        open_system(f"{tmp_path}/none.py:ask")
    with pytest.raises(ConfigError, match="has no function 'answer'; it has ask"):
        open_system(f"{module(tmp_path, 'def ask(q): ...')}:answer")
    with pytest.raises(ConfigError, match="'oracle' is not a system kgsynth can call") as caught:
        open_system("oracle")
    assert all(target in str(caught.value) for target in TARGETS)
    with pytest.raises(ConfigError, match="give their folder with --docs"):
        open_system("bm25")


# ---- files of answers -------------------------------------------------------------------------------


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_file_of_answers_keeps_latency_and_reports_missing_records(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {"id": "x", "answer": "Ada", "latency_s": 0.4}, {"id": "y", "error": "timeout"})
    system = open_system(str(path))
    assert system.ask(item("x")) == Answer("x", "Ada", (), 0.4)
    assert system.ask(item("y")).error == "timeout"
    assert system.ask(item("z")) == Answer("z", None, error=NO_RECORD)


def test_the_last_record_of_an_id_counts_only_in_the_file_of_an_interrupted_run(tmp_path: Path) -> None:
    path = lines(tmp_path / "a.jsonl", {"id": "x", "error": "timeout"}, {"id": "y"}, {"id": "x", "answer": "Ada"})
    assert read_answers(path, broken_end=True)["x"].answer == "Ada"
    with pytest.raises(InputError, match=r"line 3 of .*a\.jsonl: the question .x. was answered before, in line 1 of"):
        open_system(str(path))


def test_a_lone_surrogate_in_a_passage_is_replaced() -> None:
    for raw in (["Ada \ud800"], [{"text": "Ada \ud800"}]):
        assert to_answer("q", ("Ada", raw)).retrieved[0].text == "Ada ?"


def test_equal_passage_texts_are_stored_once(tmp_path: Path) -> None:
    text = "The Linnet kiln holds ninety plates."
    path = lines(tmp_path / "a.jsonl", *({"id": name, "retrieved": [{"text": text}]} for name in "xy"))
    one, other = (answer.retrieved[0].text for answer in read_answers(path).values())
    assert one == text and one is other


def test_a_broken_line_is_an_error_with_its_number_except_an_expected_cut_off_end(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "x", "answer": "Ada"}\n{"id": "y", "ans', encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2 of .* is not an answer record"):
        read_answers(path)
    assert list(read_answers(path, broken_end=True)) == ["x"]
    path.write_text('{"id": "x", "ans\n{"id": "y", "answer": "Ada"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1 of"):
        read_answers(path, broken_end=True)
    with pytest.raises(InputError, match="cannot be read"):
        read_answers(tmp_path / "none.jsonl")
