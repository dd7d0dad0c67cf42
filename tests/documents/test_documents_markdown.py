"""The Markdown reader: text without markup, every character tied to its place in the file."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_files import check_document

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers.markdown import read
from kgsynth.documents.readers.markdown_source import hide_templates


def document(text: str) -> Document:
    return assemble(read(text), id="d.md", format="md", sha256="")


def shown(text: str, *kinds: str) -> list[tuple[str, str]]:
    return [
        (block.kind, block.text)
        for block in document(text).blocks
        if (block.kind in kinds if kinds else block.kind != "meta")
    ]


FRAGMENTS = st.sampled_from(
    [
        "# ", "## T #", "- ", "* a", "1. ", "> ", ">", "    ", "\t", "```", "~~~", "`", "``", "**", "*", "_", "__",
        "~~",
        "[a](b)", "[a](b(c).d)", "[r][x]", "[x]: y", "![alt](i.png)", "<b>", "</b>", "<br>", "<div>", "</div>",
        "<!-- c -->",
        "<http://a.b>", "&amp;", "&lt;", "&nbsp;", "&#65;", "&fjlig;", "\\*", "\\", "|", "| a | b |", "|---|---|",
        "a | b",
        "--|--", "---", "===", "\n", "\n\n", "\r\n", "\r", " ", "  \n", "\\\n", "word", "Word two.", "中文", "。",
        "é", "😀",
        "{{#include x}}", "{{ x }}", "{% if %}", "{* x *}", "/// note | t", "///", "{ #id }", "<Listing a=\"b\">",
        "[^1]",
        "[^1]: ", "!!! note", "+++", "title: x", "\x0c", "\u3000", "\u2028", "<td>x", "<li>", "<p>", "<code>",
        "{{< y >}}",
    ]
)  # fmt: skip
MARKDOWN = st.lists(FRAGMENTS, max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(MARKDOWN)
@example("> - a\n>   b\n\n    code\n")
@example("---\ntitle: x\n---\n# T\r\n\r\na\r\nb")
def test_every_run_equals_its_source_and_nothing_is_lost(text: str) -> None:
    check_document(document(text), text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=120))
def test_any_text_is_read_and_mapped(text: str) -> None:
    text = text.replace("\0", "")
    check_document(document(text), text)


@settings(max_examples=200, deadline=None)
@given(MARKDOWN, st.data())
def test_locate_returns_the_source_of_a_text(text: str, data: st.DataObject) -> None:
    made = document(text)
    for block in made.blocks:
        if not block.text or block.kind == "meta":
            continue
        start = data.draw(st.integers(0, len(block.text) - 1))
        end = data.draw(st.integers(start + 1, len(block.text)))
        low, high = block.locate(start, end)
        assert block.start <= low < high <= block.end
        if not block.text[start:end].strip():
            continue  # a blank has no text
        assert "".join(made.plain(low, high).split()) == "".join(block.text[start:end].split())


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["word", "# H", "- item", "", "> q", "a **b** c", "`x`", "    code"]), max_size=12))
def test_crlf_changes_offsets_only(lines: list[str]) -> None:
    unix, windows = "\n".join(lines), "\r\n".join(lines)
    assert [(b.kind, b.text) for b in document(unix).blocks] == [
        (b.kind, b.text.replace("\r\n", "\n")) for b in document(windows).blocks
    ]
    check_document(document(windows), windows)


@given(MARKDOWN)
def test_hiding_templates_keeps_every_offset(text: str) -> None:
    hidden = hide_templates(text)
    assert len(hidden) == len(text)
    for before, after in zip(text, hidden, strict=True):
        assert after == before or after in " -`"
        assert not before.isspace() or after == before or (after == " " and before not in "\r\n")


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ('See [the (real) guide](a.b/c_(d).html?x=1.5 "t.t") now.', "See the (real) guide now.", []),
        ("A ***very* bold** word, __so__.", "A very bold word, so.", []),
        ("Use `` a`b `` and `c`.", "Use a`b and c.", ["a`b", "c"]),
        ("Fish &amp; chips &lt;b&gt; caf&eacute;", "Fish & chips <b> café", []),
        ("A [ref][x] and [y].\n\n[x]: http://a.b/c\n[y]: d 'Y'", "A ref and y.", []),
        ("Wrapped\nover  \nlines\\\nhere.", "Wrapped over lines here.", []),
        ('Marked[^1] text<sup>2</sup>, <a id="x"></a>end.', "Marked text2, end.", []),
        ("2 * 3 * 4 and snake_case_name \\*kept\\*", "2 * 3 * 4 and snake_case_name *kept*", []),
        ("Auto <https://a.b/c> link, ~~gone~~.", "Auto https://a.b/c link, gone.", []),
        ("中文换\n行不加空格 and\nEnglish does", "中文换行不加空格 and English does", []),
        ("An inline ![logo](x.png) image", "An inline image", []),
        ("Line<br>break", "Line break", []),
        ("称为**“并发”**，不同于**「依赖」**系统", "称为“并发”，不同于「依赖」系统", []),
    ],
)
def test_prose_reads_as_a_person_sees_it(source: str, text: str, code: list[str]) -> None:
    block = next(block for block in document(source).blocks if block.kind == "paragraph")
    assert block.text == text
    assert [block.text[a:b] for a, b in block.code] == code


def test_locate_points_into_the_markup() -> None:
    source = "Run **`GET`** on [the key](k.md) *twice*."
    (block,) = document(source).blocks
    assert block.text == "Run GET on the key twice."
    for word in ("GET", "the key", "twice."):
        start = block.text.index(word)
        low, high = block.locate(start, start + len(word))
        assert source[low:high].replace("*", "") == word.replace("*", "")
    low, high = block.locate(0, len(block.text))
    assert source[low:high] == source


def test_every_kind_of_block_is_recognised() -> None:
    source = """# Title

