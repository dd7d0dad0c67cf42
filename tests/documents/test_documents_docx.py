"""The reader of Word files: what its styles, numbering and tables say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_files import archive, changed, document, entry, facts, reason, shown, told, word

from kgsynth.base.records import Document, Skipped

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def paragraphs(xml: str) -> bytes:
    """Return a Word file whose body is ``xml``."""

    def build(made: Any) -> None:
        from docx.oxml import parse_xml

        relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        root = parse_xml(f'<w:x xmlns:w="{WORD}" xmlns:r="{relations}">{xml}</w:x>')
        body = made.element.body
        for number, element in enumerate(root):
            body.insert(number, element)

    return word(build)


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def text_of(xml: str) -> list[tuple[str, str]]:
    return shown(document("a.docx", paragraphs(xml)))


def test_headings_paragraphs_lists_and_code_by_their_styles() -> None:
    def build(made: Any) -> None:
        made.add_heading("The Guide", 0)
        made.add_heading("Keys", 1)
        first = made.add_paragraph("Use ")
        first.add_run("GET").font.name = "Courier New"
        first.add_run(" and ").bold = None
        first.add_run("never").bold = True
        first.add_run(" SET.")
        made.add_paragraph("Rotate the key as follows:")
        made.add_paragraph("Open the console.", style="List Number")
        made.add_paragraph("Press it.", style="List Number")
        made.add_paragraph("The plans are:")
        made.add_paragraph("Team", style="List Bullet")
        made.add_paragraph("small", style="List Bullet 2")
        made.add_paragraph("Pro", style="List Bullet")
        made.add_paragraph("Said once.", style="Quote")
        for line in ("x = 1", "y = 2"):
            made.add_paragraph().add_run(line).font.name = "Consolas"
        made.add_heading("Sets", 2)
        made.add_paragraph("More.")

    made = document("guide.docx", word(build))
    assert made.title == "The Guide"
    assert [section.path for section in made.sections][1:] == [
        ("The Guide",), ("The Guide", "Keys"), ("The Guide", "Keys", "Sets")
    ]  # fmt: skip
    block = made.blocks[2]
    assert [block.text[low:high] for low, high in block.code] == ["GET"]
    assert [block.text[low:high] for low, high in block.strong] == ["never"]
    assert told(made, "procedure") == [("Rotate the key as follows:", "Open the console.", "Press it.")]
    assert told(made, "member") == [("The plans are:", "Team", "Pro")]
    assert ("quote", "Said once.") in shown(made)
    assert ("code", "x = 1\ny = 2") in shown(made)


def test_a_localised_style_is_known_by_its_name_or_its_outline_level() -> None:
    def build(made: Any) -> None:
        made.styles["Heading 2"].element.set(f"{{{WORD}}}styleId", "berschrift2")
        made.add_paragraph("Eins", style="Heading 2")
        own = made.styles.add_style("Kapitel", 1)
        own.base_style = made.styles["Heading 1"]
        made.add_paragraph("Zwei", style="Kapitel")

    levels = [(block.text, block.level) for block in document("a.docx", word(build)).blocks]
    assert levels == [("Eins", 2), ("Zwei", 1)]
    by_level = "<w:p><w:pPr><w:outlineLvl w:val='2'/></w:pPr><w:r><w:t>Drei</w:t></w:r></w:p>"
    assert document("a.docx", paragraphs(by_level)).blocks[0].level == 3


def test_a_table_with_merged_cells_and_two_rows_of_heads() -> None:
    def build(made: Any) -> None:
        table = made.add_table(4, 3)
        rows = [["Plan", "Limit", ""], ["", "soft", "hard"], ["Team", "5", "7"], ["Pro", "none", ""]]
        for row, texts in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
        table.cell(0, 0).merge(table.cell(1, 0))
        table.cell(0, 1).merge(table.cell(0, 2))
        table.cell(3, 1).merge(table.cell(3, 2))
        from docx.oxml import OxmlElement

        for number in (0, 1):
            table.rows[number]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))

    made = document("a.docx", word(build))
    assert told(made, "cell") == [
        ("Team", "Limit", "soft", "5"),
        ("Team", "Limit", "hard", "7"),
        ("Pro", "Limit", "soft", "none"),
        ("Pro", "Limit", "hard", "none"),
    ]
    assert "Team\t5\t7\nPro\tnone" in made.text


@pytest.mark.parametrize("how", ["bold", "styled", "shaded", "none"])
def test_a_first_row_that_is_set_apart_is_the_head(how: str) -> None:
    def build(made: Any) -> None:
        table = made.add_table(2, 2, style="Light Grid Accent 1" if how == "styled" else "Normal Table")
        for cell, text in zip([cell for row in table.rows for cell in row.cells], ["Plan", "Price", "Team", "$5"],
                              strict=True):  # fmt: skip
            cell.text = text
        from docx.oxml import OxmlElement

        for cell in table.rows[0].cells:
            cell.paragraphs[0].runs[0].bold = True if how == "bold" else None
            if how == "shaded":
                shade = OxmlElement("w:shd")
                shade.set(f"{{{WORD}}}fill", "DDDDDD")
                cell._tc.get_or_add_tcPr().append(shade)

    assert told(document("a.docx", word(build)), "cell") == ([] if how == "none" else [("Team", "Price", "$5")])


def test_a_table_of_one_cell_or_with_a_table_in_it_lays_out_the_page() -> None:
    def build(made: Any) -> None:
        made.add_table(1, 1).cell(0, 0).text = "A box."
        outer = made.add_table(1, 2)
        outer.cell(0, 0).text = "Left."
        inner = outer.cell(0, 1).add_table(2, 2)
        for cell, text in zip([cell for row in inner.rows for cell in row.cells], "KV12", strict=True):
            cell.paragraphs[0].add_run(text).bold = text in "KV"

    made = document("a.docx", word(build))
    assert shown(made)[:2] == [("paragraph", "A box."), ("paragraph", "Left.")]
    assert told(made, "cell") == [("1", "V", "2")]


def test_the_paragraphs_of_a_cell_are_one_value() -> None:
    def build(made: Any) -> None:
        table = made.add_table(2, 2)
        for cell, text in zip([cell for row in table.rows for cell in row.cells], ["K", "V", "a", "one"], strict=True):
            cell.paragraphs[0].add_run(text).bold = text in "KV"
        table.cell(1, 1).add_paragraph("two")

    assert told(document("a.docx", word(build)), "cell") == [("a", "V", "one two")]


def test_deleted_text_and_comments_are_left_out_and_insertions_are_kept() -> None:
    xml = (
        f"<w:p>{run('Keep ')}<w:del w:id='1'><w:r><w:delText>old</w:delText></w:r></w:del>"
        f"<w:ins w:id='2'>{run('new')}</w:ins><w:commentRangeStart w:id='0'/>{run(' text')}"
        f"<w:r><w:commentReference w:id='0'/></w:r>{run('secret', '<w:vanish/>')}{run('.')}</w:p>"
        f"<w:sdt><w:sdtContent><w:p>{run('In a control.')}</w:p></w:sdtContent></w:sdt>"
    )
    assert text_of(xml) == [("paragraph", "Keep new text."), ("paragraph", "In a control.")]


def test_links_by_relation_anchor_and_field() -> None:
    def build(made: Any) -> None:
        from docx.oxml import parse_xml

        external = made.part.relate_to(
            "other.docx", "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink", True
        )
        space = f'xmlns:w="{WORD}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
        field = (
            "<w:r><w:fldChar w:fldCharType='begin'/></w:r>"
            '<w:r><w:instrText> HYPERLINK "b.docx" \\l "x" </w:instrText>'
            f"</w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r>{run('field')}"
            "<w:r><w:fldChar w:fldCharType='end'/></w:r>"
        )
        made.add_heading("T", 1)
        made.element.body.insert(1, parse_xml(
            f"<w:p {space}>{run('See ')}<w:hyperlink r:id='{external}'>{run('one')}</w:hyperlink>{run(', ')}"
            f"<w:hyperlink w:anchor='top'>{run('two')}</w:hyperlink>{run(' or ')}{field}{run('.')}</w:p>"
        ))  # fmt: skip

    made = document("a.docx", word(build))
    assert [(fact.values[0].text, fact.name) for fact in facts(made, "see")] == [
        ("one", "other.docx"), ("two", "a.docx#top"), ("field", "b.docx#x")
    ]  # fmt: skip
    assert made.blocks[1].text == "See one, two or field."


def test_a_numbered_list_goes_on_after_a_paragraph_or_a_table_between_its_steps() -> None:
    def build(made: Any) -> None:
        made.add_heading("How to rotate a key", 1)
        made.add_paragraph("Open.", style="List Number")
        made.add_paragraph("It asks twice.")
        made.add_paragraph("Press.", style="List Number")
        made.add_paragraph("Done.")

    made = document("a.docx", word(build))
    assert told(made, "procedure") == [("How to rotate a key", "Open. It asks twice.", "Press.")]
    assert shown(made)[-1] == ("paragraph", "Done.")


def test_formulas_rows_that_begin_later_and_links_without_a_target_are_read() -> None:
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = f"<m:oMath xmlns:m='{math}'><m:r><m:t>x=</m:t></m:r><m:r><m:t>2</m:t></m:r></m:oMath>"
    cell = "<w:tc><w:p>{}</w:p></w:tc>".format
    xml = (
        f"<w:p>{run('Let ')}{formula}{run(' be ')}<w:hyperlink r:id='rGone'>{run('so')}</w:hyperlink>{run('.')}</w:p>"
        f"<w:tbl><w:tr>{cell(run('a'))}{cell(run('b'))}</w:tr>"
        f"<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>{cell(run('c'))}</w:tr></w:tbl>"
    )
    made = document("a.docx", paragraphs(xml))
    assert shown(made)[0] == ("paragraph", "Let x=2 be so.")
    places = [
        (made.text[each.start : each.end], each.row, each.column)
        for each in made.containers
        if each.head is False and each.end > each.start and each.kind == "cell"
    ]
    assert places == [("a", 0, 0), ("b", 0, 1), ("c", 1, 1)]


def test_a_table_of_contents_is_navigation_by_its_style() -> None:
    def build(made: Any) -> None:
        made.styles.add_style("toc 1", 1)
        for text in ("Keys\t3", "Sets\t4"):
            made.add_paragraph(text, style="toc 1")
        made.add_paragraph("Text.")

    assert shown(document("a.docx", word(build))) == [
        ("navigation", "Keys 3"), ("navigation", "Sets 4"), ("paragraph", "Text.")
    ]  # fmt: skip


def test_footnotes_and_text_boxes_follow_their_paragraph() -> None:
    box = f"<w:r><w:pict><w:txbxContent><w:p>{run('In a box.')}</w:p></w:txbxContent></w:pict></w:r>"
    data = paragraphs(f"<w:p>{run('It is fast')}<w:r><w:footnoteReference w:id='2'/></w:r>{run('.')}{box}</w:p>")
    notes = (
        f'<w:footnotes xmlns:w="{WORD}"><w:footnote w:type="separator" w:id="1"><w:p/></w:footnote>'
        f'<w:footnote w:id="2"><w:p>{run("Measured once.")}</w:p></w:footnote></w:footnotes>'
    )
    relation = (
        b'<Relationship Id="rIdF" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"'
        b' Target="footnotes.xml"/></Relationships>'
    )
    override = (
        b'<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        b'wordprocessingml.footnotes+xml"/></Types>'
    )
    data = changed(
        data,
        {
            "word/_rels/document.xml.rels": lambda part: part.replace(b"</Relationships>", relation),
            "[Content_Types].xml": lambda part: part.replace(b"</Types>", override),
        },
    )
    import io
    import zipfile

    whole = io.BytesIO(data)
    with zipfile.ZipFile(whole, "a") as added:
        added.writestr("word/footnotes.xml", notes)
    assert shown(document("a.docx", whole.getvalue())) == [
        ("paragraph", "It is fast."), ("item", "Measured once."), ("paragraph", "In a box.")
    ]  # fmt: skip


def test_terms_and_notes_by_style() -> None:
    def build(made: Any) -> None:
        for name in ("Definition Term", "Definition", "Warning"):
            made.styles.add_style(name, 1)
        made.add_heading("Words", 1)
        made.add_paragraph("Skua", style="Definition Term")
        made.add_paragraph("A logger.", style="Definition")
        made.add_paragraph("Never open it.", style="Warning")
        made.add_paragraph("It is sealed.", style="Warning")
        made.add_paragraph("After.")

    made = document("a.docx", word(build))
    assert told(made, "definition") == [("Skua", "A logger.")]
    assert [(fact.name, fact.values[0].text) for fact in facts(made, "warning")] == [
        ("warning", "Never open it. It is sealed.")
    ]


def test_documents_with_macros_and_templates_are_read_and_their_title_is_that_of_the_properties() -> None:
    def build(made: Any) -> None:
        made.core_properties.title = "The Manual"
        made.add_paragraph("Text.")

    data = word(build)
    plain = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    for name, kind in (
        ("a.docx", plain),
        ("a.docm", b"application/vnd.ms-word.document.macroEnabled.main+xml"),
        ("a.dotx", b"application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"),
    ):
        other = changed(data, {"[Content_Types].xml": lambda part, kind=kind: part.replace(plain, kind)})
        made = document(name, other)
        assert (made.title, made.format) == ("The Manual", name[2:])


# ---- hostile files ----

NO_ARCHIVE = "damaged, or of another format than its extension says; open it in its program and save it again"
SMALL = word(lambda made: made.add_paragraph("Some text, and some more."))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"Just text.", NO_ARCHIVE),
        (SMALL[: len(SMALL) // 2], NO_ARCHIVE),
        (archive({"a.txt": "text"}), "damaged: it is a zip archive, but not a .docx file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "in the format of Office 2003 or before; save it as .docx"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99 + "EncryptedPackage".encode("utf-16-le"),
            "encrypted; save it without a password",
        ),
        (
            changed(SMALL, {"word/document.xml": lambda _: b" " * 50_000_000}),
            "'word/document.xml' in it grows to 50000000 bytes when unpacked",
        ),
        (
            changed(SMALL, {"_rels/.rels": lambda part: part.replace(b"schemas.openxmlformats.org/officeDocument/2006",
                                                                     b"purl.oclc.org/ooxml/officeDocument")}),
            "in the format Strict Open XML; save it as a plain .docx file",
        ),
        (word(lambda made: None), "it contains no text"),
    ],
    ids=["no zip", "truncated", "other zip", "old", "encrypted", "bomb", "strict", "empty"],
)  # fmt: skip
def test_a_file_that_cannot_be_read_has_its_reason(data: bytes, expected: str) -> None:
    assert reason("a.docx", data) == expected


def test_broken_xml_is_damage_and_entities_are_not_expanded() -> None:
    assert reason("a.docx", changed(SMALL, {"word/document.xml": lambda part: part[:300]})).startswith("damaged: ")
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'

    def with_entities(part: bytes) -> bytes:
        return part.replace(b"<w:document", bomb + b"<w:document", 1).replace(b"Some text", b"Some &f;&b;text")

    found = entry("a.docx", changed(SMALL, {"word/document.xml": with_entities}))
    assert not isinstance(found, Document) or ("root" not in found.text and "aaaa" not in found.text)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), min_size=1, max_size=8), st.booleans())
def test_a_file_with_changed_bytes_is_read_or_skipped(changes: list[tuple[int, int]], inside: bool) -> None:
    def spoil(part: bytes) -> bytes:
        made = bytearray(part)
        for place, value in changes:
            made[place % len(made)] = value
        return bytes(made)

    names = ("word/document.xml", "word/styles.xml", "word/numbering.xml", "[Content_Types].xml")
    data = changed(SMALL, {names[changes[0][0] % len(names)]: spoil}) if inside else spoil(SMALL)
    found = entry("a.docx", data)
    assert isinstance(found, Document | Skipped)
    assert isinstance(found, Document) or "reader failed" not in found.reason, found
