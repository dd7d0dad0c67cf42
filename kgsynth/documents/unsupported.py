"""Decide which files are not read (a picture, a hidden file, a file in no known encoding), and say why.

Each reason is a short phrase that completes "file X is skipped: …"; the user sees every one of them.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from kgsynth.documents.readers import READERS

MAX_BYTES = 20_000_000
"""Bytes of a file that are read, if it is text."""
MAX_BYTES_NOT_TEXT = 200_000_000
"""Bytes of a file that are read, if it is not: pictures and fonts take most of them."""
_MAX_CHARACTERS = 20_000_000  # of extracted text, as of a file of text
_CHARACTERS_PER_BYTE = 100  # more than any document has, however well it is compressed
_FEW_CHARACTERS = 1_000_000  # that a file of any size may have
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_ENCODINGS = "cp1252 gb18030 big5 shift_jis cp932 euc_jp cp949 cp1251 cp1250 cp1253 cp1254 cp1255 cp1256 koi8_r".split()
"""The encodings that are recognised. Of two that explain a file alike, the first is taken."""
_NO_TEXT_CHARACTER = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff]")
ENCRYPTED = "encrypted; save it without a password"
NESTED_TOO_DEEPLY = "nested too deeply to be read"
NO_TEXT = "it contains no text"

NO_DOCUMENTS = ("a hidden f", "a lock file", "a folder of installed packages")
"""How the reasons begin for what nobody takes for a document: they are shown last."""

_COMMON = ".md, .html or .txt"
_STEPS_BY_KIND = {
    "a picture; kgsynth reads text only": (
        "png jpg jpeg jpe gif svg webp bmp tif tiff ico icns heic heif avif psd eps raw"
    ),
    "sound or video; kgsynth reads text only, so give a transcript as .txt": (
        "mp3 wav ogg flac m4a aac wma opus mp4 mov avi mkv webm m4v wmv mpg mpeg"
    ),
    "an archive; unpack it first": "zip tar gz tgz bz2 xz zst 7z rar jar war whl iso dmg cab",
    "an old or other format of a word processor; save it as .docx": "doc dot odt ott rtf wpd wps pages",
    "an old or other format of slides; save it as .pptx": "ppt pps odp key",
    "another format of sheets; save it as .xlsx or .csv": (
        "xlsb numbers wk1 wks dif sxc parquet feather orc arrow sas7bdat sav"
    ),
    "a message in a format of one program; save it as .eml": "msg pst ost mbox oft",
    "an e-book in a format of one shop; convert it to .epub": "mobi azw azw3 fb2 lit",
    "typesetting; convert it to .md or .html, for example with pandoc": (
        "tex latex ltx typ texi texinfo man wiki mediawiki mw"
    ),
    "AsciiDoc; write it as .html with asciidoctor, which knows all of it": "adoc asciidoc asc",
    "settings or data; convert what should be asked about to .json, .yaml or .md": (
        "toml ini cfg conf properties env plist xml xsd xsl xslt proto"
    ),
    "a log; kgsynth asks about documents": "log out err trace",
    "program code; kgsynth reads documents, so give its documentation": (
        "py pyi ipy js mjs cjs jsx ts tsx java kt scala go rs c h cc cpp cxx hpp cs swift rb php pl r jl lua "
        "sh bash zsh fish ps1 bat cmd sql css scss sass less vue svelte dart ex exs erl hs clj ml fs vb m mm "
        "asm s gradle cmake mk tf"
    ),
    "a font": "ttf otf woff woff2 eot",
    "a program, or data that only a program reads": (
        "exe dll so dylib a o obj lib bin dat pyc pyo class wasm pkl pickle npy npz pt pth onnx safetensors "
        "gguf h5 hdf5 db sqlite sqlite3 mdb accdb map lock sum"
    ),
}
"""What a file is, and what to do -> the extensions of such files."""
NEXT_STEPS = {f".{extension}": advice for advice, names in _STEPS_BY_KIND.items() for extension in names.split()}
"""From the extension of a file that is not read to what it is, and what to do."""


_OBJECT = re.compile(r"(?:file )?'?<[\w.]+ \w+ \w+ 0x[0-9a-fA-F]+>'?")
"""How Python names an object, with its address, which differs from run to run."""


class UnsupportedFileError(Exception):
    """The file cannot be read; the message is the reason."""


def one_line(message: str, longest: int) -> str:
    """Return what a library says in at most ``longest`` characters of one line, the same in every run.

    Example:
        >>> one_line("'<_io.BytesIO object at 0x7f25>'\\nis no slide", 50)
        'the file is no slide'
    """
    return " ".join(_OBJECT.sub("the file", message).split())[:longest]


def reason_to_skip(path: Path, root: Path) -> str:
    """Return why a path found below the folder ``root`` is neither opened nor entered, or "" if it is."""
    try:
        if path.name.startswith("."):
            return "a hidden folder" if path.is_dir() else "a hidden file"
        if path.name.startswith("~$"):
            return "a lock file, which an office program leaves while a document is open"
        if path.is_symlink():
            return _reason_to_skip_link(path, root)
        if not path.is_dir() and not path.is_file():
            return "neither a file nor a folder"
    except OSError as error:
        return f"cannot be accessed ({error.strerror})"
    return ""


def _reason_to_skip_link(path: Path, root: Path) -> str:
    try:
        target = path.resolve(strict=True)
    except FileNotFoundError:
        return "a broken link"
    except (OSError, RuntimeError):
        return "a circular link"
    if not target.is_relative_to(root):
        return "a link to a place outside the folder"
    return "a circular link" if path.parent.resolve().is_relative_to(target) else ""


def check_length(characters: int, size: int) -> None:
    """Check that a file of ``size`` bytes has no longer text than it may.

    Raises:
        UnsupportedFileError: it has.
    """
    if characters > min(_MAX_CHARACTERS, max(_FEW_CHARACTERS, _CHARACTERS_PER_BYTE * size)):
        raise UnsupportedFileError(f"too large: its {size:,} bytes hold a text of {characters:,} characters; split it")


def find_reader(path: Path) -> str:
    """Return the name of the module that reads files with this extension.

    Raises:
        UnsupportedFileError: there is none, as for a picture.

    Example:
        >>> find_reader(Path("a.md"))
        'markdown'
    """
    extension = path.suffix.lower()
    if extension in READERS:
        return READERS[extension]
    if not extension:
        raise UnsupportedFileError(
            "it has no extension, so its format is not known; rename it, for example to NAME.txt"
        )
    raise UnsupportedFileError(
        NEXT_STEPS.get(extension) or f"{extension!r} files are not supported; convert it to {_COMMON}"
    )


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file.

    Raises:
        UnsupportedFileError: it cannot be opened, is too large, or empty.
    """
    try:
        size = path.stat().st_size
        if size > max_bytes:
            raise UnsupportedFileError(f"too large: {size} bytes, and at most {max_bytes} are read; split it")
        data = path.read_bytes()
    except OSError as error:
        raise UnsupportedFileError(f"it cannot be opened ({error.strerror})") from error
    if not data:
        raise UnsupportedFileError("empty")
    return data


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of a file without its byte order mark, and its encoding, "" for UTF-8.

    Raises:
        UnsupportedFileError: it is binary, in no encoding that can be recognised, or empty.

    Example:
        >>> decode("Zoë".encode("utf-16")), decode("Zoë".encode())
        (('Zoë', 'UTF-16'), ('Zoë', ''))
    """
    mark = next((mark for mark in _BYTE_ORDER_MARKS if data.startswith(mark)), b"")
    encoding = _BYTE_ORDER_MARKS.get(mark, "")
    if not encoding and b"\0" in data:
        raise UnsupportedFileError("binary: it contains NUL bytes")
    try:
        text = data.decode(encoding or "utf-8-sig")
    except UnicodeDecodeError as error:
        if encoding:
            raise UnsupportedFileError(f"not {encoding}, which its first bytes announce") from error
        text, encoding = _recognised(data, error.start + (3 if data.startswith(codecs.BOM_UTF8) else 0))
    if not text.strip():
        raise UnsupportedFileError("empty")
    return text, encoding


def _recognised(data: bytes, at: int) -> tuple[str, str]:
    """Return a text that is not UTF-8, and the encoding that explains it best; ``at`` is the first wrong byte.

    Raises:
        UnsupportedFileError: it is UTF-8 except for some bytes, or has characters that never occur in text.
    """
    from charset_normalizer import from_bytes

    kept = data.decode("utf-8", "replace")
    if data.startswith(codecs.BOM_UTF8) or sum(char > "\x7f" for char in kept) > 2 * kept.count("\ufffd"):
        raise UnsupportedFileError(f"not UTF-8 at byte {at}, though the rest of it is")
    found = [
        (round(match.coherence - match.chaos, 1), -_ENCODINGS.index(name), name)
        for match in from_bytes(data, cp_isolation=_ENCODINGS)
        for name in match.could_be_from_charset
        if name in _ENCODINGS
    ]
    name = max(found)[2] if found else ""
    text = data.decode(name) if name else ""
    if not text or _NO_TEXT_CHARACTER.search(text):
        raise UnsupportedFileError(f"binary: it is not UTF-8 at byte {at}, and in no other encoding of text")
    return text, f"windows-{name[2:]}" if name.startswith("cp125") else name.replace("_", "-")
