"""Files of each format that are made to cost time or memory, or to reach for what is outside their folder."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from functools import cache

from made_files import archive, changed, slides, word

SECRET = "the-secret-outside"
"""What the file ../secret.txt holds, beside the folder that is read."""
PATHS = ("../secret.txt", "/etc/passwd")
LAUGHS = (
    '<!DOCTYPE a [<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10)) + "]>"
)
OUTSIDE = '<!DOCTYPE a [<!ENTITY l9 SYSTEM "{secret}"><!ENTITY % p SYSTEM "{url}"> %p;]>'
Made = dict[str, bytes]


def hostile(secret: str, url: str) -> dict[str, tuple[str, Callable[[], bytes]]]:
    """Return what is in a file -> its name and what makes it; ``secret`` and ``url`` are addresses it reaches for."""
    outside = OUTSIDE.format(secret=secret, url=url)
    return {
        # entities of XML
        **{f"{kind}, laughs": (f"a.{kind}", lambda k=kind: with_entities(k, LAUGHS)) for kind in XML_PARTS},
        **{f"{kind}, entity outside": (f"a.{kind}", lambda k=kind: with_entities(k, outside)) for kind in XML_PARTS},
        "html, entities": ("a.html", lambda: f"{LAUGHS}<p>Text &l9;</p>".encode()),
        # archives
        **{f"{kind}, bomb": (f"a.{kind}", lambda k=kind: bomb(k)) for kind in XML_PARTS},
        "epub, many files": ("a.epub", many_files),
        "epub, path outside": (
            "a.epub",
            lambda: book(
                '<item id="c" media-type="application/xhtml+xml" href="../../secret.txt"/>', {"../secret.txt": b"x"}
            ),
        ),
        "epub, absolute path": (
            "a.epub",
            lambda: book(f'<item id="c" media-type="application/xhtml+xml" href="{secret}"/>'),
        ),
        # references to other files
        "docx, template and picture elsewhere": ("a.docx", lambda: remote_docx(url)),
        "rst, include and raw": ("a.rst", lambda: rst_references(secret, url)),
        "html, pictures and frames": ("a.html", lambda: html_references(secret, url)),
        "md, pictures and frames": (
            "a.md",
            lambda: f'![a]({secret})\n\n<iframe src="{url}"></iframe>\n\nText.\n'.encode(),
        ),
        "openapi, references": ("a.json", lambda: openapi(secret, url)),
        "openapi, schemas that double": ("a.json", doubling_schemas),
        "epub, one chapter 300 times": ("a.epub", one_chapter_often),
        "docx, 9.5 million characters in 10 kB": ("a.docx", lambda: repeated_paragraphs(9_500_000)),
        "ipynb, picture elsewhere": ("a.ipynb", lambda: notebook(f"Text. ![a]({url}) <img src='{secret}'>")),
        "eml, external body": ("a.eml", lambda: external_mail(secret, url)),
        "yaml, objects": ("a.yaml", lambda: f"a: !!python/object/apply:builtins.open ['{secret}']\nb: 1\n".encode()),
        "csv, formulas": ("a.csv", lambda: f"Name,Value\na,=WEBSERVICE(\"{url}\")\nb,='file://{secret}'#A1\n".encode()),
        "pdf, actions": ("a.pdf", lambda: pdf(f"<</S/URI/URI({url})>>", f"<</S/Launch/F({secret})>>")),
        # size and depth
        "pdf, page tree in a circle": ("a.pdf", lambda: pdf_of([b"<</Type/Pages/Kids[2 0 R]/Count 1>>"])),
        "pdf, 10,000 pages": ("a.pdf", lambda: many_pages(10_000)),
        "pdf, forms in a circle": ("a.pdf", circular_forms),
        "json, deep": ("a.json", lambda: b"[" * 200_000),
        "ipynb, huge picture": ("a.ipynb", lambda: notebook("Text.", "A" * 15_000_000)),
        "eml, 1,000 messages in messages": ("a.eml", lambda: nested_mail(1000)),
        "eml, 400 parts in parts": ("a.eml", lambda: nested_parts(400)),
        "csv, field of 19 MB": ("a.csv", lambda: b'Name,Value\na,"' + b"x" * 19_000_000 + b'"\n'),
        "csv, field of 50 MB": ("a.csv", lambda: b'Name,Value\na,"' + b"x" * 50_000_000 + b'"\n'),
        "csv, a million columns": ("a.csv", lambda: b"a," * 1_000_000 + b"\n" + b"1," * 1_000_000),
        "csv, rows that are padded": ("a.csv", lambda: b"a," * 200_000 + b"\n" + b"1\n" * 400_000),
        "xlsx, last cell": ("a.xlsx", lambda: cells(A1="x", XFD1048576="y")),
        "xlsx, 200,000 empty rows": ("a.xlsx", lambda: empty_rows(200_000)),
        "ods, a billion repeated cells": ("a.ods", repeated_cells),
        "docx, a million empty paragraphs": ("a.docx", lambda: many_paragraphs(1_000_000)),
        "docx, 2,000 tables in tables": ("a.docx", lambda: tables_in_tables(2_000)),
        "pptx, a cell over four billion columns": ("a.pptx", lambda: table_slide('gridSpan="4294967295"')),
        "html, 400 cells over a thousand rows and columns": (
            "a.html",
            lambda: b"<table>" + (b"<tr>" + b"<td rowspan=1000 colspan=1000>x" * 20) * 20,
        ),
        "html, 2,000 cells over a thousand rows and columns, each in a table": (
            "a.html",
            lambda: b"<table><tr><td rowspan=1000 colspan=1000>x</table>" * 2_000,
        ),
        "pptx, 100,000 shapes": ("a.pptx", lambda: many_shapes(100_000)),
    }


def ending() -> dict[str, tuple[str, Callable[[], bytes]]]:
    """Return what is in a file that ends its process, or nearly -> its name and what makes it."""
    return {
        "xlsx, four billion shared strings": ("a.xlsx", lambda: tiny_workbook('<c t="s"><v>0</v></c>', 4_294_967_295)),
        "xlsx, row 99999999999": ("a.xlsx", lambda: tiny_workbook("<c><v>1</v></c>", row=99_999_999_999)),
        "xlsx, a text of 1 MB in 6,000 cells": (
            "a.xlsx",
            lambda: tiny_workbook('<c t="s"><v>0</v></c>' * 6_000, 1, text="ab " * 330_000),
        ),
        "yaml, 30,000 lists in lists": ("a.yaml", lambda: b"a: " + b"[" * 30_000 + b"]" * 30_000),
        "json, 30,000 lists in lists": ("a.json", lambda: b"[1," * 30_000 + b"1" + b"]" * 30_000),
    }


# ---- archives --------------------------------------------------------------------------------------

XML_PARTS = {
    "docx": "word/document.xml",
    "pptx": "ppt/slides/slide1.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
    "ods": "content.xml",
    "epub": "OEBPS/c.xhtml",
}
"""From an extension to the part that holds the text."""
MARKED = "Entity here"


@cache
def sample(kind: str) -> bytes:
    """Return a small valid file, whose text is "Entity here" and one more word."""
    if kind == "docx":
        return word(lambda page: page.add_paragraph(MARKED))
    if kind == "pptx":
        return slides(lambda made: _set_title(made.slides.add_slide(made.slide_layouts[5])))
    if kind == "xlsx":
        return with_inline_text(cells(A1="Name", A2="x"))
    if kind == "ods":
        cell = f'<table:table-cell office:value-type="string"><text:p>{MARKED}</text:p></table:table-cell>'
        return ods(f"<table:table-row>{cell}</table:table-row>")
    return book(
        '<item id="c" media-type="application/xhtml+xml" href="c.xhtml"/>',
        {"c.xhtml": f"<html><body><p>{MARKED}</p></body></html>".encode()},
    )


def _set_title(slide: object) -> None:
    slide.shapes.title.text = MARKED  # type: ignore[attr-defined]


def with_inline_text(data: bytes) -> bytes:
    row = f'<row r="3"><c r="A3" t="inlineStr"><is><t>{MARKED}</t></is></c></row></sheetData>'.encode()
    return changed(data, {XML_PARTS["xlsx"]: lambda part: part.replace(b"</sheetData>", row)})


def with_entities(kind: str, declared: str) -> bytes:
    """Return a file whose text has an entity, which ``declared`` declares."""

    def change(part: bytes) -> bytes:
        head, mark, rest = part.partition(b"?>") if part.startswith(b"<?xml") else (b"", b"", part)
        return head + mark + declared.encode() + rest.replace(MARKED.encode(), f"{MARKED}&l9;".encode())

    return changed(sample(kind), {XML_PARTS[kind]: change})


def bomb(kind: str) -> bytes:
    """Return a file whose text is 100 MB of blanks."""
    return changed(sample(kind), {XML_PARTS[kind]: lambda part: part + b" " * 100_000_000})


def book(items: str, more: dict[str, bytes] | None = None) -> bytes:
    root = '<rootfiles><rootfile full-path="OEBPS/b.opf"/></rootfiles>'
    container = f'<container xmlns="{_OFFICE}:container">{root}</container>'
    order = f'<manifest>{items}</manifest><spine><itemref idref="c"/></spine>'
    package = f'<package xmlns="http://www.idpf.org/2007/opf">{order}</package>'
    parts = {f"OEBPS/{name}": data for name, data in (more or {}).items()}
    return archive({"META-INF/container.xml": container, "OEBPS/b.opf": package, **parts})


def one_chapter_often() -> bytes:
    """Return a book whose one chapter, of a million letters, stands 300 times in the order of reading."""
    chapter = f"<html><body><p>{'Text of it. ' * 80_000}</p></body></html>".encode()
    whole = book('<item id="c" media-type="application/xhtml+xml" href="c.xhtml"/>', {"c.xhtml": chapter})
    again = b'<itemref idref="c"/>' * 300
    return changed(whole, {"OEBPS/b.opf": lambda part: part.replace(b'<itemref idref="c"/>', again)})


def many_files() -> bytes:
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as made:
        for number in range(25_000):
            made.writestr(str(number), b"")
    return saved.getvalue()


_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"


def _open_document(kind: str, body: str, end: str) -> bytes:
    spaces = " ".join(f'xmlns:{name}="{_OFFICE}:{name}:1.0"' for name in ("office", "text", "table"))
    start = f"<office:document-content {spaces}><office:body>"
    mimetype = f"application/vnd.oasis.opendocument.{kind}"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{mimetype}"/>'
    manifest = f'<manifest:manifest xmlns:manifest="{_OFFICE}:manifest:1.0">{entry}</manifest:manifest>'
    content = f"{start}{body}{end}"
    saved = io.BytesIO()
    with zipfile.ZipFile(saved, "w") as made:
        made.writestr("mimetype", mimetype)
        made.writestr("META-INF/manifest.xml", manifest)
        made.writestr("content.xml", content)
    return saved.getvalue()


def ods(rows: str) -> bytes:
    body = f'<office:spreadsheet><table:table table:name="A">{rows}</table:table></office:spreadsheet>'
    return _open_document("spreadsheet", body, "</office:body></office:document-content>")


def repeated_cells() -> bytes:
    repeated = 'office:value-type="string" table:number-columns-repeated="16384"'
    cell = f"<table:table-cell {repeated}><text:p>x</text:p></table:table-cell>"
    return ods(f'<table:table-row table:number-rows-repeated="1048576">{cell}</table:table-row>')


def tiny_workbook(cells: str, shared: int = 0, *, row: int = 1, text: str = "x") -> bytes:
    """Return a workbook of a row of cells; ``shared`` is the count of shared strings that it announces."""
    main, office = "http://schemas.openxmlformats.org", "officeDocument/2006/relationships"
    kind = f"{main}/{office}"
    return archive(
        {
            "[Content_Types].xml": f'<Types xmlns="{main}/package/2006/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{main}/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{kind}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{main}/spreadsheetml/2006/main" xmlns:r="{kind}"><sheets>'
            '<sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{main}/package/2006/relationships">'
            f'<Relationship Id="r1" Type="{kind}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="r2" Type="{kind}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}/spreadsheetml/2006/main"><sheetData>'
            f'<row r="{row}">{cells}</row></sheetData></worksheet>',
            "xl/sharedStrings.xml": f'<sst xmlns="{main}/spreadsheetml/2006/main" uniqueCount="{shared}">'
            f"<si><t>{text}</t></si></sst>",
        }
    )


def cells(**values: str) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    for place, value in values.items():
        book.active[place] = value
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def empty_rows(count: int) -> bytes:
    rows = b"".join(b'<row r="%d"><c r="A%d" s="0"/></row>' % (n, n) for n in range(10, count)) + b"</sheetData>"
    return changed(sample("xlsx"), {XML_PARTS["xlsx"]: lambda part: part.replace(b"</sheetData>", rows)})


def many_paragraphs(count: int) -> bytes:
    return changed(
        sample("docx"), {XML_PARTS["docx"]: lambda part: part.replace(b"<w:p>", b"<w:p/>" * count + b"<w:p>", 1)}
    )


def repeated_paragraphs(characters: int) -> bytes:
    paragraph = b"<w:p><w:r><w:t>" + b"The same words. " * 6_250 + b"</w:t></w:r></w:p>"
    many = paragraph * (characters // 100_000)
    return changed(sample("docx"), {XML_PARTS["docx"]: lambda part: part.replace(b"<w:p>", many + b"<w:p>", 1)})


def tables_in_tables(depth: int) -> bytes:
    start, end = b"<w:tbl><w:tr><w:tc>" * depth, b"<w:p/></w:tc></w:tr></w:tbl>" * depth
    return changed(sample("docx"), {XML_PARTS["docx"]: lambda part: part.replace(b"<w:p>", start + end + b"<w:p>", 1)})


def remote_docx(url: str) -> bytes:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    more = "".join(
        f'<Relationship Id="r{name}" Type="{kind}/{name}" Target="{url}" TargetMode="External"/>'
        for name in ("attachedTemplate", "image", "hyperlink", "subDocument", "oleObject", "footnotes", "numbering")
    )
    link = b'<w:p><w:hyperlink r:id="rhyperlink"><w:r><w:t>Link</w:t></w:r></w:hyperlink>'
    link += b'<w:subDoc r:id="rsubDocument"/></w:p><w:p>'
    return changed(
        sample("docx"),
        {
            "word/_rels/document.xml.rels": lambda part: part.replace(
                b"</Relationships>", f"{more}</Relationships>".encode()
            ),
            XML_PARTS["docx"]: lambda part: part.replace(b"<w:p>", link, 1),
        },
    )


def table_slide(cell: str) -> bytes:
    made = slides(lambda page: page.slides.add_slide(page.slide_layouts[6]).shapes.add_table(1, 1, 0, 0, 9, 9))
    return changed(made, {XML_PARTS["pptx"]: lambda part: part.replace(b"<a:tc>", f"<a:tc {cell}>".encode())})


def many_shapes(count: int) -> bytes:
    shape = (
        b'<p:sp><p:nvSpPr><p:cNvPr id="9" name="a"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
        b"<p:txBody><a:bodyPr/><a:p><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    return changed(
        sample("pptx"), {XML_PARTS["pptx"]: lambda part: part.replace(b"</p:spTree>", shape * count + b"</p:spTree>")}
    )


# ---- text ------------------------------------------------------------------------------------------


def rst_references(secret: str, url: str) -> bytes:
    kinds = (
        ".. include:: {}",
        ".. literalinclude:: {}",
        ".. raw:: html\n   :file: {}",
        ".. csv-table:: T\n   :file: {}",
    )
    texts = [kind.format(secret) for kind in kinds]
    return "\n\n".join(
        ["Text.", *texts, f".. raw:: html\n   :url: {url}", f".. csv-table:: T\n   :url: {url}", ""]
    ).encode()


def html_references(secret: str, url: str) -> bytes:
    tags = "".join(
        f'<img src="{each}"><iframe src="{each}"></iframe><link rel="stylesheet" href="{each}"><embed src="{each}">'
        for each in (f"file://{secret}", url)
    )
    return f'<html><head><base href="{url}"></head><body><p>Text.</p>{tags}</body></html>'.encode()


def openapi(secret: str, url: str) -> bytes:
    paths = {
        f"/{n}": {"$ref": ref} for n, ref in enumerate((secret, f"file://{secret}", url, "#/paths/~13", "#/paths/~12"))
    }
    return json.dumps({"openapi": "3.0.0", "info": {"title": "Larder", "version": "1"}, "paths": paths}).encode()


def doubling_schemas() -> bytes:
    """Return a description in which each of 16 schemas consists three times of the next."""
    schemas = {f"S{n}": {"allOf": [{"$ref": f"#/components/schemas/S{n + 1}"}] * 3} for n in range(16)}
    schemas["S16"] = {"type": "string"}  # type: ignore[dict-item]
    about = {"openapi": "3.0.0", "info": {"title": "Larder", "version": "1"}, "paths": {}}
    return json.dumps({**about, "components": {"schemas": schemas}}).encode()


def notebook(text: str, picture: str = "") -> bytes:
    output = {"output_type": "display_data", "data": {"image/png": picture}, "metadata": {}}
    code = {"cell_type": "code", "source": "show()", "outputs": [output], "metadata": {}, "execution_count": 1}
    found = [{"cell_type": "markdown", "source": text, "metadata": {}}, code]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": found}).encode()


def external_mail(secret: str, url: str) -> bytes:
    body = f'Content-Type: message/external-body; access-type=local-file; name="{secret}"; URL="{url}"\n\n'
    head = 'From: a@b.org\nSubject: A\nContent-Type: multipart/mixed; boundary="x"\n\n'
    return f"{head}--x\n\nText.\n--x\n{body}--x--\n".encode()


def nested_mail(depth: int) -> bytes:
    return b"From: a@b.org\nSubject: A\nContent-Type: message/rfc822\n\n" * depth + b"From: a@b.org\n\nText.\n"


def nested_parts(depth: int) -> bytes:
    starts = "".join(f'Content-Type: multipart/mixed; boundary="x{n}"\n\n--x{n}\n' for n in range(depth))
    return f"From: a@b.org\nSubject: A\n{starts}Content-Type: text/plain\n\nText.\n".encode()


# ---- PDF -------------------------------------------------------------------------------------------


def pdf_of(objects: list[bytes]) -> bytes:
    """Return a PDF of a catalogue and the objects from number 2 on."""
    found, places = b"%PDF-1.7\n", []
    for number, content in enumerate([b"<</Type/Catalog/Pages 2 0 R>>", *objects], 1):
        places.append(len(found))
        found += b"%d 0 obj %s endobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    end = b"trailer <</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(found))
    return found + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end


def _stream(content: bytes, keys: bytes = b"") -> bytes:
    return b"<<%s/Length %d>> stream\n%s\nendstream" % (keys, len(content), content)


_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
_PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F 3 0 R>>%s>>/Contents 4 0 R%s>>"
_TEXT = b"BT /F 12 Tf 20 200 Td (Text.) Tj ET"


def pdf(*actions: str) -> bytes:
    notes = b"".join(b"<</Type/Annot/Subtype/Link/Rect[0 0 300 300]/A%s>>" % action.encode() for action in actions)
    page = _PAGE % (b"", b"/Annots[%s]/AA<</O%s>>" % (notes, actions[-1].encode()))
    return pdf_of([b"<</Type/Pages/Kids[5 0 R]/Count 1>>", _FONT, _stream(_TEXT), page])


def many_pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 5 + count))
    tree = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)
    return pdf_of([tree, _FONT, _stream(_TEXT), *[_PAGE % (b"", b"")] * count])


def circular_forms() -> bytes:
    page = _PAGE % (b"/XObject<</X 6 0 R>>", b"")
    form = _stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>")
    return pdf_of([b"<</Type/Pages/Kids[5 0 R]/Count 1>>", _FONT, _stream(_TEXT + b" /X Do"), page, form])
