"""Questions on two passages: which belong together, how they are asked, and when one passage would do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import cast

import networkx as nx
import numpy as np
import pytest

from kgsynth.base.records import Analysis, Rejection, Sentence
from kgsynth.documents.assembly import assemble
from kgsynth.documents.chunking import chunk
from kgsynth.documents.readers.markdown import read
from kgsynth.evidence.derivation import recompute
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.generation.evolutions import EVOLUTIONS
from kgsynth.generation.filters import hop_necessity
from kgsynth.generation.filters.context import FilterContext
from kgsynth.generation.writing import Candidate, compose
from kgsynth.language.english.definitions import definition
from kgsynth.language.english.kind_headings import fits, kind_question
from kgsynth.language.sentence_ends import sentence_spans

LISTS = (
    "# Salt lists\n\nA salt list is a collection of grains in the order in which they came. It grows at both ends.\n"
)
SETS = "# Salt sets\n\nA salt set is a collection of grains, each of which occurs once. It has no order.\n"
FILLER = "\n\n".join(
    f"The keeper number {n} walks along the long shore and counts the {n} lamps there." for n in range(40)
)


def planted(**texts: str) -> Knowledge:
    """Return a corpus of Markdown documents, with their sentences but no facts."""
    pages = [assemble(read(text), id=f"{name}.md", format="md", sha256="") for name, text in sorted(texts.items())]
    chunks = [part for page in pages for part in chunk(page, strategy="recursive", size=200, overlap=0)]
    analyses = []
    for page in pages:
        told = [block for block in page.blocks if block.kind in ("paragraph", "item")]
        places = [(block, span) for block in told for span in sentence_spans(block.text)]
        sentences = [
            Sentence(page.id, block.section, *block.locate(*span), block.text[slice(*span)], ())
            for block, span in places
        ]
        analyses.append(Analysis(page.id, tuple(sentences), (), ()))
    return Knowledge(nx.MultiDiGraph(), pages, chunks, analyses, [], np.zeros((len(chunks), 2), np.float32))


def candidates(subtype: str, **texts: str) -> tuple[list[Candidate], Knowledge]:
    known = planted(**texts)
    return list(compose(EVOLUTIONS[subtype](known), known)), known


def verdict(candidate: Candidate, known: Knowledge) -> str:
    """Return why hop_necessity rejects a candidate, "" if it does not."""
    outcome = hop_necessity.judge(candidate, cast(FilterContext, SimpleNamespace(knowledge=known, thresholds={})))
    return outcome.detail if isinstance(outcome, Rejection) else ""


# ---- difference ------------------------------------------------------------------------------------


def test_two_things_that_the_text_sets_side_by_side_are_told_apart_by_their_definitions() -> None:
    far = {"north/a": LISTS, "south/b": SETS}
    assert candidates("difference", **far)[0] == [], "nothing says that they belong together"
    (found,), known = candidates("difference", **far, c="Keep your salt lists and salt sets dry.")
    item = found.item
    assert item.question == "What is the difference between a salt list and a salt set?"
    assert item.golden_answers == (
        "A salt list is a collection of grains in the order in which they came. "
        "A salt set is a collection of grains, each of which occurs once.",
    )
    assert recompute(item.derivation, known.documents) == item.golden_answers
    assert [group[0].text for group in item.evidence] == [
        "A salt list is a collection of grains in the order in which they came.",
        "A salt set is a collection of grains, each of which occurs once.",
    ]
    assert item.derivation["together"] == "c.md: Keep your salt lists and salt sets dry."
    assert verdict(found, known) == ""


def test_two_things_of_one_kind_whose_names_end_alike_belong_together() -> None:
    sorted_sets = (
        "# Sorted salt sets\n\nA sorted salt set is a collection of unique grains, each with its own weight.\n"
    )
    sets = SETS.replace("A salt set", "A rock set")
    (found,), _ = candidates("difference", a=sorted_sets, b=sets)
    assert found.item.question == "What is the difference between a sorted salt set and a rock set?"
    assert found.item.derivation["together"] == "both are named and defined as 'collection'"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("A salt set is a kind of salt list in which each grain of salt occurs only once.", "one names the other"),
        ("A salt set is a very useful tool that everybody on the coast should know and use.", "a judgement"),
        ("The salt set is a collection of grains, each of which occurs once, wherever it lies.", "which set?"),
        ("A salt set is a collection of grains, each of which occurs once, as shown here:", "leads into what follows"),
    ],
)
def test_what_defines_nothing_by_itself_is_not_compared(change: str, reason: str) -> None:
    texts = {"a": LISTS, "b": f"# Salt\n\n{change}\n", "c": "Keep your salt lists and salt sets dry."}
    assert candidates("difference", **texts)[0] == [], reason


def test_two_definitions_in_one_passage_are_not_compared() -> None:
    beside = "Keep your salt lists and salt sets dry."
    assert candidates("difference", a=LISTS + SETS.replace("# ", "## "), c=beside)[0] == []
    apart = f"{LISTS}\n{FILLER}\n\n{SETS.replace('# ', '## ')}"
    assert len(candidates("difference", a=apart, c=beside)[0]) == 1


def test_a_sentence_that_compares_both_answers_alone() -> None:
    other = "Salt lists and salt sets differ in that only lists have an order."
    (found,), known = candidates("difference", a=LISTS, b=SETS, c=other)
    assert verdict(found, known) == f"one sentence compares both: {other[:80]!r}"


def test_functions_are_compared_if_their_names_are_alike() -> None:
    pop = "# lpopx\n\nRemoves the first of all the elements that are in the list. See LPOPX.\n"
    texts = {"lpopx": pop, "rpopx": pop.replace("first", "last").replace("lpopx", "rpopx").replace("LPOPX", "RPOPX")}
    (found,), known = candidates("difference", **texts, c="Call LPOPX or RPOPX.")
    assert found.item.question == "What is the difference between LPOPX and RPOPX?"
    first, last = (f"Removes the {which} of all the elements that are in the list." for which in ("first", "last"))
    assert found.item.golden_answers == (f"LPOPX: {first} RPOPX: {last}",)
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers
    texts["incr"] = pop.replace("lpopx", "incrby").replace("LPOPX", "INCRBY").replace("Removes", "Counts")
    found_now, _ = candidates("difference", **texts, c="Call LPOPX or RPOPX, INCRBY.")
    assert len(found_now) == 1, "INCRBY is beside RPOPX, but shares no letter with it at its ends"


def test_things_of_one_kind_with_pages_side_by_side_belong_together(move: Callable[[str, float], None]) -> None:
    texts = {
        "mail/gannet": "# Gannet\n\nGannet is a fast, small mail server with one queue. Few know Gannet.\n",
        "mail/puffin": "# Puffin\n\nPuffin is a mail server that keeps each letter in a file. Some know Puffin.\n",
        "birds/petrel": "# Petrel\n\nPetrel is a bird that comes to land on the darkest nights of summer.\n",
    }
    (found,), known = candidates("difference", **texts)
    assert found.item.question == "What is the difference between Gannet and Puffin?"
    assert found.item.derivation["together"] == "both have a place of their own in 'mail'"
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers
    elsewhere = texts | {"post/puffin": texts["mail/puffin"]}
    del elsewhere["mail/puffin"]
    assert candidates("difference", **elsewhere)[0] == [], "a server elsewhere may be no alternative"
    crowd = {f"mail/page{number}": f"# Page {number}\n\n{FILLER}\n" for number in range(20)}
    assert candidates("difference", **texts, **crowd)[0] == [], "two of 22 pages are no group"
    move("folder_share", 2 / 22)
    assert len(candidates("difference", **texts, **crowd)[0]) == 1


def test_commands_are_compared_with_the_nearest_of_a_similar_name() -> None:
    texts = {
        "incr": "# INCR\n\nIncrements the number that the box holds by one.\n",
        "incrby": "# INCRBY\n\nIncrements the number that the box holds by the amount given.\n",
        "incrust": "# INCRUST\n\nCover the walls of an old harbour with a layer of salt.\n",
        "decrease": "# DECREASE\n\nDecreases the number that the box holds by the amount given.\n",
    }
    (found,), known = candidates("difference", **texts)
    assert found.item.question == "What is the difference between INCR and INCRBY?"
    assert found.item.golden_answers == (
        "INCR: Increments the number that the box holds by one. "
        "INCRBY: Increments the number that the box holds by the amount given.",
    ), "the word Increments is not the name INCR"
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers


def test_descriptions_must_share_enough_to_be_of_one_matter(move: Callable[[str, float], None]) -> None:
    texts = {
        "lampon": "# LAMPON\n\nLights the lamp at the end of the long pier.\n",
        "lampoff": "# LAMPOFF\n\nSends a boat to the lamp with sand and water.\n",
        "ropetie": "# ROPETIE\n\nTies the third knot of a rope that has none.\n",
    }
    move("described_alike", 0.05)
    assert len(candidates("difference", **texts)[0]) == 1
    move("described_alike", 0.5)
    assert candidates("difference", **texts)[0] == []


def test_what_all_names_begin_with_makes_no_two_of_them_similar() -> None:
    names = {
        "Lamp": "Returns the colour of the lamp on the pier.",
        "Rope": "Returns the colour of the rope on the pier.",
    }
    texts = {name: f"# Harbour_{name}\n\n{text}\n" for name, text in names.items()}
    assert candidates("difference", **texts)[0] == []
    again = texts | {"Lamps": "# Harbour_LampSize\n\nReturns the size of the lamp on the pier.\n"}
    (found,), _ = candidates("difference", **again)
    assert found.item.question == "What is the difference between Harbour_Lamp and Harbour_LampSize?"


def test_things_of_two_kinds_are_compared_if_they_are_often_named_together(
    move: Callable[[str, float], None],
) -> None:
    texts = {
        "north/a": "# Tubs\n\nA salt tub is a vessel of oak that holds the grains of one whole day.\n",
        "south/b": "# Racks\n\nA drying rack is a frame of iron on which the wet fish hang.\n",
    }
    beside = "Clean your salt tubs and drying racks well."
    texts |= {"c": beside, "d": "Each salt tub or drying rack has a number."}
    assert candidates("difference", **texts)[0] == [], "named together twice"
    found, _ = candidates("difference", **texts, e="Salt tubs and drying racks are cheap.")
    assert [one.item.question for one in found] == ["What is the difference between a salt tub and a drying rack?"]
    move("side_by_side_min", 2)
    assert len(candidates("difference", **texts)[0]) == 1


@pytest.mark.parametrize(
    ("sentence", "title", "found"),
    [
        ("Set the lamp to the colour that is given.", "LAMP SET", ("LAMP SET", "()")),
        ("Hard limit of the time of a lamp in seconds.", "lamp_limit", ("lamp_limit", "()")),
        ("Like lamp_on() but for all the lamps of the pier.", "lamps_on", ("", "")),
        ("Time is what a lamp has when it burns.", "lamp_time", ("", "")),
        ("The lamp_uri option takes a single argument of type int.", "lamp_uri", ("", "")),
        ("Set the lamp to the colour that is given.", "Lamps", ("", "")),
    ],
)
def test_what_a_thing_in_code_does_is_said_below_its_name(sentence: str, title: str, found: tuple[str, str]) -> None:
    assert definition(sentence, title) == found


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("Gannet is a fast, production level mail server.", ("Gannet", "server")),
        ("Gannet is a mail server integrated with the old harbour.", ("Gannet", "server")),
        ("Help is a string and must not be empty.", ("", "")),
        ("Lamps: The flag of Lamps takes a part of the light.", ("", "")),
        ("Salt lists are structures that keep the order of grains.", ("Salt lists", "structure")),
        ("Open Redirection is a security flaw that occurs when a site redirects.", ("Open Redirection", "flaw")),
        ("Salt sets: A collection of unique grains.", ("Salt sets", "collection")),
        ("This tool is a collection of grains.", ("", "")),
        ("Salt is available with a small latency.", ("", "")),
        ("Salt is the most important thing on the coast.", ("", "")),
        ("However the opposite is the case with grains.", ("", "")),
        ("Please refer to the list of the grains.", ("", "")),
    ],
)
def test_definitions_by_their_form(sentence: str, found: tuple[str, str]) -> None:
    assert definition(sentence) == found


# ---- two scopes ------------------------------------------------------------------------------------


def scoped(name: str, *sections: tuple[str, str]) -> str:
    parts = [f"# {name}\n", *(f"## {title}\n\n{text}\n" for title, text in sections)]
    return "\n".join(parts)


LIMIT_LISTS = ("Limits", "A list holds at most four thousand grains of salt on one day.")
LIMIT_SETS = ("Limits", "Every set keeps up to ninety grains of salt, whatever they weigh.")


def test_one_matter_in_two_documents_whose_titles_share_a_word() -> None:
    texts = {"a": scoped("Salt lists", LIMIT_LISTS), "b": scoped("Salt sets", LIMIT_SETS)}
    (found,), known = candidates("two_scopes", **texts)
    assert found.item.question == "How do the limits of salt lists and salt sets differ?"
    assert found.item.golden_answers == (f"salt lists: {LIMIT_LISTS[1]} salt sets: {LIMIT_SETS[1]}",)
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers
    assert verdict(found, known) == ""
    said = "Salt lists and salt sets differ in their limits."
    (found,), known = candidates("two_scopes", **texts, c=said)
    assert verdict(found, known) == f"one sentence compares both: {said!r}"
    assert candidates("two_scopes", a=texts["a"], b=scoped("Rock boxes", LIMIT_SETS))[0] == [], "not of one sort"


def test_a_task_is_asked_as_a_task_and_a_part_of_the_text_not_at_all() -> None:
    task = "Archiving a channel", "Open the panel of the channel and press the red button there."
    other = "Archiving a channel", "Send the name of the channel to the desk, which has a panel for it."
    (found,), _ = candidates("two_scopes", a=scoped("Team plan", task), b=scoped("Free plan", other))
    assert found.item.question == "How does archiving a channel differ between team plan and free plan?"
    pair = [scoped(name, ("Overview", text)) for name, (_, text) in (("Team plan", task), ("Free plan", other))]
    assert candidates("two_scopes", a=pair[0], b=pair[1])[0] == []


def test_documents_named_together_are_of_one_sort_and_each_section_has_its_nearest() -> None:
    cities = {
        "a": ("Chicago", "A badge opens the north door of the tower after six."),
        "b": ("Denver", "A badge opens the south door of the annex after nine."),
        "c": ("Boston", "Ring for the guard, who keeps a badge, on any evening."),
    }
    texts = {key: scoped(city, ("Evening doors", text)) for key, (city, text) in cities.items()}
    assert candidates("two_scopes", **texts)[0] == [], "nothing says that the three belong together"
    found, _ = candidates("two_scopes", **texts, d="We have desks in Boston, Chicago and Denver.")
    assert [one.item.question for one in found] == [
        "How do the evening doors of Chicago and Denver differ?",
        "How do the evening doors of Chicago and Boston differ?",
    ]


def test_a_lone_gerund_takes_the_subjects_as_its_objects() -> None:
    texts = {
        "a": scoped("Gannet", ("Installing", "Unpack the files of the program and call the small script there.")),
        "b": scoped("Puffin", ("Installing", "The store of the system has it, with all files that it needs.")),
    }
    (found,), _ = candidates("two_scopes", **texts, c="Choose Gannet or Puffin.")
    assert found.item.question == "How does installing Gannet differ from installing Puffin?"


def test_sections_that_say_the_same_are_not_compared(move: Callable[[str, float], None]) -> None:
    same = LIMIT_LISTS[0], LIMIT_LISTS[1].replace("list", "set")
    texts = {"a": scoped("Salt lists", LIMIT_LISTS), "b": scoped("Salt sets", same)}
    assert candidates("two_scopes", **texts)[0] == []
    move("compared_max_alike", 1.0)
    assert len(candidates("two_scopes", **texts)[0]) == 1


def test_long_sections_and_many_siblings_are_not_compared(move: Callable[[str, float], None]) -> None:
    texts = {"a": scoped("Salt lists", LIMIT_LISTS), "b": scoped("Salt sets", LIMIT_SETS)}
    move("siblings_max", 1)
    assert candidates("two_scopes", **texts)[0] == []
    move("siblings_max", 2)
    assert len(candidates("two_scopes", **texts)[0]) == 1
    move("compared_max_words", 10)
    assert candidates("two_scopes", **texts)[0] == []


# ---- parts -----------------------------------------------------------------------------------------

LONG = " ".join(f"The keeper of lamp {n} walks along the long shore of the bay at night." for n in range(12))
BERTHS = ("Sand berth", "Mud berth", "Rock berth")


def in_sections(matter: str, titles: Sequence[str], title: str = "Harbour rules") -> str:
    """Return a document with a long section for each of the titles, below that of the matter."""
    below = "\n\n".join(f"### {name}\n\nThis one has {n} posts. {LONG}" for n, name in enumerate(titles))
    return f"# {title}\n\n## {matter}\n\nHere they are.\n\n{below}\n"


def test_the_headings_below_a_kind_are_its_members() -> None:
    (found, *_), known = candidates("parts", a=in_sections("Types of berth", BERTHS))
    item = found.item
    assert item.question == "What types of berth are there?"
    assert (item.golden_answers, item.answer_kind) == (("Sand berth; Mud berth; Rock berth",), "list")
    assert recompute(item.derivation, known.documents) == item.golden_answers
    assert [group[0].text for group in item.evidence] == [
        "Types of berth\n\nHere they are.",
        *(f"{name}\n\nThis one has {n} posts." for n, name in enumerate(BERTHS)),
    ]
    assert verdict(found, known) == ""


@pytest.mark.parametrize(
    ("matter", "members", "question"),
    [
        ("How to moor a boat", ("1. Slow down", "2. Throw the line", "3. Tie a knot"), "How do you moor a boat?"),
        ("When it's time to leave the bay", ("Step 1: Cast off", "Step 2: Raise the flag", "Step 3: Use the horn"),
         "What should you do when you leave the bay?"),
        ("Common causes of leaks", ("Old wood", "Ice", "Shipworms"), "What are the common causes of leaks?"),
        ("Berth fees", ("Day fee", "Night fee", "Winter fee"), "What berth fees are there?"),
        ("Resolving conflicts", ("Be kind", "Keep the peace", "Focus on facts"), "How do you resolve conflicts?"),
        ("Protect against rot", ("Tar", "Copper sheets", "Hot varnish"), "How do you protect against rot?"),
        ("The mooring process", ("1. Request", "2. Inspection", "3. Payment"),
         "What are the steps of the mooring process?"),
    ],
)  # fmt: skip
def test_the_form_of_a_heading_asks_for_what_is_below_it(matter: str, members: tuple[str, ...], question: str) -> None:
    (found, *_), _ = candidates("parts", a=in_sections(matter, members))
    assert found.item.question == question


def test_members_that_are_numbered_steps_keep_their_order() -> None:
    (found, *_), _ = candidates(
        "parts", a=in_sections("How to moor a boat", ("1. Slow down", "2. Throw the line", "3. Tie a knot"))
    )
    assert (found.item.golden_answers[0], found.item.answer_kind) == (
        "1. Slow down 2. Throw the line 3. Tie a knot",
        "steps",
    )
    (found, *_), _ = candidates(
        "parts", a=in_sections("Resolving conflicts", ("1. Be kind", "2. Keep the peace", "3. Stop fights"))
    )
    assert found.item.answer_kind == "list", "advice that is only counted"


def test_a_bare_kind_takes_the_subject_of_its_document() -> None:
    (found,), _ = candidates("parts", a=in_sections("Risks", ("Old wood", "Ice", "Shipworms"), "Night mooring"))
    assert found.item.question == "What are the risks of night mooring?"


@pytest.mark.parametrize(
    ("matter", "members", "reason"),
    [
        ("Types of berth", (*BERTHS, "Other berths"), "the list is not complete"),
        ("Types of berth", ("Sand berth", "Example", "Mud berth", "Rock berth"), "a part of a text among them"),
        ("Types of berth", ("Sand berth", "What is mud?", "Rock berth"), "a question among them"),
        ("Types of berth", BERTHS[:2], "too few"),
        ("Types of berth", ("Use sand", "Avoid the mud", "Add rocks"), "things are asked for, not what to do"),
        ("Our types of berth", BERTHS, "whose?"),
        ("Resolving conflicts", ("Kind words", "Long peace", "Hard facts"), "no member is something to do"),
        ("Guidelines for mooring", ("Rope lengths", "Comments", "Fender sizes"), "topics, which are no guidelines"),
        ("Mooring with boxes", ("Understanding the box", "Setting the rope", "Using the box"), "chapters, no steps"),
        ("Mooring tools", ("Long ropes", "Sand", "Work with an iron hook"), "topics below the tools"),
        ("Harbour", BERTHS, "names no kind"),
        ("Tips for a calm night", ("Wind", "Tide", "Moon"), "topics, no tips"),
        ("How to moor a boat", ("Use the line of rope", "Use the line of steel", "Use the line of silk"), "three ways"),
        ("Rejected types of berth", BERTHS, "set aside"),
    ],
)
def test_what_does_not_list_the_members_of_a_kind_is_not_asked(
    matter: str, members: tuple[str, ...], reason: str
) -> None:
    assert candidates("parts", a=in_sections(matter, members))[0] == [], reason


def test_an_introduction_and_references_are_no_members() -> None:
    text = in_sections("Types of berth", ("Overview", *BERTHS, "See also"))
    assert candidates("parts", a=text)[0][0].item.golden_answers == ("Sand berth; Mud berth; Rock berth",)


def test_members_that_one_passage_names_are_not_asked_over_several() -> None:
    text = in_sections("Types of berth", BERTHS)
    assert candidates("parts", a=text)[0]
    assert not candidates("parts", a=text, b="Choose a sand berth or a mud berth.")[0], "all but one"
    assert not candidates("parts", a=text.replace(LONG, ""))[0], "all sections are in one passage"


def test_the_limits_of_members(move: Callable[[str, float], None]) -> None:
    text = in_sections("Types of berth", BERTHS)
    move("parts_min", 4)
    assert candidates("parts", a=text)[0] == []
    move("parts_min", 3)
    move("part_max_words", 1)
    assert candidates("parts", a=text)[0] == []
    move("part_max_words", 2)
    assert candidates("parts", a=text)[0] != []


# ---- documents with the same headings --------------------------------------------------------------

PORT = """# {town}

