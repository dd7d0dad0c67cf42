"""Read test cases of promptfoo: their variables, and the texts that their assertions look for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.foreign_question import ForeignQuestion
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.exchange.whole_item import with_item

_TYPES_WITH_ANSWER = ("equals", "contains", "icontains", "contains-any", "icontains-any", "factuality", "similar")
_RAW = re.compile(r"{%-?\s*raw\s*-?%}(.*?){%-?\s*endraw\s*-?%}", re.DOTALL)


def fits(source: SourceFile) -> bool:
    """Check whether rows have variables and assertions."""
    return any(isinstance(row.cells.get("vars"), Mapping) for row in source.rows) and "assert" in source.columns


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every test case; a refusal that is asserted makes it unanswerable."""
    for row in source.rows:
        variables: dict[str, Any] = dict(given) if isinstance(given := row.cells.get("vars"), Mapping) else {}
        assertions = [each for each in cells.as_list(row.cells.get("assert")) if isinstance(each, Mapping)]
        metadata = row.cells.get("metadata")
        item = metadata.get("item") if isinstance(metadata, Mapping) else None
        if item:
            variables.pop("reference_context", None)  # all contexts in one text, which the item has one by one
        if "answer" not in columns.find_roles(list(variables)):
            variables["reference_answer"] = list(_expected(assertions))
        if any(each.get("type") == "is-refusal" for each in assertions):
            variables["answerable"] = "false"
        roles = columns.find_roles(list(variables))
        for each in columns.read_rows([SourceRow(row.where, variables)], roles):
            yield with_item(each, item) if isinstance(each, ForeignQuestion) else each


def _expected(assertions: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the texts any of which an assertion accepts."""
    for each in assertions:
        if each.get("type") in _TYPES_WITH_ANSWER:
            for text in cells.texts(each.get("value")):
                yield _RAW.sub(r"\1", text)
