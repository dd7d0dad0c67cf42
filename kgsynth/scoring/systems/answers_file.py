"""Answers on file: a run made elsewhere, or an earlier one scored again without calling the system."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.records import Answer, Item
from kgsynth.scoring.systems import NO_RECORD
from kgsynth.scoring.systems.reply_reader import from_json


def read_answers(path: Path, *, broken_end: bool = False) -> dict[str, Answer]:
    """Read a file of answers by id; the last record of an id holds.

    With ``broken_end`` a last line that was cut off while it was written is passed over.

    Raises:
        InputError: the file cannot be read, or a line is no answer record.
    """
    answers: dict[str, Answer] = {}
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                answer = _record(line, f"line {number} of {path}", cut_off=broken_end and not line.endswith(b"\n"))
                if answer is not None:
                    answers.pop(answer.id, None)
                    answers[answer.id] = answer
    except OSError as error:
        raise InputError(f"the answers {path} cannot be read ({error}): check the path") from None
    return answers


def _record(line: bytes, where: str, *, cut_off: bool) -> Answer | None:
    """Return what a line holds, None when it is blank, or no record because it was cut off."""
    try:
        text = line.decode("utf-8-sig")
        return from_json(json.loads(text)) if text.strip() else None
    except ValueError as error:
        if cut_off:
            return None
        raise InputError(
            f'{where} is no answer record ({error}): mend it, the least is {{"id": "…", "answer": "…"}}'
        ) from None


class AnswersFile:
    """The system that says what a file says; its signature is the hash of the file.

    Raises:
        InputError: the file cannot be read, or a line is no answer record.
    """

    def __init__(self, path: str) -> None:
        self._answers = read_answers(Path(path))
        self.name = Path(path).name
        with Path(path).open("rb") as file:
            self.signature = f"answers|sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"

    def ask(self, item: Item) -> Answer:
        """Return the record of ``item``, or one whose error is ``NO_RECORD``."""
        return self._answers.get(item.id) or Answer(item.id, None, error=NO_RECORD)

    def close(self) -> None:
        """Nothing is held open."""
