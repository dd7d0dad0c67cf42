"""A file of answers as the system: a run made elsewhere, or an earlier run scored again without asking the system."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.records import Answer, Item
from kgsynth.documents.document_names import DocNames
from kgsynth.scoring.systems import ANSWER_FILES, NO_RECORD
from kgsynth.scoring.systems.reply_reader import ANSWER_KEYS, QUESTION_KEYS, RANKING_KEYS, from_json
from kgsynth.show.wording import many

_ROW_LISTS = ("answers", "results", "predictions", "responses")
_EXAMPLE = 'write at least {"id": "…", "answer": "…"} or {"question": "…", "answer": "…"}'


class _Row(NamedTuple):
    """One row of a file: where it is, the id and the question that it gives ("" for none), and the answer."""

    where: str
    id: str
    question: str
    answer: Answer


def read_answers(
    path: Path,
    documents: DocNames | None = None,
    *,
    items: Sequence[Item] = (),
    broken_end: bool = False,
) -> dict[str, Answer]:
    """Read a file of answers by question id.

    The file has lines of JSON (.jsonl), or it is JSON or a table (other extensions). ``documents`` are those that
    passages may name. A row whose id is missing or unknown belongs to the one of ``items`` whose question it repeats.
    With ``broken_end``, the file is one that an interrupted run may have left: a last line that was cut off is skipped,
    and the last record of a question that was asked again counts.

    Raises:
        InputError: the file cannot be read, or a row is not an answer record, belongs to no single question, or repeats
            one.
    """
    return _by_id(_read_rows(path, documents, broken_end=broken_end), items, last_counts=broken_end)


class AnswersFile:
    """A system whose answers come from a file; its signature is the hash of the file.

    Raises:
        InputError: the file cannot be read, or a row is not an answer record, or repeats a question.
    """

    asked_once = True

    def __init__(self, path: str, documents: DocNames | None = None) -> None:
        self._rows = _read_rows(Path(path), documents)
        self._answers = _by_id([row for row in self._rows if row.id], ())
        self.name = Path(path).name
        self.notes: tuple[str, ...] = ()
        with Path(path).open("rb") as file:
            self.signature = f"answers|sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"

    def match_questions(self, items: Sequence[Item]) -> None:
        """Find the questions of the rows in a whole set; ``notes`` then say how many have an id that it lacks.

        Raises:
            InputError: a row belongs to no question, or to several, or its id is that of another question.
        """
        self._answers = _by_id(self._rows, items)
        known = {item.id for item in items}
        unknown = [key for key in self._answers if key not in known]
        if unknown:
            self.notes = (
                f"{len(unknown)} of {many(len(self._answers), 'row')} of {self.name} were not used: "
                f"the golden set has no question with the id, such as {unknown[0]!r}",
            )

    def ask(self, item: Item) -> Answer:
        """Return the record of ``item``, or an answer with the error ``NO_RECORD``."""
        return self._answers.get(item.id) or Answer(item.id, None, error=NO_RECORD)

    def close(self) -> None:
        """Do nothing: no file is open."""


# ---- rows ------------------------------------------------------------------------------------------


def _read_rows(path: Path, documents: DocNames | None, *, broken_end: bool = False) -> list[_Row]:
    others = path.suffix.lower() in ANSWER_FILES and path.suffix.lower() != ".jsonl"
    read = _table_or_json if others else _lines
    try:
        return list(read(path, documents, broken_end))
    except OSError as error:
        raise InputError(f"the answers {path} cannot be read ({error}): check the path") from None


def _lines(path: Path, documents: DocNames | None, broken_end: bool) -> Iterator[_Row]:
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"line {number} of {path}"
            try:
                if line.strip():
                    yield _row(where, parse_json(line, tolerant=True), documents)
            except ValueError as error:
                if not (broken_end and not line.endswith(b"\n")):
                    raise InputError(f"{where} is not an answer record ({error}): {_EXAMPLE}") from None


def _table_or_json(path: Path, documents: DocNames | None, _broken_end: bool) -> Iterator[_Row]:
    from kgsynth.golden.exchange.source_file import read_source, rows_from_json

    path.open("rb").close()  # a missing file is reported as one of answers
    source = read_source(path)
    rows = _row_list(source.tree)
    source = source if rows is None else rows_from_json(path, source.tree, rows)
    for finding in source.findings:
        raise InputError(f"{finding.message.replace(' is skipped: ', ' is not an answer record: ')}; {_EXAMPLE}")
    if not source.rows:
        raise InputError(f"{path} has no answers: {_EXAMPLE}")
    for where, cells in source.rows:
        is_table = source.tree is None and all(isinstance(cell, str) for cell in cells.values())
        try:
            yield _row(where, _from_table(cells) if is_table else cells, documents)
        except ValueError as error:
            raise InputError(f"{where} is not an answer record ({error}): {_EXAMPLE}") from None


def _row_list(tree: Any) -> list[object] | None:
    """Return the list of rows in an object that has one under a usual name, None if it is not such an object."""
    if not isinstance(tree, Mapping):
        return None
    if any(isinstance(tree.get(key), str) for key in ("id", *QUESTION_KEYS)):
        return [tree]  # a single row
    return next((tree[name] for name in _ROW_LISTS if _is_row_list(tree.get(name))), None)


def _is_row_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, Mapping) for each in value)


def _from_table(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the cells of a table as a reply: no empty ones, passages as a list, numbers as numbers."""
    from kgsynth.golden.exchange.cells import parse_list
    from kgsynth.golden.exchange.columns import normalize

    named = {normalize(name): cell for name, cell in cells.items()}
    row: dict[str, Any] = {name: cell for name, cell in named.items() if cell.strip() or name in ANSWER_KEYS}
    for name in RANKING_KEYS:
        if name in row:
            found = parse_list(row[name])
            row[name] = [found] if isinstance(found, str) else found
    row |= {name: parse_list(row[name]) for name in ("citations", "steps") if name in row}
    if "latency_s" in row:
        row["latency_s"] = float(row["latency_s"])
    return row


