"""The run folder: an interrupted run ends with the same bytes, and files of others are never touched."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kgsynth.base.errors import InputError
from kgsynth.base.run_folder import RunFolder, folder, resume_array, resume_records
from kgsynth.base.run_folder.folder import Journal

CONFIG: dict[str, object] = {"n": 10, "seed": 0}
INPUTS = {"a.md": "11", "b.md": "22"}
WORDS = ["one", "two", "three", "four", "five"]


def opened(folder: Path, **changes: object) -> RunFolder:
    return RunFolder.open(folder, **{"config": CONFIG, "inputs": INPUTS, **changes})  # type: ignore[arg-type]


class Upper:
    """A stage that counts what it computes, and can be killed before its n-th result."""

    def __init__(self, dies_at: int = 99, ahead: bool = False) -> None:
        self.computed: list[str] = []
        self.dies_at = dies_at
        self.ahead = ahead

    def __call__(self, words: Iterator[str]) -> Iterator[dict[str, str]]:
        source: Iterable[str] = list(words) if self.ahead else words
        for word in source:
            if len(self.computed) == self.dies_at:
                raise KeyboardInterrupt
            self.computed.append(word)
            yield {"id": word, "text": word.upper()}


def records_of(
    folder: RunFolder, make: Upper, words: Iterable[str] = WORDS, ticks: list[int] | None = None
) -> Iterator[object]:
    return resume_records(
        folder,
        "shout",
        words,
        key=str,
        make=make,
        encode=json.dumps,
        decode=json.loads,
        on_progress=(ticks if ticks is not None else []).append,
    )


# ---- stages ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("dies_at", range(6))
def test_an_interrupted_stage_computes_only_the_rest_and_ends_with_the_same_bytes(
    tmp_path: Path, dies_at: int, ahead: bool
) -> None:
    with opened(tmp_path / "whole") as run:
        expected = list(records_of(run, Upper()))
    with opened(tmp_path / "broken") as run:
        first = Upper(dies_at, ahead)
        seen: list[object] = []
        try:
            for result in records_of(run, first):
                seen.append(result)
        except KeyboardInterrupt:
            assert not (tmp_path / "broken" / "shout.jsonl").exists()
        assert seen == expected[: len(first.computed)]
    with opened(tmp_path / "broken") as run:
        second, ticks = Upper(ahead=ahead), list[int]()
        assert list(records_of(run, second, ticks=ticks)) == expected
        assert first.computed + second.computed == WORDS
        assert ticks == [1] * 5
    for name in ("shout.jsonl", "state.json"):
        assert (tmp_path / "broken" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not (tmp_path / "broken" / "shout.part.jsonl").exists()


@settings(max_examples=40, deadline=None)
@given(known=st.sets(st.sampled_from(WORDS)), ahead=st.booleans())
def test_results_come_in_the_order_of_the_inputs_whichever_are_in_the_journal(
    tmp_path_factory: pytest.TempPathFactory, known: set[str], ahead: bool
) -> None:
    with opened(tmp_path_factory.mktemp("run") / "out") as run:
        for word in sorted(known):  # in another order, as from several threads
            run.journal("shout").append(word, json.dumps({"id": word, "text": word.upper()}))
        make = Upper(ahead=ahead)
        assert [result["id"] for result in records_of(run, make)] == WORDS  # type: ignore[index]
        assert make.computed == [word for word in WORDS if word not in known]
        assert [result["id"] for result in run.read("shout", json.loads)] == WORDS


def test_a_finished_stage_is_read_not_computed_and_needs_no_inputs(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        expected = list(records_of(run, Upper()))
        lines = (tmp_path / "out" / "shout.jsonl").read_text().splitlines()
        assert [json.loads(line) for line in lines] == expected  # plain records, one a line
        make = Upper()
        assert list(records_of(run, make, words=iter(()))) == expected
        assert list(run.read("shout", json.loads)) == expected
        assert make.computed == []


def test_a_caller_that_stops_early_leaves_the_stage_unfinished(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        results = records_of(run, Upper())
        next(results)
        results.close()  # type: ignore[attr-defined]
        assert not run.done("shout.jsonl")
        assert list(run.journal("shout").keys()) == ["one"]


def test_a_stage_must_return_one_result_for_each_input(tmp_path: Path) -> None:
    def two(words: Iterator[str]) -> Iterator[str]:
        for word in words:
            yield from (word, word)

    with opened(tmp_path / "out") as run:
        codec = {"key": str, "encode": json.dumps, "decode": json.loads}
        with pytest.raises(ValueError, match="less returned no result for 'one'"):
            list(resume_records(run, "less", WORDS, make=lambda words: list(words)[:0], **codec))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="more returned more results than it received inputs"):
            list(resume_records(run, "more", ["one"], make=two, **codec))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="two inputs of same have the key 'x'"):
            list(resume_records(run, "same", ["x", "x"], make=iter, **codec))  # type: ignore[arg-type]


def test_a_kill_between_the_last_result_and_the_whole_file_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with opened(tmp_path / "out") as run:
        monkeypatch.setattr(run, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            list(records_of(run, Upper()))
    with opened(tmp_path / "out") as run:
        make = Upper()
        assert len(list(records_of(run, make))) == 5
        assert make.computed == []


def test_a_finished_file_that_was_changed_is_an_error_and_a_deleted_one_is_made_again(tmp_path: Path) -> None:
    file = tmp_path / "out" / "shout.jsonl"
    with opened(tmp_path / "out") as run:
        list(records_of(run, Upper()))
        whole = file.read_bytes()
        file.write_bytes(whole + b"{}\n")
        with pytest.raises(InputError, match=r"shout\.jsonl was changed since kgsynth wrote it; add --fresh"):
            list(records_of(run, Upper()))
        file.write_bytes(b"x" * (len(whole) - 1) + b"\n")
        with pytest.raises(InputError, match=r"shout\.jsonl is damaged"):
            list(records_of(run, Upper()))
        file.unlink()
        list(records_of(run, Upper()))
        assert file.read_bytes() == whole


# ---- the journal -------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    entries=st.dictionaries(st.text(max_size=6), st.text(max_size=9), min_size=1, max_size=4),
    cut=st.integers(1, 400),
    tail=st.sampled_from([b"", b"\x00" * 30, b'["half', b'["k",1', b"\n\n", b"[]\n"]),
)
def test_an_incomplete_last_line_is_removed_and_every_complete_line_is_kept(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, str], cut: int, tail: bytes
) -> None:
    path = tmp_path_factory.mktemp("journal") / "j.part.jsonl"
    journal = Journal(path)
    ends = [0]
    for key, value in entries.items():
        journal.append(key, json.dumps(value, ensure_ascii=False))
        ends.append(path.stat().st_size)
    journal.close()
    left = max(0, ends[-1] - cut)
    os.truncate(path, left)
    with path.open("ab") as file:
        file.write(tail if left in ends else b"")
    journal = Journal(path)
    kept = [key for key, end in zip(entries, ends[1:], strict=True) if end <= left]
    assert list(journal.keys()) == kept
    assert [json.loads(journal[key]) for key in kept] == [entries[key] for key in kept]
    journal.append("after", "1")
    journal.close()
    assert list(Journal(path).keys())[-1] == "after"
    assert [json.loads(line)[0] for line in path.read_bytes().split(b"\n")[:-1]] == [*kept, "after"]


def test_the_error_of_a_full_disk_names_the_file_and_no_half_line_is_left(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.part.jsonl")
    journal.append("a", "1")

    class Full:
        def __init__(self, file: object) -> None:
            self.file = file

        def write(self, data: memoryview) -> int:
            if len(data) > 3:
                return int(self.file.write(data[:3]))  # type: ignore[attr-defined]
            raise OSError(errno.ENOSPC, "No space left on device")

        def truncate(self, size: int) -> None:
            self.file.truncate(size)  # type: ignore[attr-defined]

    whole, journal._file = journal._file, Full(journal._file)  # type: ignore[assignment]
    with pytest.raises(OSError) as caught:
        journal.append("b", "2")
    assert caught.value.filename == str(tmp_path / "j.part.jsonl")
    assert "b" not in journal
    journal._file = whole
    journal.append("c", "3")
    assert (tmp_path / "j.part.jsonl").read_text() == '["a",1,"bc364c8f"]\n["c",3,"f831e528"]\n'


# ---- arrays ------------------------------------------------------------------------------------------


def test_an_interrupted_array_computes_only_the_missing_blocks(tmp_path: Path) -> None:
    calls: list[list[int]] = []

    def encode(items: object, dies: bool = False) -> np.ndarray:
        if dies and len(calls) == 2:
            raise KeyboardInterrupt
        calls.append(list(items))  # type: ignore[call-overload]
        return np.asarray(items, np.float32)[:, None] * np.float32([1, 0.5])

    numbers = list(range(7))
    with opened(tmp_path / "out") as run, pytest.raises(KeyboardInterrupt):
        resume_array(run, "rows", numbers, make=lambda items: encode(items, dies=True), block=3)
    assert (tmp_path / "out" / "rows.part-001.npy").exists()
    with opened(tmp_path / "out") as run:
        ticks: list[int] = []
        rows = resume_array(run, "rows", numbers, make=encode, block=3, on_progress=ticks.append)
        assert calls == [[0, 1, 2], [3, 4, 5], [6]]
        assert ticks == [3, 3, 1]
        np.testing.assert_array_equal(rows, np.float32([[n, n / 2] for n in numbers]))
        assert rows.dtype == np.float32
        np.testing.assert_array_equal(resume_array(run, "rows", numbers, make=encode, block=3), rows)
        assert len(calls) == 3
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [".lock", "rows.npy", "state.json"]


def test_no_items_give_an_empty_array_and_a_missing_row_is_an_error(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        assert len(resume_array(run, "none", [], make=lambda items: np.zeros((len(items), 4), np.float32))) == 0
        with pytest.raises(ValueError, match="rows returned 1 rows for 2 items"):
            resume_array(run, "rows", [1, 2], make=lambda _: np.zeros((1, 4), np.float32))


def test_rows_of_other_items_are_not_taken_for_those_of_a_changed_run(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        resume_array(run, "rows", [1, 2], make=lambda items: np.zeros((len(items), 4), np.float32))
        with pytest.raises(InputError, match=r"rows\.npy has 2 rows for 1 items; add --fresh to start over"):
            resume_array(run, "rows", [1], make=lambda items: np.zeros((len(items), 4), np.float32))


# ---- which run the folder belongs to -----------------------------------------------------------------


def test_a_folder_without_a_run_is_never_touched_not_even_with_fresh(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for fresh in (False, True):
        with pytest.raises(InputError, match=r"is not empty and contains no kgsynth run \(thesis\.tex\); give another"):
            opened(tmp_path, fresh=fresh)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="is a file, not a folder"):
        opened(tmp_path / "thesis.tex")


def test_the_folder_of_a_run_killed_before_its_first_state_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / ".lock").touch()
    (tmp_path / "state.json.tmp").write_text("{")
    opened(tmp_path).close()


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"config": {"n": 10, "seed": 1}}, "seed was 0 and is now 1"),
        ({"config": {"n": 10, "seed": 0, "mix": {"simple": 1.0}}}, 'mix was null and is now {"simple": 1.0}'),
        ({"inputs": {"a.md": "11", "b.md": "99"}}, r"documents changed \(b\.md\)"),
        ({"inputs": {"a.md": "11"}}, r"documents were removed \(b\.md\)"),
        (
            {"inputs": {**INPUTS, **{f"{i}.md": "" for i in range(5)}}},
            r"documents were added \(0\.md, 1\.md, 2\.md and 2 more\)",
        ),
    ],
)
def test_another_run_in_the_folder_is_an_error_that_names_what_differs(
    tmp_path: Path, change: dict[str, object], difference: str
) -> None:
    opened(tmp_path / "out").close()
    with pytest.raises(
        InputError, match=f"out contains another run: {difference}; add --fresh to start over, or give another"
    ):
        opened(tmp_path / "out", **change)
    opened(tmp_path / "out", **change, fresh=True).close()
    opened(tmp_path / "out", **change).close()


def test_changed_settings_make_only_the_files_that_depend_on_them_stale(tmp_path: Path) -> None:
    settings_of = {"chunks": ("size",), "graph": ("size", "seed"), "notes": ()}
    with opened(tmp_path / "out", config={"n": 1, "seed": 0, "size": 9}, settings_of=settings_of) as run:
        for name in ("chunks.jsonl", "graph.json", "notes.json", "golden.jsonl"):
            with run.replacing(name) as path:
                path.write_text("x")
        run.journal("graph").append("a", "1")
    with opened(tmp_path / "out", config={"n": 2, "seed": 1, "size": 9}, settings_of=settings_of) as run:
        assert run.changes == ("n was 1 and is now 2", "seed was 0 and is now 1")
        done = [name for name in ("chunks.jsonl", "graph.json", "notes.json", "golden.jsonl") if run.done(name)]
        assert done == ["chunks.jsonl", "notes.json"]
        assert (run.folder / "golden.jsonl").exists(), "the earlier result stays until the new one is complete"
        assert not (run.folder / "graph.part.jsonl").exists(), "half a result of other settings is of no use"
    with opened(tmp_path / "out", config={"n": 2, "seed": 1, "size": 9}, settings_of=settings_of) as run:
        assert run.changes == () and run.done("notes.json")


def test_another_version_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path / "out").close()
    monkeypatch.setattr(folder, "__version__", "99.0")
    with pytest.raises(InputError, match=r"kgsynth was .* and is now 99\.0"):
        opened(tmp_path / "out")


def test_fresh_removes_what_kgsynth_wrote_and_nothing_else(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with opened(out) as run:
        list(records_of(run, Upper()))
        run.journal("half").append("k", "1")
        run.save_array("rows", np.zeros((1, 1), np.float32))
        with run.replacing("golden.jsonl") as path:
            path.write_text("{}\n")
    (out / "notes.txt").write_text("mine")
    (out / "bm25").mkdir()
    (out / "bm25" / "scores.json").write_text("{}")
    with opened(out, fresh=True) as run:
        assert not run.done("golden.jsonl")
        names = {path.name for path in out.iterdir()}
    assert names == {".lock", "state.json", "notes.txt", "bm25"}
    assert (out / "bm25" / "scores.json").exists()


def test_a_name_in_the_state_that_leads_outside_is_not_followed(tmp_path: Path) -> None:
    opened(tmp_path / "out").close()
    (tmp_path / "precious").write_text("x")
    content = json.loads((tmp_path / "out" / "state.json").read_text())
    content["files"] = ["../precious", str(tmp_path / "precious")]
    (tmp_path / "out" / "state.json").write_text(json.dumps(content))
    opened(tmp_path / "out", fresh=True).close()
    assert (tmp_path / "precious").exists()


def test_a_run_of_another_command_is_not_overwritten(tmp_path: Path) -> None:
    opened(tmp_path / "out").close()
    for fresh in (False, True):
        with pytest.raises(
            InputError, match="out contains a generate run, not a score run; give another output folder"
        ):
            opened(tmp_path / "out", command="score", fresh=fresh)


@pytest.mark.parametrize(
    ("text", "problem"), [("{", "is damaged"), ("[]", "not written by this"), ('{"format":0}', "not written")]
)
def test_a_damaged_state_is_one_sentence(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(InputError, match=problem):
        opened(tmp_path)


# ---- two processes, and kills ------------------------------------------------------------------------

CHILD = """
import json, os, sys, time
from pathlib import Path
from kgsynth.base.run_folder import RunFolder, resume_records
def make(words):
    for word in words:
        yield word.upper()
        if word == "two" and sys.argv[2] == "hang":
            if os.fork() == 0:
                time.sleep(20); os._exit(0)  # a worker that outlives its killed parent
            print("ready", flush=True); time.sleep(20)
