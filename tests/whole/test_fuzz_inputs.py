"""Hostile input files, run folders and replies: every command ends with a sentence and an exit code, never with 70.

``make fuzz`` runs these with many more examples and a random seed (the profile "fuzz").
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from planted import chunk, read_markdown

from kgsynth.auditing.inputs import find_run_files
from kgsynth.base.errors import KgsynthError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Analysis, Item, Span
from kgsynth.base.records_json import to_json
from kgsynth.base.run_folder import RunFolder
from kgsynth.cli import EXIT_BUG, main
from kgsynth.generation.graph.storage import save
from kgsynth.golden.dataset import write
from kgsynth.scoring.flow import score
from kgsynth.scoring.systems.reply_reader import ReplyPaths

QUICK = 8
"""Examples of each test in the normal suite."""

TEXT = "Staff have 25 days of leave.\n\nThe badge is blue and must be worn at all times.\n"
DAYS, BADGE = Span("leave.md", 0, 28, TEXT[:28]), Span("leave.md", 30, 47, TEXT[30:47])
ITEMS = [
    Item("q1", "How many days of leave?", ("25",), "simple", "factoid", "en", ((DAYS,),)),
    Item(
        "q2", "What colour is the badge?", ("blue",), "conditional", "scoped", "en", ((BADGE,), (DAYS, BADGE)),
        {"operator": "scoped", "steps": [{"fact": "f", "value": "blue"}]}, (DAYS,), difficulty="hard",
        metadata={"difficulty": "hard", "keywords": ["badge"], "scores": {"quality": 0.5}, "category": "rules",
                  "signature": "s", "passages": ["p"]},
    ),
    Item("q3", "Who leads it?", (), "unanswerable", "out_of_scope", "en", (), {"words": ["leads"]}, answerable=False),
]  # fmt: skip


def bounded(test: Callable[..., None]) -> Callable[..., None]:
    """Run few examples, always the same, unless another profile than that of the normal suite is loaded."""
    default = settings.default
    quick = default is None or default.max_examples == settings.get_profile("default").max_examples
    few: dict[str, Any] = {"max_examples": QUICK, "derandomize": True, "phases": (Phase.explicit, Phase.generate)}
    health = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]
    return settings(deadline=None, suppress_health_check=health, **(few if quick else {}))(test)


# ---- hostile JSON ----------------------------------------------------------------------------------

RAW = (
    "9" * 5000,
    "-1" + "0" * 400,
    "1e999",
    "-1e400",
    "NaN",
    "Infinity",
    "-Infinity",
    "[" * 100_000,
    "[" * 200 + "]" * 200,
    '{"a":' * 500 + "1" + "}" * 500,
    r'"\ud800"',
    r'"x\udc00y"',
    '"\\u0000"',
    '"\x00"',
    "1.5",
    "true",
    "null",
    "[]",
    "{}",
    '""',
    '"\\u202e\\u001b[2J"',
    "-1",
    "0",
    "1e308",
    '"' + "a" * 3000 + '"',
    "[null]",
    "[[[]]]",
    '{"":{"":[]}}',
    '{"text": 5}',
    '["a", ["b"], {"c": NaN}]',
    '"../../etc/passwd"',
    "2",
    '"NaN"',
    '{"value": "x"}',
    '[1, "2", null]',
)
"""Texts that take the place of a value; not all are JSON."""

MARK = "\ue000"


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield from _places(part, (*path, key))


def _replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(value[path[0]], path[1:], new)
    return copy


def _without(value: Any, path: tuple[Any, ...]) -> Any:
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) > 1:
        copy[path[0]] = _without(value[path[0]], path[1:])
    else:
        del copy[path[0]]
    return copy


@st.composite
def mutated(draw: st.DrawFn, text: str) -> bytes:
    """A JSON text with one or two values replaced by hostile ones, sometimes without one, or with damaged bytes."""
    value = json.loads(text)
    if draw(st.booleans()) and (parts := [path for path in _places(value) if path]):
        value = _without(value, draw(st.sampled_from(parts)))
    spots = []
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(list(_places(value))))
        spots.append(draw(st.sampled_from(RAW)))
        value = _replaced(value, path, f"{MARK}{len(spots) - 1}{MARK}")
        if not path:
            break
    found = json.dumps(value, ensure_ascii=False)
    for number, spot in enumerate(spots):
        found = found.replace(f'"{MARK}{number}{MARK}"', spot)
    content = found.encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 5)) == 0:
        place = draw(st.integers(0, max(0, len(content) - 1)))
        content = content[:place] + draw(st.binary(max_size=4)) + content[place + draw(st.integers(0, 3)) :]
    return content


@st.composite
def mutated_lines(draw: st.DrawFn, lines: list[str]) -> bytes:
    """Lines of JSON of which one is mutated."""
    at = draw(st.integers(0, len(lines) - 1))
    found = [line.encode() for line in lines]
    found[at] = draw(mutated(lines[at]))
    return b"\n".join(found) + b"\n"


# ---- running ---------------------------------------------------------------------------------------


def run(*arguments: object) -> int:
    result = CliRunner().invoke(main, [str(each) for each in arguments])
    assert result.exit_code != EXIT_BUG, f"{arguments}: {result.output[-3000:]}"
    assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
    return result.exit_code


@contextmanager
def scratch() -> Iterator[Path]:
    """A folder with documents and a golden set, gone at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "docs").mkdir()
        (folder / "docs" / "leave.md").write_bytes(TEXT.encode())
        write(ITEMS, folder / "golden.jsonl")
        yield folder


