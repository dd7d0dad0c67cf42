"""Documents that once took minutes or ended a run: one generator for each cause, by the number of characters wanted."""

from __future__ import annotations

from collections.abc import Callable


def _filled(piece: str, size: int, start: str = "", end: str = "") -> str:
    return start + piece * max(1, (size - len(start) - len(end)) // len(piece)) + end


def _numbered(line: str, size: int) -> str:
    return "".join(line.replace("#", str(number)) for number in range(size // (len(line) + 3) + 1))


def _bomb(size: int) -> str:
    """Return substitutions, each of which is written with two of the next: their text doubles with each line."""
    lines = min(size // 30, 24)
    return "|a0|\n\n" + "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n" for n in range(lines)) + "\n"


SLOW: dict[str, tuple[str, Callable[[int], str]]] = {
    # blanks, and what is hidden from the parser of Markdown
    "bracket and blanks": ("md", lambda size: _filled(" ", size, "(word ", "\nx")),
    "bracket and tabs": ("md", lambda size: _filled("\t", size, "(word ", "x")),
    "no-break spaces": ("md", lambda size: _filled("\u00a0", size, "(word ", "x")),
    "lines of blanks": ("md", lambda size: _filled("(word \u00a0 \t \n", size)),
    "short lines": ("md", lambda size: _filled("a\n", size)),
    "short lines of brackets": ("md", lambda size: _filled("(w \n", size)),
    "capital tag and blanks": ("md", lambda size: _filled(" ", size, "<A ", "x")),
    "capital tags": ("md", lambda size: _filled("<A ", size)),
    "capital tags on lines": ("md", lambda size: _filled("<A \n", size)),
    "capital tags in words": ("md", lambda size: _filled("<A b='c' ", size)),
    "open templates": ("md", lambda size: _filled("{{", size)),
    "open comments": ("md", lambda size: _filled("<!-- a ", size)),
    "open shortcodes": ("md", lambda size: _filled("{{< code >}}\n", size)),
    "back-ticks of all lengths": ("md", lambda size: "".join("`" * (n % 150 + 1) + "a " for n in range(size // 78))),
    "templates on one line": ("md", lambda size: _filled("{{ x }} a ", size)),
    "footnote marks on lines": ("md", lambda size: _filled("[^1] b\n", size)),
    "templates on lines": ("md", lambda size: _filled("{{ x }} b\nw  ord\n", size)),
    # lines and cells of Markdown
    "front matter without an end": ("md", lambda size: _filled("a: b\n", size, "---\n")),
    "simple table in Markdown": ("md", lambda size: _filled("a   b\n", size, "===  ===\n", "===  ===\n")),
    "emacs marks": ("md", lambda size: _filled("-*- mode: x -*-\n", size)),
    "emphasis": ("md", lambda size: _filled("*a _b ", size)),
    "stars on lines": ("md", lambda size: _filled("*a **b\n", size)),
    "link openings": ("md", lambda size: _filled("[", size)),
    "links without an end": ("md", lambda size: _filled("[a](", size)),
    "escapes": ("md", lambda size: _filled("\\*", size)),
    "entities": ("md", lambda size: _filled("&amp;", size)),
    "quotes within quotes": ("md", lambda size: _filled(">", size, "", " a")),
    "lists within lists": ("md", lambda size: _filled("- ", size, "", "a")),
    "wide table": (
        "md",
        lambda s: "|" + "a|" * (s // 7) + "\n|" + "-|" * (s // 7) + "\n|" + "\\|a|" * (s // 14) + "\n",
    ),
    "long table": ("md", lambda size: _filled("|a \\| b|c|\n", size, "|a|b|\n|-|-|\n")),
    "setext heads": ("md", lambda size: _numbered("Head #\n===\n\n", size)),
    "setext heads, text": ("md", lambda size: _numbered("Head #\n---\n\na b\n\n", size)),
    "one head again and again": ("md", lambda size: _filled("A\n===\n", size)),
    "rules": ("md", lambda size: _filled("***\n\n", size)),
    "small sections": ("md", lambda size: _numbered("# H #\n\nw\n\n", size)),
    "deep sections": ("md", lambda size: _filled("# a\n## b\n### c\n#### d\n", size)),
    # HTML inside Markdown
    "open tags in a block": ("md", lambda size: _filled("<p>a ", size, "<div>\n")),
    "open tags of all kinds": ("md", lambda size: _filled("<div>a</p>", size, "<div>\n")),
    "attributes in a block": ("md", lambda size: _filled("<a b='c' ", size, "<div>\n")),
    "blanks in a tag": ("md", lambda size: _filled(" ", size, "<div>\n<a ", "<")),
    "attribute words in a tag": ("md", lambda size: _filled("b ", size, "<div>\n<a ", "<")),
    "comments in a block": ("md", lambda size: _filled("<!-", size, "<div>\n")),
    "scripts in a block": ("md", lambda size: _filled("<style>", size, "<div>\n", "</style")),
    "closed styles in a block": ("md", lambda size: _filled("<style", size, "<div>\n")),
    "declarations in a block": ("md", lambda size: _filled("<!a", size, "<div>\n")),
    "ampersands in a block": ("md", lambda size: _filled("&a", size, "<div>\n")),
    # HTML files
    "open paragraphs": ("html", lambda size: _filled("<p>a", size)),
    "open inline tags": ("html", lambda size: _filled("<b>a", size)),
    "open divisions": ("html", lambda size: _filled("<div>a", size)),
    "open anchors": ("html", lambda size: _filled("<a ", size)),
    "anchors without an end": ("html", lambda size: _filled("<a href='x' ", size)),
    "attributes": ("html", lambda size: _filled("b=c ", size, "<a ")),
    "one quoted attribute": ("html", lambda size: _filled("b", size, "<a href='")),
    "quoted attributes without an end": ("html", lambda size: _filled('<a href="b', size)),
    "slashes in a tag": ("html", lambda size: _filled("/", size, "<a ")),
    "comments of dashes": ("html", lambda size: _filled("-", size, "<!--")),
    "open HTML comments": ("html", lambda size: _filled("<!--", size)),
    "declarations": ("html", lambda size: _filled("<!", size)),
    "processing": ("html", lambda size: _filled("<?", size)),
    "marked sections": ("html", lambda size: _filled("<![CDATA[", size)),
    "closing tags": ("html", lambda size: _filled("</a", size)),
    "closing tags of nothing": ("html", lambda size: _filled("</p>", size)),
    "open scripts": ("html", lambda size: _filled("<script>", size)),
    "open style ends": ("html", lambda size: _filled("</style", size, "<style>")),
    "ampersands": ("html", lambda size: _filled("&", size)),
    "numbers of characters": ("html", lambda size: _filled("&#1", size)),
    "tables in tables": ("html", lambda size: _filled("<table><tr><td>a", size)),
    "rows without a table end": ("html", lambda size: _filled("<tr><td>a", size, "<table>")),
    "lists in lists": ("html", lambda size: _filled("<ul><li>a", size)),
    "closed inline tags": ("html", lambda size: _filled("<b>a</b> ", size)),
    "superscripts": ("html", lambda size: _filled("<sup>", size)),
    "headers": ("html", lambda size: _filled("<header>", size)),
    "classes": ("html", lambda size: _filled("<div class=nav>", size)),
    # sentences
    "abbreviations": ("txt", lambda size: _filled("e.g. A ", size)),
    "abbreviations in Markdown": ("md", lambda size: _filled("e.g. e.g. ", size)),
    "abbreviations on lines": ("txt", lambda size: _filled("etc.\nA Mr. B\n", size)),
    "sentence ends and quotes": ("txt", lambda size: _filled('."', size)),
    "sentence ends and blanks": ("txt", lambda size: _filled(" ", size, "A b.", "b")),
    "lines of plain text": ("txt", lambda size: _filled("a\n", size)),
    "one long word": ("txt", lambda size: _filled("a", size)),
    "bullets": ("txt", lambda size: _filled("- a\n", size)),
    "numbers": ("txt", lambda size: _filled("1.", size)),
    "code in plain text": ("txt", lambda size: _filled("    a\n\n", size)),
    "underlines": ("txt", lambda size: _filled("=", size, "", "x")),
    # reStructuredText
    "stars": ("rst", lambda size: _filled("*a ", size)),
    "double stars": ("rst", lambda size: _filled("**", size)),
    "stars in one word": ("rst", lambda size: _filled("*", size)),
    "back-ticks": ("rst", lambda size: _filled("`a ", size)),
    "code marks": ("rst", lambda size: _filled("``a ", size)),
    "hyphens": ("rst", lambda size: _filled("a-", size)),
    "only hyphens": ("rst", lambda size: _filled("-", size, "a ", " b")),
    "slashes": ("rst", lambda size: _filled("/", size)),
    "web addresses": ("rst", lambda size: _filled("http://", size)),
    "mail addresses": ("rst", lambda size: _filled("a@", size)),
    "open roles": ("rst", lambda size: _filled(":a:`b ", size)),
    "roles": ("rst", lambda size: _filled(":a:", size)),
    "role with brackets": ("rst", lambda size: _filled("<", size, ":ref:`a", "`")),
    "role with blanks": ("rst", lambda size: _filled(" ", size, ":ref:`a", "b`")),
    "nested code": ("rst", lambda size: _filled("``a``", size, "`x ", " <y>`_")),
    "open footnotes": ("rst", lambda size: _filled("[a ", size)),
    "substitution marks": ("rst", lambda size: _filled("|a ", size)),
    "substitutions": ("rst", lambda size: _bomb(size)),
    "underscores": ("rst", lambda size: _filled("a_ ", size)),
    "simple tables": ("rst", lambda size: _filled("=== ===\na   b\n=== ===\n\n", size)),
    "a simple table without an end": ("rst", lambda size: _filled("a   b\n", size, "=== ===\n")),
    "grid table without an end": ("rst", lambda size: _filled("| a |\n", size, "+---+\n")),
    "long grid table": ("rst", lambda size: _filled("| a |\n+---+\n", size, "+---+\n")),
    "sections of rst": ("rst", lambda size: _numbered("Head #\n======\n\na\n\n", size)),
    "transitions": ("rst", lambda size: _filled("a\n\n----\n\n", size)),
    "definitions": ("rst", lambda size: _filled("a\n b\n", size)),
    "fields": ("rst", lambda size: _filled(":a: b\n", size)),
    "line blocks": ("rst", lambda size: _filled("| a\n", size)),
    "quotes in quotes": ("rst", lambda size: "".join(f"{' ' * n}a\n\n" for n in range(int((2 * size) ** 0.5)))),
    "directives in directives": ("rst", lambda s: "".join(f"{'  ' * n}.. note:: a\n\n" for n in range(int(s**0.5)))),
    "lists of rst in lists": ("rst", lambda size: _filled("- ", size, "", "a")),
    "PEP header": ("rst", lambda size: _filled("A: b\n c\n", size)),
    "targets": ("rst", lambda size: _numbered(".. _a#: b\n", size)),
    "footnotes": ("rst", lambda size: _filled(".. [#] a\n", size)),
    "editor settings": ("rst", lambda size: _filled(".. vim", size)),
    "options": ("rst", lambda size: _filled("-a  b\n", size)),
    "enumerations": ("rst", lambda size: _numbered("#. a\n", size)),
}
"""What is in the file -> its extension, and the document of about so many characters."""

RAISING: dict[str, tuple[str, str]] = {
    "HTML character of 4,301 digits": ("html", f"<p>Text before &#{'1' * 4301}; and after.</p>"),
    "rst enumeration of 4,301 digits": ("rst", f"{'1' * 4301}. Item\n\nText after it.\n"),
    "Markdown list of 4,301 digits": ("md", f"{'1' * 4301}. Item\n\nText after it.\n"),
    "plain list of 4,301 digits": ("txt", f"{'1' * 4301}. Item\n\nText after it.\n"),
    "table with escaped bars": (
        "md",
        "|a|b|\n|-|-|\n|x \\| y|z \\\\| w|\n|`a \\| b`|\\|\\||\n|\\\\|b|\n\nText after it.\n",
    ),
}
"""What is in the file -> its extension, and the document, which once ended a run."""
