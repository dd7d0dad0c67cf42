"""A pytest plugin: the golden set as a fixture, a test for each question, and a check that explains failures.

``--kgsynth-golden=PATH``, or ``kgsynth_golden`` in pytest's configuration, names the golden set. ``kgsynth_docs`` names
the documents in the same way, by default those of the run that the set lies in; without documents, passages are
compared with the text of the evidence. pytest loads the plugin automatically.

Example:
    >>> def test_each_question(kgsynth_item, kgsynth_check):
    ...     kgsynth_check(kgsynth_item, my_rag(kgsynth_item.question))
    >>> def test_gate(kgsynth_golden):
    ...     assert kgsynth.score(kgsynth_golden, my_rag, gates=["recall@5>=0.8"]).passed
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kgsynth.base.errors import KgsynthError
from kgsynth.show.wording import visible

if TYPE_CHECKING:
    from kgsynth.base.records import Item
    from kgsynth.golden.dataset import Dataset
    from kgsynth.scoring.metrics.item_score import ItemScore

_PATHS = {
    "golden": "the golden set: golden.jsonl, or the folder of a run of kgsynth generate",
    "docs": "the folder of documents that the golden set was made from",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--kgsynth-golden`` and ``--kgsynth-docs``, and the settings of the same names."""
    group = parser.getgroup("kgsynth")
    for name, what in _PATHS.items():
        group.addoption(f"--kgsynth-{name}", metavar="PATH", help=what)
        parser.addini(f"kgsynth_{name}", what)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the argument ``kgsynth_item`` once for each question."""
    if "kgsynth_item" in metafunc.fixturenames:
        items = list(_load(metafunc.config))
        metafunc.parametrize("kgsynth_item", items, ids=[item.id for item in items])


@pytest.fixture(scope="session")
def kgsynth_golden(pytestconfig: pytest.Config) -> Dataset:
    """The golden set."""
    return _load(pytestconfig)


@pytest.fixture(scope="session")
def kgsynth_check(pytestconfig: pytest.Config) -> Callable[[Item, object], ItemScore]:
    """A function of an item and what the system returned for it.

    It fails the test if the question fails, and skips it if the question could not be checked.
    """
    from kgsynth.golden.exchange.open_set import open_set
    from kgsynth.scoring.flow import score

    golden = _path(pytestconfig, "golden")
    documents = open_set(golden, _path(pytestconfig, "docs")).documents if golden else ()

    def check(item: Item, returned: object) -> ItemScore:
        try:
            (scored,) = score([item], lambda _: returned, docs=documents).items
        except KgsynthError as error:
            pytest.fail(visible(f"{item.question}\n{error}"), pytrace=False)
        if scored.not_checked:
            pytest.skip(visible(f"not checked: {scored.not_checked.replace('--docs', '--kgsynth-docs')}"))
        if scored.cause is not None:
            expected, actual = " | ".join(scored.expected) or "(no answer)", scored.actual or "(none)"
            lines = f"{item.question}\nexpected: {expected}\nactual: {actual}\nlikely cause: {scored.cause}"
            pytest.fail(visible(f"{lines}\ntry: {scored.cause.advice}"), pytrace=False)
        return scored

    return check


def _load(config: pytest.Config) -> Dataset:
    from kgsynth.golden.dataset import load

    path = _path(config, "golden")
    if path is None:
        raise pytest.UsageError("no golden set: give --kgsynth-golden=PATH, or set kgsynth_golden for pytest")
    try:
        return load(path)
    except KgsynthError as error:
        raise pytest.UsageError(str(error)) from None


def _path(config: pytest.Config, name: str) -> Path | None:
    """Return a configured path: an option is relative to where pytest was started, a setting to the project root."""
    option = config.getoption(f"--kgsynth-{name}")
    if option:
        return config.invocation_params.dir / str(option)
    setting = config.getini(f"kgsynth_{name}")
    return config.rootpath / str(setting) if setting else None
