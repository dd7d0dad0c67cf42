"""LLM every question once: resuming, failures, several at once, and the limit on failures."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item, Passage
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.scoring.systems.ask_all import allowed_errors, ask_all
from kgsynth.scoring.systems.reply_reader import failed, to_answer


def item(name: str) -> Item:
    return Item(name, f"What is {name}?", (name,), "simple", "factoid", "en", ())


class Scripted:
    """A system that fails or is interrupted at given questions, and records what it was asked."""

    def __init__(self, signature: str = "s1", failing: str = "", stop: str = "") -> None:
        self.name, self.signature = "scripted", signature
        self.failing, self.stop, self.asked = failing, stop, ""

    def ask(self, item: Item) -> Answer:
        if item.id == self.stop:
            raise KeyboardInterrupt
        self.asked += item.id
        error = "timeout" if item.id in self.failing else None
        return Answer(item.id, None if error else f"{self.signature} {item.id}", error=error)

    def close(self) -> None: ...


ITEMS = [item(name) for name in "abcd"]


def test_an_interrupted_run_resumes_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    ask_all(ITEMS, Scripted(), "golden", tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        ask_all(ITEMS, Scripted(stop="c"), "golden", tmp_path / "cut")
    with (tmp_path / "cut" / "answers.jsonl").open("ab") as file:
        file.write('{"id": "c", "answer": "中'.encode()[:-1])  # cut off within a character, as after a kill
    again = Scripted()
    ask_all(ITEMS, again, "golden", tmp_path / "cut")
    assert again.asked == "cd"
    assert (tmp_path / "cut/answers.jsonl").read_bytes() == (tmp_path / "whole/answers.jsonl").read_bytes()


def test_only_failed_questions_are_asked_again_on_request(tmp_path: Path) -> None:
    first = ask_all(ITEMS, Scripted(failing="bd"), "golden", tmp_path)
    assert [answer.error for answer in first.values()] == [None, "timeout", None, "timeout"]
    kept, again = Scripted(), Scripted()
    assert ask_all(ITEMS, kept, "golden", tmp_path) == first
    assert kept.asked == "", "saved answers are reused without asking"
    second = ask_all(ITEMS, again, "golden", tmp_path, retry_errors=True)
    assert again.asked == "bd"
    assert [answer.error for answer in second.values()] == [None] * 4
    assert list(read_answers(tmp_path / "answers.jsonl")) == list("abcd")


def test_a_system_that_was_down_is_asked_again(tmp_path: Path) -> None:
    ask_all(ITEMS, Scripted(failing="abcd"), "golden", tmp_path)
    again = Scripted()
    ask_all(ITEMS, again, "golden", tmp_path)
    assert again.asked == "abcd"


class Slow(Scripted):
    """A system that may be asked three questions at once, and records how many were asked at once."""

    at_once = 3

    def __init__(self) -> None:
        super().__init__()
        self.lock, self.running, self.most = threading.Lock(), 0, 0

    def ask(self, item: Item) -> Answer:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        time.sleep(0.05)
        with self.lock:
            self.running -= 1
            return super().ask(item)


def test_several_questions_are_asked_at_once_and_the_order_is_kept(tmp_path: Path) -> None:
    slow, one = Slow(), Scripted()
    assert ask_all(ITEMS, slow, "golden", tmp_path / "a") == ask_all(ITEMS, one, "golden", tmp_path / "b")
    assert slow.most == 3
    assert (tmp_path / "a/answers.jsonl").read_bytes() == (tmp_path / "b/answers.jsonl").read_bytes()


def test_an_interrupted_run_with_several_at_once_keeps_its_answers(tmp_path: Path) -> None:
    class Stopping(Slow):
        def ask(self, item: Item) -> Answer:
            if item.id == "d":
                raise KeyboardInterrupt
            return super().ask(item)

    with pytest.raises(KeyboardInterrupt):
        ask_all(ITEMS, Stopping(), "golden", tmp_path)
    again = Scripted()
    ask_all(ITEMS, again, "golden", tmp_path)
    kept = set("abcd") - set(again.asked)
    assert "d" in again.asked and kept <= set("abc")
    assert list(read_answers(tmp_path / "answers.jsonl")) == list("abcd")


@pytest.mark.parametrize(
    ("limit", "allowed"), [("0", 0), ("20", 20), ("10%", 20), ("2.5 %", 5), ("0%", 0), ("100%", 200)]
)
def test_a_limit_on_failures_is_a_number_or_a_share(limit: str, allowed: float) -> None:
    assert allowed_errors(limit, 200) == allowed


@pytest.mark.parametrize("limit", ["", "some", "-1", "1.5", "101%", "%", "٣"])
def test_another_limit_is_an_error(limit: str) -> None:
    with pytest.raises(ConfigError, match="is not a valid limit: give a number of questions or a share, such as 5%"):
        allowed_errors(limit, 200)


def test_lone_surrogates_do_not_end_a_run(tmp_path: Path) -> None:
    answers = {"a": to_answer("a", ("\ud83d", [{"text": "x\udc00"}])), "b": failed("b", "odd \ud83d")}

    class Odd(Scripted):
        def ask(self, item: Item) -> Answer:
            return answers[item.id]

    ask_all(ITEMS[:2], Odd(), "golden", tmp_path)
    assert read_answers(tmp_path / "answers.jsonl")["a"] == Answer("a", "?", (Passage(text="x?"),))


def test_answers_of_another_system_or_golden_set_are_set_aside_and_restored(tmp_path: Path) -> None:
    for signature, golden, expected in [
        ("s1", "g1", "abcd"),
        ("s2", "g1", "abcd"),
        ("s2", "g2", "abcd"),
        ("s1", "g1", ""),
        ("s2", "g2", ""),
    ]:
        system = Scripted(signature)
        answers = ask_all(ITEMS, system, golden, tmp_path)
        assert (system.asked, answers["a"].answer) == (expected, f"{signature} a")


def test_existing_answers_are_not_lost(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": "a", "answer": "mine"}) + "\n", encoding="utf-8")
    ask_all(ITEMS, Scripted(), "golden", tmp_path)
    (aside,) = tmp_path.glob("answers-*.jsonl")
    assert read_answers(aside)["a"].answer == "mine"


def test_without_a_folder_nothing_is_written_and_progress_counts_every_item(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reported: list[object] = []

    class Bar:
        def update(self, n: int = 1) -> None:
            reported.append(n)

    @contextmanager
    def progress(name: str, total: int) -> Iterator[Bar]:
        reported.append((name, total))
        yield Bar()

    ask_all(ITEMS, Scripted(), "golden", None, progress)
    assert reported == [("asking", 4), 1, 1, 1, 1]
    assert list(tmp_path.iterdir()) == []
