"""The sections of a page for its navigation: every ``h2`` of the body, with an id that a link can name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from kgsynth.show.wording import cut

_HEADING = re.compile(r"<h2(?P<attributes>[^>]*)>(?P<title>.*?)</h2>", re.DOTALL)
_ID, _SHORT = re.compile(r'\bid="([^"]*)"'), re.compile(r'\bdata-nav="([^"]*)"')
_TAG, _PAUSE = re.compile(r"<[^>]+>"), re.compile(r"[:,] ")
_MAX_NAME = 34  # characters of a section in the navigation


@dataclass(frozen=True, slots=True)
class PageBody:
    """The HTML of a body, and the id and short name of each section."""

    html: str
    sections: tuple[tuple[str, str], ...]


def with_sections(html: str) -> PageBody:
    """Return a body in which every ``h2`` has an id; its name in the navigation is ``data-nav``, or its first words.

    Text of documents in the body is escaped, so an ``h2`` is always one of a template.

    Example:
        >>> with_sections('<h2 id="a">Gates</h2><h2>Metrics, with intervals</h2>').sections
        (('a', 'Gates'), ('section-2', 'Metrics'))
    """
    found: list[tuple[str, str]] = []

    def named(heading: re.Match[str]) -> str:
        attributes, title = heading["attributes"], heading["title"]
        given, short = _ID.search(attributes), _SHORT.search(attributes)
        ident = given[1] if given else f"section-{len(found) + 1}"
        words = short[1] if short else _PAUSE.split(" ".join(_TAG.sub("", title).split()))[0]
        found.append((ident, cut(unescape(words), _MAX_NAME)))
        return heading[0] if given else f'<h2 id="{ident}"{attributes}>{title}</h2>'

    return PageBody(_HEADING.sub(named, html), tuple(found))
