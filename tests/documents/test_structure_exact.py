"""What the layout of a document does not say, though it looks like it, and what it says only with its surroundings."""

from __future__ import annotations

import pytest
from test_structure import cells, document, facts

from kgsynth.documents.structure import structure
from kgsynth.documents.structure.links import LinkTargets
from kgsynth.documents.structure.notes import shared_fields
from kgsynth.evidence.statements import ChunkIndex
from kgsynth.generation.graph.build import StructureEdges


@pytest.mark.parametrize(
    ("detail", "expected"),
    [
        ("decrements the count, if the type is a heap type.", set()),
        ("the most common type is the bearer token.", set()),
        ("Data type: streams related.", set()),
        ("the user needs no password, only if required.", set()),
        ("calls a procedure with the given (optional) parameters.", set()),
        ("what it is by default: it is on.", set()),
        ("a function with `default=1`, or raising.", set()),
        ("where no default is returned.", set()),
        ("what is called if a default value is needed.", set()),
        ("whether it is frozen (the default is False).", {("default", "False")}),
        ("how it runs. Type: string.", {("type", "string")}),
        ("an array of names (optional), which is short.", {("required", "optional")}),
        ("where to write. Defaults to the current folder.", {("default", "the current folder")}),
        ("who owns it. Default: `os.getuid()`", {("default", "os.getuid()")}),
        ("the hosts. Defaults to `['a', 'b']`. You can add some.", {("default", "['a', 'b']")}),
        ("the size. In our build this defaults to zero, and to one elsewhere.", {("default", "zero")}),
        ("等待的秒数。默认为 `30`。", {("default", "30")}),
    ],
)
def test_the_traits_of_a_parameter_are_those_that_its_detail_gives_it(
    detail: str, expected: set[tuple[str, str]]
) -> None:
    found = facts(f"# Set\n\n- `one`: {detail}\n- `two`: the other.\n", "default")
    assert {(fact.name, fact.values[0].text) for fact in found if fact.subject.text == "one"} == expected


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("# Keys\n\nTo rotate a key:\n\n1. Make one.\n2. Revoke the other.\n", "To rotate a key:"),
        (
            "# Keys\n\nThe usual steps are made by hand:\n\n1. The key is made.\n2. It is sent.\n",
            "The usual steps are made by hand:",
        ),
        ("# How to rotate keys\n\nFollow these steps:\n\n1. Make one.\n2. Revoke the other.\n", "How to rotate keys"),
        ("# 如何更换密钥\n\n步骤如下：\n\n1. 生成新密钥。\n2. 撤销旧密钥。\n", "如何更换密钥"),
        ("# Keys\n\nRotate them as follows:\n\n1. Make one.\n2. Revoke it.\n", "Rotate them as follows:"),
        ("# Querying\n\nThe polling has several drawbacks:\n\n1. Load\n2. Delay\n", ""),
        ("# Adding keys\n\nThere are a few that are of interest for us:\n\n1. Old\n2. New\n", ""),
        ("# Adding keys\n\nA key has these parts:\n\n1. The head\n2. The body\n", ""),
        ("# Adding keys\n\n1. The head is read.\n2. The body is read.\n", ""),
        ("# Keys\n\nTo extend a key, use one of these ways:\n\n1. Ask\n2. Wait\n", ""),
        ("# Keys\n\nThe logic is as follows:\n\n1. If it is new, it is kept.\n2. If it is old, it is not.\n", ""),
    ],
)
def test_a_procedure_has_steps_and_a_task(text: str, task: str) -> None:
    found = facts(text, "procedure")
    assert [fact.subject.text for fact in found] == [task] * bool(task)
    assert len(facts(text, "member")) == (not task)


@pytest.mark.parametrize(
    ("lead", "subject", "heads"),
    [
        ("We test them. For instance:", "We test them. For instance:", []),
        ("For instance:", "Tests", ["For instance:"]),
        ("That means:", "Tests", ["That means:"]),
        ("Arguments against:", "Arguments against:", ["Tests"]),
        ("Python 3.9:", "Python 3.9:", ["Tests"]),
        ("It runs. It emits these events:", "It runs. It emits these events:", []),
        ("When this happens the cases are:", "Tests", ["When this happens the cases are:"]),
        ("Much is emitted. The server emits these events:", "The server emits these events:", []),
        ("例如：", "Tests", ["例如："]),
    ],
)
def test_a_lead_that_says_nothing_alone_comes_with_what_it_needs(lead: str, subject: str, heads: list[str]) -> None:
    (found,) = facts(f"# Tests\n\n{lead}\n\n- one\n- two\n", "member")
    assert (found.subject.text, [head.text for head in found.heads]) == (subject, heads)


