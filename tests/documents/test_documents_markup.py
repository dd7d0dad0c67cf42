"""The readers of notebooks and email, and of text that is not UTF-8."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import document, entry, reason, shown, told

from kgsynth.base.records import Document, Skipped
from kgsynth.documents.readers import notebook as notebook_reader

# ---- notebooks ----


def notebook(*cells: dict[str, Any], **traits: Any) -> bytes:
    return json.dumps({"cells": list(cells), "nbformat": 4, "metadata": {}} | traits).encode()


def test_the_cells_of_a_notebook() -> None:
    made = document(
        "a.ipynb",
        notebook(
            {
                "cell_type": "markdown",
                "source": ["# Keys\n", "\n", "| Plan | Price |\n", "|---|---|\n", "| Team | $5 |"],
            },
            {
                "cell_type": "code",
                "source": "print(1)\n",
                "outputs": [
                    {"output_type": "stream", "text": ["1\n"]},
                    {"output_type": "execute_result", "data": {"text/plain": "\u001b[1m2\u001b[0m"}},
                    {"output_type": "display_data", "data": {"image/png": "AAAA", "text/plain": "<Figure>"}},
                    {"output_type": "error", "traceback": ["no"]},
                ],
            },
            {"cell_type": "raw", "source": "left out"},
            {"cell_type": "markdown", "source": "```\nnever closed"},
            {"cell_type": "markdown", "source": "The plans are:\n\n- Team\n- Pro"},
            metadata={"language_info": {"name": "python"}},
        ),
    )  # fmt: skip
    assert told(made, "cell") == [("Team", "Price", "$5")]
    assert told(made, "member") == [("The plans are:", "Team", "Pro")]
    named = [(made.containers[block.inside].name, block.text) for block in made.blocks if block.kind == "code"]
    assert named == [("python", "print(1)"), ("output", "1"), ("output", "2"), ("", "never closed")]
    assert made.title == "Keys"


def test_the_time_of_a_notebook_grows_with_its_cells() -> None:
    """Put 50,000 cells together in 3 s of processor time; to copy the text for each took minutes."""
    joined = notebook_reader._JoinedCells()
    begun = time.process_time()
    for _ in range(50_000):
        joined.add_code("x = 1  # " + "a" * 200, "python")
    assert time.process_time() - begun < 3


def test_files_that_are_no_notebooks() -> None:
    assert reason("a.ipynb", b"{").startswith("damaged: not JSON")
    assert reason("a.ipynb", b"[]") == "not a notebook: it has no cells"


# ---- email ----


def test_a_message_with_its_fields_quotes_and_attachments() -> None:
    from email.message import EmailMessage

    message = EmailMessage()
    message["From"], message["To"] = "Zoë Ash <zoe@example.org>", "bo@example.org"
    message["Subject"] = "Keys & plans – again"
    message.set_content(
        "Hello Bo,\nrotate them.\n\nThe plans are:\n- Team\n- Pro\n\n> Which one?\n> And when?\nSoon.\n\n-- \nZoë\n"
    )
    message.add_alternative("<p>Rotate</p>", subtype="html")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="plan.pdf")
    made = document("a.eml", message.as_bytes())
    assert told(made, "field") == [
        ("Keys & plans – again", "From", "Zoë Ash <zoe@example.org>"),
        ("Keys & plans – again", "To", "bo@example.org"),
        ("Keys & plans – again", "Subject", "Keys & plans – again"),
    ]
    assert shown(made) == [
        ("paragraph", "Hello Bo, rotate them."), ("paragraph", "The plans are:"), ("item", "Team"), ("item", "Pro"),
        ("quote", "Which one? And when?"), ("paragraph", "Soon."),
    ]  # fmt: skip
    assert told(made, "member") == [("The plans are:", "Team", "Pro")]
    assert made.remarks == ("attachments not read: plan.pdf",)


def test_a_message_with_half_of_a_character_is_skipped() -> None:
    """The character set is known, and what it makes of the bytes can be neither hashed nor written."""
    half = b"Subject: K\nContent-Type: text/plain; charset=raw_unicode_escape\n\nAda \\ud800 leads."
    assert reason("a.eml", half) == "damaged: half of a character ('\\ud800') in it"


def test_of_many_attachments_the_first_are_named_and_the_others_counted() -> None:
    part = b'--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename="%d.pdf"\n\nabc\n'
    parts = b"".join(part % number for number in range(2000))
    head = b'From: a@b.org\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n\nText.\n'
    named = ", ".join(f"{number}.pdf" for number in range(10))
    assert document("a.eml", head + parts + b"--x--\n").remarks == (f"attachments not read: {named} and 1,990 more",)


def test_a_message_in_html_and_one_in_another_encoding() -> None:
    html = b"Subject: Keys\nContent-Type: text/html\n\n<p>Use <b>two</b>.</p>"
    assert shown(document("a.eml", html)) == [("paragraph", "Use two.")]
    latin = b"Subject: K\nContent-Type: text/plain; charset=no-such\n\n" + "Die Größe ist über 3 m.".encode("latin-1")
    made = document("a.eml", latin)
    assert shown(made) == [("paragraph", "Die Größe ist über 3 m.")]
    assert made.remarks == ("read as windows-1252; it names the character set 'no-such', which is not known",)
    for name in (b"utf-8", b"undefined"):
        made = document("a.eml", latin.replace(b"no-such", name))
        assert made.remarks == (
            f"read as windows-1252; it names the character set {name.decode()!r}, which it is not in",
        )
    assert reason("a.eml", b"Just text.") == "not an email message: it has neither sender, date nor subject"


@pytest.mark.parametrize(
    ("name", "other"), [("a.doc", ".docx"), ("a.rtf", ".docx"), ("a.msg", ".eml"), ("a.ppt", ".pptx")]
)
def test_older_formats_are_named_with_what_to_do(name: str, other: str) -> None:
    assert reason(name, b"x").endswith(f"; save it as {other}")


# ---- other encodings ----

SENTENCES = {
    "windows-1252": "It’s a “test” – for cafés and naïve people.",
    "windows-1251": "Ключ хранится в сейфе и меняется раз в год.",
    "windows-1250": "Zażółć gęślą jaźń, proszę państwa, w tym roku będzie śnieg.",
    "gb18030": "密钥保存在保险箱里，每年更换一次。",
    "shift-jis": "鍵は金庫に保管され、毎年交換されます。",
    "UTF-16": "Der Schlüssel liegt im Tresor.",
    "UTF-32": "Der Schlüssel liegt im Tresor.",
}


@pytest.mark.parametrize("encoding", SENTENCES)
def test_text_in_another_encoding_is_read_and_said(encoding: str) -> None:
    made = document("a.txt", SENTENCES[encoding].encode(encoding))
    assert (made.text, made.remarks) == (SENTENCES[encoding], (f"read as {encoding}",))
    assert document("a.md", SENTENCES[encoding].encode()).remarks == ()


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (bytes(range(1, 256)) * 4, "binary: it is not UTF-8 at byte 127, and in no other encoding of text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(255, 127, -1)), "binary: it is not UTF-8 at byte 0"),
        ("Zoë und Łódź".encode() + b"\xff", "not UTF-8 at byte 16, though the rest of it is"),
        (b"\xff\xfea", "not UTF-16, which its first bytes announce"),
    ],
    ids=["all bytes", "picture", "one wrong byte", "half a character"],
)  # fmt: skip
def test_what_no_encoding_explains_is_refused(data: bytes, expected: str) -> None:
    assert reason("a.txt", data).startswith(expected)


# ---- made at random ----


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=8), st.booleans())
def test_a_notebook_or_message_with_changed_bytes_is_read_or_skipped(
    changes: list[tuple[int, int]], mail: bool
) -> None:
    code = {"cell_type": "code", "source": "x", "outputs": [{"output_type": "stream", "text": "1"}]}
    whole = notebook({"cell_type": "markdown", "source": "# A"}, code)
    header = "From: a@b.org\nSubject: =?utf-8?q?Z=C3=AB?=\nContent-Type: multipart/mixed; boundary=x\n\n"
    data = bytearray((header + "--x\n\nText.\n--x--\n").encode() if mail else whole)
    for place, value in changes:
        data[place % len(data)] = value
    found = entry("a.eml" if mail else "a.ipynb", bytes(data))
    assert isinstance(found, Document | Skipped)
    assert isinstance(found, Document) or "reader failed" not in found.reason, found
