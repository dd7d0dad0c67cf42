"""The start page of a run folder: a link to each page that kgsynth wrote there, with the headline of that page.

A page names what it is in ``<meta name="kgsynth" content="KIND">``. Commands write their pages with
``write_report``, or call ``renew_start_pages`` afterwards.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import quote

from kgsynth.base.atomic_files import write_files
from kgsynth.base.run_folder.folder import is_generate_run
from kgsynth.show.pages import render
from kgsynth.show.wording import many

INDEX = "index.html"
_START_PAGE = "Start page"
_LINK_PLACE = b"<!-- start page -->"
"""What templates have where the link to the start page belongs."""
_LINKED = ("report.html",)
"""The name of the pages that kgsynth writes; others in a run folder are not read."""
_HEADINGS = {
    "Golden set": "Golden set",
    "Audit": "Audits",
    "Difference": "Differences of sets",
    "Harvest": "Questions of users",
    "Scores": "Scores",
    "Comparison": "Comparisons",
    "Calibration": "Calibrations",
    "History": "History",
}
"""Kind of page -> its heading on the start page, in this order."""
_HEAD_BYTES = 16_384
"""The kind and the title of a page are within its first bytes, before its style."""
_KIND, _TITLE = re.compile(r'<meta name="kgsynth" content="([^"]*)">'), re.compile(r"<title>(.*?)</title>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PageLink:
    """A page below a run folder: its kind, its path from there, and its title."""

    kind: str
    path: str
    title: str

    @property
    def address(self) -> str:
        """The path as the address of a link."""
        return quote(self.path)


def write_report(folder: Path, files: Iterable[tuple[str, bytes]]) -> None:
    """Write the files of a report, and renew the start pages of the runs that the folder is in."""
    runs = _runs_around(folder)
    address = quote(Path(os.path.relpath(runs[0] / INDEX, folder.resolve())).as_posix()) if runs else ""
    write_files(folder, ((name, linked(name, content, address)) for name, content in files))
    renew_start_pages(folder)


def linked(name: str, content: bytes, address: str = INDEX) -> bytes:
    """Return the content of a file; of a page, with a link to the start page at ``address``, "" for none."""
    link = f' · <a class="noprint" href="{address}">all pages of this run</a>' if address else ""
    return content.replace(_LINK_PLACE, link.encode(), 1) if name in _LINKED else content


def _runs_around(folder: Path) -> list[Path]:
    """Return the folders, this one or above it, of runs that have or may get a start page, the nearest first."""
    resolved = folder.resolve()
    return [run for run in (resolved, *resolved.parents) if is_generate_run(run) and _is_free(run / INDEX)]


def renew_start_pages(folder: Path) -> None:
    """Write ``index.html`` of the run of ``generate`` in ``folder`` or above it; of a run inside a run, of both.

    A folder that is not a run of ``generate`` gets no page, and an ``index.html`` that kgsynth did not write stays.
    """
    for run in _runs_around(folder):
        _replace(run / INDEX, start_page(run).encode())


def start_page(run: Path) -> str:
    """Return the HTML of the start page of a run folder; the same pages give the same HTML."""
    found = sorted(page_links(run), key=lambda page: page.path)
    by_kind: Mapping[str, list[PageLink]] = {
        heading: pages
        for kind, heading in _HEADINGS.items()
        if (pages := [each for each in found if each.kind == kind])
    }
    titles = [page.title for page in found if page.kind == "Golden set"]
    return render(
        "show/templates/start_page.html",
        kind=_START_PAGE,
        title=titles[0] if titles else "A run of kgsynth",
        lead=f"{many(sum(map(len, by_kind.values())), 'page')} in this folder.",
        pictures=(),
        by_kind=by_kind,
    )


def page_links(run: Path) -> Iterator[PageLink]:
    """Yield the pages below a folder that kgsynth wrote, in no particular order."""
    for folder, _, names in os.walk(run):
        for name in sorted({*_LINKED} & set(names)):
            path = Path(folder, name)
            kind, title = _kind_and_title(path)
            if kind in _HEADINGS:
                yield PageLink(kind, path.relative_to(run).as_posix(), title)


def _kind_and_title(path: Path) -> tuple[str, str]:
    """Return the kind of a page of kgsynth and its title; "" for any other file."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES).decode(errors="replace")
    kind, title = _KIND.search(head), _TITLE.search(head)
    return (unescape(kind[1]), unescape(title[1])) if kind and title else ("", "")


def _is_free(path: Path) -> bool:
    """Check whether a start page can be written: no file is there, or an earlier start page."""
    return not path.exists() or (path.is_file() and _kind_and_title(path)[0] == _START_PAGE)


def _replace(path: Path, content: bytes) -> None:
    """Write a file completely or not at all, if its content changes; two commands may do so at the same time."""
    if path.is_file() and path.read_bytes() == content:
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
