"""Golden sets as tables: CSV, Excel workbooks, Parquet and data sets of Hugging Face are written, and read back."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.parquet import to_parquet
from kgsynth.base.records import Finding, Item
from kgsynth.golden.exchange import cells
from kgsynth.golden.exchange.cells import guarded
from kgsynth.golden.exchange.columns import FALSE_VALUES
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, evidence_documents, json_lines
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, question_of, unusable
from kgsynth.golden.exchange.source_file import SourceFile
from kgsynth.golden.item_json import from_json, span_json, to_json, turns_json
from kgsynth.golden.spans import with_heading

_TYPED = (
    "id", "question", "golden_answers", "question_type", "subtype", "difficulty", "language", "answerable",
)  # fmt: skip
_SPAN_KEYS = ("doc", "start", "end", "text")
TYPES: dict[str, Any] = {
    **dict.fromkeys(_TYPED, "string"),
    "golden_answers": ["string"],
    "answerable": "bool",
    "evidence": [[{"doc": "string", "start": "int64", "end": "int64", "text": "string"}]],
    "history": [{"question": "string", "answer": "string"}],
    "standalone": "string",
    "details": "string",
}
"""The type of each column of ``typed_row``: the name of a type, a list of a type, or the types of fields."""
_IN_DETAILS = ("answer_kind", "claims", "hard_negatives", "derivation", "metadata")

JSON_COLUMNS = ("other_answers", "history", "spans")
"""The columns of a table of texts that have JSON."""


def typed_row(item: Item) -> dict[str, Any]:
    """Return an item as columns that have one type in every row; ``details`` has the other keys as JSON.

    Example:
        >>> row = typed_row(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ()))
        >>> row["golden_answers"], row["evidence"], row["details"][:22]
        (['Ada'], [], '{"hard_negatives": [],')
    """
    value = to_json(item)
    details = {key: value[key] for key in _IN_DETAILS if key in value}
    if any(span.keys() - set(_SPAN_KEYS) for group in value["evidence"] for span in group):
        details["evidence"] = value["evidence"]
    return {
        **{key: value[key] for key in _TYPED},
        "evidence": [[{key: span[key] for key in _SPAN_KEYS} for span in group] for group in value["evidence"]],
        "history": turns_json(item.history),
        "standalone": item.standalone,
        "details": json.dumps(details, ensure_ascii=False),
    }


def text_row(item: Item) -> dict[str, str]:
    """Return an item as texts for people; ``spans`` has the evidence as JSON, with its offsets.

    Example:
        >>> from kgsynth.base.records import Span
        >>> one, two = Span("a.md", 0, 10, "Ada leads."), Span("b.md", 0, 4, "Low.")
        >>> print(text_row(Item("q-1", "Who?", ("Ada", "Ada Low"), "simple", "", "en", ((one,), (two,))))["evidence"])
        a.md: Ada leads.
        b.md: Low.
    """
    others = [*item.golden_answers[1:]]
    return {
        "id": item.id,
        "question": item.question,
        "answer": item.golden_answers[0] if item.golden_answers else "",
        "other_answers": json.dumps(others, ensure_ascii=False) if others else "",
        "answerable": "true" if item.answerable else "false",
        "question_type": item.question_type,
        "subtype": item.subtype,
        "difficulty": item.difficulty,
        "language": item.language,
        "answer_kind": item.answer_kind,
        "evidence": "\n".join(
            " or ".join(f"{span.doc}: {with_heading(span)}" for span in group) for group in item.evidence
        ),
        "documents": "\n".join(evidence_documents(item)),
        "history": json.dumps(turns_json(item.history), ensure_ascii=False) if item.history else "",
        "standalone": item.standalone,
        "spans": json.dumps([[span_json(span) for span in group] for group in item.evidence], ensure_ascii=False),
    }


# Write a table as CSV, in which no cell is a formula.


def render_csv(source: ExportInput) -> Rendered:
    """Return the file; it begins with a byte-order mark if it is not ASCII, without which Excel garbles it."""
    rows = list(map(text_row, source.items))
    if not source.raw:
        rows = [{name: guarded(cell) for name, cell in row.items()} for row in rows]
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    text = file.getvalue()
    return Rendered({"": text.encode("utf-8" if text.isascii() else "utf-8-sig")})


# Write a table as an Excel workbook, in which every cell is text and none is a formula.

_CELL_LIMIT = 32_767  # characters, of Excel
_CREATED = datetime(2000, 1, 1, tzinfo=UTC)  # the same bytes at any time
_WIDTHS = {"question": 50, "answer": 40, "evidence": 70, "other_answers": 25, "documents": 25, "standalone": 30}


def render_workbook(source: ExportInput) -> Rendered:
    """Return the workbook; a text that is too long for a cell is cut, and the spans in such a cell are left out."""
    import xlsxwriter

    rows = list(map(text_row, source.items))
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
        book.set_properties({"created": _CREATED})
        bold, wrapped = book.add_format({"bold": True}), book.add_format({"text_wrap": True, "valign": "top"})
        sheet = book.add_worksheet("questions")
        for column, name in enumerate(rows[0]):
            sheet.set_column(column, column, _WIDTHS.get(name, 14), wrapped)
            sheet.write_string(0, column, name, bold)
            for row, values in enumerate(rows, 1):
                sheet.write_string(row, column, _fitting(name, values[name]), wrapped)
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, len(rows), len(rows[0]) - 1)
    cut = sum(_is_too_long(value) for row in rows for value in row.values())
    note = f"a cell of Excel holds {_CELL_LIMIT:,} characters: {cut} cells cut (spans are left out instead)"
    return Rendered({"": file.getvalue()}, (note,) if cut else ())


def _is_too_long(text: str) -> bool:
    return len(text) > _CELL_LIMIT


def _fitting(column: str, text: str) -> str:
    """Return the text of a cell; JSON is no use if it is cut."""
    if not _is_too_long(text):
        return text
    return "" if column in JSON_COLUMNS else text[:_CELL_LIMIT]


# Write a table whose columns have types: as Parquet, or as a data set of Hugging Face with its card.

_CARD = """\
---
pretty_name: Golden set for a RAG system
task_categories:
- question-answering
language:
{languages}
tags:
- rag
- kgsynth
configs:
- config_name: default
  data_files:
  - split: test
    path: {file}