def test_an_item_that_leads_into_what_is_nested_in_it_comes_whole() -> None:
    text = "# Action items\n\n- Stop your old job:\n  - Plan a transition\n  - Tell your team\n- Manage emotions\n"
    outer, inner = facts(text, "member")
    assert [value.text for value in outer.values] == [
        "Stop your old job: Plan a transition Tell your team",
        "Manage emotions",
    ]
    assert inner.subject.text == "Stop your old job:"
    assert facts("# Steps\n\n- Go on\n- Then:\n\nAfter.\n", "member") == [], "what it leads into is not in the list"


def test_only_a_name_is_a_term() -> None:
    text = "# Terms\n\n- **Tern**: a tag\n- `<`: less\n- **Wednesdays**: we meet\n- **Note**: read it\n- **Q**: why\n"
    assert [fact.subject.text for fact in facts(text, "definition")] == ["Tern"]
    cut = "# Terms\n\n**Tern**: a struct with these fields:\n\n```\nint x;\n```\n\n**Skua**: a bird\n"
    assert [fact.subject.text for fact in facts(cut, "definition")] == ["Skua"], "the detail goes on elsewhere"
    typed = "# Terms\n\n- `flags` (dict): what is set\n- `size` (int): how many\n"
    assert [fact.values[0].text for fact in facts(typed, "definition")] == ["what is set", "how many"]


def test_a_term_of_several_sections_has_its_heading_and_one_told_twice_says_nothing() -> None:
    text = (
        "# File\n\n## name\n\n- **Type**: string\n- **Required?**: no; defaults to []\n\n"
        "## size\n\n- **Type**: number\n- **Twice**: a\n\nAnd\n\n- **Twice**: b\n- **Once**: c\n"
    )
    found = facts(text, "definition")
    assert [(fact.subject.text, [head.text for head in fact.heads], fact.values[0].text) for fact in found] == [
        ("Type", ["name"], "string"),
        ("Required?", [], "no; defaults to []"),
        ("Type", ["size"], "number"),
        ("Once", [], "c"),
    ]
    assert facts(text, "default") == [], "what is required is a trait, and has none"


def test_headings_complete_the_question_above_them() -> None:
    text = "# Office\n\n## How do I...?\n\n### Use the printers?\n\nAsk.\n\n### GSA badge: get it\n\nWait.\n"
    text += "\n### Who works here?\n\nAda.\n\n## If you are…\n\n### Away\n\nCall.\n\n## Questions?\n\nAsk us.\n"
    found = facts(text, "answers")
    assert [(fact.name, fact.subject.text, [head.text for head in fact.heads]) for fact in found] == [
        ("How do I use the printers?", "Use the printers?", ["How do I...?"]),
        ("How do I GSA badge: get it?", "GSA badge: get it", ["How do I...?"]),
        ("", "Who works here?", []),
    ]


def test_what_only_looks_like_a_question_has_no_answer() -> None:
    assert facts("# Page\n\nText.\n\n**Questions?**\n\nAsk us.\n", "answers") == []
    assert facts("# 类型\n\n## typing 模块\n\n一段文字。\n", "answers") == [], "a Chinese title has no English verb"


def test_an_answer_that_leads_into_the_sections_below_has_them() -> None:
    text = "# FAQ\n\n## Who pays?\n\nThat depends:\n\n### At home\n\nYou do.\n\n### Away\n\nWe do.\n"
    text += "\n## Why?\n\n### Why not?\n\nSo.\n"
    found = facts(text, "answers")
    assert [(fact.subject.text, *(value.text for value in fact.values)) for fact in found] == [
        ("Who pays?", "That depends:", "You do.", "We do."),
        ("Why not?", "So."),
    ]


def test_fields_for_programs_are_no_facts() -> None:
    front = "title: Key facts\nlinkTitle: Facts\nweight: 30\ndraft: true\nimage: /a/b.png\nslug: a\n"
    front += "cSpell: ignore Tern\nstatus: Final\ndate: 2024-05-01\n"
    assert [fact.name for fact in facts(f"---\n{front}---\n\nText.\n", "field")] == ["status", "date"]


def test_a_field_that_is_the_same_in_each_document_says_nothing() -> None:
    pages = [document(f"---\nkind: article\nauthor: {name}\n---\n\nText.\n") for name in ("Ada", "Bo", "Cy")]
    assert shared_fields(pages) == {"kind"}
    assert shared_fields(pages[:2]) == frozenset(), "two may be alike by chance"


def test_versions_of_a_plan_or_of_steps_are_no_changes() -> None:
    plan = "# Plan\n\n## Python 3.9\n\n- PyOne()\n\n## Python 3.10\n\n- PyTwo()\n"
    assert facts(plan, "change") == []
    assert len(facts(plan.replace("# Plan", "# Incompatible changes"), "change")) == 2
    assert len(facts(plan.replace("3.9", "3.9 (2020-10-05)").replace("3.10", "3.10 (2021-10-04)"), "change")) == 2
    steps = "# History\n\n## 1.1\n\n1. Commit it.\n2. Block it.\n\n## 1.0\n\n- These are gone:\n  - PyOne()\n"
    assert [fact.values[0].text for fact in facts(steps, "change")] == ["These are gone: PyOne()"]


