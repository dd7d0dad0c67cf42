"""One reader for each file format: a module with ``read(text)``, which returns blocks tied to the source text."""

READERS = {
    ".htm": "html",
    ".html": "html",
    ".markdown": "markdown",
    ".md": "markdown",
    ".rst": "rst",
    ".txt": "plain_text",
}
"""From a file's extension to the module of this package that reads it."""
