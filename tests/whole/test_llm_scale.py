"""The number of calls depends on the size of the set, not on that of the corpus."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from scripted_model import Direct, Faithful

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.generation.corpus import open_run
from kgsynth.generation.flow import make

N = 20
MIX = {"simple": 0.8, "conditional": 0.2}
FIRST = "Bar Cor Dun Eld Fen Gar Hol Ing Kel Lam Mar Nor Os Pel Quin Ros Sel Tor Ul Wen".split()
LAST = "by combe dale ford garth ham ley mere ness ridge stead stow thorpe tun wade well wick wold worth yard".split()
NAMES = [first + last for first, last in itertools.product(FIRST, LAST)]


def page(number: int) -> str:
    """A page about a factory with names and numbers of its own."""
    name, other = NAMES[number], NAMES[(7 * number + 3) % len(NAMES)]
    return (
        f"# The {name} works\n\nThe {name} works stands on the river {other}. Ada {other} founded the {name} works in "
        f"{1500 + number}. The {name} works employs {20 + number} people, and it makes {other} bricks.\n\n"
        f"If the river rises, Jon {name} opens the {other} sluice at the {name} works.\n"
    )


def calls(folder: Path, documents: int) -> dict[str, int]:
    """The calls by stage for a set of ``N`` questions over this many documents."""
    docs = folder / f"{documents} documents"
    docs.mkdir()
    for number in range(documents):
        (docs / f"{NAMES[number].lower()}.md").write_text(page(number), encoding="utf-8")
    model = Direct(Faithful())
    config = Config(n=N, mix=MIX, llm="scripted")
    with open_run(docs, folder / f"run over {documents}", config, False, silent) as (run, read):
        made = make(read, run, model)
    assert len(made.golden) == N and made.documents == documents
    return {stage: usage.calls for stage, usage in model.spending.by_stage.items()}


@pytest.mark.slow
def test_twenty_times_the_documents_cost_the_same(tmp_path: Path) -> None:
    few, many = calls(tmp_path, 20), calls(tmp_path, 400)
    assert sum(many.values()) == pytest.approx(sum(few.values()), rel=0.05)
    assert sum(many.values()) <= 4 * N
