"""Tables with known content in each format that has tables: every cell is tied to its row head and column heads."""

from __future__ import annotations

from importlib import import_module

import pytest
from pdf_tables import PDF_WRITERS
from table_maker import WRITERS, MadeTable, TableFormat

from kgsynth.base.vocabulary import StructureKind
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import READERS, READERS_OF_BYTES
from kgsynth.documents.structure import structure

_PER_FILE = 10


def _wrong(extension: str, seeds: range, form: TableFormat | None = None) -> list[str]:
    """Return what differs between the tables that were written and those that were read."""
    form, found = form or WRITERS[extension], []
    for first in range(seeds.start, seeds.stop, _PER_FILE):
        tables = form.tables(range(first, min(first + _PER_FILE, seeds.stop)))
        data = form.write(tables)
        reader = READERS[extension]
        content = data if reader in READERS_OF_BYTES else data.decode()
        parsed = import_module(f"kgsynth.documents.readers.{reader}").read(content)
        document = assemble(parsed, id=f"tables{extension}", format=extension[1:], sha256="")
        facts = [fact for fact in structure(document) if fact.kind == StructureKind.CELL]
        read: dict[int, dict[tuple[str, tuple[str, ...]], str]] = {}
        for fact in facts:
            key = fact.subject.text, tuple(head.text for head in fact.heads)
            read.setdefault(fact.group, {})[key] = " ".join(fact.values[0].text.split())
            for part in (fact.subject, *fact.heads, *fact.values):
                shown = document.plain(part.start, part.end)
                assert " ".join(shown.split()) == " ".join(part.text.split())
        found += _differences(tables, [read[group] for group in sorted(read)], first)
    return found


def _differences(tables: list[MadeTable], read: list[dict[tuple[str, tuple[str, ...]], str]], first: int) -> list[str]:
    if len(read) != len(tables):
        return [f"{len(read)} tables read of {len(tables)}, from seed {first}"]
    return [
        f"seed {first + number}: {key}: {was.get(key)!r} is not {table.answers.get(key)!r}"
        for number, (table, was) in enumerate(zip(tables, read, strict=True))
        for key in sorted(was.keys() | table.answers.keys())
        if was.get(key) != table.answers.get(key)
    ]


def _read_formats() -> list[str]:
    return [extension for extension in WRITERS if extension in READERS]


@pytest.mark.parametrize("extension", _read_formats())
def test_20_tables_are_read_without_an_error(extension: str) -> None:
    assert _wrong(extension, range(20)) == []


@pytest.mark.slow
@pytest.mark.parametrize("extension", _read_formats())
def test_200_tables_are_read_without_an_error(extension: str) -> None:
    assert _wrong(extension, range(1000, 1200)) == []


@pytest.mark.parametrize("look", ["ruled", "booktabs"])
def test_20_tables_of_a_pdf_are_read_without_an_error(look: str) -> None:
    assert _wrong(".pdf", range(20), PDF_WRITERS[look]) == []


@pytest.mark.slow
@pytest.mark.parametrize("look", ["ruled", "booktabs"])
def test_200_tables_of_a_pdf_are_read_without_an_error(look: str) -> None:
    for seed in range(1000, 1200):
        assert _wrong(".pdf", range(seed, seed + 1), PDF_WRITERS[look]) == []


@pytest.mark.slow
def test_tables_of_a_pdf_that_a_page_cuts_are_right_or_read_in_part() -> None:
    found = _wrong(".pdf", range(1000, 1200), PDF_WRITERS["ruled"])
    assert found == []
    found = _wrong(".pdf", range(1000, 1200), PDF_WRITERS["booktabs"])
    assert all("None is not" in line or "tables read" in line for line in found) and len(found) <= 10


def _tables_not_read(seeds: range) -> int:
    """Return how many tables without rules give no fact; each of the others must be right in all cells."""
    missing = 0
    for seed in seeds:
        found = _wrong(".pdf", range(seed, seed + 1), PDF_WRITERS["borderless"])
        if found == [f"0 tables read of 1, from seed {seed}"]:
            missing += 1
        else:
            assert found == []
    return missing


def test_20_tables_without_rules_of_a_pdf_are_read_without_an_error() -> None:
    assert _tables_not_read(range(20)) <= 1


@pytest.mark.slow
def test_200_tables_without_rules_of_a_pdf_are_right_or_not_read() -> None:
    assert _tables_not_read(range(1000, 1200)) <= 6, "groups of heads whose columns only their place could tell"