dataset_info:
  features:
{features}
---

# Golden set for a RAG system

{counts}

| question type | questions |
|---|---|
{types}

`evidence` is a list of groups: every group is needed, and any one span of a group is enough. `start` and `end` count
Unicode code points in the text of the document `doc`. An unanswerable question has no golden answers. `details` has
hard negatives, derivation, claims and metadata as JSON.

```python
from datasets import load_dataset

golden = load_dataset("FOLDER", split="test")
```

Written by [kgsynth](https://pypi.org/project/kgsynth), which reads this folder too: `kgsynth audit FOLDER --docs DOCS`.
"""


def render_parquet(source: ExportInput) -> Rendered:
    """Return the Parquet file.

    Raises:
        ConfigError: pyarrow is not installed.
    """
    return Rendered({"": to_parquet(list(map(typed_row, source.items)), TYPES)})


def render_hub(source: ExportInput) -> Rendered:
    """Return the lines of JSON and the card, which gives the types of the columns: empty lists do not show theirs."""
    types = Counter(item.question_type for item in source.items)
    answerable = sum(item.answerable for item in source.items)
    card = _CARD.format(
        languages="\n".join(f"- {code}" for code in sorted({item.language for item in source.items})),
        file=HUB_FILE,
        features="\n".join(_feature_lines(TYPES, "  ")),
        counts=f"{len(source.items)} questions, {answerable} of them answerable.",
        types="\n".join(f"| {name} | {count} |" for name, count in sorted(types.items())),
    )
    return Rendered({HUB_FILE: json_lines(map(typed_row, source.items)), "README.md": card.encode()})


def _feature_lines(types: dict[str, Any], indent: str) -> list[str]:
    """Return the YAML that the library datasets reads the types from."""
    lines = []
    for name, wanted in types.items():
        lines += [f"{indent}- name: {name}", *_type_lines(wanted, f"{indent}  ")]
    return lines


def _type_lines(wanted: Any, indent: str) -> list[str]:
    if isinstance(wanted, str):
        return [f"{indent}dtype: {wanted}"]
    if isinstance(wanted, dict):
        return [f"{indent}struct:", *_feature_lines(wanted, indent)]
    (inner,) = wanted
    if isinstance(inner, str):
        return [f"{indent}list: {inner}"]
    if isinstance(inner, dict):
        return [f"{indent}list:", *_feature_lines(inner, indent)]
    return [f"{indent}list:", *_type_lines(inner, f"{indent}  ")]


# Read the tables that kgsynth exports: a row is an item, with its evidence in the column ``spans`` or ``evidence``.

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
