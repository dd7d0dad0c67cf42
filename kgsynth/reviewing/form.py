"""Review forms: export the items as a CSV table, and import a filled-in table or the file that the HTML form saved.

Each row with a problem is reported, and the others are imported; importing a file again is harmless. ``page``
makes the HTML form.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.golden.exchange.cells import guarded, unguarded
from kgsynth.golden.spans import with_heading
from kgsynth.reviewing.annotation import CRITERIA, REASON_WORDS, Annotation, normalised_name, parse_annotation
from kgsynth.reviewing.store import ReviewStore, review_id
from kgsynth.reviewing.subject import Subject, cards
from kgsynth.show.wording import with_history

_ITEM_COLUMNS = ("id", "question", "golden_answers", "evidence")
_ANSWER_COLUMNS = {"questions": (), "answers": ("answer", "retrieved"), "pairs": ("answer_a", "answer_b")}
_EDIT_COLUMNS = ("new_question", "new_answers")
_LETTERS = ", ".join(f"{letter} {words}" for letter, words in REASON_WORDS.items())
_SEPARATOR = " | "
"""Separates several answers in a cell."""
_MAX_CSV_CELL_CHARS = 30_000
"""Spreadsheets accept hardly more, and cut longer cells without a warning."""


def form_csv(subject: Subject, ids: Sequence[str], annotator: str = "") -> str:
    """Return the items as CSV with columns to fill in; a byte order mark makes spreadsheets read it as UTF-8."""
    answered = subject.mode != "questions"
    to_fill_in = ("decision", *CRITERIA, "comment", *(() if answered else ("reasons", *_EDIT_COLUMNS)))
    file = io.StringIO()
    writer = csv.writer(file)
    head = (f"reasons ({_LETTERS})" if name == "reasons" else name for name in to_fill_in)
    writer.writerow([*_ITEM_COLUMNS, *_ANSWER_COLUMNS[subject.mode], "annotator", *head])
    for card in cards(subject, ids):
        item = card.view.item
        groups = ("\nor\n".join(f"[{span.doc}] {with_heading(span)}" for span in group) for group in item.evidence)
        evidence = "\nand\n".join(groups)
        cells = [item.id, with_history(item.question, item.history), _SEPARATOR.join(item.golden_answers), evidence]
        if subject.mode == "pairs":
            cells += [(each and each.answer) or "" for each in (card.answer, card.other)]
        elif answered:
            texts = ("".join(piece.text for piece in passage.pieces) for passage in card.retrieved)
            cells += [(card.answer and card.answer.answer) or "", "\n\n".join(texts)]
        writer.writerow([_escape(cell) for cell in (*cells, annotator, *("" for _ in to_fill_in))])
    return "\ufeff" + file.getvalue()


def _escape(text: str) -> str:
    """Return the text of a cell, cut if it is too long, and marked if a spreadsheet would run it as a formula."""
    return guarded(text if len(text) <= _MAX_CSV_CELL_CHARS else f"{text[:_MAX_CSV_CELL_CHARS]} …")


# ---- import ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What was imported from one file: filled-in rows, those that are new or changed, empty rows, and the problems."""

    rows: int
    new: int
    empty: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _FormRow:
    """One row of a form as it is in the file; ``where`` names file and line, ``problem`` is "" if it can be read."""

    where: str
    annotator: object
    item: object
    values: object
    problem: str = ""


