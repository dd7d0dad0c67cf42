"""A review sent out and taken back in: a table to fill in, or what the page saved as a file.

Every faulty row is told in a sentence, and the others are taken in; the same file may be taken in again. Left out: the
page that is sent out, which is that of the server (``page``).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.reviewing.judgement import CRITERIA, Judgement, name_of, read
from kgsynth.reviewing.store import Store, key
from kgsynth.reviewing.subject import Subject, cards

_SHOWN = ("id", "question", "golden_answers", "evidence")
_ANSWERED = ("answer", "retrieved")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
_BETWEEN = " | "
"""What stands between several answers in a cell."""
_MOST = 30_000
"""The most characters of a cell: a spreadsheet holds hardly more, and would cut the rest off without a word."""


def table(subject: Subject, ids: Sequence[str], annotator: str = "") -> str:
    """Return the items as CSV with columns to fill in; the byte order mark has spreadsheets read it as UTF-8."""
    answered, edits = subject.of == "answers", subject.of == "questions"
    head = [*_SHOWN, *(_ANSWERED if answered else ()), "annotator", "decision", *CRITERIA, "comment"]
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow([*head, *(("new_question", "new_answers") if edits else ())])
    for card in cards(subject, ids):
        item = card.view.item
        proof = "\n".join(f"[{span.doc}] {span.text}" for group in item.evidence for span in group)
        cells = [item.id, item.question, _BETWEEN.join(item.golden_answers), proof]
        if answered:
            texts = ("".join(piece.text for piece in shown.pieces) for shown in card.retrieved)
            cells += [(card.answer and card.answer.answer) or "", "\n\n".join(texts)]
        cells += [annotator, *[""] * (len(CRITERIA) + 2 + 2 * edits)]  # decision, grades, comment, new words
        writer.writerow([_cell(cell) for cell in cells])
    return "\ufeff" + file.getvalue()


def _cell(text: str) -> str:
    """Return a cell that no spreadsheet takes for a formula: documents are not to be trusted."""
    text = text if len(text) <= _MOST else f"{text[:_MOST]} …"
    return f"'{text}" if text.startswith(_FORMULA) else text


def _uncell(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text


# ---- back in ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Taken:
    """What came in from one file: rows with something said, those of them that said something new, rows left empty."""

    rows: int
    new: int
    empty: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    """One row as it stands in a file: where, whose, of which item, and what it says."""

    where: str
    annotator: object
    item: object
    said: object
    fault: str = ""


def take_in(store: Store, subject: Subject, ids: Sequence[str], path: Path, annotator: str | None = None) -> Taken:
    """Keep what a filled-in form says; ``annotator`` is whose rows are that name nobody.

    Raises:
        InputError: the file is no form, or the form of another review.
    """
    rows = list(_from_json(path, ids) if path.suffix.lower() == ".json" else _from_csv(path, subject.of))
    under, seen, faults, empty = set(ids), set(), [], 0
    said: dict[str, list[tuple[str, Judgement]]] = {}
    for row in rows:
        try:
            if row.fault:
                raise ValueError(row.fault)
            judgement = read(row.said, subject.of)
            if judgement.empty:
                empty += 1
                continue
            name = name_of(row.annotator or annotator or "")
            if row.item not in under:
                raise ValueError(f"the item {str(row.item)[:40]!r} is not under review")
            if (name.casefold(), row.item) in seen:
                raise ValueError(f"{name} has said something of {row.item} in an earlier row")
            if judgement.decision == "edit" and not (judgement.question or judgement.answers):
                raise ValueError("it says edit and holds neither a new question nor new answers")
            if judgement.decision != "edit" and (judgement.question or judgement.answers):
                raise ValueError("it holds new words, but the decision is not edit")
        except ValueError as error:
            faults.append(f"{row.where}: {error}")
            continue
        seen.add((name.casefold(), row.item))
        said.setdefault(name, []).append((str(row.item), judgement))
    new = sum(store.say(name, judgements) for name, judgements in said.items())
    return Taken(sum(map(len, said.values())), new, empty, tuple(faults))


def _from_json(path: Path, ids: Sequence[str]) -> Iterator[_Row]:
    try:
        form = json.loads(_text(path))
    except ValueError as error:
        raise InputError(f"{path} is not JSON ({error}): give the file that the form saved") from None
    if not isinstance(form, Mapping) or not isinstance(form.get("judgements"), list):
        raise InputError(f"{path} is no form of a review: give the file that the form saved")
    if form.get("review") != key(ids):
        raise InputError(f"{path} is the form of another review, of other items: give one that --form of this one made")
    for number, row in enumerate(form["judgements"], 1):
        where = f"{path}, judgement {number}"
        if not isinstance(row, Mapping):
            yield _Row(where, form.get("annotator"), None, row)
            continue
        said = {name: value for name, value in row.items() if name != "id"}
        if said.get("decision") != "edit":  # words tried and given up
            said |= {"question": "", "answers": []}
        yield _Row(where, form.get("annotator"), row.get("id"), said)


def _from_csv(path: Path, of: str) -> Iterator[_Row]:
    text = _text(path).lstrip("\ufeff")
    first = text.splitlines()[0] if text else ""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        head = [name.strip().lower() for name in next(rows, [])]
        missing = [name for name in ("id", "decision", *CRITERIA, "comment") if name not in head]
        if missing:
            raise InputError(
                f"{path} has no column {missing[0]}: give the table that --form made, its first row as it was"
            )
        for cells in rows:
            if any(cell.strip() for cell in cells):
                row = dict(zip(head, cells, strict=False))
                much = any(cell.strip() for cell in cells[len(head) :])
                fault = f"it has {len(cells)} cells, the first row {len(head)}: put quotes round text" if much else ""
                where = f"{path}, line {rows.line_num}"
                yield _Row(where, row.get("annotator", "").strip(), *_said(row, of), fault)
    except csv.Error as error:
        raise InputError(f"{path} is no CSV from line {rows.line_num} on ({error}): save it as CSV again") from None


def _said(row: Mapping[str, str], of: str) -> tuple[str, dict[str, Any]]:
    said: dict[str, Any] = {
        "decision": row.get("decision", "").strip().lower(),
        "grades": {name: _grade(cell) for name in CRITERIA if (cell := row.get(name, "").strip())},
        "comment": row.get("comment", ""),
    }
    if of == "questions":
        said["question"] = row.get("new_question", "")
        said["answers"] = row.get("new_answers", "").split(_BETWEEN.strip())
    return _uncell(row.get("id", "").strip()), said


def _grade(cell: str) -> object:
    """Return a grade as a spreadsheet writes it, "4" or "4.0"; what is none stays as it is."""
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
