"""Render HTML pages, each one file that loads nothing from the network, with navigation and plots."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.records import place_name
from kgsynth.base.shares import percent
from kgsynth.base.version import __version__
from kgsynth.language.detection import guess_language
from kgsynth.show.plots import Plot
from kgsynth.show.wording import FEW, cut, visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

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


# Render HTML pages, each one file that loads nothing from the network.
#
# A page is a Jinja template that extends ``show/templates/base.html`` and is stored in the package whose results it
# shows, such as ``scoring/page.html``. All values are escaped: text of documents is shown as text, never as markup.

_FRAME_SCRIPTS = ("frame.js", "tables.js", "tips.js")


def render(template: str, **values: Any) -> str:
    """Return the HTML of a template, named by its path below the package, such as "scoring/page.html".

    Values are escaped, with control characters as symbols; SVG drawn by ``plots`` is not, which a template marks with
    ``|safe``.

    Raises:
        jinja2.UndefinedError: the template needs a value that is not given.

    Example:
        >>> "&lt;script&gt;" in render("show/templates/base.html", title="<script>")
        True
    """
    return _environment().get_template(template).render(**values)


@cache
def frame_script() -> str:
    """Return the script of every page: the theme, verbatim evidence, sorted tables and tooltips."""
    templates = files("kgsynth.show").joinpath("templates")
    return "\n".join(templates.joinpath(name).read_text(encoding="utf-8") for name in _FRAME_SCRIPTS)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("kgsynth", "")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals["frame_script"] = frame_script
    made.globals["FEW"] = FEW
    made.globals["version"] = __version__
    made.filters["with_sections"] = lambda body: with_sections(str(body))
    made.filters["place_name"] = place_name
    made.filters["percent"] = percent
    made.filters["lang"] = _language_attribute
    made.finalize = _visible
    return made


def _language_attribute(text: str) -> Markup:
    """Return the attribute for an element with a text in another language than the page, "" for one in the same.

    Browsers choose the forms of Chinese characters, and screen readers the voice, by it.
    """
    from markupsafe import Markup

    code = guess_language(text)
    return Markup("" if code == DEFAULT_LANGUAGE else ' lang="{}"').format(code)


def _visible(value: object) -> object:
    """Return a value of a template with control characters as symbols; markup of ours as it is."""
    return visible(value) if type(value) is str else value


# A report: what a command found, as one HTML page with plots that needs no network.

PAGE = "report.html"


@dataclass(frozen=True, slots=True)
class Report:
    """A page and the plots in it."""

    html: str
    plots: tuple[Plot, ...]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield path and content of each file of the report: the page, and each plot as PNG and CSV.

        Example:
            >>> from kgsynth.show.plots import bars
            >>> [name for name, _ in Report("<!doctype html>", (bars("types", "By type", {"simple": 1}),)).files()]
            ['report.html', 'plots/types.png', 'plots/types.csv']
        """
        yield PAGE, self.html.encode()
        for plot in (each for each in self.plots if each.png):  # without matplotlib none is drawn
            yield f"plots/{plot.name}.png", plot.png
            mark = "" if plot.csv.isascii() else "\ufeff"  # without it, Excel takes UTF-8 for another encoding
            yield f"plots/{plot.name}.csv", (mark + plot.csv).encode()
