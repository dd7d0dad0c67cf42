"""What the layout of a document says, with the place of everything it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base.records import Document, StructureFact
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import html, markdown, plain_text, rst
from kgsynth.documents.structure import structure
from kgsynth.documents.structure.links import LinkTargets, anchors

READ = {"md": markdown.read, "html": html.read, "rst": rst.read, "txt": plain_text.read}


def document(text: str, format: str = "md", id: str = "guide/a.md") -> Document:  # noqa: A002
    return assemble(READ[format](text), id=id, format=format, sha256="")


def facts(text: str, kind: str, format: str = "md") -> list[StructureFact]:  # noqa: A002
    page = document(text, format)
    found = [fact for fact in structure(page) if fact.kind == kind]
    for fact in found:
        for part in fact.excerpts:
            assert " ".join(page.plain(part.start, part.end).split()) in ("", part.text), "its place holds its text"
    return found


def cells(found: Sequence[StructureFact]) -> set[tuple[str, str, str]]:
    """Row head, column heads and value of each cell."""
    return {(fact.subject.text, " ".join(head.text for head in fact.heads), fact.values[0].text) for fact in found}


PLANS = {("Team", "Price (USD)", "5"), ("Team", "File size", "2 GB"), ("Pro", "Price (USD)", "9")}


def test_a_markdown_table_ties_each_cell_to_its_heads() -> None:
    text = "# Plans\n\n| Plan | Price (USD) | File size |\n|---|---|---|\n| Team | 5 | 2 GB |\n| Pro | 9 | |\n"
    found = facts(text, "cell")
    assert cells(found) == PLANS, "an empty cell says nothing"
    assert {(fact.row, fact.column) for fact in found} == {(1, 1), (1, 2), (2, 1)}


@pytest.mark.parametrize(
    "text",
    [
        ".. list-table::\n   :header-rows: 1\n\n   * - Plan\n     - Price (USD)\n     - File size\n"
        "   * - Team\n     - 5\n     - 2 GB\n   * - Pro\n     - 9\n     -\n",
        "====  ===========  =========\nPlan  Price (USD)  File size\n====  ===========  =========\n"
        "Team  5            2 GB\nPro   9\n====  ===========  =========\n",
        "+------+-------------+-----------+\n| Plan | Price (USD) | File size |\n+======+=============+===========+\n"
        "| Team | 5           | 2 GB      |\n+------+-------------+-----------+\n| Pro  | 9           |           |\n"
        "+------+-------------+-----------+\n",
    ],
    ids=["list-table", "simple", "grid"],
)
def test_the_tables_of_restructured_text(text: str) -> None:
    assert cells(facts(text, "cell", "rst")) == PLANS


def test_an_html_table_with_spans_and_two_rows_of_heads() -> None:
    page = (
        "<table><caption>Limits</caption><tr><th rowspan=2>Plan</th><th colspan=2>Limit</th></tr>"
        "<tr><th>soft</th><th>hard</th></tr><tr><th>Team</th><td>5</td><td>7</td></tr>"
        "<tr><th>Pro</th><td colspan=2>none</td></tr></table>"
    )
    assert cells(facts(page, "cell", "html")) == {
        ("Team", "Limit soft", "5"),
        ("Team", "Limit hard", "7"),
        ("Pro", "Limit soft", "none"),
        ("Pro", "Limit hard", "none"),
    }


def test_a_table_of_figures_in_html() -> None:
    page = (
        "<h1>Sales</h1><p>In thousands of euros</p><table>"
        "<tr><td></td><td colspan=2>2023</td><td colspan=2>2022</td></tr>"
        "<tr><td>Net sales:</td><td></td><td></td><td></td><td></td></tr>"
        "<tr><td>Products (1)</td><td>€</td><td>1,204</td><td>€</td><td>(310)</td></tr>"
        "<tr><td>Cost of sales:</td><td></td><td></td><td></td><td></td></tr>"
        "<tr><td>Products (2)</td><td></td><td>77</td><td></td><td>–</td></tr></table><p>(1) Restated.</p>"
    )
    assert {
        (*(part.text for part in (*fact.scope, fact.subject, *fact.heads, *fact.values)), fact.name)
        for fact in facts(page, "cell", "html")
    } == {
        ("Net sales:", "In thousands of euros", "Products", "2023", "€ 1,204", "thousands of euros"),
        ("Net sales:", "In thousands of euros", "Products", "2022", "€ (310)", "thousands of euros"),
        ("Cost of sales:", "In thousands of euros", "Products (2)", "2023", "77", "thousands of euros"),
        ("Cost of sales:", "In thousands of euros", "Products (2)", "2022", "–", "thousands of euros"),
    }, "the second mark points to no note, and a dash is an amount"


def test_a_row_of_years_below_a_head_is_a_head_unless_it_has_a_name() -> None:
    rows = "<tr><td>{}</td><td>1990</td><td>2001</td></tr><tr><td>Staff</td><td>12</td><td>40</td></tr></table>"
    head = "<table><tr><th></th><th>North</th><th>South</th></tr>"
    assert cells(facts(head + rows.format("USD '000"), "cell", "html")) == {
        ("Staff", "North 1990", "12"),
        ("Staff", "South 2001", "40"),
    }
    assert ("Founded", "North", "1990") in cells(facts(head + rows.format("Founded"), "cell", "html"))


def test_a_table_of_raw_html_in_markdown() -> None:
    rows = (
        "<table>\n<tr><th>Plan<th>Price (USD)<th>File size\n"
        "<tr><td>Team</td><td>5</td><td>2 GB</td></tr>\n<tr><td>Pro</td><td>9</td><td></td></tr>\n</table>\n"
    )
    text = f"# Plans\n\n{rows}\nAfter <b>it</b>.\n"
    assert cells(facts(text, "cell")) == PLANS
    assert document(text).blocks[-1].inside == -1
    spans = (
        "<table><tr><th rowspan=2>Plan</th><th colspan='2'>Limit</th></tr><tr><th>soft</th><th>hard</th></tr>"
        '<tr><th>Team</th><td>5</td><td>7</td></tr><tr><th>Pro</th><td colspan="2">none</td></tr></table>'
    )
    assert cells(facts(f"- item\n\n  {spans}\n", "cell")) == cells(facts(spans, "cell", "html"))
    assert len(cells(facts(spans, "cell", "html"))) == 4
    assert facts("<table><tr><td>a<td>b\n\nText.\n", "cell") == [], "a table that is not closed ends with its block"


def test_a_table_without_heads_of_layout_or_with_repeated_rows_says_nothing() -> None:
    assert facts("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>", "cell", "html") == []
    nested = (
        "<table><tr><th>x</th><th>y</th></tr><tr><td><table><tr><td>1</td></tr></table></td><td>2</td></tr></table>"
    )
    assert facts(nested, "cell", "html") == []
    bold = "<table><tr><td><b>Owner</b></td><td>Ada</td></tr><tr><td><b>Seats</b>:</td><td>9</td></tr></table>"
    assert cells(facts(bold, "cell", "html")) == {("Owner", "", "Ada"), ("Seats:", "", "9")}, (
        "bold cells are heads of rows"
    )
    assert cells(facts(f"# P\n\n{bold}\n", "cell")) == {("Owner", "", "Ada"), ("Seats:", "", "9")}
    assert facts(bold.replace("Ada", "<b>Ada</b>").replace(">9<", "><b>9</b><"), "cell", "html") == []
    twice = "| Day | Who |\n|---|---|\n| Mon | Ada |\n| Mon | Bo |\n| Tue | Cy |\n"
    assert cells(facts(twice, "cell")) == {("Tue", "Who", "Cy")}, "it is open which Monday is meant"


def test_a_list_has_what_leads_into_it() -> None:
    text = "# Events\n\nIt emits much. The server emits these events:\n\n- `start`\n- stop, with\n  - a code\n"
    (found,) = facts(text, "member")
    assert found.subject.text == "The server emits these events:"
    assert [value.text for value in found.values] == ["start", "stop, with"], "without the list inside"
    (below,) = facts("# Events\n\n- start\n- stop\n", "member")
    assert below.subject.text == "Events"
    assert facts("# Events\n\nThey are many.\n\n- start\n- stop\n", "member") == [], "nothing leads into it"


def test_a_numbered_list_below_a_task_is_a_procedure() -> None:
    text = "# Rotating a key\n\n1. Make a new key.\n2. Revoke the old one.\n"
    (found,) = facts(text, "procedure")
    assert found.subject.text == "Rotating a key"
    assert [step.text for step in found.values] == ["Make a new key.", "Revoke the old one."]
    (no_task,) = facts("# Colours\n\n1. Red\n2. Blue\n", "member")
    assert no_task.subject.text == "Colours"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("- **Tern** – a tag\n- **Skua**: a logger\n", "md"),
        ("- **Tern:** a tag\n- **Skua:** a logger\n", "md"),
        ("<dl><dt>Tern<dd>a tag<dt>Skua<dd>a logger</dl>", "html"),
        ("Tern\n   a tag\n\nSkua\n   a logger\n", "rst"),
        ("Heading\n=======\n\nText.\n\n:Tern: a tag\n:Skua: a logger\n", "rst"),
    ],
)
def test_terms_and_what_is_said_of_them(text: str, form: str) -> None:
    found = facts(text, "definition", form)
    assert [(fact.subject.text, fact.values[0].text) for fact in found] == [("Tern", "a tag"), ("Skua", "a logger")]


def test_one_bold_word_is_emphasis() -> None:
    assert facts("**Note** – this is one line.\n", "definition") == []


def test_the_default_and_type_of_a_parameter() -> None:
    text = "- `timeout` (optional): seconds to wait. Defaults to `30`.\n- `mode`: how to run. Type: string.\n"
    found = {(fact.subject.text, fact.name, fact.values[0].text) for fact in facts(text, "default")}
    assert found == {("timeout", "required", "optional"), ("timeout", "default", "30"), ("mode", "type", "string")}


def test_questions_that_a_page_asks() -> None:
    bold = "**When is it paid?**\n\nOn Friday.\n\n**More?**\n\nNo.\n"
    text = f"# FAQ\n\n## Who pays?\n\nThe firm does.\n\n## Other\n\n{bold}"
    found = [(fact.subject.text, fact.values[0].text) for fact in facts(text, "answers")]
    assert found == [("Who pays?", "The firm does."), ("When is it paid?", "On Friday."), ("More?", "No.")]


def test_notes_by_markup_and_by_a_bold_word() -> None:
    (note,) = facts("Gas\n===\n\n.. warning:: It burns.\n", "warning", "rst")
    assert (note.subject.text, note.name, note.values[0].text) == ("Gas", "warning", "It burns.")
    (bold,) = facts("# Gas\n\n**Note:** it burns.\n", "warning")
    assert (bold.name, bold.values[0].text) == ("note", "it burns.")


@pytest.mark.parametrize(
    ("text", "name", "title"),
    [
        ('!!! warning "Fire"\n    It burns.\n', "warning", "Fire"),
        ("??? tip\n\n    It burns.\n", "tip", ""),
        ("/// note | Fire at will\n\nIt burns.\n\n///\n", "note", "Fire at will"),
        ("::: danger\nIt burns.\n:::\n", "danger", ""),
        (":::tip Fire\n\nIt burns.\n\n:::\n", "tip", "Fire"),
        (":::info[Fire]\nIt burns.\n:::\n", "info", "Fire"),
        (":::{caution}\nIt burns.\n:::\n", "caution", ""),
        ("> [!NOTE]\n> It burns.\n", "note", ""),
        ("1. Pour.\n\n    /// warning\n\n    It burns.\n\n    ///\n", "warning", ""),
    ],
)
def test_notes_of_markdown_have_their_name_and_title(text: str, name: str, title: str) -> None:
    (note,) = facts(f"# Gas\n\nText.\n\n{text}\nMore.\n", "warning")
    assert (note.subject.text, note.name, note.values[0].text) == ("Gas", name, "It burns.")
    assert [head.text for head in note.heads] == [title] * bool(title)


def test_notes_nest_and_hold_lists_and_their_marks_in_code_are_none() -> None:
    text = "# Gas\n\n:::: warning\nHot:\n\n- one\n- two\n\n::: tip Inside\nCool.\n:::\n::::\n\nAfter.\n"
    page = document(text)
    outer, inner = (each for each in page.containers if each.kind == "note")
    assert (outer.name, inner.name) == ("warning", "tip")
    assert page.containers[inner.parent] == outer and text[outer.start : outer.end].endswith("Cool.")
    after = next(block for block in page.blocks if block.text == "After.")
    assert after.inside == -1
    (members,) = facts(text, "member")
    assert [each.text for each in members.values] == ["one", "two"]
    assert facts("# Gas\n\n```\n!!! note\n    x\n\n::: tip\ny\n:::\n```\n", "warning") == []
    assert facts('# Gas\n\n=== "Tab"\n\n    x\n\n::: gas.Valve\n\ny\n\n::: gas.Pipe\n', "warning") == []


def test_front_matter_is_read_as_fields() -> None:
    found = facts("---\ntitle: 'Key facts'\nowner: Ada\n---\n\nText.\n", "field")
    assert [(fact.subject.text, fact.name, fact.values[0].text) for fact in found] == [
        ("Key facts", "owner", "Ada"),
    ], "the title is the subject, so it is no field of it"


def test_a_changelog_says_what_changed_in_which_version() -> None:
    text = "# Changes\n\n## 1.1 (2024-05-01)\n\n### Added\n\n- A button\n\n## 1.0\n\n- First\n"
    found = [(fact.name, [head.text for head in fact.heads], fact.values[0].text) for fact in facts(text, "change")]
    assert found == [("1.1", ["Added"], "A button"), ("1.0", [], "First")]
    numbered = "# Rules\n\n## 3.1 Scope\n\n- All\n\n## 3.2 Terms\n\n- None\n"
    assert facts(numbered, "change") == [], "numbers of sections are no versions"


def test_links_lead_to_places_of_the_folder() -> None:
    text = "# A\n\nSee [keys](../b.md#sets), [this](#a), [up](../../x.md) and [out](https://a.org).\n"
    assert [(fact.values[0].text, fact.name) for fact in facts(text, "see")] == [
        ("keys", "b.md#sets"),
        ("this", "guide/a.md#a"),
    ]


HEADINGS = """# Guide

