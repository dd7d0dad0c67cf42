"""Write lists and objects of data as tables and lists: a row for each record, a row for each key and its value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kgsynth.base.records.documents import CellTable
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, TextPiece
from kgsynth.documents.readers.sheets import MAX_AREA, RowLimit, is_value
from kgsynth.documents.unsupported import UnsupportedFileError

_LONG_VALUE = 120  # characters; a longer text stands below a heading or in a paragraph, not in a table
_NAMING_KEYS = ("id", "key", "name", "title", "slug", "code", "term", "question", "label")


def is_long(value: object) -> bool:
    """Check whether a value is a text that is too long for a table, or has several lines."""
    return isinstance(value, str) and (len(value) > _LONG_VALUE or "\n" in value.strip())


def label(key: str) -> str:
    """Return a key as a heading or the head of a column."""
    return " ".join(key.split()) or '""'


def shown_value(value: Any) -> str:
    """Return a value as the text of a cell; an object as "key: value; key: value".

    Example:
        >>> shown_value({"a": [1, True], "b": None}), shown_value(2.50)
        ('a: 1, true; b:', '2.5')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "; ".join(f"{label(key)}: {shown_value(each)}".rstrip() for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(map(shown_value, value))
    return " ".join(str(value).split())


def add_texts(extracted: ExtractedText, value: Any) -> None:
    """Add a single value: the paragraphs of a text, parted by empty lines."""
    for part in (value if isinstance(value, str) else shown_value(value)).split("\n\n"):
        extracted.add("paragraph", [TextPiece(part)])


def add_pairs(extracted: ExtractedText, pairs: Mapping[str, Any], limit: RowLimit) -> None:
    """Add keys with their values as a table of two columns."""
    rows = [[label(key), shown_value(value)] for key, value in pairs.items()]
    add_rows(extracted, limit.limited(rows, "an object"), heads=0)


def add_list(extracted: ExtractedText, values: list[Any], limit: RowLimit) -> None:
    """Add a list that is not one of records: its values as items, or as paragraphs if one of them is long."""
    if any(is_long(each) for each in values):
        for each in values:
            add_texts(extracted, each)
    else:
        with extracted.within(ContainerKind.LIST):
            for [text] in limit.limited(([shown_value(each)] for each in values), "a list"):
                with extracted.within(ContainerKind.ITEM):
                    extracted.add("item", [TextPiece(text)], joint="\n")


def are_flat(records: list[Any]) -> bool:
    """Check whether all values are objects of short values, so that each is a row of one table."""
    return all(isinstance(each, Mapping) and all(map(_is_flat, each.values())) for each in records)


def _is_flat(value: Any) -> bool:
    if isinstance(value, list):
        return not any(isinstance(each, Mapping | list) or is_long(each) for each in value)
    return not isinstance(value, Mapping) and not is_long(value)


def check_reach(records: list[Mapping[str, Any]]) -> None:
    """Raise UnsupportedFileError if the records would need too large a table, since each has keys of its own."""
    keys = {key for record in records for key in record}
    if len(keys) * len(records) > MAX_AREA:
        reach = f"a list of {len(records):,} records with {len(keys):,} different keys"
        raise UnsupportedFileError(f"too large: it has {reach}; split it")


def add_records(extracted: ExtractedText, records: list[Mapping[str, Any]], limit: RowLimit) -> None:
    """Add a table with a row for each record, and the keys as heads of the columns."""
    keys = list(dict.fromkeys(key for record in records for key in record))
    heads = [label(key) for key in keys]
    rows = ([shown_value(record.get(key)) for key in keys] for record in records)
    if len(keys) > 1:
        naming = keys.index(naming_key(records) or keys[0])
        add_rows(extracted, _with_heads(heads, limit.limited(rows, "a list of records")), heads=1, naming=naming)
    else:
        add_list(extracted, [value for record in records for value in record.values()], limit)


def _with_heads(heads: list[str], rows: Iterable[list[str]]) -> Iterator[list[str]]:
    yield heads
    yield from rows


def naming_key(records: list[Mapping[str, Any]]) -> str:
    """Return the key that names the records, "" for none: it has another short value in each, best a text.

    Example:
        >>> naming_key([{"price": 5, "id": 1, "plan": "Team"}, {"price": 9, "id": 2, "plan": "Pro"}])
        'plan'
    """
    keys = list(dict.fromkeys(key for record in records for key in record))
    known = [key for name in _NAMING_KEYS for key in keys if key.lower() == name]
    single = [key for key in (*known, *keys) if not any(isinstance(each.get(key), Mapping | list) for each in records)]
    numbered = ""
    for key in dict.fromkeys(single):
        values = [shown_value(record.get(key)) for record in records]
        if all(values) and len(set(values)) == len(values) and not any(map(is_long, values)):
            if not any(map(is_value, values)):
                return key
            numbered = numbered or key
    return numbered


def add_rows(extracted: ExtractedText, rows: Iterable[list[str]], *, heads: int, naming: int = 0) -> None:
    """Add a table; the first ``heads`` rows are heads, and so is the column ``naming``."""
    with extracted.within(ContainerKind.TABLE):
        extracted.add_table(CellTable(heads, naming), rows)
