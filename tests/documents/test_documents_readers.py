"""The readers of plain text, HTML and reStructuredText: the blocks a person sees, with their kinds."""

from __future__ import annotations

import time
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import check_document

from kgsynth.base.records import Document
from kgsynth.documents.assembly import assemble
from kgsynth.documents.readers import html, plain_text, rst
from kgsynth.documents.readers.rst import role_text


def document(reader: ModuleType, text: str) -> Document:
    return assemble(reader.read(text), id="d", format="x", sha256="")


def shown(reader: ModuleType, text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in document(reader, text).blocks if block.kind != "meta"]


# ---- plain text ----


def test_plain_text_blocks() -> None:
    source = """The Great Manual
================

A paragraph
wrapped twice.

1.2 Scope Of Work

* one
  goes on
* two

  more of two

Lead in:
 1) first
 2) second

LIMITS AND NUMBERS

    code = 1

      more = 2

> quoted
> text
"""
    assert shown(plain_text, source) == [
        ("heading", "The Great Manual"),
        ("paragraph", "A paragraph wrapped twice."),
        ("heading", "1.2 Scope Of Work"),
        ("item", "one goes on"),
        ("item", "two"),
        ("item", "more of two"),
        ("paragraph", "Lead in:"),
        ("item", "first"),
        ("item", "second"),
        ("heading", "LIMITS AND NUMBERS"),
        ("code", "    code = 1\n\n      more = 2"),
        ("quote", "quoted text"),
    ]
    made = document(plain_text, source)
    check_document(made, source)
    assert made.title == "The Great Manual"
    assert [block.level for block in made.blocks if block.kind == "heading"] == [1, 2, 1]


@pytest.mark.parametrize(
    "line", ["It ends here.", "This is quite a long line that goes on and on and is not a title at all", "NO.", "note"]
)
def test_not_every_single_line_is_a_heading(line: str) -> None:
    assert shown(plain_text, f"{line}\n\nText.")[0] == ("paragraph", line)


def test_a_heading_in_capitals_needs_enough_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_text, "_MIN_CAPITALS", 6)  # unlike the indent of code
    assert shown(plain_text, "LIMITS\n\nText.")[0] == ("heading", "LIMITS")
    assert shown(plain_text, "NOTES\n\nText.")[0] == ("paragraph", "NOTES")


def test_a_numbered_list_with_empty_lines_is_not_a_series_of_headings() -> None:
    assert [kind for kind, _ in shown(plain_text, "1. Buy milk\n\n2. Buy eggs\n\n3. Go home\n\nDone.")] == [
        "item", "item", "item", "paragraph",
    ]  # fmt: skip