Start.

## Key sets & maps { #sets }

One.

<a name="old-name"></a>
### Limits

Two.

## Limits

Three. <a id="inside"></a>

```
<a name="code"></a>
```
"""


@pytest.mark.parametrize(
    ("target", "doc", "title"),
    [
        ("install.md", "guide/install.md", "Guide"),
        ("install", "guide/install.md", "Guide"),
        ("install.html#sets", "guide/install.md", "Key sets & maps"),
        ("install.md#key-sets--maps", "guide/install.md", "Key sets & maps"),
        ("install#key-sets-maps", "guide/install.md", "Key sets & maps"),
        ("install#Old-Name", "guide/install.md", "Limits"),
        ("install#limits-1", "guide/install.md", "Limits"),
        ("/guide/install/#limits_1", "guide/install.md", "Limits"),
        ("deploy/", "guide/deploy/index.md", "Deploy"),
        ("../guide/deploy", "guide/deploy/index.md", "Deploy"),
        ("..", "README.md", "Top"),
    ],
)
def test_a_link_leads_to_a_section(target: str, doc: str, title: str) -> None:
    pages = {
        "guide/install.md": HEADINGS,
        "guide/deploy/index.md": "# Deploy\n\nText.\n",
        "README.md": "# Top\n\nText.\n",
        "guide/a.md": f"# A\n\nSee [this]({target}).\n",
    }
    read = {name: document(text, id=name) for name, text in pages.items()}
    (fact,) = (fact for fact in structure(read["guide/a.md"]) if fact.kind == "see")
    found = LinkTargets(read.values()).resolve(fact.name)
    assert found is not None and found[0] == doc
    assert read[doc].sections[found[1]].title == title


def test_anchors_mean_the_nearest_section_and_unknown_ones_none() -> None:
    page = document(HEADINGS, id="a.md")
    level = {name: (page.sections[at].level, page.sections[at].title) for name, at in anchors(page).items()}
    assert level["old-name"] == level["limits"] == (3, "Limits") and level["limits-1"] == (2, "Limits")
    assert level["inside"] == (2, "Limits") and "code" not in level
    targets = LinkTargets([page])
    assert [targets.resolve(name) for name in ("a.md#none", "b.md", "b")] == [None, None, None]


PIECES = [
    *("# H\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "- x\n", "1. y\n", "**T:** z\n"),
    *("> q\n", "<table><tr><th>", "\n", "```\nc\n```\n"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_every_fact_of_any_markdown_is_in_its_document(pieces: list[str]) -> None:
    page = document("".join(pieces))
    for fact in structure(page):
        assert all(0 <= part.start <= part.end <= len(page.text) for part in fact.excerpts)
        assert fact.section < len(page.sections)


def test_a_title_that_only_says_which_note_it_is_does_not_belong_to_its_text() -> None:
    text = '<div class="note"><div class="title"><p>Note</p></div><p>Leave the room.</p></div>'
    assert [fact.values[0].text for fact in facts(text, "warning", "html")] == ["Leave the room."]


@pytest.mark.parametrize(
    "line", ["- `key{n}`: The size. Default: {n}\n", "| row {n} | {n} | x |\n", "## Why {n}?\n\nYes.\n\n"]
)
def test_the_time_grows_with_the_length_of_the_document(line: str) -> None:
    def seconds(lines: int) -> float:
        head = "| a | b | c |\n|---|---|---|\n" if line.startswith("|") else ""
        made = document(head + "".join(line.format(n=n) for n in range(lines)))
        taken = []
        for _ in range(3):
            start = process_time()
            structure(made)
            taken.append(process_time() - start)
        return min(taken)

    short = seconds(1500)
    assert seconds(6000) < 10 * short, "16 times as long if each line looks at all others"


def test_tables_that_lay_out_a_page_or_a_note_have_no_facts() -> None:
    header = (
        '<div class="navheader"><table summary="Navigation header"><tr><th colspan="2">Backup</th></tr>'
        '<tr><td><a href="a.html">Prev</a></td><td><a href="b.html">Next</a></td></tr></table></div>'
    )
    note = (
        '<div class="tip"><table summary="Tip"><tr><td rowspan="2">!</td><th>Tip</th></tr>'
        "<tr><td><p>Use the small valve.</p></td></tr></table></div>"
    )
    grid = '<table role="presentation"><tr><th>Left</th><th>Right</th></tr><tr><td>a</td><td>b</td></tr></table>'
    for page in (header, note, grid):
        assert facts(f"<h1>Valves</h1>{page}<p>Text of the page.</p>", "cell", "html") == []
    assert facts(f"<h1>Valves</h1>{header}<p>Text of the page.</p>", "see", "html") == []


def test_rows_beside_some_with_a_unit_of_their_own_do_not_have_that_of_the_document() -> None:
    rows = "| | 2025 | 2024 |\n|---|---|---|\n| Net debt (€m) | 129.3 | 124.9 |\n| Headcount | 2,149 | 2,154 |\n"
    page = f"# Norvale 2025\n\nAmounts in € million.\n\n## Sales\n\nSales rose.\n\n## Cash\n\n{rows}"
    assert {(fact.subject.text, fact.name) for fact in facts(page, "cell")} == {
        ("Net debt (€m)", "€m"),
        ("Headcount", ""),
    }


def test_the_unit_of_a_figure_in_a_row_of_units_a_caption_or_a_column_of_units() -> None:
    rows = "| No. | Item | 2022 | Change |\n|---|---|---|---|\n| 1 | Dues | 12 | (3) |\n| 2 | Rent (t) | – | 4 |\n"
    units = {
        (fact.subject.text, fact.heads[-1].text): fact.name
        for fact in facts(f"# P\n\nTable 1. Sales, in EUR million, change in %\n\n{rows}", "cell")
    }
    assert units == {
        ("Dues", "2022"): "EUR million",
        ("Dues", "Change"): "%",
        ("Rent (t)", "2022"): "t",
        ("Rent (t)", "Change"): "t",
    }, "the numbers of rows name nothing"
    head = "<table><tr><th></th><th>Inflow</th><th>Level</th></tr><tr><th>Year</th><th>hm³</th><th>m</th></tr>"
    (flow, level) = facts(f"{head}<tr><td>1998</td><td>12.5</td><td>616</td></tr></table>", "cell", "html")
    assert [(fact.heads[0].text, len(fact.heads), fact.name) for fact in (flow, level)] == [
        ("Inflow", 1, "hm³"),
        ("Level", 1, "m"),
    ]
    own = facts("| Item | Unit | 2022 |\n|---|---|---|\n| Loss | W | 3 |\n| Index | – | 4 |\n", "cell")
    assert [fact.name for fact in own if fact.heads[-1].text == "2022"] == ["W", ""]
