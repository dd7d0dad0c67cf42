"""Read email messages: their fields, their text and what it quotes. Attachments are named and not read."""

from __future__ import annotations

import re
from email import policy
from email.errors import MessageError
from email.message import EmailMessage
from email.parser import BytesParser

from kgsynth.base.vocabulary import ContainerKind
from kgsynth.documents.readers import html
from kgsynth.documents.readers.block_drafts import ExtractedText, ParsedFile, TextPiece
from kgsynth.documents.readers.flat_lists import FlatLists
from kgsynth.documents.unsupported import UnsupportedFileError, decode

_MAIL_FIELDS = ("From", "To", "Cc", "Date", "Subject")
_MAIL_BULLET = re.compile(r"^\s*(?:[-*+•]|(?P<number>\d{1,3})[.)])\s+(?=\S)")
_MAIL_QUOTED = re.compile(r"^\s*>[>\s]*")
_ATTACHMENTS_NAMED = 10
_SIGNATURE = re.compile(r"^-- ?$", re.MULTILINE)


def read(data: bytes) -> ParsedFile:
    """Return the blocks of a message; ``ParsedFile.text`` is its fields and its text.

    Raises:
        UnsupportedFileError: it lacks all fields of a message.

    Example:
        >>> page = b"From: Ada <a@b.org>\\nSubject: Keys\\n\\nUse GET.\\n\\n> Which one?\\n"
        >>> [(draft.kind, draft.text) for draft in read(page).drafts][2:]
        [('paragraph', 'Use GET.'), ('quote', 'Which one?')]
    """
    try:
        message = BytesParser(policy=policy.default).parsebytes(data)
        fields = [(name, " ".join(str(message[name]).split())) for name in _MAIL_FIELDS if message[name]]
    except (MessageError, ValueError, LookupError, IndexError, AttributeError, TypeError) as error:
        raise UnsupportedFileError(f"damaged: its fields cannot be read ({type(error).__name__})") from error
    if not fields:
        raise UnsupportedFileError("not an email message: it has neither sender, date nor subject")
    extracted = ExtractedText()
    for number, (name, value) in enumerate(fields):
        extracted.add("meta", [TextPiece(f"{name}: {value}")], joint="\n" if number else "\n\n")
    body, kind, guessed = _body(message)
    if kind == "html":
        html.add_page(extracted, body)
    else:
        _add_text(extracted, body)
    return extracted.parsed(dict(fields).get("Subject", ""), (*guessed, *_attachments(message)))


def _body(message: EmailMessage) -> tuple[str, str, tuple[str, ...]]:
    """Return the text of a message, its kind (plain text if there is some, otherwise HTML), and how it was guessed."""
    part = message.get_body(("plain", "html"))
    if part is None:
        return "", "plain", ()
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes) or not content.strip():
        return "", "plain", ()
    charset, remarks = part.get_content_charset("utf-8"), tuple[str, ...]()
    try:
        text = content.decode(charset)
    except (LookupError, UnicodeError) as error:
        text, encoding = decode(content)
        why = "which it is not in" if isinstance(error, UnicodeError) else "which is not known"
        remarks = (f"read as {encoding or 'UTF-8'}; it names the character set {charset!r}, {why}",)
    return text.replace("\r\n", "\n").replace("\r", "\n"), part.get_content_subtype(), remarks


def _attachments(message: EmailMessage) -> tuple[str, ...]:
    names = [str(part.get_filename() or part.get_content_type()) for part in message.iter_attachments()]
    more = f" and {len(names) - _ATTACHMENTS_NAMED:,} more" if len(names) > _ATTACHMENTS_NAMED else ""
    return (f"attachments not read: {', '.join(names[:_ATTACHMENTS_NAMED])}{more}",) if names else ()


def _add_text(extracted: ExtractedText, text: str) -> None:
    """Add plain text: paragraphs between blank lines, quoted lines, lists, and the signature."""
    signature = _SIGNATURE.search(text)
    body = text[: signature.start()] if signature else text
    lists = FlatLists(extracted)
    kind, lines = "", list[str]()

    def flush() -> None:
        nonlocal lines
        if kind != "item":
            lists.close()
        extracted.add(kind or "paragraph", [TextPiece("\n".join(lines))])
        lines = []

    for line in body.split("\n"):
        quoted, bullet = _MAIL_QUOTED.match(line), _MAIL_BULLET.match(line)
        now = "quote" if quoted else "item" if bullet else "" if not line.strip() else kind or "paragraph"
        now = "paragraph" if now == "quote" and not quoted else now
        if lines and (now != kind or bullet):
            flush()
        if bullet and not quoted:
            lists.item(0, ContainerKind.STEPS if bullet["number"] else ContainerKind.LIST)
        kind = now
        if now:
            lines.append(line[(quoted or bullet).end() :] if quoted or bullet else line)  # type: ignore[union-attr]
    if lines:
        flush()
    lists.close()
    if signature:
        extracted.add("meta", [TextPiece(text[signature.end() :])])