PLAIN = st.lists(
    st.sampled_from(
        ["word", "Two words.", "\n", "\n\n", "\r\n", "\r", "    ", "\t", "- ", "1. ", "> ", "====", "----", "CAPS HERE",
         "中文", "|a|", "1.2 Title", "\x0c", "\u3000", "\u2028"]
    ), max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(PLAIN)
def test_every_run_of_plain_text_equals_its_source_and_nothing_is_lost(text: str) -> None:
    check_document(document(plain_text, text), text)


# ---- html ----

PAGE = """<!DOCTYPE html><html><head><title>Keys - Site</title><style>p{}</style></head><body>
<header><a href="/">Logo</a></header>
<div class="breadcrumbs"><a>Home</a> &gt; <a>Docs</a></div>
<main><article><header><h1>Keys<a class="headerlink" href="#k">¶</a></h1></header>
Loose <em>text</em><sup><a href="#f">[1]</a></sup>.
<p>One &amp; two<br>next <code>GET</code>.</p>
<ul><li>Item <b>a</b><ul><li>nested</li></ul></li><li><p>second</p></li></ul>
<table><caption>Sizes</caption><tr><th>K</th><th>V</th></tr><tr><td>a</td><td>1</td></tr></table>
<pre><code>def f():
    return 1
</code></pre>
<blockquote><p>Said.</p></blockquote><dl><dt>Term</dt><dd>Meaning.</dd></dl>
<p hidden>secret</p><script>run()</script><!-- comment --><button>Press</button>
</article></main><aside>See also</aside><footer>Made by us</footer></body></html>"""


def test_html_blocks() -> None:
    assert shown(html, PAGE) == [
        ("navigation", "Logo"),
        ("navigation", "Home > Docs"),
        ("heading", "Keys"),
        ("paragraph", "Loose text."),
        ("paragraph", "One & two next GET."),
        ("item", "Item a"),
        ("item", "nested"),
        ("item", "second"),
        ("paragraph", "Sizes"),
        ("cell", "K"),
        ("cell", "V"),
        ("cell", "a"),
        ("cell", "1"),
        ("code", "def f():\n    return 1"),
        ("quote", "Said."),
        ("item", "Term"),
        ("item", "Meaning."),
        ("navigation", "See also"),
        ("navigation", "Made by us"),
    ]
    made = document(html, PAGE)
    check_document(made, made.text)
    assert made.title == "Keys", "the first h1, not the title element"
    assert "K\tV\na\t1" in made.text, "a table keeps its rows"
    assert document(html, "<title>From  head</title><p>x").title == "From head"


def test_blocks_in_a_cell_or_heading_are_apart() -> None:
    assert shown(html, "<table><tr><td><table><tr><td>NVname</td><td>0</td></tr><tr><td>value</td></tr></table>") == [
        ("cell", "NVname 0 value")
    ]
    cells = "<td><p>one</p><p>two</p></td><td>x<div>y</div>z<ul><li>a<li>b</ul></td><td>a<pre>1\n2</pre>b</td>"
    assert shown(
        html, f"<table><caption><p>T</p><p>1</p></caption><tr>{cells}<td>c<hr>d<b>e</b></td></tr></table>"
    ) == [
        ("paragraph", "T 1"),
        ("cell", "one two"),
        ("cell", "x y z a b"),
        ("cell", "a 1 2 b"),
        ("cell", "c de"),
    ]
    assert shown(html, "<h2><div>a</div><div>b</div></h2>") == [("heading", "a b")]


def test_a_line_break_in_code_ends_a_line() -> None:
    assert shown(html, "<pre>a<br>b<br/>  c</pre>") == [("code", "a\nb\n  c")]


def test_a_paragraph_without_an_end_tag_ends_at_the_next() -> None:
    source = (
        "<h1>T</h1>"
        + "".join(f"<p>Text {number}." for number in range(1500))
        + "<ul><li>a<li>b</ul><table><tr><td>c<td>d</table>"
    )
    found = shown(html, source)
    assert found[:3] == [("heading", "T"), ("paragraph", "Text 0."), ("paragraph", "Text 1.")]
    assert found[-5:] == [("paragraph", "Text 1499."), ("item", "a"), ("item", "b"), ("cell", "c"), ("cell", "d")]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(["<p>", "</p>", "<li>", "<ul>", "</ul>", "<nav>", "</nav>", "<pre>", "</pre>",
"<td>", "<tr>",
    "<table>", "</table>", "<h2>", "</h2>", "a", " b ", "&lt;", "<a href=x>", "</a>", "<br/>", "<!--", "-->",
    "<div class=toc>",
    "</div>", "<code>", "\n", "中", "<", ">", "<![CDATA[", "<script>", "</script>"]),
    max_size=30).map("".join))  # fmt: skip
def test_any_html_is_read(text: str) -> None:
    made = document(html, text)
    check_document(made, made.text)


# ---- reStructuredText ----


def test_rst_nested_lists_definitions_and_field_lists() -> None:
    source = """\
Title
=====

* a

  * nested
    wrapped
* b

  second

term
    Its meaning.

:author: top fields are meta only at the top
"""
    assert shown(rst, source) == [
        ("heading", "Title"),
        ("item", "a"),
        ("item", "nested wrapped"),
        ("item", "b"),
        ("item", "second"),
        ("item", "term"),
        ("item", "Its meaning."),
        ("item", "author: top fields are meta only at the top"),
    ]


def test_rst_substitutions_and_footnotes() -> None:
    source = """\
The |name| is fast [1]_. It is *good* and ``small`` (`site <http://a.b>`_). |Nothing| |me|

.. |name| replace:: **quick** one
.. |me| replace:: x |me|
.. [1] Measured once.
"""
    assert shown(rst, source) == [
        ("paragraph", "The quick one is fast. It is good and small (site). Nothing x me"),
        ("item", "Measured once."),
    ]
    block = document(rst, source).blocks[0]
    assert [block.text[a:b] for a, b in block.code] == ["small"]


def test_code_marks_inside_emphasis_are_read() -> None:
    block = document(rst, "See **the ``key`` here** and *``it``*.").blocks[0]
    assert block.text == "See the key here and it."
    assert [block.text[a:b] for a, b in block.code] == ["key", "it"]


def test_sphinx_markup_reads_as_on_the_rendered_page() -> None:
    source = """\
.. versionadded:: 2.0
   The flag.

.. versionchanged:: 2.1 It is on.

.. deprecated:: 3.0

.. tabs::

   .. tab:: Linux

      Run it with :func:`~app.run` of :class:`.Flask`.

.. py:function:: get(key,
                     default)

   Look it up.

   :param key: the key

.. code-block:: python
   :linenos:

   x = 1

.. toctree::
   :maxdepth: 2

   one

.. autofunction:: flask.x

.. note:: Mind :doc:`the gap </gap>`, :doc:`/a/gap`, :pep:`8#intro`.

.. class:: Client(host)

   Talks to a host.

.. rst-class:: big

   Styled.

.. unheard:: of
   :option: x

   Still read.
"""
    assert shown(rst, source) == [
        ("paragraph", "Added in version 2.0: The flag."),
        ("paragraph", "Changed in version 2.1: It is on."),
        ("paragraph", "Deprecated since version 3.0."),
        ("paragraph", "Run it with run() of Flask."),
        ("code", "get(key,\ndefault)"),
        ("paragraph", "Look it up."),
        ("item", "param key: the key"),
        ("code", "x = 1"),
        ("paragraph", "Mind the gap, gap, PEP 8."),
        ("code", "Client(host)"),
        ("paragraph", "Talks to a host."),
        ("paragraph", "Styled."),
        ("paragraph", "Still read."),
    ]