Setext
------

A paragraph.

| Key | Value |
|-----|-------|
| a\\|b | `c` |

- one
  goes on

  second paragraph
- two
  1. nested

> quoted
> on

```py
x = 1
```

    indented

![only](image.png)

<!-- a comment -->
"""
    assert shown(source) == [
        ("heading", "Title"),
        ("heading", "Setext"),
        ("paragraph", "A paragraph."),
        ("cell", "Key"),
        ("cell", "Value"),
        ("cell", "a|b"),
        ("cell", "c"),
        ("item", "one goes on"),
        ("item", "second paragraph"),
        ("item", "two"),
        ("item", "nested"),
        ("quote", "quoted on"),
        ("code", "x = 1"),
        ("code", "indented"),
    ]
    assert ("meta", "only") in shown(source, "meta")
    assert document(source).blocks[1].level == 2, "a line of dashes makes a heading of level 2"
    check_document(document(source), source)


@pytest.mark.parametrize(
    "source",
    [
        "{{#include ../a.rs}}",
        "{{#rustdoc_include ../listings/ch04/a.rs:here}}",
        "{* ../../docs_src/body/tutorial001.py hl[2] *}",
        "/// note | 注意",
        "///",
        "{% if x %}",
        '{{< alert title="x" >}}',
        "{{% /alert %}}",
        '<Listing number="4-1" caption="A `>` sign">',
        "</Listing>",
        "<!-- ignore\nthis -->",
        "[toc]",
        "@examples",
        ":::tip",
    ],
)
def test_templates_are_never_prose(source: str) -> None:
    text = f"Before.\n\n{source}\n\nAfter."
    assert shown(text) == [("paragraph", "Before."), ("paragraph", "After.")]
    check_document(document(text), text)


def test_templates_inside_code_are_kept() -> None:
    assert shown("Write `{{ name }}` or\n\n```\n{% if %}\n```") == [
        ("paragraph", "Write {{ name }} or"),
        ("code", "{% if %}"),
    ]


def test_a_code_shortcode_is_code_and_an_anchor_is_removed() -> None:
    source = '## Sets { #sets }\n\n{{< clients-example set >}}\n> GET a\n\n"1"\n{{< /clients-example >}}\n'
    assert shown(source) == [("heading", "Sets"), ("code", '> GET a\n\n"1"')]


def test_text_of_html_blocks_is_tied_to_its_place() -> None:
    source = (
        '<div class="warning">\n<p>Mind <b>the</b> gap &amp; step.</p>\n<ul><li>one</ul>\n<script>x()</script></div>\n'
    )
    assert shown(source) == [("paragraph", "Mind the gap & step."), ("item", "one")]
    check_document(document(source), source)


def test_navigation_is_marked_and_prose_is_not() -> None:
    source = """# T

[Home](/) > [Docs](/d) > [Keys](/k)

- [One](1.md)
- [Two](2.md)

Some things to know:

- [Redis](r.md) stores keys in memory.
- [Disk](d.md)

[Edit this page](x)

Last updated: 3 May 2024

© 2024 The Authors

The copyright of a work lasts seventy years.
"""
    assert [text for _, text in shown(source, "navigation")] == [
        "Home > Docs > Keys", "One", "Two", "Disk", "Edit this page", "Last updated: 3 May 2024",
        "© 2024 The Authors",
    ]  # fmt: skip
    assert ("item", "Redis stores keys in memory.") in shown(source)
    assert ("paragraph", "The copyright of a work lasts seventy years.") in shown(source)


def test_sections_follow_the_headings() -> None:
    source = "# Guide\n\nIn.\n\n## A\n\na\n\n### B\n\nb\n\n## A\n\nc\n"
    made = document(source)
    assert made.title == "Guide"
    assert [section.path for section in made.sections] == [
        ("Guide",), ("Guide",), ("Guide", "A"), ("Guide", "A", "B"), ("Guide", "A"),
    ]  # fmt: skip
    assert made.sections[2].end == made.sections[3].end == made.sections[4].start == source.rindex("## A")
    assert len({section.id for section in made.sections}) == 5, "two sections with the same path have different ids"
    assert made.sections[0].level == 0
    assert (made.sections[0].start, made.sections[0].end) == (0, len(source))
    owners = {block.text: made.sections[block.section].title for block in made.blocks}
    assert (owners["In."], owners["b"], owners["c"]) == ("Guide", "B", "A")


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ('---\ntitle: "From the: front"\n---\n# Other', "From the: front"),
        ("+++\ntitle = 'Toml'\n+++\ntext", "Toml"),
        ("## Second\n\n# First", "First"),
        ("It sets a key.\n\n## Options\n\nNone.\n\n# Appendix: history", "D"),
        ("It sets a key.\n\n# First\n\n## Options", "First"),
        ("## Only second", "Only second"),
        ("It sets a key.\n\n## Options", "D"),
        ("just text", "D"),
    ],
)
def test_the_title_comes_from_the_first_place_that_has_one(source: str, title: str) -> None:
    assert document(source).title == title


def test_front_matter_is_meta() -> None:
    made = document("---\ntitle: T\nweight: 6\n---\n\nText.")
    assert made.blocks[0].kind == "meta"
    assert shown("---\ntitle: T\nweight: 6\n---\n\nText.") == [("paragraph", "Text.")]
