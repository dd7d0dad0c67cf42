"""One reader for each file format: a module with ``read(text)``, which returns blocks tied to the source text.

The ``read`` of a format that is not text takes the bytes of the file.
"""

READERS = {
    ".csv": "csv_table",
    ".docm": "docx",
    ".docx": "docx",
    ".dotm": "docx",
    ".dotx": "docx",
    ".eml": "email_message",
    ".epub": "epub",
    ".htm": "html",
    ".html": "html",
    ".ipynb": "notebook",
    ".json": "records",
    ".jsonl": "records",
    ".markdown": "markdown",
    ".md": "markdown",
    ".ndjson": "records",
    ".ods": "spreadsheet",
    ".pdf": "pdf",
    ".pptm": "pptx",
    ".pptx": "pptx",
    ".rst": "rst",
    ".tsv": "csv_table",
    ".txt": "plain_text",
    ".xls": "spreadsheet",
    ".xlsm": "spreadsheet",
    ".xlsx": "spreadsheet",
    ".yaml": "records",
    ".yml": "records",
}
"""From a file's extension to the module of this package that reads it."""

READERS_OF_BYTES: frozenset[str] = frozenset({"docx", "email_message", "epub", "pdf", "pptx", "spreadsheet"})
"""The modules whose ``read`` takes the bytes of a file, since it is not text."""
