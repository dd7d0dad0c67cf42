"""promptfoo: test cases, alone or in results, with their variables, and the texts that their assertions look for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from kgsynth.base.records import Finding, Item
from kgsynth.golden.answer_members import COMPOSED, MEMBER_KINDS, answer_members
from kgsynth.golden.answer_patterns import pattern, plain_answers, reference_answer
from kgsynth.golden.exchange import cells, columns
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, evidence_texts, messages
from kgsynth.golden.exchange.foreign_question import ForeignQuestion, with_item
from kgsynth.golden.exchange.source_file import SourceFile, SourceRow
from kgsynth.golden.item_json import to_json

_TYPES_WITH_ANSWER = ("equals", "contains", "icontains", "contains-any", "icontains-any", "factuality", "similar")
_RAW = re.compile(r"{%-?\s*raw\s*-?%}(.*?){%-?\s*endraw\s*-?%}", re.DOTALL)


def fits(source: SourceFile) -> bool:
    """Check whether rows have variables and assertions."""
    has_assertions = bool({"assert", "testCase"} & set(source.columns))
    return any(isinstance(row.cells.get("vars"), Mapping) for row in source.rows) and has_assertions


def read(source: SourceFile) -> Iterator[ForeignQuestion | Finding]:
    """Yield the question of every test case; a refusal that is asserted makes it unanswerable.

    Results have a test case for each system, and the same ``testIdx`` for the same one.
    """
    rows = {row.cells.get("testIdx", row.where): row for row in reversed(source.rows)}
    cases = [
        SourceRow(row.where, cells.as_object(row.cells.get("testCase")) or row.cells) for row in reversed(rows.values())
    ]
    for row in cases:
        variables: dict[str, Any] = dict(cells.as_object(row.cells.get("vars")))
        assertions = [each for each in cells.as_list(row.cells.get("assert")) if isinstance(each, Mapping)]
        item = cells.as_object(row.cells.get("metadata")).get("item")
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


# Write test cases for promptfoo as YAML: the question as a variable, the golden answers as assertions.
#
# The item is in the metadata as JSON text, since readers of YAML do not agree on numbers; its traits are beside it,
# for ``--filter-metadata``.

_TEXT = "tag:yaml.org,2002:str"
_ANY = 0.01  # of the assertions of a set: one is enough


def render(source: ExportInput) -> Rendered:
    """Return the file. Every text is in quotes: YAML would read some as numbers, and not all parsers the same ones."""
    import yaml

    class QuotingDumper(yaml.SafeDumper):
        """Writes every text in quotes, and what occurs twice twice."""

        def ignore_aliases(self, data: object) -> bool:
            """Return True, so that no text is a reference to another one."""
            return True

    QuotingDumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(_TEXT, text, style='"'))
    tests = list(map(_test, source.items))
    text = yaml.dump(tests, Dumper=QuotingDumper, allow_unicode=True, sort_keys=False, width=float("inf"))
    return Rendered({"": text.encode()})


def _test(item: Item) -> dict[str, Any]:
    spoken = "\n".join(f"{each['role'].capitalize()}: {each['content']}" for each in messages(item))
    variables = {
        "question": item.question,
        "history": spoken,
        "reference_answer": reference_answer(item.golden_answers),
        "reference_context": "\n\n".join(evidence_texts(item)),
    }
    traits = {name: getattr(item, name) for name in ("question_type", "subtype", "difficulty", "language")}
    metadata = traits | {"item": json.dumps(to_json(item), ensure_ascii=False)}
    return {"description": item.id, "vars": variables, "assert": _assertions(item), "metadata": metadata}


def _assertions(item: Item) -> list[dict[str, Any]]:
    """Return what the output must hold; only a composed answer needs a model to compare it."""
    plain = plain_answers(item.golden_answers)
    if not item.answerable:
        return [{"type": "is-refusal"}]
    if item.answer_kind == COMPOSED and plain:
        return [{"type": "factuality", "value": _verbatim(plain[0])}]
    if item.answer_kind in MEMBER_KINDS and plain:
        return [{"type": "icontains-all", "value": list(map(_verbatim, answer_members(plain[0])))}]
    found: list[dict[str, Any]] = [{"type": "icontains-any", "value": list(map(_verbatim, plain))}] if plain else []
    found += [_matches(each.pattern) for text in item.golden_answers if (each := pattern(text))]
    return [{"type": "assert-set", "threshold": _ANY, "assert": found}] if len(found) > 1 else found


def _matches(expression: str) -> dict[str, Any]:
    """Return the assertion for a regular expression; that of promptfoo cannot ignore letter case."""
    return {"type": "javascript", "value": _verbatim(f"new RegExp({json.dumps(expression)}, 'i').test(output)")}


def _verbatim(text: str) -> str:
    """Return a text as a template that yields it: promptfoo renders the values of assertions with Nunjucks."""
    return f"{{% raw %}}{text}{{% endraw %}}" if "{{" in text or "{%" in text or "{#" in text else text
