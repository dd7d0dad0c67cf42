"""Read JSON, JSONL and YAML: records as rows of tables, objects as sections, long texts as paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from kgsynth.base.records.documents import CellTable
from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.data_files import load_data
from kgsynth.documents.readers.sheets import MAX_AREA, RowLimit, is_value
from kgsynth.documents.unsupported import UnsupportedFileError

_MAX_DATA_LEVEL = 6  # of a heading; what is nested deeper is written into one cell
_TITLE_KEYS = ("title", "name")


def read(text: str) -> ParsedFile:
    r"""Return the sections and tables of a file of data.

    Raises:
        UnsupportedFileError: it is neither JSON nor YAML, or holds what is refused.

    Example:
        >>> read('{"plans": [{"name": "Team", "price": 5}, {"name": "Pro", "price": 9}]}').text
        'plans\n\nname\tprice\nTeam\t5\nPro\t9'
    """
    value = load_data(text)
    walk = _DataWalk()
    title = ""
    if isinstance(value, Mapping):
        title = next((value[key] for key in _TITLE_KEYS if isinstance(value.get(key), str)), "")
    walk.add(value, 2)
    parsed = walk.extracted.parsed("" if is_long(title) else title.strip(), walk.limit.remarks)
    return replace(parsed, named_by_file=True)


class _DataWalk:
    """The walk over the value of one file."""

    def __init__(self) -> None:
        self.extracted = ExtractedText()
        self.limit = RowLimit()

    def add(self, value: Any, level: int) -> None:
        """Add a value below a heading of the level above."""
        if isinstance(value, Mapping):
            self._object(value, level)
        elif not isinstance(value, list):
            add_texts(self.extracted, value)
        elif not value or not all(isinstance(each, Mapping) for each in value):
            add_list(self.extracted, value, self.limit)
        else:
            check_reach(value)
            if are_flat(value) or level > _MAX_DATA_LEVEL:
                add_records(self.extracted, value, self.limit)
            else:
                self._sections(value, level)

    def _object(self, value: Mapping[str, Any], level: int, texts: frozenset[str] = frozenset()) -> None:
        """Add the short values of an object as pairs, then the others, each below its key as a heading.

        ``texts`` are keys whose values are long in other records; the text of a single one needs no heading.
        """
        longer = {key: each for key, each in value.items() if _has_section(each) or key in texts}
        inner = longer if level <= _MAX_DATA_LEVEL else {}
        alone = len(inner) == 1 and not inner.keys() - texts
        if alone:
            add_texts(self.extracted, *inner.values())
        add_pairs(self.extracted, {key: each for key, each in value.items() if key not in inner}, self.limit)
        for key, each in inner.items() if not alone else ():
            self.extracted.add("heading", [TextPiece(label(key))], level=level)
            self.add(each, level + 1)

    def _sections(self, records: list[Mapping[str, Any]], level: int) -> None:
        """Add records that hold long texts or objects: each below its name, or its number, as a heading."""
        naming = naming_key(records)
        texts = frozenset(key for record in records for key, each in record.items() if is_long(each))
        for number, record in enumerate(records, 1):
            name = shown_value(record[naming]) if naming else str(number)
            self.extracted.add("heading", [TextPiece(name)], level=level)
            self._object({key: each for key, each in record.items() if key != naming}, level + 1, texts)


def _has_section(value: Any) -> bool:
    """Check whether a value stands below a heading of its own: an object, a list, a long text."""
    return bool(value) if isinstance(value, dict | list) else is_long(value)


# ---- tables and lists ----------------------------------------------------------------------------


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
