"""How often each condition and form of the rules that write questions is true and false, in how many folders.

    python benchmarks/rule_yields.py DOCS …

The modules are rewritten when they are imported, so that every operand of "and" and "or", every test and every filter
of a comprehension is counted; so are the rows of the forms. Printed are the conditions that are true, or false, in
fewer than two folders or fewer than five times in all, and the rows that asked so rarely; benchmarks/graded/yields.md
says what was done about them.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

RULES = ("generation/writing", "generation/evolutions", "language/english", "language/chinese")
ROOT = Path(__file__).parent.parent / "kgsynth"
COUNTER = "count_condition"
LEAST_FOLDERS, LEAST_TIMES = 2, 5

counts: defaultdict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
"""(condition or row, outcome) -> how often it came out so in each folder."""
folder = [""]


def count_condition(condition: str, value: Any) -> Any:
    """Count an outcome for the folder at hand, and return the value."""
    counts[condition, bool(value)][folder[0]] += 1
    return value


class Counted(ast.NodeTransformer):
    """Wraps the conditions of a module."""

    def __init__(self, name: str) -> None:
        self.name = name

    def wrapped(self, node: ast.expr) -> ast.expr:
        """Return a condition, and each of its operands, as a call that counts it."""
        condition = ast.Constant(f"{self.name}:{node.lineno} {ast.unparse(node)[:100]}")
        call = ast.Call(ast.Name(COUNTER, ast.Load()), [condition, self.visit(node)], [])
        return ast.copy_location(call, node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.BoolOp:
        """Count each operand."""
        node.values = [self.wrapped(value) for value in node.values]
        return node

    def visit_test(self, node: Any) -> Any:
        """Count the test."""
        node.test = self.wrapped(node.test)
        for field in ("body", "orelse"):
            part = getattr(node, field)
            setattr(node, field, [self.visit(each) for each in part] if isinstance(part, list) else self.visit(part))
        return node

    visit_If = visit_IfExp = visit_test  # noqa: N815 (names of the syntax)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        """Count each filter."""
        node.iter, node.ifs = self.visit(node.iter), [self.wrapped(each) for each in node.ifs]
        return node


def count_rules() -> None:
    """Count the conditions of all rules that are imported from now on."""
    setattr(builtins, COUNTER, count_condition)
    usual = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> Any:
        path = Path(self.get_filename(fullname)).resolve()
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if not name.startswith(RULES):
            return usual(self, fullname)
        tree = Counted(name).visit(ast.parse(path.read_text(encoding="utf-8")))
        return compile(ast.fix_missing_locations(tree), str(path), "exec")

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]


def count_rows() -> None:
    """Count the rows of the forms that decide."""
    from kgsynth.language.chinese.lexicon import CHINESE
    from kgsynth.language.english.lexicon import ENGLISH
    from kgsynth.language.lexicon import Asker

    rows = {
        id(form): f"{code}.toml [[forms.{kind}]] {form.example} -> {form.asks or 'nothing'}"
        for code, lexicon in (("en", ENGLISH), ("zh", CHINESE))
        for kind, forms in lexicon.forms.items()
        for form in forms
    }
    for row in rows.values():
        counts[row, True].update()
    usual = Asker._written

    def written(self: Any, form: Any, *parts: Any) -> str:
        count_condition(rows[id(form)], True)
        return usual(self, form, *parts)

    Asker._written = written  # type: ignore[method-assign]


def main(docs: str, *others: str) -> None:
    """Print a row for each condition with an outcome that is rare, and for each form that asks rarely."""
    from kgsynth import Config, generate

    count_rows()
    for name in (docs, *others):
        folder[0] = name
        with tempfile.TemporaryDirectory() as out:
            generate(name, Path(out) / "run", config=Config(n=60, processes=1))
    print("| condition | true | folders | false | folders |\n|---|---|---|---|---|")
    for condition in sorted({condition for condition, _ in counts}):
        outcomes = (True,) if ".toml [[" in condition else (True, False)
        found = [counts[condition, outcome] for outcome in outcomes]
        if any(len(each) < LEAST_FOLDERS or each.total() < LEAST_TIMES for each in found):
            figures = " | ".join(f"{each.total()} | {len(each)}" for each in found)
            print(f"| `{condition.replace('|', chr(92) + '|')}` | {figures}{' | | ' * (len(found) == 1)} |")


if __name__ == "__main__":
    count_rules()
    from arguments import call

    call(main)
