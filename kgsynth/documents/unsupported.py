"""Decide which files are not read (a picture, a hidden file, a file that is not UTF-8), and say why.

Each reason is a short phrase that completes "file X is skipped: …"; the user sees every one of them.
"""

from __future__ import annotations

from pathlib import Path

from kgsynth.documents.readers import READERS

MAX_BYTES = 20_000_000
"""Bytes of a file that are read, if it is text."""
MAX_BYTES_NOT_TEXT = 200_000_000
"""Bytes of a file that are read, if it is not: pictures and fonts take most of them."""
NESTED_TOO_DEEPLY = "nested too deeply to be read"
NO_TEXT = "it contains no text"

_COMMON = ".md, .html or .txt"
_STEPS_BY_KIND = (
    (
        "a picture; kgsynth reads text only",
        "png jpg jpeg jpe gif svg webp bmp tif tiff ico icns heic heif avif psd eps raw",
    ),
    (
        "sound or video; kgsynth reads text only, so give a transcript as .txt",
        "mp3 wav ogg flac m4a aac wma opus mp4 mov avi mkv webm m4v wmv mpg mpeg",
    ),
    (
        "an archive; unpack it first",
        "zip tar gz tgz bz2 xz zst 7z rar jar war whl iso dmg cab",
    ),
    (
        "an old or other format of a word processor; save it as .docx",
        "doc dot odt ott rtf wpd wps pages",
    ),
    (
        "an old or other format of slides; save it as .pptx",
        "ppt pps odp key",
    ),
    (
        "another format of sheets; save it as .xlsx or .csv",
        "numbers wk1 wks dif sxc parquet feather orc arrow sas7bdat sav",
    ),
    (
        "a message in a format of one program; save it as .eml",
        "msg pst ost mbox oft",
    ),
    (
        "an e-book in a format of one shop; convert it to .epub",
        "mobi azw azw3 fb2 lit",
    ),
    (
        "typesetting; convert it to .md or .html, for example with pandoc",
        "tex latex ltx typ texi texinfo man",
    ),
    (
        "settings or data; convert what should be asked about to .json, .yaml or .md",
        "toml ini cfg conf properties env plist xml xsd xsl xslt proto",
    ),
    (
        "a log; kgsynth asks about documents",
        "log out err trace",
    ),
    (
        "program code; kgsynth reads documents, so give its documentation",
        "py pyi ipy js mjs cjs jsx ts tsx java kt scala go rs c h cc cpp cxx hpp cs swift rb php pl r jl lua "
        "sh bash zsh fish ps1 bat cmd sql css scss sass less vue svelte dart ex exs erl hs clj ml fs vb m mm "
        "asm s gradle cmake mk tf",
    ),
    (
        "a font",
        "ttf otf woff woff2 eot",
    ),
    (
        "a program, or data that only a program reads",
        "exe dll so dylib a o obj lib bin dat pyc pyo class wasm pkl pickle npy npz pt pth onnx safetensors "
        "gguf h5 hdf5 db sqlite sqlite3 mdb accdb map lock sum",
    ),
)
NEXT_STEPS = {f".{extension}": advice for advice, names in _STEPS_BY_KIND for extension in names.split()}
"""From the extension of a file that is not read to what it is, and what to do."""


class UnsupportedFileError(Exception):
    """The file cannot be read; the message is the reason."""


def reason_to_skip(path: Path, root: Path) -> str:
    """Return why a path found below the folder ``root`` is neither opened nor entered, or "" if it is."""
    try:
        if path.name.startswith("."):
            return "a hidden folder" if path.is_dir() else "a hidden file"
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


def decode(data: bytes) -> str:
    """Return the text of a file, without a byte order mark.

    Raises:
        UnsupportedFileError: it is binary, not UTF-8, or empty.
    """
    if b"\0" in data:
        raise UnsupportedFileError("binary: it contains NUL bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        at = error.start + (3 if data.startswith(b"\xef\xbb\xbf") else 0)
        raise UnsupportedFileError(f"not UTF-8 at byte {at}") from error
    if not text.strip():
        raise UnsupportedFileError("empty")
    return text