def _golden_lines() -> list[str]:
    with scratch() as folder:
        return (folder / "golden.jsonl").read_text(encoding="utf-8").splitlines()


GOLDEN = _golden_lines()
FOREIGN = [
    '{"question": "How many days?", "answer": "25", "contexts": ["Staff have 25 days of leave."]}',
    '{"question": "Which colour?", "answer": ["blue"], "contexts": ["The badge is blue"], "doc": "leave.md"}',
]
RAGAS = ['{"user_input": "How many days?", "reference": "25", "reference_contexts": ["Staff have 25 days of leave."]}']
_QA = {"id": "1", "question": "How many?", "is_impossible": False, "answers": [{"text": "25", "answer_start": 11}]}
SQUAD = json.dumps({"version": "2", "data": [{"title": "leave", "paragraphs": [{"context": TEXT, "qas": [_QA]}]}]})
LLAMA = json.dumps({"queries": {"1": "How many?"}, "corpus": {"n": TEXT}, "relevant_docs": {"1": ["n"]}})
ANSWERS = [
    json.dumps({"id": "q1", "answer": "25", "latency_s": 0.5, "error": None, "route": "retrieve",
                "retrieved": [{"doc": "leave.md", "start": 0, "end": 20, "text": "Staff", "id": "c", "score": 0.5}]}),
    json.dumps({"id": "q2", "answer": "red", "retrieved": {"c1": 0.5, "c2": 1}, "before": ["The badge is blue"]}),
]  # fmt: skip


# ---- golden sets, answers --------------------------------------------------------------------------


@bounded
@given(content=mutated_lines(GOLDEN))
def test_a_hostile_golden_set_in_audit_score_and_review(content: bytes) -> None:
    with scratch() as folder:
        (folder / "golden.jsonl").write_bytes(content)
        (folder / "answers.jsonl").write_text("\n".join(ANSWERS), encoding="utf-8")
        golden, docs = folder / "golden.jsonl", folder / "docs"
        run("audit", golden, "--docs", docs, "--quick", "-o", folder / "audit")
        run("audit", golden, "--docs", docs, "--quick", "--fix", folder / "fixed.jsonl")
        run("score", golden, "--rag", folder / "answers.jsonl", "--docs", docs, "-o", folder / "run")
        run("review", golden, "--form", folder / "form.html")
        run("review", golden, "--form", folder / "form.html")