def _row(where: str, line: Any, documents: DocNames | None) -> _Row:
    """Return a row.

    Raises:
        ValueError: it has neither an id nor a question, or a latency that is not a number.
    """
    question, number = "", None
    if isinstance(line, Mapping):
        question = next((line[key] for key in QUESTION_KEYS if isinstance(line.get(key), str)), "")
        number = line.get("id")
        if isinstance(number, int) and not isinstance(number, bool):
            line = {**line, "id": str(number)}
        elif question and number is None:
            line = {**line, "id": ""}
    answer = from_json(line, documents)
    if answer.error is not None and line.get("error") is None:
        answer = replace(answer, error=f"{answer.error} ({where})")
    return _Row(where, answer.id, " ".join(question.split()), answer)


# ---- rows and questions ----------------------------------------------------------------------------


def _by_id(rows: Iterable[_Row], items: Sequence[Item], *, last_counts: bool = False) -> dict[str, Answer]:
    """Return the answers by question id, in the order of their records; one id twice is an error or ``last_counts``."""
    known = {item.id: item.question for item in items}
    ids = defaultdict(list)
    for item in items:
        ids[" ".join(item.question.split())].append(item.id)
    folded: defaultdict[str, list[str]] = defaultdict(list)
    for question, own in ids.items():
        folded[_folded(question)] += own
    answers: dict[str, Answer] = {}
    answered_in: dict[str, str] = {}
    for row in rows:
        key = row.id
        if row.question and key in known and _folded(row.question) != _folded(known[key]):
            raise InputError(
                f"{row.where}: the id {key!r} is that of the question {known[key][:60]!r}, "
                f"but the row has the question {row.question[:60]!r}: correct one of them"
            )
        if row.question and row.id not in known:
            found = ids.get(row.question) or folded.get(_folded(row.question), [])
            key = _id_of(row, found) if found or row.id == "" else key
        if key in answered_in and not last_counts:
            raise InputError(
                f"{row.where}: the question {row.question[:60] or key!r} was answered before, in {answered_in[key]}: "
                "delete one of them"
            )
        answered_in[key] = row.where
        answers.pop(key, None)
        answers[key] = row.answer if key == row.id else replace(row.answer, id=key)
    return answers


def _folded(question: str) -> str:
    return " ".join(question.casefold().split()).rstrip(" ?!.？。")


def _id_of(row: _Row, ids: Sequence[str]) -> str:
    if not ids:
        raise InputError(
            f"{row.where}: the question {row.question[:60]!r} is not in the golden set: correct it, or give the id"
        )
    if len(ids) > 1:
        raise InputError(
            f"{row.where}: {len(ids)} questions of the golden set are {row.question[:60]!r}: give the id, "
            f"which is {' or '.join(ids[:5])}"
        )
    return ids[0]
