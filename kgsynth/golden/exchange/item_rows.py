"""Read the tables that kgsynth exports: a row is an item, with its evidence in the column ``spans`` or ``evidence``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.columns import FALSE_VALUES
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, question_of, unusable
from kgsynth.golden.exchange.source_file import SourceFile
from kgsynth.golden.item_json import from_json

HUB_FILE = "test.jsonl"
"""The file with the rows of a data set of Hugging Face, in a folder with its card."""

_TEXTS = ("id", "question", "question_type", "subtype", "difficulty", "language", "answer_kind", "standalone")


def fits(source: SourceFile) -> bool:
    """Check whether these are the columns of an export: of texts, or with types."""
    here = set(source.columns)
    return here >= {"id", "question", "answer", "spans"} or here >= {"id", "question", "golden_answers", "details"}


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the item of every row; ``evidence`` for people is not read."""
    for row in source.rows:
        found = row.cells
        if source.delimited:
            found = {name: cells.unguarded(cell) for name, cell in found.items()}
        try:
            item = from_json(_item_value(found))
        except InputError as error:
            yield unusable(row.where, str(error))
            continue
        yield question_of(row.where, item)


def _item_value(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as an object of golden.jsonl."""
    row = cells.to_json_value(row)
    value = {key: row[key] for key in _TEXTS if row.get(key)}
    others = cells.as_list(cells.parse_list(row.get("other_answers")))
    value["golden_answers"] = row["golden_answers"] if "golden_answers" in row else [row["answer"] or None, *others]
    value["golden_answers"] = [answer for answer in value["golden_answers"] if answer is not None]
    value["answerable"] = cells.text(row.get("answerable")).casefold() not in FALSE_VALUES
    value["evidence"] = cells.as_list(cells.parse_list(row.get("spans", row.get("evidence"))))
    value["history"] = cells.as_list(cells.parse_list(row.get("history")))
    details = cells.parse_list(row.get("details"))
    return value | (dict(details) if isinstance(details, Mapping) else {})
