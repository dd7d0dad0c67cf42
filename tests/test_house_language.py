"""No module outside the language packages and the writers holds a word of a language that it looks for in a text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "kgsynth"
LANGUAGE = ROOT / "language"
WRITERS = ROOT / "generation" / "writing"

FUNCTION_WORDS = frozenset(
    """an and are as at be because been being between but by can could did does during for from had has have her his how
    if in into is it its me might must my no nor not of on onto or our shall she should since than that the their them
    then there these they this those till to unless until upon us was we were what when where which while who whom
    whose why will with within without would you your""".split()
)
"""Articles, prepositions, auxiliaries, pronouns, conjunctions and question words."""
CALENDAR = frozenset(
    """january february march april june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday""".split()
)
UNITS = frozenset(
    """second minute hour day week month quarter year decade century metre meter kilometre mile inch foot feet kilogram
    gram pound ounce litre byte percent dollar euro""".split()
)
NUMBERS = frozenset(
    """two three four five six seven eight nine ten eleven twelve hundred thousand million billion dozen half""".split()
)
PENN_TAGS = frozenset(
    "VB VBZ VBP VBD VBN VBG MD NN NNS NNP NNPS JJ JJR JJS RB RBR RBS DT PRP WDT WP WRB CD EX POS".split()
)
WORDS = FUNCTION_WORDS | CALENDAR | UNITS | NUMBERS | {f"{unit}s" for unit in UNITS}

EXCEPTIONS = {
    ("base/quantity.py", word): "the name of a unit in a Quantity, the same in every language"
    for word in ("day", "month", "quarter", "year")
} | {
    ("auditing/answer_support.py", "are"): "a word of a message",
    ("auditing/answer_support.py", "is"): "a word of a message",
    ("auditing/coverage.py", "has"): "a word of a message",
    ("auditing/coverage.py", "have"): "a word of a message",
    ("base/processes.py", "In"): "a type variable",
    ("base/run_folder/resume.py", "In"): "a type variable",
    ("base/settings.py", "should"): "a word of pydantic's messages",
    ("base/vocabulary.py", "you"): "the name of a flag",
    ("documents/readers/csv_table.py", "sep"): "how a spreadsheet program names the delimiter",
    ("documents/readers/sheets.py", "minutes"): "an argument of isoformat",
    ("documents/readers/sheets.py", "seconds"): "an argument of isoformat",
    ("documents/readers/email_message.py", "From"): "a field of a message",
    ("documents/readers/email_message.py", "To"): "a field of a message",
    ("evidence/derivation.py", "by"): "a key of a derivation",
    ("evidence/derivation.py", "to"): "a key of a derivation",
    ("harvesting/log.py", "from"): "a key of a message",
    ("generation/selection/greedy.py", "by"): "a key of a derivation",
    ("golden/exchange/columns.py", "no"): "a cell of a foreign table that says false",
    ("reviewing/annotation.py", "seconds"): "a key of an annotation",
    ("reviewing/results.py", "second"): "which of two systems is preferred",
    ("scoring/metrics/answer_match.py", "an"): "SQuAD v2 removes the English articles",
    ("scoring/metrics/answer_match.py", "the"): "SQuAD v2 removes the English articles",
}
"""(module, constant) -> why it is not a word of a language that is looked for in a text."""


FOR_PEOPLE = re.compile(r"(?:cli|show)/|.*/(?:text|page)\.py$")
"""The modules that write for people and read no text."""


def checked() -> Iterator[tuple[str, ast.Module]]:
    """The modules outside the language packages and the writers that read text, by their path in the package."""
    for file in sorted(ROOT.rglob("*.py")):
        writer = file.parent != WRITERS and WRITERS in file.parents
        module = file.relative_to(ROOT).as_posix()
        if LANGUAGE not in file.parents and not writer and not FOR_PEOPLE.match(module):
            yield module, ast.parse(file.read_text(encoding="utf-8"))


def words_looked_for(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The constants that are a word of English or a Penn tag, and such words in regular expressions and word lists.

    Docstrings, parts of messages, keys of mappings and what joins a list for people are left out.
    """
    skipped = set(_prose(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from ((node.lineno, word) for word in _of_call(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            word = node.value.strip()
            if len(word) > 1 and (word.lower() in WORDS or word in PENN_TAGS):
                yield node.lineno, node.value


def _prose(tree: ast.Module) -> Iterator[int]:
    """The ids of the constants that are no words to look for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):  # docstrings
            yield id(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield from map(id, ast.walk(node))
        elif isinstance(node, ast.Dict):
            yield from map(id, node.keys)
        elif isinstance(node, ast.Subscript):
            yield id(node.slice)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr == "join":
                yield id(node.func.value)
            elif node.func.attr in {"get", "pop"} and node.args:
                yield id(node.args[0])


def _of_call(node: ast.Call) -> Iterator[str]:
    """The words in a regular expression that is compiled or used, and in a list made by ``split``."""
    if not isinstance(node.func, ast.Attribute):
        return
    if isinstance(node.func.value, ast.Constant) and node.func.attr == "split":
        yield from (word for word in str(node.func.value.value).split() if word in WORDS | PENN_TAGS)
    if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.args:
        for part in ast.walk(node.args[0]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from in_pattern(part.value)


def in_pattern(pattern: str) -> list[str]:
    """The words in a regular expression, without its comments, character sets, group names and escapes."""
    bare = re.sub(r"\s#.*$|\[[^\]]*\]|\(\?P[<=]\w+[>)]|\\[a-zA-Z]", " ", pattern, flags=re.MULTILINE)
    return [word for word in re.findall(r"[a-z]{2,}", bare.lower()) if word in WORDS]


def test_no_other_module_knows_a_word_of_a_language() -> None:
    found = {(module, word): line for module, tree in checked() for line, word in words_looked_for(tree)}
    leaks = [f"kgsynth/{place[0]}:{line}: {place[1]!r}" for place, line in found.items() if place not in EXCEPTIONS]
    assert not leaks, "\n".join(["move these into kgsynth/language/ or the writers of their language:", *leaks])
    unused = sorted(set(EXCEPTIONS) - set(found))
    assert not unused, "take these out of EXCEPTIONS"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('if marker in {"in", "on"}: pass', ["in", "on"]),
        ('past = verb.tag == "VBD"', ["VBD"]),
        ('STOP = frozenset("the depot of".split())', ["the", "of"]),
        (r're.sub(r"^(?:the|an?) (?=\S)", "", text)', ["the", "an"]),
        (r're.compile(rf"(?P<month>{x})\s+of [a-z]+")', ["of"]),
        ('"""Of the."""\nprint("the depot of Oslo", f"{x} of ", " and ".join(y), row["by"], {"to": 1})', []),
    ],
)
def test_the_rule_sees_every_form_of_a_word(code: str, words: list[str]) -> None:
    assert sorted(word for _, word in words_looked_for(ast.parse(code))) == sorted(words)
