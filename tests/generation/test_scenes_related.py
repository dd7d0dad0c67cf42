"""Which passages belong to one question: what joins them, what each adds, and what is left out."""

from __future__ import annotations

import itertools
import random

import pytest
import scene_corpora
from scene_corpora import corpus, titles, words

from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes import Scene, find_scenes
from kgsynth.generation.scenes.passages import Closeness, passages_of

ELSE = {f"{name}.md": f"# {name}\n\n## All of it\n\n{words(name, 90)}\n" for name in ("pump", "tank", "valve", "hose")}


@pytest.fixture(autouse=True)
def paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same paragraphs in each run, whatever tests ran before; none is one of those above."""
    monkeypatch.setattr(scene_corpora, "_PARAGRAPHS", itertools.count(1000))


def found_in(pages: dict[str, str]) -> tuple[Knowledge, list[Scene]]:
    knowledge = corpus({**pages, **ELSE})
    return knowledge, find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"]


def test_a_passage_ends_at_a_menu() -> None:
    menu = "".join(f"- [{name}](#{name.lower()})\n" for name in ("Team", "Firm", "Solo", "Club", "Home"))
    page = f"# Plans\n\n{words('plan', 90)}\n\n{menu}\n\nAll plans are monthly.\n\n## Team\n\n{words('team', 90)}\n"
    found = [passage.span.text for passage in corpus({"a.md": page}).derived(passages_of)]
    assert len(found) == 2
    assert found[0].startswith("# Plans") and found[1].endswith(".")
    assert not any("(#team)" in text for text in found)


def test_headings_with_a_word_in_common_join_ways_to_do_one_thing() -> None:
    parts = {
        "Warm shutdown": f"{words('stop', 90)} {words('wait', 60)}",
        "What is and what your logs show": words("log", 150),
        "What your tasks do": f"{words('stop', 90)} {words('task', 60)}",
        "Cold shutdown": f"{words('stop', 90)} {words('kill', 60)}",
    }
    pages = {"workers.md": "# Workers\n\n" + "".join(f"## {name}\n\n{text}\n\n" for name, text in parts.items())}
    knowledge, found = found_in(pages)
    reasons = {frozenset(titles(knowledge, scene.passages[:2])): scene.reasons[0].why for scene in found}
    assert reasons[frozenset(["Warm shutdown", "Cold shutdown"])] == (
        "their headings have the word 'shutdown' in common"
    )
    assert not any("'what'" in reason or "'your'" in reason for reason in reasons.values())


def test_passages_that_each_add_something_complement_each_other() -> None:
    shared = words("refund", 60)
    pages = {
        "one.md": f"# One\n\n## Rule\n\n{shared} {words('norway', 90)}\n",
        "two.md": f"# Two\n\n## Exception\n\n{shared} {words('poland', 90)}\n",
        "three.md": f"# Three\n\n## Copy\n\n{shared}\n",
        **{f"{n}.md": f"# {n}\n\n## Part {n}\n\n{words(f'part{n}', 90)}\n" for n in range(20)},
    }
    knowledge = corpus({**pages, **ELSE})
    passages, closeness = knowledge.derived(passages_of), knowledge.derived(Closeness.of)
    number = {passage.title: n for n, passage in enumerate(passages)}
    both = closeness.complement(number["Rule"], number["Exception"])
    assert both > 2 * closeness.complement(number["Rule"], number["Copy"]), "the copy adds nothing"
    assert both > 3 * closeness.complement(number["Rule"], number["All of it"]), "another matter"


def test_a_lead_in_and_a_single_sentence_are_not_asked_about_with_others() -> None:
    name = "The frost plan"
    pages = {
        "a.md": f"# Shop\n\n## Offers\n\n{words('frost', 40)} {name} is new. {name} holds as follows:\n",
        "b.md": "# News\n\n## Today\n\n" + " ".join(f"frost{n} {name.lower()}" for n in range(8)) + ".\n",
        "c.md": f"# Plans\n\n## {name}\n\n{words('frost', 90)} {words('price', 60)}\n",
        "d.md": f"# Upgrades\n\n## From it\n\n{words('frost', 90)} {name} is cheap. {name} can change.\n",
    }
    knowledge, found = found_in(pages)
    joined = [{*titles(knowledge, scene.passages)} for scene in found]
    assert any({name, "From it"} <= each for each in joined)
    assert not any({"Offers", "Today"} & each for each in joined)