_PLACE = {"doc": "leave.md", "start": 11, "end": 13}
ODD_STEPS = (
    5, "x", None, {}, [5, None, []], [{}],
    *([{"fact": "f", "find": {**_PLACE, key: odd}}] for key in _PLACE for odd in (None, [[]], {"a": 1}, -1, 10**40)),
    *([{"fact": "f", "find": _PLACE, key: value}] for key in ("fact", "doc", "condition") for value in (5, [1], {})),
)  # fmt: skip


@pytest.mark.parametrize("operator", ["lookup", "said", "quoted", "absent", ["lookup"], None])
def test_odd_derivations_are_reported_and_shown(operator: object) -> None:
    odd = [
        replace(ITEMS[0], id=f"q-{number}", question=f"{number}?", derivation={"operator": operator, "steps": steps})
        for number, steps in enumerate(ODD_STEPS)
    ]
    with scratch() as folder:
        golden, docs = folder / "golden.jsonl", folder / "docs"
        write([*odd, replace(ITEMS[1], derivation={"operator": operator})], golden)
        assert run("audit", golden, "--docs", docs, "--quick", "-o", folder / "audit") == 1
        run("audit", golden, "--docs", docs, "--quick", "--fix", folder / "fixed.jsonl")
        assert run("review", golden, "--docs", docs, "--form", folder / "form.html") == 0


@bounded
@given(content=st.one_of(mutated_lines(FOREIGN), mutated_lines(RAGAS), mutated(SQUAD), mutated(LLAMA)))
def test_a_hostile_set_of_another_tool_in_audit(content: bytes) -> None:
    with scratch() as folder:
        (folder / "foreign.json").write_bytes(content)
        run("audit", folder / "foreign.json", "--docs", folder / "docs", "--quick", "-o", folder / "audit")


@bounded
@given(content=mutated_lines(ANSWERS))
def test_hostile_answers_in_score_and_review(content: bytes) -> None:
    with scratch() as folder:
        (folder / "answers.jsonl").write_bytes(content)
        golden, docs = folder / "golden.jsonl", folder / "docs"
        run("score", golden, "--rag", folder / "answers.jsonl", "--docs", docs, "-o", folder / "run")
        run("review", golden, "--answers", folder / "answers.jsonl", "--form", folder / "form.html")


@bounded
@given(content=mutated(ANSWERS[0]))
def test_a_hostile_reply_is_read_or_refused_with_a_cause(content: bytes) -> None:
    try:
        ReplyPaths().read("q1", parse_json(content, tolerant=True))
    except ValueError as error:  # JsonError is one
        assert str(error)


# ---- runs of score ---------------------------------------------------------------------------------


def _scored() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as name:
        score(ITEMS, lambda question: ("25", ["The badge is blue"]), out=name, history=False)
        return {file: (Path(name) / file).read_bytes() for file in ("items.jsonl", "scores.json", "answers.jsonl")}


SCORED = _scored()


@bounded
@given(data=st.data(), file=st.sampled_from(["items.jsonl", "scores.json"]))
def test_a_hostile_run_of_score(data: st.DataObject, file: str) -> None:
    text = SCORED[file].decode()
    content = data.draw(mutated(text) if file == "scores.json" else mutated_lines(text.splitlines()))
    with scratch() as folder:
        for name in ("a", "b"):
            (folder / name).mkdir()
            for each, whole in SCORED.items():
                (folder / name / each).write_bytes(whole)
        (folder / "b" / file).write_bytes(content)
        golden, docs, a, b = folder / "golden.jsonl", folder / "docs", folder / "a", folder / "b"
        run("compare", a, b, "-o", folder / "compared")
        run("compare", b, a, a.parent / "b" / ".." / "b")
        run("audit", golden, "--docs", docs, "--quick", "--runs", a, b)
        run("history", folder / "history.sqlite", "--add", b)
        run("review", b, "--form", folder / "form.html")
        run("score", golden, "--rag", folder / "a" / "answers.jsonl", "--since", b)


# ---- settings, forms -------------------------------------------------------------------------------

