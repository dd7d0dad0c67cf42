"""Review forms: import the file that a form saved; ``page`` makes the form.

Each annotation with a problem is reported, and the others are imported; importing a file again is harmless.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.reviewing.annotation import Annotation, normalised_name, parse_annotation
from kgsynth.reviewing.store import ReviewStore, review_id
from kgsynth.reviewing.subject import Subject


@dataclass(frozen=True, slots=True)
class ImportSummary:
    """What was imported from one file: filled-in rows, those that are new or changed, empty rows, and the problems."""

    rows: int
    new: int
    empty: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _FormRow:
    """One annotation of a form as it is in the file; ``where`` names the file and its place."""

    where: str
    annotator: object
    item: object
    values: object


def import_form(
    store: ReviewStore, subject: Subject, ids: Sequence[str], path: Path, annotator: str | None = None
) -> ImportSummary:
    """Save the annotations in a filled-in form; ``annotator`` is used for rows without a name.

    Raises:
        InputError: the file is not a form, or belongs to another review.
    """
    rows = list(_rows(path, ids))
    under_review, seen, problems, empty = set(ids), set(), [], 0
    by_name: dict[str, list[tuple[str, Annotation]]] = {}
    for row in rows:
        try:
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


def _rows(path: Path, ids: Sequence[str]) -> Iterator[_FormRow]:
    try:
        form = parse_json(path.read_text(encoding="utf-8-sig"))
    except (JsonError, UnicodeDecodeError) as error:
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
