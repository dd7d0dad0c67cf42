"""Read JSON, JSONL and YAML: records as rows of tables, objects as sections, long texts as paragraphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.data_files import load_data
from kgsynth.documents.readers.data_tables import (
    add_list,
    add_pairs,
    add_records,
    add_texts,
    are_flat,
    check_reach,
    is_long,
    label,
    naming_key,
    shown_value,
)
from kgsynth.documents.readers.sheets import RowLimit

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