@pytest.mark.parametrize(
    ("role", "text", "expected"),
    [
        ("class", "~flask.Flask", ("Flask", True)),
        ("py:meth", "Flask.run", ("Flask.run()", True)),
        ("c:func", "!PyList_New", ("PyList_New()", True)),
        ("doc", "/guide/start", ("start", False)),
        ("ref", "a title <label>", ("a title", False)),
        ("pep", "257", ("PEP 257", False)),
        ("PEP", "PEP 257", ("PEP 257", False)),
        ("raw-html", "<b>", ("", False)),
        ("no-such-role", "text", ("text", True)),
    ],
)
def test_roles(role: str, text: str, expected: tuple[str, bool]) -> None:
    assert role_text(role, text) == expected


def test_rst_tables_and_literals() -> None:
    source = """\
=== ===
K   V
=== ===
a   1
=== ===

+---+---+
| c | d |
+---+---+

.. list-table::

   * - e
     - f

Code::

    x = 1

>>> 1 + 1
2

    A quotation.
"""
    assert shown(rst, source) == [
        *[("cell", letter) for letter in ("K", "V", "a", "1", "c", "d", "e", "f")],
        ("paragraph", "Code:"),
        ("code", "x = 1"),
        ("code", ">>> 1 + 1\n2"),
        ("quote", "A quotation."),
    ]


def test_a_pep_header_is_meta_and_has_the_title() -> None:
    made = document(
        rst,
        "PEP: 8\nTitle: Style\n Guide\nAuthor: A <a@b>,\n        B\nStatus: Active\n\nAbstract\n========\n\nText.\n",
    )
    assert made.title == "PEP 8 – Style Guide"
    assert [block.kind for block in made.blocks] == ["meta"] * 4 + ["heading", "paragraph"]
    assert made.sections[1].path == ("PEP 8 – Style Guide", "Abstract")


def test_nothing_is_included_or_run(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the secret", "utf-8")
    secret = tmp_path / "secret.txt"
    source = f"""\
.. include:: {secret}
.. raw:: html
   :file: {secret}
.. csv-table::
   :file: {secret}
.. literalinclude:: {secret}
.. raw:: html

   <script>alert(1)</script>

After.
"""
    made = document(rst, source)
    assert ("paragraph", "After.") in shown(rst, source)
    assert "the secret" not in made.text
    assert "alert" not in made.text


def test_broken_rst_adds_no_error_text() -> None:
    source = "Title\n==\n\nBad `start and ``more and *this\n\n.. figure::\n\n.. |x| image::\n\n=== ===\na\n===\n\n"
    source += ":no:`role <` end\n"
    made = document(rst, source)
    for trace in ("System Message", "WARNING", "ERROR", "Unknown", "docutils"):
        assert trace not in made.text
    assert "Bad `start and ``more and *this" in made.text


RST = st.lists(st.sampled_from(["Title\n=====\n", "Sub\n---\n", "* a\n", "  b\n", "\n", "\n\n", ".. note:: x\n",
"   y\n", ".. [1] f\n",
    "text [1]_ ", "``c`` ", ":x:`y` ", "|s| ", ".. |s| replace:: z\n", "::\n\n", "    code\n", "== ==\n", "a  b\n",
    "*e", "`", "_ ",
    ".. code:: py\n", ":f: v\n", ">>> 1\n", "| l\n", ".. x::\n", ".. figure:: a\n", ".. list-table::\n", "\\",
    "__ a\n", ".. _t: u\n",
    ".. class:: k\n", ".. table::\n", ".. unicode:: 0x41\n", ".. container::\n", "+--+\n|a |\n+--+\n", "-o  opt\n",
    "term\n  def\n"]),
    max_size=25).map("".join)  # fmt: skip


@settings(max_examples=250, deadline=None)
@given(RST)
def test_any_rst_is_read_without_messages_of_docutils(text: str) -> None:
    made = document(rst, text)
    check_document(made, made.text)
    assert "System Message" not in made.text
    assert "Traceback" not in made.text


def test_docutils_is_not_changed_permanently() -> None:
    from docutils.parsers.rst import directives

    before = directives.directive
    rst.read(".. note:: x\n")
    assert directives.directive is before


def test_rst_is_read_fast_enough() -> None:
    source = (
        "Heading\n=======\n\n" + "A paragraph with ``code`` and :class:`~a.B`, [1]_ wrapped\nover lines.\n\n" * 1000
    )
    start = time.process_time()
    rst.read(source)
    rate = len(source) / (time.process_time() - start)
    assert rate > 50_000, f"{rate:.0f} characters per second; 14 MB should take minutes, not hours"
