"""Render HTML pages, each one file that loads nothing from the network.

A page is a Jinja template that extends ``show/templates/base.html`` and is stored in the package whose results it
shows, such as ``scoring/page.html``. All values are escaped: text of documents is shown as text, never as markup.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.quotas import percent
from kgsynth.base.records import place_name
from kgsynth.language.detection import guess_language
from kgsynth.show.page_sections import with_sections
from kgsynth.show.visible import visible
from kgsynth.show.wording import FEW

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

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
