"""Read the cells of tables of figures: what is a figure, a year, the mark of a footnote, or the unit of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import NamedTuple

from kgsynth.language.text_words import ANY

_LONE_LETTERS = frozenset("KBVJa")
_MAX_UNIT = 40
_MAX_SIGN = 3  # letters: "US$"


def is_figure(text: str) -> bool:
    """Check whether a text is a number as tables have them, or a sign for none.

    Example:
        >>> [is_figure(text) for text in ("(1,234)", "$ 5.1", "– 4.3", "12 % (1)", "—", "n/a")]
        [True, True, True, True, True, True]
        >>> [is_figure(text) for text in ("Q1 2023", "7 plans", "(MW)", "%")]
        [False, False, False, False]
    """
    return bool(ANY.patterns["figure"].match(text) or ANY.patterns["no_figure"].match(text))


def is_value(text: str) -> bool:
    """Check whether a text is a figure, also one with its unit or with a second figure in brackets.

    Example:
        >>> [is_value(text) for text in ("41.2 Mt", "-0.35 %/K", "969 (17)", "12 months", "5 plans")]
        [True, True, True, False, False]
    """
    match = ANY.patterns["figure_with_more"].match(text)
    if is_figure(text) or not match:
        return is_figure(text)
    return match["more"][0] == "(" or (is_unit(match["more"]) and not ANY.patterns["long_word"].search(match["more"]))


def is_currency(text: str) -> bool:
    """Check whether a text is a currency sign, as "$" or "US$"."""
    return len(text) <= _MAX_SIGN and unicodedata.category(text[-1]) == "Sc"


def is_year(text: str) -> bool:
    """Check whether a text is a year, as heads of columns are.

    Example:
        >>> [is_year(text) for text in ("2023", "FY2023", "2022/23", "2023 (1)", "2,023")]
        [True, True, True, True, False]
    """
    return bool(ANY.patterns["year"].match(text))


def note_mark(text: str) -> str:
    """Return the mark of a footnote that may be at the end of a text, "" for none.

    Example:
        >>> note_mark("Sales (1)"), note_mark("Vision*"), note_mark("(12)"), note_mark("R²")
        ('(1)', '*', '', '')
    """
    match = ANY.patterns["footnote_mark"].search(text)
    return match["mark"] if match and not ANY.patterns["unit_symbol"].fullmatch(text.split()[-1]) else ""


def is_note(mark: str, text: str) -> bool:
    """Check whether a text holds the footnote that a mark points to.

    Example:
        >>> is_note("(1)", "1 Restated."), is_note("*", "– None. * Not audited."), is_note("(1)", "10 Restated.")
        (True, True, False)
    """
    mark, text = (unicodedata.normalize("NFKC", each) for each in (mark, text))
    bare = re.escape(mark.strip("()"))
    return bool(re.search(rf"(?:^|[.;]\s|\s(?=\(?{bare}\)))\(?{bare}(?:[).]\s?|\s|(?<=\W|\d))[^\W\d_]", text))


def is_unit_head(text: str) -> bool:
    """Check whether a head names the column of units."""
    return bool(re.match(r"(?i)^(?:units?(?: of measure(?:ment)?)?|单位)$", text))


def is_reference(text: str) -> bool:
    """Check whether a head names the column of notes, whose numbers are no figures."""
    return bool(re.match(r"(?i)^(?:notes?|ref(?:erences?|\.)?|附注)$", text))


def has_measure(text: str) -> bool:
    """Check whether a text names a unit of figures: a scale, a currency or "%"."""
    return bool(ANY.patterns["measure"].search(text))


def is_unit(text: str) -> bool:
    """Check whether a text is nothing but a unit: symbols, or words for a scale or a currency.

    Example:
        >>> [is_unit(text) for text in ("GWh", "(ct/kWh)", "EUR million", "in %", "000 t", "m³/h")]
        [True, True, True, True, True, True]
        >>> [is_unit(text) for text in ("2023", "Change in %", "Note", "A")]
        [False, False, False, False]
    """
    bare = ANY.patterns["before_unit"].sub("", text.strip().strip("()[]（）").strip())
    words = [word for word in re.split(r"[\s/·*]+|(?<=\D)[-−]1$", bare) if word and word.lower() not in ("per", "of")]
    known = [
        any(ANY.patterns[name].fullmatch(word) for name in ("unit_symbol", "short_scale"))
        or not (ANY.patterns["measure"].sub("", word).strip("'’.s"))
        for word in words
    ]
    return bool(words) and all(known) and bare not in _LONE_LETTERS and not is_year(bare) and bare != "1"


def without_unit(row: str) -> str:
    """Return the head of a row without the unit at its end.

    Example:
        >>> [without_unit(row) for row in ("Earnings per share, EUR", "Waste (t)", "营业收入（万元）")]
        ['Earnings per share', 'Waste', '营业收入']
    """
    told, _, unit = re.sub(r"(?:,| in) (?=[^,]+$)", "\n", row).partition("\n")
    return told if unit and is_unit(unit) else ANY.patterns["unit_in_brackets"].sub("", row)


def is_row_number(text: str) -> bool:
    """Check whether a text is the number or letter of a row, as "1.2" or "A"."""
    return bool(ANY.patterns["row_number"].match(text))


def stated_unit(text: str, *, whole: bool = False) -> str:
    """Return the unit that a text above or in the corner of a table gives to its figures, "" for none.

    It stands in brackets or after "in"; if ``whole``, the whole text may be the unit.

    Example:
        >>> stated_unit("The year was as follows (in millions of euros, except ratios):")
        'millions of euros, except ratios'
        >>> stated_unit("USD '000", whole=True), stated_unit("4.1% of sales (4.2%)"), stated_unit("In thousands")
        ("USD '000", '', 'thousands')
    """
    for match in ANY.patterns["unit_stated"].finditer(text):
        found = next(filter(None, match.groups()))
        if is_unit(found) or (has_measure(found) and not re.search(r"[1-9]", found)):
            return ANY.patterns["before_unit"].sub("", found.strip())
    for tail in ANY.patterns["unit_at_end"].finditer(text):
        if is_unit(tail["unit"].split(", ")[0]):
            return ANY.patterns["before_unit"].sub("", tail["unit"].strip())
    known = whole and len(text) <= _MAX_UNIT and (has_measure(text) or is_unit(text))
    return ANY.patterns["before_unit"].sub("", text.strip()) if known else ""


def unit_of_document(text: str) -> str:
    """Return the unit that a paragraph gives to all figures of its document, "" if it does not.

    Example:
        >>> unit_of_document("Amounts in € million. 2021 was corrected."), unit_of_document("Sales in May")
        ('€ million', '')
    """
    match = ANY.patterns["unit_of_document"].match(text)
    unit = (match["unit"] or match["bracket"]).strip() if match else ""
    return unit if has_measure(unit) or is_unit(unit) else ""


def unit_of(stated: str, names: Iterable[str]) -> str:
    """Return the unit stated for a table without its exceptions, "" if one of the names of a cell is among them.

    Example:
        >>> stated = "millions, except per-share amounts"
        >>> unit_of(stated, ["Net sales", "2023"]), unit_of(stated, ["Earnings per share", "2023"])
        ('millions', '')
        >>> [unit_of("EUR million, change in %", [name]) for name in ("2023", "Change")]
        ['EUR million', '%']
    """
    unit, excepted, exceptions = re.sub(r"(?i),?\s+unless\b.*", "", stated).partition("except")
    words = {word.lower().rstrip("s") for name in names for word in ANY.patterns["long_word"].findall(name)}
    if excepted and words & {w.lower().rstrip("s") for w in ANY.patterns["long_word"].findall(exceptions)}:
        return ""
    first, *others = [part.strip() for part in re.split(r"[,;]\s", unit.strip(" ,;"))]
    for other in others:
        of, _, own = other.rpartition(" in ")
        if own and words & {w.lower().rstrip("s") for w in ANY.patterns["long_word"].findall(of)}:
            return own
    return first


# ---- figures of a period -----------------------------------------------------------------------------

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?)"
)
_DAY = re.compile(rf"(?:{_MONTH} \d{{1,2}}|\d{{1,2}} {_MONTH})|\d{{1,2}}\.\d{{1,2}}\.|年\d{{1,2}}月\d{{1,2}}日", re.I)
_SCALES = {"k": "thousand", "m": "million", "mn": "million", "mio": "million", "bn": "billion"}
_SIGNS = {"dollar": "$", "euro": "€", "pound": "£"}
_ORDINALS = {"1": "first", "2": "second", "3": "third", "4": "fourth"}


RESTATED = " restated"
"""How the kind of a period ends whose figures were published before and are corrected."""


class Period(NamedTuple):
    """A year, a part of one or a day that heads a column: ``order`` sorts periods of one ``kind``."""

    kind: str
    label: str
    order: tuple[int, str]


def period_of(heads: str) -> Period | None:
    """Return the one year, quarter, half or day that the heads of a column name, None for anything else.

    Figures of a year as first published and as restated later are of two kinds.

    Example:
        >>> period_of("Year ended December 31, 2023").label, period_of("As of June 30, 2022").label
        ('2023', 'June 30, 2022')
        >>> period_of("Q2 2024").label, period_of("2023 restated").label
        ('the second quarter of 2024', '2023 (restated)')
        >>> period_of("Change 2023 to 2022"), period_of("Budget 2023")
        (None, None)
    """
    heads, restated = ANY.patterns["restated"].subn("", heads.removesuffix(note_mark(heads)))
    if restated:
        first = period_of(heads)
        return first and first._replace(kind=first.kind + RESTATED, label=f"{first.label} (restated)")
    heads = ANY.patterns["remark_at_end"].sub("", heads)
    years = ANY.patterns["period_year"].findall(heads)
    if len(years) != 1:
        return None
    rest = ANY.patterns["as_of"].sub(
        "", " ".join(ANY.patterns["period_year"].sub(" ", heads).replace(",", " ").split())
    )
    if ANY.patterns["whole_year"].fullmatch(rest):
        fiscal = rest[:2].lower() in ("fi", "fy")
        return Period("year", f"fiscal {years[0]}" if fiscal else years[0], (int(years[0]), ""))
    if part := ANY.patterns["quarter_or_half"].fullmatch(rest):
        number = next(filter(None, (part["one"], part["other"], part["word"])))
        which = f"{_ORDINALS.get(number, number).lower()} {'quarter' if 'q' in rest.lower() else 'half'}"
        return Period(which, f"the {which} of {years[0]}", (int(years[0]), ""))
    if _DAY.fullmatch(rest):
        return Period(
            f"day {rest.casefold()}",
            ANY.patterns["as_of"].sub("", " ".join(heads.split())),
            (int(years[0]), rest),
        )
    return None


class TableFigure(NamedTuple):
    """A figure as it is written: its value, with the sign before it and the scale or unit after it."""

    value: Decimal
    before: str
    after: str

    @property
    def has_unit(self) -> bool:
        """Whether anything says in what it is measured; a scale does not."""
        return bool(self.before or (self.after and not ANY.patterns["scale_word"].fullmatch(self.after.strip())))

    def shown(self, value: Decimal) -> str:
        """Return another value as this one is written: "$4,512 million", "12.5%"."""
        return f"{self.before}{value:,}{self.after}"


def amount_of(text: str, unit: str) -> TableFigure | None:
    """Return a figure of a table whose unit is ``unit``, None for one below zero, a range or another text.

    Example:
        >>> amount_of("$ 4,512", "millions"), amount_of("(41)", "millions")
        (TableFigure(value=Decimal('4512'), before='$', after=' million'), None)
        >>> amount_of("129.3", "€m")
        TableFigure(value=Decimal('129.3'), before='€', after=' million')
    """
    sign = ANY.patterns["currency_sign"].match(text)
    bare = text.removeprefix(sign[0] if sign else "").strip()
    number, share = bare.rstrip("% "), bare.endswith("%") or unit.strip() == "%"
    if not ANY.patterns["amount"].fullmatch(number):
        return None
    unit = ANY.patterns["short_scale"].sub(
        lambda part: f"{part[0].removesuffix(part[1])} {_SCALES[part[1].lower()]}", unit
    )
    unit = re.sub(r"['’]?\b000s?\b", "thousand", unit)
    scale, money = ANY.patterns["scale_word"].search(unit), ANY.patterns["money"].search(unit)
    before = sign[0] if sign else ""
    if money and not before and not share:
        before = _SIGNS.get((money[3] or "").lower(), "") or money[2] or f"{money[1]} "
    after = "%" if share else f" {scale[1].lower()}" if scale else f" {unit}" if unit and not money else ""
    return TableFigure(Decimal(re.sub(r"[^\d.]", "", number)), before, after.replace(" %", "%"))


def change(first: TableFigure, last: TableFigure) -> str:
    """Return by how much two figures of one unit differ, "" if they have not one unit or are equal.

    Example:
        >>> change(amount_of("12.5%", ""), amount_of("14%", "")), change(amount_of("$ 5", ""), amount_of("€ 7", ""))
        ('1.5 percentage points', '')
    """
    differ = first[1:] == last[1:] and first.value != last.value
    return last.shown(abs(last.value - first.value)).replace("%", " percentage points") if differ else ""
