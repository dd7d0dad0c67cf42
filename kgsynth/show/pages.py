"""Pages for a browser, each one file that needs no network: the shell, the look, and what several of them show.

A page is a Jinja template that extends ``pages/base.html``; it lies in the package of the part it shows (``report/``,
``review/``). All that is put in is escaped: text of documents is shown as text, never as markup. ``passages`` marks
evidence in its document, ``items`` is one question as pages show it. Left out: what any page has to say.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: Any) -> str:
    """Return the HTML of a template, named by its path below the package, such as "scoring/page.html".

    Values are escaped, but for SVG made here, which a template passes on with ``|safe``. A value that a template asks
    for and is not given is an error of the program.

    Example:
        >>> "&lt;script&gt;" in render("show/templates/base.html", title="<script>")
        True
    """
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("kgsynth", "")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