with RunFolder.open(Path(sys.argv[1]), config={"n": 10, "seed": 0}, inputs={"a.md": "11", "b.md": "22"}) as run:
    codec = {"key": str, "encode": json.dumps, "decode": json.loads}
    list(resume_records(run, "shout", ["one", "two", "three"], make=make, **codec))
"""


def child(folder: Path, mode: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(folder), mode], stdout=subprocess.PIPE, text=True, start_new_session=True
    )


def test_the_lock_keeps_a_second_process_out_and_a_kill_releases_it(tmp_path: Path) -> None:
    first = child(tmp_path / "out", "hang")
    try:
        assert first.stdout is not None and first.stdout.readline() == "ready\n"
        with pytest.raises(InputError, match="another kgsynth process is working in"):
            opened(tmp_path / "out")
        first.send_signal(signal.SIGKILL)
        first.wait()
        opened(tmp_path / "out").close()  # although a child of the killed process still lives
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.stdout.close()  # type: ignore[union-attr]
    second = child(tmp_path / "out", "run")
    second.communicate()
    assert second.returncode == 0
    assert (tmp_path / "out" / "shout.jsonl").read_text() == '"ONE"\n"TWO"\n"THREE"\n'


# ---- complete files -------------------------------------------------------------------------------------


def test_a_file_appears_only_when_it_is_complete(tmp_path: Path) -> None:
    golden = tmp_path / "out" / "golden.jsonl"
    with opened(tmp_path / "out") as run:
        with pytest.raises(KeyboardInterrupt), run.replacing("golden.jsonl") as path:
            path.write_text("half")
            assert not golden.exists()
            raise KeyboardInterrupt
        assert not golden.exists() and not path.exists() and not run.done("golden.jsonl")
        with run.replacing("golden.jsonl") as path:
            path.write_text("whole\n")
        assert golden.read_text() == "whole\n" and run.done("golden.jsonl")


def test_the_manifest_has_versions_inputs_and_timings_with_sorted_keys(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        with run.timed("read"):
            pass
        run.write_manifest(seed=0, counts={"documents": 2}, skipped=[{"path": "x.bin", "reason": "binary"}])
    text = (tmp_path / "out" / "manifest.json").read_text()
    manifest = json.loads(text)
    assert manifest["inputs"] == INPUTS and manifest["counts"] == {"documents": 2} and manifest["command"] == "generate"
    assert manifest["packages"]["numpy"] == np.__version__
    assert set(manifest["timings_s"]) == {"read"}
    assert list(manifest) == sorted(manifest)
    assert "timings_s" not in (tmp_path / "out" / "state.json").read_text()


def test_a_removed_file_may_be_in_a_subfolder_of_the_run_but_never_outside(tmp_path: Path) -> None:
    run = tmp_path / "run"
    (run / "plots").mkdir(parents=True)
    for path in (run / "golden.jsonl", run / "plots" / "types.png", run / "mine.txt", tmp_path / "other.txt"):
        path.write_text("x")
    folder.remove_files(
        run, ["golden.jsonl", "plots/types.png", "../other.txt", str(tmp_path / "other.txt"), "never.there"]
    )
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert left == ["other.txt", "run/mine.txt"]


# ---- damage ------------------------------------------------------------------------------------------


def test_a_changed_letter_in_an_array_or_a_file_is_noticed_in_the_next_run(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run:
        run.save_array("questions", np.eye(3, dtype=np.float32))
        list(records_of(run, Upper()))
    for name in ("questions.npy", "shout.jsonl"):
        path = tmp_path / "out" / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-9] + b"\x01" + whole[-8:])  # the same size
        with (
            opened(tmp_path / "out") as run,
            pytest.raises(InputError, match=f"{name} was changed since kgsynth wrote"),
        ):
            run.done(name)
        path.write_bytes(whole)
        with opened(tmp_path / "out") as run:
            assert run.done(name)


def test_a_damaged_line_of_a_journal_is_computed_again(tmp_path: Path) -> None:
    with opened(tmp_path / "out") as run, pytest.raises(KeyboardInterrupt):
        list(records_of(run, Upper(dies_at=4)))
    path = tmp_path / "out" / "shout.part.jsonl"
    path.write_bytes(path.read_bytes().replace(b"TWO", b"TOO"))
    with opened(tmp_path / "out") as run:
        make = Upper()
        assert [each["text"] for each in records_of(run, make)] == [word.upper() for word in WORDS]  # type: ignore[index]
        assert make.computed == ["two", "three", "four", "five"], "the damaged line, and what follows it"


@pytest.mark.parametrize("key", ["kgsynth", "command", "packages", "config", "inputs", "files", "done"])
@pytest.mark.parametrize("value", [5, None, [1], {"a": 1}, "x", [[]], {"a": None}])
def test_a_state_of_the_wrong_shape_is_refused(tmp_path: Path, key: str, value: object) -> None:
    out = tmp_path / "out"
    opened(out).close()
    before = json.loads((out / "state.json").read_text())
    (out / "state.json").write_text(json.dumps({**before, key: value}))
    try:
        opened(out, settings_of={}).close()
    except InputError as error:
        assert "state.json" in str(error) or "contains" in str(error)
    else:
        assert (key, value) in (("config", {"a": 1}), ("config", {"a": None})), "any settings may have been used"