def test_a_link_with_a_line_break_in_its_text_is_one_link() -> None:
    (found,) = facts("# A\n\nSee [Using `move`\nwith threads](b.md).\n", "see")
    assert found.values[0].text == "Using move with threads"


def test_links_of_a_site_with_other_paths_than_its_files() -> None:
    pages = {
        "docs/interact/transactions.md": "---\naliases:\n  - /topics/transactions\nimage: /img/t.png\n---\n\nText.\n",
        "Policies/terms/service.md": "# Service\n\n## H. API\n\nText.\n",
        "a/same.md": "# Same\n\nText.\n",
    }
    targets = LinkTargets([document(text, id=name) for name, text in pages.items()])
    assert targets.resolve("topics/transactions") == ("docs/interact/transactions.md", 0)
    assert targets.resolve("site-policy/terms/service#h-api") == ("Policies/terms/service.md", 2)
    assert [targets.resolve(name) for name in ("b/same", "img/t", "service")] == [None, None, None]


def test_the_unit_of_a_number_stands_in_its_column_head() -> None:
    text = "| Plan | Size (MB) | Price（元） | Note (short) |\n|---|---|---|---|\n| Team | 5,000 | 7 | two words |\n"
    found = {fact.heads[0].text: fact.name for fact in facts(f"# P\n\n{text}", "cell")}
    assert found == {"Size (MB)": "MB", "Price（元）": "元", "Note (short)": ""}
    bound = facts("| Crate | `&(Trait+Send)` |\n|---|---|\n| iron | 0 |\n", "cell")
    assert [fact.name for fact in bound] == [""], "no unit has a plus sign"


def test_two_lists_side_by_side_are_no_rows() -> None:
    assert facts("| Pros | Cons |\n|---|---|\n| quick | dear |\n| light | weak |\n", "cell") == []
    assert facts("| In scope | Not in scope |\n|---|---|\n| docs | code |\n", "cell") == []
    html = "| Field | Use |\n|---|---|\n| contact | <table><tr><td>name</td></tr></table> |\n| url | a link |\n"
    assert cells(facts(html, "cell")) == {("url", "Use", "a link")}, "a table in a cell is no value"


def test_a_message_of_the_parser_is_no_cell() -> None:
    page = "=====  =====\nTag    Limit\n=====  =====\nabi    3.14\nfree   ----\n=====  =====\n"
    assert all("Unexpected" not in fact.values[0].text for fact in facts(page, "cell", "rst"))


def test_a_verb_or_a_term_is_no_note() -> None:
    assert facts("# Flights\n\n**Note** the deadline on the page.\n", "warning") == []
    assert facts("# Flights\n\nText.\n\n**注**。此摘要。\n", "warning") == []
    (note,) = facts("# Flights\n\n**NOTE** Book early.\n", "warning")
    assert note.values[0].text == "Book early."
    assert facts("# Spec\n\n- **begin**: where it starts\n- **notes:** what else\n", "warning") == []


def test_a_text_with_a_hole_of_a_template_is_no_fact() -> None:
    text = '# Help\n\n- **Ada**: Ask in {% channel "x" %}\n- {% one "z" %} **Di**: Wait.\n'
    text += '- **Bo**: See [this]({% page "y" %}).\n'
    text += '- **Cy**: Look.\n  {% image "z" %}\n'
    assert [fact.subject.text for fact in facts(text, "definition")] == ["Bo", "Cy"]


def test_chinese_documents_give_facts_of_each_kind() -> None:
    text = (
        "# 指南\n\n| 计划 | 价格（元） |\n|---|---|\n| 团队 | 5 |\n\n服务器发出以下事件：\n\n- 开始\n- 结束\n\n"
        "## 什么是密钥？\n\n一段文字。\n\n## 参数\n\n- `timeout`（可选）：秒数。默认为 `30`。\n- `mode`：模式。\n\n"
        "**注意：** 会烧。\n\n## 如何更换\n\n1. 生成。\n2. 撤销。\n"
    )
    kinds = {fact.kind.value for fact in structure(document(text))}
    assert kinds >= {"cell", "member", "answers", "default", "definition", "warning", "procedure"}


def test_a_link_of_the_graph_leads_to_its_section_and_a_field_that_all_share_has_no_edge() -> None:
    front = "---\nkind: article\nauthor: Ada {}\n---\n\n"
    texts = ["See [sets](b#sets) and [none](x.md).\n", "# Keys\n\n## Sets\n\nText.\n", "Text.\n"]
    pages = [document(front.format(number) + text, id=f"{'abc'[number]}.md") for number, text in enumerate(texts)]
    edges = StructureEdges([], pages, ChunkIndex([]))
    found = [(edge[2]["kind"], edge[1]) for page in pages for fact in structure(page) for edge in edges.of(fact)]
    assert [target for kind, target in found if kind == "see"] == [pages[1].sections[2].id]
    assert sum(kind == "field" for kind, _ in found) == 3, "the authors, not the kinds"
