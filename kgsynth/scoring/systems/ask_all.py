"""Ask a system every question once, saving each answer as it comes, so that an interrupted run can resume.

answers.jsonl in the output folder belongs to one golden set and one system, recorded in run.json. Answers of another
pair are set aside under another name and restored when that pair comes back. A failure is saved like an answer, and
asked again on request. Several questions are asked at once if the system allows it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path

from kgsynth.base.atomic_files import write_text
from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.base.processes import in_threads
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Answer, Item, content_id
from kgsynth.scoring.systems import NO_RECORD, System
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.scoring.systems.reply_reader import error_kind, failed, to_json
from kgsynth.show.wording import many


class SystemAnswers(dict[str, Answer]):
    """The answers of a system by question id; ``reused`` of them were saved by an earlier run, as ``reuse`` says."""

    reused = 0
    reuse = ""

    @property
    def failures(self) -> Counter[str]:
        """The number of failures of each kind; that there is no record is not one."""
        return Counter(error_kind(each.error) for each in self.values() if each.error not in (None, NO_RECORD))


def ask_all(
    items: Sequence[Item],
    system: System,
    golden: str,
    folder: Path | None = None,
    progress: Progress = silent,
    *,
    retry_errors: bool = False,
    fresh: bool = False,
) -> SystemAnswers:
    """Return the answer to every item, by id, in the order of ``items``.

    With a ``folder``, each answer is appended to its answers.jsonl as it comes, answers saved for this system and the
    golden set with the hash ``golden`` are reused, and at the end the file is sorted like the items. If the system is
    not ``comparable``, those of a complete run are not, except with ``retry_errors``. Failed questions
    are asked again with ``retry_errors``, or if all saved ones failed, which means that the system was down; all
    questions are asked again with ``fresh``. A system that can tell that it is down is asked the first question alone.

    Raises:
        InputError: the answers in the folder cannot be read.
        SystemUnreachableError: the system is down.
        BudgetError: the budget of a model is spent; questions already sent are waited for and saved.
    """
    needed = () if retry_errors or getattr(system, "comparable", True) else [item.id for item in items]
    saved, dated = _restore_answers(folder, golden, system, needed, fresh=fresh) if folder else ({}, "")
    unfinished = any(item.id not in saved for item in items)
    failed = {each.id for each in saved.values() if each.error is not None}
    done = set(saved) - failed if retry_errors or len(failed) == len(saved) else set(saved)
    todo = [item for item in items if item.id not in done]
    with ExitStack() as stack:
        log = (
            stack.enter_context((folder / "answers.jsonl").open("a", encoding="utf-8", newline="\n"))
            if folder
            else None
        )
        bar = stack.enter_context(progress("asking", len(todo)))
        asker = _BudgetedAsker(system)
        alone = todo[:1] if hasattr(system, "ask_first") and (len(failed) == len(saved) or not retry_errors) else []
        first = map(partial(asker.ask, first=True), alone)
        others = in_threads(asker.ask, todo[len(alone) :], getattr(system, "at_once", 1))
        for answer in chain(first, (answer for _, answer in stack.enter_context(closing(others)))):
            if answer is None:
                continue
            saved[answer.id] = answer
            if log:
                log.write(_line(answer))
                log.flush()
            bar.update()
    if asker.spent:
        raise asker.spent
    answers = SystemAnswers((item.id, saved[item.id]) for item in items)
    if folder:
        answers.reused = len(items) - len(todo)
        answers.reuse = _reuse_text(answers.reused, system, f"{folder} (answers.jsonl of {dated})", unfinished)
        _write_answers(folder / "answers.jsonl", answers)
    return answers


def _reuse_text(reused: int, system: System, run: str, unfinished: bool) -> str:
    """Return the sentence on saved answers, "" if there are none."""
    if not reused:
        return ""
    text = f"{many(reused, 'answer')} reused from the {'unfinished ' * unfinished}run in {run}"
    if not getattr(system, "comparable", True):
        text += f"; whether {system.name} has changed since then cannot be checked"
    elif compared := getattr(system, "compared", ""):
        text += f"; {compared} were compared: data, settings, packages and services are not checked"
    return f"{text}: --fresh (fresh=True) asks again"


class _BudgetedAsker:
    """Asks a system until its budget is spent; answers to questions already sent are paid for, so they still count."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.spent: BudgetError | None = None

    def ask(self, item: Item, *, first: bool = False) -> Answer | None:
        """Return the answer, None if the budget does not allow it.

        Raises:
            SystemUnreachableError: the system is down.
        """
        if self.spent is None:
            try:
                answer: Answer = getattr(self._system, "ask_first" if first else "ask")(item)
            except BudgetError as error:
                self.spent = error
            else:
                returned = answer.retrieved or answer.retrieved_nothing
                complete = answer.error is not None or answer.answer is not None or returned
                return answer if complete else failed(item.id, "no reply: it has neither an answer nor passages")
        return None


def allowed_errors(limit: str, n_questions: int) -> float:
    """Return how many of ``n_questions`` may fail under a limit, which is a number or a percentage.

    Raises:
        ConfigError: the limit is neither.

    Example:
        >>> allowed_errors("5%", 200), allowed_errors("3", 200)
        (10.0, 3.0)
    """
    match = re.fullmatch(r"\s*(?:(\d+)|(\d+(?:\.\d+)?)\s*%)\s*", limit, re.ASCII)
    if not match or float(match[2] or 0) > 100:
        raise ConfigError(
            f"--fail-on-error {limit!r} is not a valid limit: give a number of questions or a share, such as 5%"
        )
    return float(match[1]) if match[1] else float(match[2]) * n_questions / 100


def _restore_answers(
    folder: Path, golden: str, system: System, complete: Collection[str], *, fresh: bool
) -> tuple[dict[str, Answer], str]:
    """Make answers.jsonl in the folder that of this golden set and system; return its answers and its date.

    There are none if ``fresh``, or if the file has all questions in ``complete``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path, run_file = folder / "answers.jsonl", folder / "run.json"
    run = {"golden": golden, "system": system.name, "signature": system.signature}
    before = run_file.read_text(encoding="utf-8") if run_file.exists() else ""
    text = json.dumps(run, ensure_ascii=False, indent=1) + "\n"
    if before != text:
        if path.exists():
            path.replace(folder / f"answers-{content_id('of', before or path.read_text(encoding='utf-8'))}.jsonl")
        set_aside = folder / f"answers-{content_id('of', text)}.jsonl"
        if set_aside.exists():
            set_aside.replace(path)
        write_text(run_file, [text])
    saved = read_answers(path, broken_end=True) if path.exists() and not fresh else {}
    if complete and saved.keys() >= set(complete):
        saved = {}
    dated = f"{datetime.fromtimestamp(path.stat().st_mtime):%Y-%m-%d %H:%M}" if saved else ""
    _write_answers(path, saved)  # drops a cut-off line before the next one is appended
    return saved, dated


def _write_answers(path: Path, answers: Mapping[str, Answer]) -> None:
    """Write the file of answers; one that would stay as it is keeps its date."""
    text = "".join(map(_line, answers.values()))
    if not path.exists() or path.read_bytes() != text.encode():
        write_text(path, [text])


def _line(answer: Answer) -> str:
    return json.dumps(to_json(answer), ensure_ascii=False) + "\n"