The port of {town}.

## Where are the lamps?

{lamps}

## Crews

{filler}

## Sorting salt

{filler}

## Old boats

{filler}
"""


def ports(move_to: str = "Old boats") -> dict[str, str]:
    first = "The lamps stand in the first room on the left, behind the brass door."
    second = "Ask the guard at the gate, who keeps every lantern in a red chest."
    return {
        "salina": PORT.format(town="Salina", lamps=first, filler=FILLER),
        "pinos": PORT.format(town="Pinos", lamps=second, filler=FILLER).replace("Old boats", move_to),
    }


def test_one_question_of_two_documents_with_the_same_headings_is_asked_of_both() -> None:
    (found,), known = candidates("two_scopes", **ports())
    assert found.item.question == "Where are the lamps in Pinos and in Salina?"
    assert recompute(found.item.derivation, known.documents) == found.item.golden_answers
    assert found.item.golden_answers[0].startswith("Pinos: Ask the guard at the gate")
    assert [group[0].doc for group in found.item.evidence] == ["pinos.md", "salina.md"]
    assert verdict(found, known) == ""


def test_documents_with_fewer_headings_in_common_are_not_of_one_sort(move: Callable[[str, float], None]) -> None:
    move("parallel_min", 5)
    assert candidates("two_scopes", **ports())[0] == []


@pytest.mark.parametrize(
    ("heading", "members", "question"),
    [
        ("Growing your crew", ["Don't hurry", "Meet keepers in town", "Share boats"], "How do you grow your crew?"),
        ("Launching a boat", ["Choosing a mast", "Writing a log"], "How do you launch a boat?"),
        ("Storing values", ["Setting defaults", "Values in lists"], ""),
        (
            "What happens after you sell your salt",
            ["You get no letter", "Someone pays the guard"],
            "What can happen after you sell your salt?",
        ),
        ("What happens after you sell your salt", ["Payment", "Someone pays the guard"], ""),
    ],
)
def test_headings_that_answer_the_heading_above_them(heading: str, members: list[str], question: str) -> None:
    found = kind_question(heading)
    assert (found.text if found is not None and fits(found.to_do, members) else "") == question
