"""What every writer is given, what it returns, and what most of them write of an item."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from kgsynth.base.records import Document, Item


class ExportInput(NamedTuple):
    """The items to write and the documents of their evidence, if they are known.

    ``whole_documents`` says that a corpus to search consists of documents, not of chunks; ``raw`` that a cell of CSV
    may begin as a formula.
    """

    items: tuple[Item, ...]
    documents: Mapping[str, Document]
    whole_documents: bool = False
    raw: bool = False


class Rendered(NamedTuple):
    """The content of each file: by its path in the folder, or for one file ``""``, and by a name for files beside it.

    ``notes`` are sentences on what differs from the set.
    """

    files: Mapping[str, bytes]
    notes: tuple[str, ...] = ()


def evidence_texts(item: Item) -> list[str]:
    """Return the text of the first span of each evidence group: together they are enough to answer.

    Example:
        >>> from kgsynth.base.records import Span
        >>> one, copy, two = (Span("a.md", at, at + 3, text) for at, text in ((0, "Ada"), (9, "Ada"), (20, "Tim")))
        >>> evidence_texts(Item("q-1", "Who?", ("Ada",), "simple", "", "en", ((one, copy), (two,))))
        ['Ada', 'Tim']
    """
    return [group[0].text for group in item.evidence]


def evidence_documents(item: Item) -> list[str]:
    """Return the documents of these spans, each once.

    Example:
        >>> from kgsynth.base.records import Span
        >>> evidence_documents(Item("q-1", "Who?", (), "simple", "", "en", ((Span("a.md", 0, 3, "Ada"),),)))
        ['a.md']
    """
    return list(dict.fromkeys(group[0].doc for group in item.evidence))


def messages(item: Item) -> list[dict[str, str]]:
    """Return the earlier turns of a conversation as messages of a chat.

    Example:
        >>> from kgsynth.base.records import Turn
        >>> messages(Item("q-1", "And he?", (), "simple", "", "en", (), history=(Turn("Who?", "Ada."),)))
        [{'role': 'user', 'content': 'Who?'}, {'role': 'assistant', 'content': 'Ada.'}]
    """
    return [
        {"role": role, "content": text}
        for turn in item.history
        for role, text in (("user", turn.question), ("assistant", turn.answer))
    ]


def without_question(item: Item) -> str:
    """Return why an item cannot be asked in a format without conversations, or "".

    Example:
        >>> without_question(Item("q-1", "Who?", (), "simple", "", "en", ()))
        ''
    """
    return (
        "a later turn of a conversation without a standalone question" if item.history and not item.standalone else ""
    )


def json_lines(rows: Iterable[Mapping[str, Any]], *, ascii_only: bool = False) -> bytes:
    """Return rows as lines of JSON.

    ``ascii_only`` is for tools that open files in the encoding of the computer, which is not always UTF-8.

    Example:
        >>> json_lines([{"a": "é"}], ascii_only=True)
        b'{"a": "\\\\u00e9"}\\n'
    """
    return "".join(json.dumps(row, ensure_ascii=ascii_only) + "\n" for row in rows).encode()


def json_document(value: object, *, ascii_only: bool = False) -> bytes:
    """Return a value as one JSON document with indents.

    Example:
        >>> json_document({"a": 1})
        b'{\\n "a": 1\\n}\\n'
    """
    return (json.dumps(value, ensure_ascii=ascii_only, indent=1) + "\n").encode()
