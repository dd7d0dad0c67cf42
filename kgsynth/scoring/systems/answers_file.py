"""A file of answers as the system: a run made elsewhere, or an earlier run scored again without asking the system."""

from __future__ import annotations

import hashlib
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.records import Answer, Item
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems import NO_RECORD
from kgsynth.scoring.systems.reply_reader import from_json


def read_answers(path: Path, documents: DocNames | None = None, *, broken_end: bool = False) -> dict[str, Answer]:
    """Read a file of answers by question id.

    ``documents`` are those that passages may name. With ``broken_end``, the file is one that an interrupted run may
    have left: a last line that was cut off is skipped, and the last record of a question that was asked again counts.

    Raises:
        InputError: the file cannot be read, a line is not an answer record, or two lines have the same id.
    """
    answers: dict[str, Answer] = {}
    line_of: dict[str, int] = {}
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                cut_off = broken_end and not line.endswith(b"\n")
                answer = _record(line, f"line {number} of {path}", documents, cut_off=cut_off)
                if answer is not None:
                    first = line_of.setdefault(answer.id, number)
                    if first != number and not broken_end:
                        raise InputError(
                            f"lines {first} and {number} of {path} both answer the question {answer.id}: keep one"
                        )
                    answers.pop(answer.id, None)
                    answers[answer.id] = answer
    except OSError as error:
        raise InputError(f"the answers {path} cannot be read ({error}): check the path") from None
    return answers


def _record(line: bytes, where: str, documents: DocNames | None, *, cut_off: bool) -> Answer | None:
    """Return the answer on a line, None if the line is blank or was cut off."""
    try:
        return from_json(parse_json(line, tolerant=True), documents) if line.strip() else None
    except ValueError as error:
        if cut_off:
            return None
        raise InputError(
            f'{where} is not an answer record ({error}): write at least {{"id": "…", "answer": "…"}}'
        ) from None


class AnswersFile:
    """A system whose answers come from a file; its signature is the hash of the file.

    Raises:
        InputError: the file cannot be read, a line is not an answer record, or two lines have the same id.
    """

    def __init__(self, path: str, documents: DocNames | None = None) -> None:
        self._answers = read_answers(Path(path), documents)
        self.name = Path(path).name
        with Path(path).open("rb") as file:
            self.signature = f"answers|sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"

    def ask(self, item: Item) -> Answer:
        """Return the record of ``item``, or an answer with the error ``NO_RECORD``."""
        return self._answers.get(item.id) or Answer(item.id, None, error=NO_RECORD)

    def close(self) -> None:
        """Do nothing: no file is open."""