SETTING = st.sampled_from(
    [
        "n = " + "9" * 5000,
        "n = " + "9" * 400,
        "seed = inf",
        "n = nan",
        "mix = " + "[" * 5000,
        'x = "\\ud800"',
        "thresholds = {difficulty = 1e999}",
        "mix = {simple = nan}",
        "thresholds = " + "{a=" * 300 + "1" + "}" * 300,
        'language = "\x00"',
        'chunks = "\\u0000"',
        "min_keep = " + "9" * 400,
        "headers = 1979-05-27",
        "body = {a = 1979-05-27}",
        "body = {a = nan}",
        "body = {a = [1979-05-27T07:32:00Z]}",
        "timeout = " + "9" * 400,
        "timeout = inf",
        "reply = {answer = 3}",
        "recall@5 = {warn = 0.9, fail = 0.8}",
        '"recall@5" = {warn = ' + "9" * 400 + ", fail = 0.8}",
        '"recall@5" = {warn = nan, fail = inf}',
        "preset = [1]",
        "preset = {a = 1}",
        '"recall@5" = {warn = 1e999, fail = 1}',
        "max_cost = inf",
        "price_in = " + "9" * 400,
        'base_url = "http://["',
        "max_reply_mb = " + "9" * 30,
    ]
)


@bounded
@given(text=SETTING)
def test_hostile_settings(text: str) -> None:
    with scratch() as folder:
        path, golden, docs = folder / "any.toml", folder / "golden.jsonl", folder / "docs"
        path.write_text(text, encoding="utf-8")
        run("graph", folder / "nothing", "--config", path)
        run("score", golden, "--rag", "http://127.0.0.1:1/ask", "--rag-config", path, "--docs", docs)
        run("score", golden, "--rag", "exec:cat", "--rag-config", path, "--docs", docs)
        run("estimate", folder / "nothing", "--llm", "m", "--llm-config", path)
        (folder / "answers.jsonl").write_text("\n".join(ANSWERS), encoding="utf-8")
        run("score", golden, "--rag", folder / "answers.jsonl", "--docs", docs, "--thresholds", path)


_JUDGED = {
    "id": "q1",
    "decision": "edit",
    "grades": {"fluency": 4},
    "comment": "x",
    "question": "Who?",
    "answers": ["A"],
}
FORM = json.dumps({"review": "r", "annotator": "Ada", "judgements": [_JUDGED]})


@bounded
@given(content=mutated(FORM))
def test_a_hostile_review_form(content: bytes) -> None:
    from kgsynth.reviewing.store import review_id

    with scratch() as folder:
        path = folder / "form.json"
        path.write_bytes(content.replace(b'"r"', json.dumps(review_id(["q1", "q2", "q3"])).encode()))
        assert run("review", folder / "golden.jsonl", "--form", folder / "empty.html") == 0, "which begins the review"
        run("review", folder / "golden.jsonl", "--import", path)
        run("review", folder / "golden.jsonl", "--results")


@bounded
@given(text=st.sampled_from(RAW) | st.text(), tolerant=st.booleans())
def test_json_is_read_or_refused(text: str, tolerant: bool) -> None:
    try:
        value = parse_json(text, tolerant=tolerant)
    except JsonError as error:
        assert str(error)
        return
    if not tolerant:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


# ---- run folders -----------------------------------------------------------------------------------

RUN_FILES = ("state.json", "documents.jsonl", "chunks.jsonl", "analysis.jsonl", "graph.json", "manifest.json",
             "embeddings.npy", "questions.npy")  # fmt: skip


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """A damage to a file: other bytes, a cut, zeros, another header, or something else entirely."""
    kind = draw(st.sampled_from(["flip", "cut", "zeros", "empty", "deep", "json", "grow", "header"]))
    share, more = draw(st.floats(0, 1)), draw(st.binary(min_size=1, max_size=20))

    def damage(content: bytes) -> bytes:
        at = int(share * max(0, len(content) - len(more)))
        return {
            "flip": content[:at] + more + content[at + len(more) :],
            "cut": content[:at],
            "zeros": b"\x00" * len(content),
            "empty": b"",
            "deep": b"[" * 100_000,
            "json": draw_raw.encode("utf-8", "surrogatepass"),
            "grow": content + more,
            "header": more + content[len(more) :],
        }[kind]

    draw_raw = draw(st.sampled_from(RAW))
    return damage


