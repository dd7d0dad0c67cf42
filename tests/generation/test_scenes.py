"""Scenes: the passages of one question, in planted folders whose scenes are known."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from scene_corpora import corpus, titles, words

from kgsynth.base.records import Span
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.html import read as read_html
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.scenes import SCENES, Scene, find_scenes
from kgsynth.generation.scenes.passages import _passages, passages_of

TYPES = tuple(SCENES)

PAGES = {
    "benefits/leave.md": f"""# Leave

## Sick leave

{words("sick")} Sick leave is paid. {words("ill")}

## Parental leave

{words("parent")} Parents keep their pay. {words("child")}

## Unpaid leave

{words("unpaid")} If you are away longer than a month, unless you are ill, sick leave is used up first. {words("away")}
""",
    "benefits/travel.md": f"""# Travel

## Booking

{words("booking")} Book with the [travel desk](../people/desk.md#opening-hours). {words("opening")}

## Expenses

{words("expense")} Norda Bank pays them back. {words("receipt")}
""",
    "people/desk.md": f"""# Desk

## Opening hours

{words("opening")} The desk opens at nine. {words("booking")}

## Who pays

{words("expense")} Norda Bank sends the money, which Norda Bank keeps. {words("receipt")}
""",
    "offices/oslo.md": f"# Oslo\n\n## Parking\n\n{words('parking')} {words('fjord')}\n",
    "offices/rome.md": f"# Rome\n\n## Parking\n\n{words('parking')} {words('forum')}\n",
}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return corpus(PAGES, names=("Norda Bank",))


@pytest.fixture(scope="module")
def scenes(knowledge: Knowledge) -> dict[str, list[Scene]]:
    return find_scenes(knowledge, TYPES, random.Random(0))


def pairs(knowledge: Knowledge, found: list[Scene]) -> dict[tuple[str, ...], str]:
    """Why the first pair of each scene belongs together, by the titles of its passages."""
    return {titles(knowledge, [scene.passages[0], scene.passages[1]]): scene.reasons[0].why for scene in found}


# ---- passages --------------------------------------------------------------------------------------------


def shown(markdown: str) -> list[str]:
    return [passage.span.text for passage in corpus({"a.md": markdown}).derived(passages_of)]


def test_a_section_is_a_passage_with_its_heading_and_without_its_subsections() -> None:
    found = shown(f"# Plans\n\n## Team\n\n{words('team', 90)}\n\n### Limits\n\n{words('limit', 90)}\n")
    assert [text.split("\n")[0] for text in found] == ["## Team", "### Limits"]
    assert "limit" not in found[0]


def test_very_short_sections_are_joined_with_the_next() -> None:
    found = shown(
        f"# Plans\n\n## Team\n\nSix seats for all.\n\n## Firm\n\n{words('firm', 90)}\n\n## Solo\n\nOne seat.\n"
    )
    assert len(found) == 1
    assert found[0].startswith("## Team") and found[0].endswith("One seat.")


def test_a_long_section_is_cut_between_blocks_and_not_after_a_lead() -> None:
    blocks = [words(f"part{number}", 100) for number in range(8)]
    blocks[3] += " It needs:"
    found = shown("# Manual\n\n" + "\n\n".join(blocks))
    assert len(found) > 1 and all(200 <= len(text.split()) <= 450 for text in found)
    assert "\n\n".join(found).split() == [*"# Manual".split(), *" ".join(blocks).split()]
    assert not any(text.rstrip().endswith("It needs:") for text in found)


def test_a_term_is_not_parted_from_what_is_said_of_it() -> None:
    terms = "".join(f"<dt>--option{n}</dt><dd>{words(f'said{n}', 90)}</dd>" for n in range(9))
    page = read_html(f"<body><h1>Tool</h1><h2>Options</h2><dl>{terms}</dl></body>")
    found = [each.span.text for each in _passages(assemble(page, id="a.html", format="html", sha256=""), set())]
    assert len(found) > 1
    for n in range(9):
        (holding,) = [text for text in found if f"--option{n}" in text]
        assert f"said{n}" in holding and not any(f"said{n}" in text for text in found if text is not holding)


def test_the_head_of_a_long_table_is_no_passage_of_its_own_and_no_passage_is_in_a_scene_twice() -> None:
    rows = "".join(f"| plan {number} | {number} seats for every single one of the people |\n" for number in range(120))
    text = f"# Plans\n\n## Seats\n\n| Plan | Seats |\n|---|---|\n{rows}"
    pages = {"a.md": text, "b.md": text.replace("Seats", "Seats of plans").replace("seats for", "chairs of")}
    knowledge = corpus(pages)
    assert len(knowledge.derived(passages_of)) > 4
    shown = [each.passages for found in find_scenes(knowledge, SCENES, random.Random(0)).values() for each in found]
    assert shown and all(len(set(passages)) == len(passages) for passages in shown)
    assert all("of the people" in span.text for passages in shown for span in passages)


@pytest.mark.parametrize(
    "left_out",
    [
        f"## References\n\n{words('book')}",
        f"## 参考资料\n\n{words('book')}",
        "## Pages\n\n" + "".join(f"The [whole page on the matter {n}](p{n}.md) here.\n\n" for n in range(20)),
        "## Code\n\nRun this.\n\n```\n" + "x = 1; y = 2; z = 3\n" * 40 + "```",
        "## Index\n\n" + "".join(f"- alpha{n}\n" for n in range(60)),
        f"## 1.2.0 (2024-05-01)\n\n- {words('fixed')}\n\n## 1.1.0 (2023-05-01)\n\n- {words('added')}",
    ],
)
def test_what_nobody_asks_about_is_no_passage(left_out: str) -> None:
    found = shown(f"# Manual\n\n## Valves\n\n{words('valve', 90)}\n\n{left_out}\n")
    assert [text.split("\n")[0] for text in found] == ["## Valves"]


def test_a_licence_is_no_passage() -> None:
    assert not corpus({"LICENSE.md": f"# Terms\n\n{words('grant', 90)}"}).derived(passages_of)


# ---- several passages ------------------------------------------------------------------------------------


def test_every_relation_joins_the_passages_planted_for_it(knowledge: Knowledge, scenes: dict[str, list[Scene]]) -> None:
    found = pairs(knowledge, scenes["multi_context"])
    assert found[("Parking", "Parking")] == "both are headed 'Parking', in 'Oslo' and in 'Rome'"
    assert found[("Booking", "Opening hours")] == "the first links to the second"
    assert found[("Expenses", "Who pays")] == "both are about 'Norda Bank'"


def test_a_passage_that_names_the_title_of_another_belongs_to_it() -> None:
    pages = {
        "a.md": f"# Away\n\n## Long absence\n\n{words('ill', 90)} The rules of sick leave hold, sick leave first.\n",
        "b.md": f"# Paid\n\n## Sick leave\n\n{words('ill', 90)} {words('doctor')}\n",
        "c.md": f"# Else\n\n## Pumps\n\n{words('pump', 90)}\n\n## Valves\n\n{words('valve', 90)}\n",
    }
    knowledge = corpus(pages)
    found = pairs(knowledge, find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"])
    assert found[("Long absence", "Sick leave")] == "the first speaks of 'Sick leave', which the second is about"


def test_a_row_of_a_table_belongs_to_prose_about_it() -> None:
    rows = "| Plan | Seats |\n|---|---|\n| Polar plan | 6 |\n| Solar plan | 9 |\n"
    pages = {
        "a.md": f"# Prices\n\n## All seats\n\n{words('seat', 90)}\n\n{rows}",
        "b.md": f"# Story\n\n## Upgrades\n\n{words('seat', 90)} A polar plan can change; the polar plan is cheap.\n",
        "c.md": f"# Else\n\n## Pumps\n\n{words('pump', 90)}\n\n## Valves\n\n{words('valve', 90)}\n",
    }
    knowledge = corpus(pages)
    found = pairs(knowledge, find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"])
    reason = "the first speaks of 'Polar plan', which the second explains or has in a table"
    assert found[("Upgrades", "All seats")] == reason


def family(members: int, size: int) -> dict[str, str]:
    parts = "".join(
        f"### Plan {name}\n\n{words('price', size)} {words(name, size)}\n\n" for name in "ABCDEFG"[:members]
    )
    others = {
        f"{name}.md": f"# {name}\n\n## All of it\n\n{words(name, 90)}\n" for name in ("pump", "tank", "valve", "hose")
    }
    return {"shop.md": f"# Shop\n\n## Plans\n\n{parts}", **others}


def test_each_pair_is_shown_with_the_passages_related_to_it() -> None:
    knowledge = corpus(family(4, 140))
    (scene,) = find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"]
    assert sorted(titles(knowledge, scene.passages)) == ["Plan A", "Plan B", "Plan C", "Plan D"]
    assert {why for _, _, why in scene.reasons} == {"both are parts of 'Plans'"}
    assert scene.reasons[0][:2] == (1, 2), "the pair that the others are gathered around"
    assert [max(one, other) for one, other, _ in scene.reasons] == [2, 3, 4], "a reason for each that came in"


def test_a_scene_is_no_longer_than_a_person_reads_for_one_question() -> None:
    found = find_scenes(corpus(family(7, 140)), ["multi_context"], random.Random(0))["multi_context"]
    sizes = {sum(len(span.text.split()) for span in scene.passages) for scene in found}
    assert {len(scene.passages) for scene in found} == {4}, "five of 280 words are more than 1,200"
    assert max(sizes) <= 1200 + 4 * len("### Plan A".split())


def holding(knowledge: Knowledge, span: Span) -> set[int]:
    return {
        number
        for number, piece in enumerate(knowledge.chunks)
        if piece.doc == span.doc and piece.start < span.end and span.start < piece.end
    }


@pytest.mark.parametrize("size", [60, 120, 400])
def test_no_chunk_and_no_passage_of_a_common_size_holds_two_passages(size: int) -> None:
    knowledge = corpus({**PAGES, **family(6, 70)}, size=size)
    found = find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"]
    assert found
    for scene in found:
        for place, one in enumerate(scene.passages):
            for other in scene.passages[place + 1 :]:
                assert not holding(knowledge, one) & holding(knowledge, other)
                apart = abs(one.start + one.end - other.start - other.end) / 2
                assert one.doc != other.doc or apart > LIMITS.passage_characters


def test_copies_do_not_make_a_scene() -> None:
    text = f"## Sick leave\n\n{words('sick', 90)} {words('ill', 90)}\n"
    knowledge = corpus(
        {"a.md": f"# Now\n\n{text}", "b.md": f"# Before\n\n{text}", "c.md": f"# C\n\n{words('pump', 90)}"}
    )
    assert not find_scenes(knowledge, ["multi_context"], random.Random(0))["multi_context"]


# ---- cases, and what has no answer -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        "If you are ill, unless it is a holiday, call, except on Sundays.",
        "如果生病，除非放假，否则必须请假。",
        "Wenn Sie krank sind, außer an Feiertagen, sofern möglich.",
        "> **Warning:** Never open it.\n\n> **Note:** It is hot.\n\n> **Warning:** It is loud.",
    ],
)
def test_sections_with_conditions_and_notes_come_first_for_cases(condition: str) -> None:
    bodies = {name: f"## {name}\n\n{words(name, 90)}\n\n" for name in ("Pumps", "Valves", "Tanks")}
    bodies["Tanks"] += f"{condition}\n"
    knowledge = corpus({"a.md": "# Plant\n\n" + "".join(bodies.values())})
    first = find_scenes(knowledge, ["conditional"], random.Random(0))["conditional"][0]
    assert titles(knowledge, first.passages) == ("Tanks",)


def test_scenes_without_an_answer_show_what_similar_sections_say(scenes: dict[str, list[Scene]]) -> None:
    found = scenes["unanswerable"]
    assert {scene.subtype for scene in found} == {"near_miss", "false_premise"}
    oslo = next(scene for scene in found if scene.passages[0].doc == "offices/oslo.md")
    assert any(text.startswith("Rome > Parking: Parking parking") for text in oslo.neighbours)


# ---- all of them -----------------------------------------------------------------------------------------


def all_of(scenes: dict[str, list[Scene]]) -> Iterator[Scene]:
    return (scene for found in scenes.values() for scene in found)


def test_passages_are_whole_blocks_letter_for_letter(knowledge: Knowledge, scenes: dict[str, list[Scene]]) -> None:
    for scene in all_of(scenes):
        for span in scene.passages:
            document = knowledge.documents[span.doc]
            assert span.text == document.text[span.start : span.end]
            cut = [block for block in document.blocks if block.start < span.start < block.end]
            cut += [block for block in document.blocks if block.start < span.end < block.end]
            assert not cut


def test_no_scene_is_there_twice_and_each_says_how_central_it_is(scenes: dict[str, list[Scene]]) -> None:
    for name, found in scenes.items():
        assert len({scene.id for scene in found}) == len(found)
        assert all(scene.question_type == name and 0 <= scene.central <= 1 for scene in found)
        assert all((len(scene.passages) > 1) == (name == "multi_context") for scene in found)


def test_the_first_scenes_are_spread_over_the_documents(scenes: dict[str, list[Scene]]) -> None:
    for name in ("simple", "reasoning"):
        first = [scene.passages[0].doc for scene in scenes[name][: len(PAGES)]]
        assert sorted(first) == sorted(PAGES)


def test_neighbours_are_the_headings_around(knowledge: Knowledge, scenes: dict[str, list[Scene]]) -> None:
    sick = next(scene for scene in scenes["simple"] if titles(knowledge, scene.passages) == ("Sick leave",))
    assert sick.neighbours == ("Leave", "Parental leave", "Unpaid leave")


def test_the_same_corpus_and_seed_give_the_same_scenes_in_the_same_order(scenes: dict[str, list[Scene]]) -> None:
    again = find_scenes(corpus(PAGES, names=("Norda Bank",)), TYPES, random.Random(0))
    assert again == scenes
    other = find_scenes(corpus(PAGES, names=("Norda Bank",)), TYPES, random.Random(7))
    assert other != scenes
    assert {scene.id for scene in all_of(other)} == {scene.id for scene in all_of(scenes)}


def test_only_the_wanted_types_are_looked_for(knowledge: Knowledge) -> None:
    assert list(find_scenes(knowledge, ["conditional"], random.Random(0))) == ["conditional"]
