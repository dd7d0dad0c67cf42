"""One reader for each file format: a module with ``read(text)``, which returns blocks tied to the source text.

The ``read`` of a format that is not text takes the bytes of the file.
"""

READERS = {
    ".adoc": "asciidoc",
    ".asc": "asciidoc",
    ".asciidoc": "asciidoc",
    ".docm": "docx",
    ".docx": "docx",
    ".dotm": "docx",
    ".dotx": "docx",
    ".eml": "email_message",
    ".epub": "epub",
    ".htm": "html",
    ".html": "html",
    ".ipynb": "notebook",
    ".markdown": "markdown",
    ".md": "markdown",
    ".mediawiki": "mediawiki",
    ".mw": "mediawiki",
    ".odt": "odt",
    ".pptm": "pptx",
    ".pptx": "pptx",
    ".rst": "rst",
    ".txt": "plain_text",
    ".wiki": "mediawiki",
}
"""From a file's extension to the module of this package that reads it."""

READERS_OF_BYTES: frozenset[str] = frozenset(("docx", "email_message", "epub", "odt", "pptx"))
"""The modules whose ``read`` takes the bytes of a file, since it is not text."""
