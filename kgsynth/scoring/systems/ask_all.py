"""Ask a system every question once: answers are kept as they come, so that a run cut off goes on where it stopped.

The folder's answers.jsonl belongs to one golden set and one system, told in its run.json. Those of another pair are set
aside under a name of their own, and taken up again when that pair comes back; nothing is thrown away. A failure is kept
as an answer is, and asked again when that is wanted. A system that can be asked several questions at once is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from kgsynth.base.atomic_files import write_text
from kgsynth.base.errors import BudgetError, ConfigError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Answer, Item, content_id
from kgsynth.base.threads import in_threads
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.answers_file import read_answers
from kgsynth.scoring.systems.reply_reader import to_json


def ask_all(
    items: Sequence[Item],
    system: System,
    golden: str,
    folder: Path | None = None,
    progress: Progress = silent,
    *,
    retry_errors: bool = False,
) -> dict[str, Answer]:
    """Return the answer to every item, by id, in the order of ``items``.

    With a ``folder`` each answer is appended to its answers.jsonl as it comes, those it holds for this golden set and
    system are not asked again, and at the end the file is put in the order of the items. Those that failed are asked
    again with ``retry_errors``, or when there are no others: then the system was down.

    Raises:
        InputError: the answers in the folder cannot be read.
        BudgetError: a model may not be asked more; the questions under way were waited for.
    """
    held = _take_up(folder, golden, system) if folder else {}
    failed = {each.id for each in held.values() if each.error is not None}
    done = set(held) - failed if retry_errors or len(failed) == len(held) else set(held)
    todo = [item for item in items if item.id not in done]
    with ExitStack() as stack:
        log = (
            stack.enter_context((folder / "answers.jsonl").open("a", encoding="utf-8", newline="\n"))
            if folder
            else None
        )
        bar = stack.enter_context(progress("asking", len(todo)))
        asker = _Asker(system)
        for _, answer in stack.enter_context(closing(in_threads(asker.ask, todo, getattr(system, "at_once", 1)))):
            if answer is None:
                continue
            held[answer.id] = answer
            if log:
                log.write(_line(answer))
                log.flush()
            bar.update()
    if asker.spent:
        raise asker.spent
    answers = {item.id: held[item.id] for item in items}
    if folder:
        write_text(folder / "answers.jsonl", map(_line, answers.values()))
    return answers


class _Asker:
    """Asks a system until its budget is spent, and then no more: what is under way is paid for, and is to be kept."""

    def __init__(self, system: System) -> None:
        self._system = system
        self.spent: BudgetError | None = None

    def ask(self, item: Item) -> Answer | None:
        """Return the answer, None when the budget does not allow it."""
        if self.spent is None:
            try:
                return self._system.ask(item)
            except BudgetError as error:
                self.spent = error
        return None


def allowed_errors(limit: str, asked: int) -> float:
    """Return how many of the questions asked may fail under a limit, a number or a percentage.

    Raises:
        ConfigError: the limit is neither.

    Example:
        >>> allowed_errors("5%", 200), allowed_errors("3", 200)
        (10.0, 3.0)
    """
    found = re.fullmatch(r"\s*(?:(\d+)|(\d+(?:\.\d+)?)\s*%)\s*", limit, re.ASCII)
    if not found or float(found[2] or 0) > 100:
        raise ConfigError(f"--fail-on-error {limit!r} is no limit: give a number of questions or a share, such as 5%")
    return float(found[1]) if found[1] else float(found[2]) * asked / 100


def _take_up(folder: Path, golden: str, system: System) -> dict[str, Answer]:
    """Make the folder's answers.jsonl that of this golden set and system, and return what it holds."""
    folder.mkdir(parents=True, exist_ok=True)
    path, told = folder / "answers.jsonl", folder / "run.json"
    run = {"golden": golden, "system": system.name, "signature": system.signature}
    before = told.read_text(encoding="utf-8") if told.exists() else ""
    text = json.dumps(run, ensure_ascii=False, indent=1) + "\n"
    if before != text:
        if path.exists():
            path.replace(folder / f"answers-{content_id('of', before or path.read_text(encoding='utf-8'))}.jsonl")
        aside = folder / f"answers-{content_id('of', text)}.jsonl"
        if aside.exists():
            aside.replace(path)
        write_text(told, [text])
    held = read_answers(path, broken_end=True) if path.exists() else {}
    write_text(path, map(_line, held.values()))  # a line cut off is gone before the next is appended
    return held


def _line(answer: Answer) -> str:
    return json.dumps(to_json(answer), ensure_ascii=False) + "\n"
