"""One reader for each file format: a module with ``read(text)``, which returns blocks tied to the source text.

The ``read`` of a format that is not text takes the bytes of the file.
"""

READERS = {
    ".docm": "docx",
    ".docx": "docx",
    ".dotm": "docx",
    ".dotx": "docx",
    ".htm": "html",
    ".html": "html",
    ".markdown": "markdown",
    ".md": "markdown",
    ".rst": "rst",
    ".txt": "plain_text",
}
"""From a file's extension to the module of this package that reads it."""

READERS_OF_BYTES: frozenset[str] = frozenset(("docx",))
"""The modules whose ``read`` takes the bytes of a file, since it is not text."""
