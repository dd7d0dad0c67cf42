"""How results are shown in a notebook: a small HTML table, and a pandas DataFrame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from kgsynth.base.errors import ConfigError


def html_table(caption: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table as HTML; every value is escaped.

    Example:
        >>> html_table("1 item", ["id"], [["<b>"]]).partition("<tbody>")[2]
        '<tr><td>&lt;b&gt;</td></tr></tbody></table>'
    """
    heads = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"


def data_frame(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Any:
    """Return records as a pandas DataFrame.

    Raises:
        ConfigError: pandas is not installed.
    """
    try:
        from pandas import DataFrame
    except ImportError as error:
        raise ConfigError("to_pandas() needs pandas, which is not installed: run pip install pandas") from error
    return DataFrame(list(rows), columns=list(columns))
