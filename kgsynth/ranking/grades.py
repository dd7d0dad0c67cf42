"""Graded questions: read from files, turned into features, and kept as a table.

A graded question is an item with ``corpus`` (the folder it came from) and ``grade``: the letters ``LETTERS``, each "y"
or "n". It is kept if all are "y". In the files of a review, the grade follows from the decisions of the annotators, and
the document of an item stands for the folder.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.atomic_files import replacing
from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Document, Item
from kgsynth.documents import read_documents
from kgsynth.evidence.vectors import TextVectors
from kgsynth.golden.item_json import from_json
from kgsynth.models.text_encoder import NO_PREFIXES, Prefixes
from kgsynth.ranking.features import Surroundings, features, texts_to_embed

if TYPE_CHECKING:
    from kgsynth.evidence.vectors import Encode

LETTERS = "WSACUTV"
"""Well formed, self-contained, answerable, correct, unique, true to type, worth asking."""

BASELINE = "baseline."
"""The beginning of the names of scores that the ranker is only compared with."""

_COLUMNS = ("id", "corpus", "kind", "reader", "language", *LETTERS, "use")


@dataclass(frozen=True, slots=True)
class GradedItem:
    """A question with its grade: the answer to each letter that was given, and ``use`` from 1 to 5, 0 for none."""

    item: Item
    corpus: str
    kind: str
    letters: Mapping[str, bool]
    use: int = 0
    reader: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What is the same in two grades of one question by one reader."""
        return (self.item.id, self.corpus, self.reader)


@dataclass(frozen=True, slots=True)
class GradedRow:
    """The features of a graded question, with its id, folder and grade; its text is not needed any more."""

    id: str
    corpus: str
    kind: str
    reader: str
    letters: Mapping[str, bool]
    use: int
    features: Mapping[str, float]
    language: str = DEFAULT_LANGUAGE

    @property
    def kept(self) -> bool:
        """Whether every letter is "y"."""
        return all(self.letters.values())

    @property
    def key(self) -> tuple[str, str, str]:
        """What is the same in two grades of one question by one reader."""
        return (self.id, self.corpus, self.reader)


def read_grades(path: Path) -> list[GradedItem]:
    """Return the graded questions of a file: one JSON object per line, or a set that people reviewed.

    Items that nobody decided are left out. Of an edited item, the question as it was before is one that was not kept.

    Raises:
        InputError: the file cannot be read, or a line is not a graded question.
    """
    found = []
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error}); give a file of graded questions") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found += _graded(parse_json(line), path)
        except (JsonError, InputError) as error:
            raise InputError(f"{path}, line {number}: {error}; correct or delete the line") from error
    return found


def _graded(row: Any, path: Path) -> list[GradedItem]:
    if not isinstance(row, Mapping):
        raise InputError("it is not a JSON object")
    if "grade" not in row:
        return _reviewed(row, path)
    grade = row["grade"]
    if not isinstance(grade, Mapping) or not all(grade.get(letter) in ("y", "n") for letter in LETTERS):
        raise InputError(f"'grade' must have the letters {LETTERS}, each y or n")
    item = from_json(row.get("item"))
    letters = {letter: grade[letter] == "y" for letter in LETTERS}
    corpus, kind = str(row.get("corpus") or path.stem), str(row.get("kind") or item.subtype)
    return [GradedItem(item, corpus, kind, letters, int(grade.get("use") or 0), str(row.get("reader") or ""))]


def read_rows(
    graded: Iterable[GradedItem], roots: Sequence[Path], encode: Encode, prefixes: Prefixes = NO_PREFIXES
) -> Iterator[GradedRow]:
    """Yield the features of graded questions, folder by folder.

    The documents of a folder are in the first of ``roots`` that has a folder of its name, otherwise in ``roots[0]``.
    ``encode`` embeds texts with the ``prefixes`` of its model.

    Raises:
        InputError: the folder of documents cannot be read.
    """
    by_folder: dict[Path, list[GradedItem]] = {}
    for each in graded:
        own = (root / each.corpus for root in roots)
        by_folder.setdefault(next((path for path in own if path.is_dir()), roots[0]), []).append(each)
    for folder, found in sorted(by_folder.items()):
        documents = {document.id: document for document in read_documents(folder)}
        if not any(span.doc in documents for each in found for group in each.item.evidence for span in group):
            raise InputError(f"{folder} has no document of the graded questions; give the folder of their documents")
        yield from graded_rows(found, documents, TextVectors(encode, prefixes=prefixes))


def _reviewed(row: Mapping[str, Any], path: Path) -> list[GradedItem]:
    item = from_json(row)
    review = item.metadata.get("review", {})
    was = review.get("was", {})
    asked = replace(
        item,
        question=was.get("question", item.question),
        golden_answers=tuple(was.get("golden_answers", item.golden_answers)),
    )
    found = []
    for each in review.get("decisions", ()):
        if decision := each.get("decision"):
            wrong = set(each.get("reasons", ())) or ({"V"} if decision == "reject" else {"W"})
            letters = {letter: decision == "accept" or letter not in wrong for letter in LETTERS}
            places = [span.doc for group in item.evidence for span in group] or [path.stem]
            found.append(GradedItem(asked, places[0], item.subtype, letters, 0, str(each.get("annotator", ""))))
    return found


def graded_rows(
    graded: Sequence[GradedItem], documents: Mapping[str, Document], vectors: TextVectors | None
) -> list[GradedRow]:
    """Return the features of graded questions of one folder, which has these ``documents``, by id."""
    around = Surroundings(documents)
    if vectors is not None:
        compared = (text for each in graded for text in texts_to_embed(each.item, around))
        vectors.add([each.item.question for each in graded], compared)
    return [
        GradedRow(
            each.item.id,
            each.corpus,
            each.kind,
            each.reader,
            each.letters,
            each.use,
            features(each.item, around, vectors, kind=each.kind) | _baselines(each.item),
            each.item.language,
        )
        for each in graded
    ]


def _baselines(item: Item) -> dict[str, float]:
    """Return the older scores of an item that are compared with the ranker; it does not go by them."""
    return {f"{BASELINE}quality": item.scores["quality"]} if "quality" in item.scores else {}


def write_table(rows: Iterable[GradedRow], path: Path) -> None:
    """Write rows as CSV, sorted; a feature that could not be computed is an empty cell."""
    ordered = sorted(rows, key=lambda row: (row.corpus, row.id, row.reader))
    names = sorted({name for row in ordered for name in row.features})
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*_COLUMNS, *names))
        for row in ordered:
            letters = ("y" if row.letters[letter] else "n" for letter in LETTERS)
            cells = (f"{row.features[name]:.6g}" if name in row.features else "" for name in names)
            writer.writerow((row.id, row.corpus, row.kind, row.reader, row.language, *letters, row.use, *cells))


def read_table(path: Path) -> list[GradedRow]:
    """Return the rows that ``write_table`` wrote; of a table without languages, all are in the default one.

    Raises:
        InputError: the file cannot be read, or is not a table of features.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return [_row(cells) for cells in csv.DictReader(file)]
    except (OSError, KeyError, ValueError) as error:
        raise InputError(f"{path} is not a table of features ({error}); make it again from the grades") from error


def _row(cells: Mapping[str, str]) -> GradedRow:
    found = {name: float(value) for name, value in cells.items() if "." in name and value}
    letters = {letter: cells[letter] == "y" for letter in LETTERS}
    about = (cells["id"], cells["corpus"], cells["kind"], cells["reader"])
    language = cells.get("language") or DEFAULT_LANGUAGE
    return GradedRow(*about, letters, int(cells["use"]), found, language)
