"""Control characters and marks of direction of documents reach neither the terminal nor the pages as they are."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Item, Span
from kgsynth.cli import main
from kgsynth.golden.dataset import Dataset
from kgsynth.show.pages import render
from kgsynth.show.wording import visible, visible_json

HOSTILE = "Who\x1b]0;owned\x07 leads\x1b[2J the \u202edepot\u2066\x9b1m?"
SHOWN = "Who␛]0;owned␇ leads␛[2J the «U+202E»depot«U+2066»«U+009B»1m?"
CLI = Path(__file__).parents[2] / "kgsynth" / "cli"


def raw(text: str) -> list[str]:
    return [letter for letter in text if letter not in "\n\t\r" and unicodedata.category(letter) in ("Cc", "Cs")] + [
        letter for letter in text if unicodedata.bidirectional(letter) in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI")
    ]


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Result]:
    """Run a command of kgsynth; what it prints has no control characters."""

    def command(*args: object) -> Result:
        done = CliRunner().invoke(main, [str(each) for each in args])
        assert not raw(done.output), raw(done.output)
        return done

    return command


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A set with one hostile question about a document with a hostile name, both in ``docs``."""
    name = "de\x1b[31mpot.md"
    (tmp_path / "docs").mkdir()
    text = "# Depot\n\nAda \x1b[2JLowell leads the depot.\n"
    (tmp_path / "docs" / name).write_text(text, "utf-8")
    span = Span(name, 9, len(text) - 1, text[9:-1])
    item = Item("q-1", HOSTILE, ("Ada \x1b[2JLowell",), "simple", "factoid", "en", ((span,),))
    Dataset([item]).save(tmp_path / "golden.jsonl")
    return tmp_path / "golden.jsonl"


def test_symbols() -> None:
    assert visible(HOSTILE) == SHOWN
    assert visible("a\r\nb\rc\x7f\td\ud800") == "a\nb␍c␡\td«U+D800»"
    assert visible("مرحبا 👩\u200d🚀 é") == "مرحبا 👩\u200d🚀 é", "letters of all scripts and joined emoji stay"


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_nothing_raw_is_left_and_json_keeps_its_data(text: str) -> None:
    assert not raw(visible(text))
    as_json = json.dumps({"a": text}, ensure_ascii=False)
    assert json.loads(visible_json(as_json)) == {"a": text}
    assert not raw(visible_json(as_json))


def test_audit_shows_symbols(run: Callable[..., Result], golden: Path, tmp_path: Path) -> None:
    (page,) = (tmp_path / "docs").iterdir()
    page.write_text(page.read_text("utf-8").replace("leads", "led"), "utf-8")  # which is a finding
    found = run("audit", golden, "--docs", tmp_path / "docs", "--quick", "-o", tmp_path / "audited")
    assert "␛" in found.output
    page = (tmp_path / "audited" / "report.html").read_text("utf-8")
    assert SHOWN in page and not raw(page)
    as_json = run("audit", golden, "--docs", tmp_path / "docs", "--quick", "--json")
    assert "de\x1b[31mpot.md" in json.dumps(json.loads(as_json.stdout), ensure_ascii=False).replace("\\u001b", "\x1b")


def test_score_shows_symbols(run: Callable[..., Result], golden: Path, tmp_path: Path) -> None:
    out = tmp_path / "scored"
    found = run("score", golden, "--rag", "bm25", "--docs", tmp_path / "docs", "-o", out)
    assert found.exit_code == 0, found.output
    page = (out / "report.html").read_text("utf-8")
    assert "␛" in page and not raw(page)


def test_generate_shows_symbols(run: Callable[..., Result], hashed: None, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "de\x1b[31mpot.md").write_text(
        "# Depot\n\nAda Lowell leads the \x1b[2JNorthern Depot. The Northern Depot stores 400 pumps.\n",
        "utf-8",
    )
    (docs / "bad\x1b[2J.md").write_bytes(b"\0\xff")
    found = run("generate", docs, "-o", tmp_path / "run", "-n", "3")
    assert found.exit_code == 0, found.output
    assert "not read" in found.output
    assert not raw((tmp_path / "run" / "report.html").read_text("utf-8"))


def test_errors_show_symbols(run: Callable[..., Result], tmp_path: Path) -> None:
    hostile = tmp_path / "no\x1b[2J\u202ething"
    for args in (["audit", hostile, "--docs", tmp_path], ["generate", hostile, "-o", tmp_path / "run"], [hostile]):
        found = run(*args)
        assert found.exit_code in (2, 3), found.output
        assert "␛[2J" in found.output or "\\x1b[2J" in found.output


def test_pages_show_symbols() -> None:
    page = render("show/templates/base.html", title=HOSTILE)
    assert SHOWN in page and not raw(page)


def test_the_review_page_shows_the_same_characters_as_symbols() -> None:
    script = (CLI.parent / "reviewing" / "page.js").read_text("utf-8")
    (found,) = re.findall(r"replace\(/\[(.*?)\]/g", script)
    source = (CLI.parent / "show" / "wording.py").read_text("utf-8")
    wanted = "".join(re.findall(r'^ +"(\S+)"  #', source, re.MULTILINE)).replace("\\\\", "\\")
    assert found == wanted.replace("\\ud800-\\udfff", "")


def test_only_one_module_prints() -> None:
    calls = re.compile(r"\bclick\.(?:s?echo|echo_via_pager)\(|\bprint\(")
    assert [path.name for path in sorted(CLI.glob("*.py")) if calls.search(path.read_text("utf-8"))] == ["output.py"]


def test_a_bug_shows_symbols() -> None:
    code = "import kgsynth.cli as c\nc.COMMANDS['audit'] = ('no\\x1b[2Jmodule', '')\nc.main(['audit'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not raw(done.stderr)