def import_form(
    store: ReviewStore, subject: Subject, ids: Sequence[str], path: Path, annotator: str | None = None
) -> ImportSummary:
    """Save the annotations in a filled-in form; ``annotator`` is used for rows without a name.

    Raises:
        InputError: the file is not a form, or belongs to another review.
    """
    rows = list(_rows_of_json(path, ids) if path.suffix.lower() == ".json" else _rows_of_csv(path, subject.mode))
    under_review, seen, problems, empty = set(ids), set(), [], 0
    by_name: dict[str, list[tuple[str, Annotation]]] = {}
    for row in rows:
        try:
            if row.problem:
                raise ValueError(row.problem)
            annotation = parse_annotation(row.values, subject.mode)
            if annotation.empty:
                empty += 1
                continue
            name = normalised_name(row.annotator or annotator or "")
            if not isinstance(row.item, str) or row.item not in under_review:
                raise ValueError(f"the item {str(row.item)[:40]!r} is not under review")
            if (name.casefold(), row.item) in seen:
                raise ValueError(f"{name} has an earlier row for {row.item}")
            edited = bool(annotation.question or annotation.answers)
            if annotation.decision == "edit" and not edited:
                raise ValueError("the decision is edit, but there is no new question and no new answer")
            if annotation.decision != "edit" and edited:
                raise ValueError("there is a new question or answer, but the decision is not edit")
        except ValueError as error:
            problems.append(f"{row.where}: {error}")
            continue
        seen.add((name.casefold(), row.item))
        by_name.setdefault(name, []).append((str(row.item), annotation))
    new = sum(store.save(name, annotations) for name, annotations in by_name.items())
    return ImportSummary(sum(map(len, by_name.values())), new, empty, tuple(problems))


def _rows_of_json(path: Path, ids: Sequence[str]) -> Iterator[_FormRow]:
    try:
        form = parse_json(_text(path))
    except JsonError as error:
        raise InputError(f"{path} is not JSON as the form saved it: {error}; give that file") from None
    if not isinstance(form, Mapping) or not isinstance(form.get("judgements"), list):
        raise InputError(f"{path} is not a review form: give the file that the form saved")
    if form.get("review") != review_id(ids):
        raise InputError(f"{path} is a form of another review with other items: give a form of this review")
    for number, row in enumerate(form["judgements"], 1):
        where = f"{path}, annotation {number}"
        if not isinstance(row, Mapping):
            yield _FormRow(where, form.get("annotator"), None, row)
            continue
        values = {name: value for name, value in row.items() if name != "id"}
        if values.get("decision") != "edit":  # drop an edit that was begun and then abandoned
            values |= {"question": "", "answers": []}
        yield _FormRow(where, form.get("annotator"), row.get("id"), values)


def _rows_of_csv(path: Path, mode: str) -> Iterator[_FormRow]:
    text = _text(path).lstrip("\ufeff")
    first = text.splitlines()[0] if text else ""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        head = [name.partition("(")[0].strip().lower() for name in next(rows, [])]
        missing = [name for name in ("id", "decision", *CRITERIA, "comment") if name not in head]
        if missing:
            raise InputError(f"{path} has no column {missing[0]}: give the table that --form made, with its first row")
        for cells in rows:
            if any(cell.strip() for cell in cells):
                row = dict(zip(head, cells, strict=False))
                extra = any(cell.strip() for cell in cells[len(head) :])
                problem = (
                    f"it has {len(cells)} cells, the first row {len(head)}: put quotes around text" if extra else ""
                )
                where = f"{path}, line {rows.line_num}"
                item = unguarded(row.get("id", "").strip())
                yield _FormRow(where, row.get("annotator", "").strip(), item, _csv_values(row, mode), problem)
    except csv.Error as error:
        raise InputError(f"{path} is not valid CSV from line {rows.line_num} ({error}): save it as CSV again") from None


def _csv_values(row: Mapping[str, str], mode: str) -> dict[str, Any]:
    """Return a row as the plain values of an annotation."""
    values: dict[str, Any] = {
        "decision": row.get("decision", "").strip().lower(),
        "grades": {name: _grade(cell) for name in CRITERIA if (cell := row.get(name, "").strip())},
        "comment": row.get("comment", ""),
    }
    if mode == "questions":
        values["reasons"] = [letter for letter in row.get("reasons", "").upper() if letter not in " ,;|/+"]
        values["question"] = row.get("new_question", "")
        values["answers"] = row.get("new_answers", "").split(_SEPARATOR.strip())
    return values


def _grade(cell: str) -> object:
    """Return the integer that a spreadsheet writes as "4" or "4.0"; any other text unchanged."""
    try:
        number = float(cell.replace(",", "."))
    except ValueError:
        return cell
    return int(number) if number.is_integer() else cell


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}): save it as CSV UTF-8") from None