def _small_run(folder: Path) -> dict[str, bytes]:
    """Write a run folder by hand, and return the content of its files."""
    page = read_markdown("leave.md", TEXT)
    graph = nx.MultiDiGraph()
    graph.add_node("leave.md", kind="document", title="Leave")
    with _open_run(folder, page.sha256) as run_folder:
        records = {"documents": [page], "chunks": [chunk(page, 0, 28)], "analysis": [Analysis("leave.md", (), (), ())]}
        for name, lines in records.items():
            with run_folder.replacing(f"{name}.jsonl") as path:
                path.write_text("".join(f"{to_json(line)}\n" for line in lines), encoding="utf-8")
        for name in ("embeddings", "questions"):
            run_folder.save_array(name, np.eye(2, dtype=np.float32)[:1])
        with run_folder.replacing("graph.json") as path:
            save(graph, path)
        run_folder.journal("half").append("k", '"whole"')
        run_folder.write_manifest(config={"mix": {"simple": 1.0}})
        with run_folder.replacing("golden.jsonl") as path:
            write(ITEMS, path)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".json", ".jsonl", ".npy")}


def _open_run(folder: Path, sha256: str) -> RunFolder:
    return RunFolder.open(folder, config={"n": 2}, inputs={"leave.md": sha256})


@bounded
@given(data=st.data(), file=st.sampled_from((*RUN_FILES, "half.part.jsonl")), damage=damages())
def test_a_damaged_run_folder_is_refused_or_what_it_gives_is_whole(
    data: st.DataObject, file: str, damage: Callable[[bytes], bytes]
) -> None:
    with scratch() as folder:
        out = folder / "run"
        whole = _small_run(out)
        if file == "state.json" and data.draw(st.booleans()):
            (out / file).write_bytes(data.draw(mutated(whole[file].decode())))
        else:
            (out / file).write_bytes(damage(whole[file]))
        run("graph", out, "-o", folder / "graph")
        run("audit", out, "--docs", folder / "docs", "--quick")
        run("score", out, "--rag", "exec:cat", "-o", folder / "scored")
        run("review", out, "--form", folder / "form.html")
        page = read_markdown("leave.md", TEXT)
        try:
            files = find_run_files(out, {"leave.md": page})
            assert files is None or (files.chunks[0].doc, files.vectors.tolist()) == ("leave.md", [[1.0, 0.0]])
            with _open_run(out, page.sha256) as run_folder:
                done = [name for name in whole if run_folder.done(name)]
                assert all((out / name).read_bytes() == whole[name] for name in done)
                kept = run_folder.journal("half")
                assert [kept[key] for key in list(kept.keys())] in (
                    [],
                    ['"whole"'],
                )
        except KgsynthError as error:
            assert str(error)


@pytest.mark.slow
@bounded
@given(data=st.data(), file=st.sampled_from(RUN_FILES), damage=damages())
def test_generate_in_a_damaged_run_is_refused_or_gives_the_same_set(
    undisturbed: Path, docs: Path, hashed: None, data: st.DataObject, file: str, damage: Callable[[bytes], bytes]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "run"
        shutil.copytree(undisturbed, out)
        if file == "state.json" and data.draw(st.booleans()):
            (out / file).write_bytes(data.draw(mutated((out / file).read_text(encoding="utf-8"))))
        else:
            (out / file).write_bytes(damage((out / file).read_bytes()))
        if data.draw(st.booleans()):
            (out / "golden.jsonl").unlink()  # as if the run had been killed before
        code = run("generate", docs, "-o", out, "-n", "12", "--fill", "--processes", "1", "-q")
        assert code in (0, 3)
        if code == 0:
            assert (out / "golden.jsonl").read_bytes() == (undisturbed / "golden.jsonl").read_bytes()
