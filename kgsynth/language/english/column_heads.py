"""Questions for cells, options and terms: from the head of a column, or from the first words of a description."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.language.english.headings import plain_case
from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import (
    inflected,
    is_base_verb,
    is_noun,
    is_only_verb,
    is_word,
    lemma_of,
    singular,
)

# Questions that a description answers, by its first words: what an option does, what a term is.
#
# Only forms are read, no parser; a description that does not say what its thing is or does gives no question.

_KIND_NOUNS = (
    r"option|parameter|argument|flag|field|attribute|property|setting|directive|variable|command|subcommand|function|"
    r"method|event|header|keyword|metric|statistic|label|permission|role|value|error|exception|status|code|symbol|"
    r"operator|type|modifier|policy|hook|signal|state|mode|element|tag|column|input|output|key"
)
_KIND_HEAD = re.compile(rf"^(?:.*[\s/-])?(?P<kind>{_KIND_NOUNS})(?P<plural>s|es)?$", re.I)
_KIND_PLURALS = re.compile(rf"(?i)\b(?:(?:{_KIND_NOUNS})(?:s|es)|properties|policies|statuses)\b")
_PLURALS = {"properties": "property", "policies": "policy", "statuses": "status"}
_CODE = re.compile(r"\w_\w|[a-z][A-Z]|^-{1,2}\w|\w\.\w|\w\(\)$|^[$@%:#.]\w|\w[-:/]\w+[-:/]\w|^[A-Z]{2,}$")
_STRICT_OPENING = re.compile(r"^(?:an?|any|one of|short for|stands for)\s", re.I)
_OF_ONE = re.compile(r"an? |any |one ", re.I)
_NO_TERM = re.compile(r",|\((?![A-Z][\w-]{1,7}\)$|\)$)|[<>{}\[\]*…|\\]|\.\.\.|^\W*$|=|\s--?\w|\?$")
_MIN_WORDS = 3
_MAX_WORDS_OF_TERM = 4


def kind_noun(text: str, *, plural: bool = False) -> str:
    """Return the noun that says what the things under a head or heading are, in the singular; "" if it says none.

    Example:
        >>> kind_noun("Environment variables", plural=True), kind_noun("Option"), kind_noun("Introduction")
        ('variable', 'option', '')
    """
    words = text.strip(" :.").split()
    if not words or len(words) > _MAX_WORDS_OF_TERM:
        return ""
    last = _PLURALS.get(words[-1].lower(), "")
    if last:
        return last
    match = _KIND_HEAD.match(words[-1])
    return match["kind"].lower() if match and (match["plural"] or not plural) else ""


def kind_in(sentence: str) -> str:
    """Return the noun with which the sentence before a list calls what is in it, "" if it has none.

    Example:
        >>> kind_in("The pool takes these arguments:"), kind_in("It can do more:")
        ('argument', '')
    """
    found = _KIND_PLURALS.findall(sentence)
    return kind_noun(found[-1]) if found else ""


def is_code(name: str) -> bool:
    """Check whether a name has the form of code: an option, a path, a name with an underscore.

    Example:
        >>> [is_code(name) for name in ("--force", "max_size", "config.user", "GT", "title", "Team plan")]
        [True, True, True, True, False, False]
    """
    return bool(_CODE.search(name)) and " " not in name


def is_term(name: str) -> bool:
    """Check whether a name can be used in a question: a few words, without a hole to fill in.

    Example:
        >>> is_term("access token"), is_term("<name>"), is_term("--app hello")
        (True, False, False)
    """
    words = name.split()
    plain = (
        not ("/" in name and len(words) > 1)
        and not name.startswith(("'", '"'))
        and 0 < len(words) <= _MAX_WORDS_OF_TERM
        and not _NO_TERM.search(name)
    )
    return plain and bool(re.search(r"[^\W\d_]", name)) and (len(words) == 1 or not name.startswith("-"))


def description_question(shown: str, kind: str, detail: str, *, code: bool) -> str:
    """Return the question that the description of a named thing answers, "" for none.

    ``shown`` is the name as it is written in the question, with its kind if it has one.

    Example:
        >>> description_question("the --force option", "option", "Removes the lock first.", code=True)
        'What does the --force option do?'
        >>> description_question("the max_size setting", "setting", "The largest file that is read.", code=True)
        'What does the max_size setting specify?'
        >>> description_question("the level setting", "setting", "only in Docker", code=True)
        ''
    """
    if not describes(detail):
        return ""
    first = _first_word(detail)
    if _is_third_person(first, detail):
        verb = lemma_of(first, "VERB")
        asks = "" if verb in WORDS["says_else"] else f"What does {shown} {verb if verb in WORDS['saying'] else 'do'}?"
        return asks if kind or code else ""
    if PATTERNS["opens_definition"].match(detail):
        if _tells_of_another(shown, detail):
            return ""
        if kind in WORDS["set_kinds"]:
            return f"What does {shown} specify?"
        if kind in WORDS["holds"]:
            return f"What does {shown} contain?"
        if kind in WORDS["means"]:
            return f"What does {shown} mean?"
        if kind in ("metric", "statistic"):
            return f"What does {shown} measure?"
        return f"What is {shown}?" if code and not kind else ""
    orders = is_base_verb(first) and kind in WORDS["acts"] and len(detail.split()) > _MIN_WORDS
    return f"What does {shown} do?" if orders and code else ""


def term_question(term: str, detail: str, *, glossary: bool = False, counted: bool | None = None) -> str:
    """Return the question what a term is, "" if its detail does not define it.

    ``term`` is in lower case unless it is a name. A single common word is a term only in a glossary. ``counted`` says
    whether the documents write it with "a"; without it, the definition tells.

    Example:
        >>> term_question("access token", "A short-lived key."), term_question("access tokens", "Keys that expire.")
        ('What is an access token?', '')
        >>> term_question("LGTM", "Stands for \\"looks good to me\\"."), term_question("make introductions", "A round.")
        ('What does LGTM stand for?', '')
    """
    if not describes(detail) or not is_term(term):
        return ""
    words = term.split()
    complement = next((n for n, word in enumerate(words) if n and word in WORDS["after_head_noun"]), len(words))
    acronym = bool(re.fullmatch(r"[A-Z][A-Z0-9]{1,6}", term))
    if acronym and re.match(r"(?:stands for|short for|means)\b", detail, re.I):
        return f"What does {term} {'mean' if detail[:5].lower() == 'means' else 'stand for'}?"
    if not _opens_definition(term, detail) or _tells_of_another(term, detail):
        return ""  # "A role is given …" below "Inheritance of privileges"
    first, last = words[0].lower(), words[complement - 1].lower()
    named = term[0].isupper() or acronym
    if len(words) == 1 and not named and not glossary and is_word(words[0]):
        return ""
    if not named and (not is_noun(singular(last)) or (is_base_verb(first) and not is_noun(first)) or len(words) > 3):
        return ""
    if named and not acronym and len(words) > 1 and all(is_word(word) and word[0].isupper() for word in words):
        return ""  # a heading in title case
    if last != singular(last) and not acronym:
        return f"What are {term}?"
    if re.match(r"(?i)an? (?:\S+ ){1,4}who\b", detail) and named and not acronym and not counted:
        return f"Who is {term}?"
    common = not named or (len(words) > 1 and words[-1].islower() and is_noun(last))
    if counted is None:
        counted = bool(re.match(r"(?:an?|any|one of)\s", detail, re.I)) and common and not last.endswith("ing")
    counted = counted or bool(re.match(rf"an? {re.escape(term)} \w+s\b", detail, re.I))
    return f"What is {indefinite(term) if counted else ''}{term}?"


def _opens_definition(term: str, detail: str) -> bool:
    """Check whether a detail begins as a definition of a term does, of many things if the term is a plural."""
    words = term.split()
    one = singular(words[-1])
    if re.match(rf"(?:An? )?{re.escape(one if len(words) == 1 else term)}s? (?:is|are) ", detail, re.I):
        return True
    return bool(_STRICT_OPENING.match(detail)) and not (words[-1] != one and _OF_ONE.match(detail))


def indefinite(term: str) -> str:
    """Return the indefinite article of a term, with a space: by its first sound, in capitals that of a letter.

    Example:
        >>> [indefinite(term) for term in ("key", "access token", "URL", "RR type", "user")]
        ['a ', 'an ', 'a ', 'an ', 'a ']
    """
    spelled = re.match(r"[A-Z](?![a-z])", term)
    vowel = re.match(r"[AEFHILMNORSX]" if spelled else r"(?i)[aeio]|u(?!ni|s)", term)
    return "an " if vowel else "a "


def _tells_of_another(term: str, detail: str) -> bool:
    """Check whether a detail is a sentence whose subject does not end as the term does."""
    about = PATTERNS["of_others"].match(detail)
    head = re.split(r" (?:of|for|in|to) ", term.lower())[0]
    own = {singular(part.split()[-1]) for part in re.split(r"[()]", head) if part.strip()}
    return about is not None and singular(about["who"].lower().split()[-1]) not in own


def describes(detail: str) -> bool:
    """Check whether a text can be what is said of a thing: words that need nothing around them.

    Example:
        >>> describes("The port to listen on."), describes("see below for details"), describes("(just one tag)")
        (True, False, False)
    """
    sentence = re.split(r"(?<=[.!?])\s+(?=[A-Z(])", detail)[0]
    balanced = all(detail.count(left) == detail.count(right) for left, right in ("()", "[]", "“”"))
    return (
        len(detail.split()) >= _MIN_WORDS
        and balanced
        and detail.count('"') % 2 == 0
        and not PATTERNS["needs_context"].search(sentence)
        and not re.search(r"\b(?:the following|as follows|see below|above)\b|:$", detail)
    )


def _first_word(detail: str) -> str:
    match = re.match(r"[A-Za-z]+", detail)
    return match[0].lower() if match else ""


def _is_third_person(word: str, detail: str) -> bool:
    verb, after = lemma_of(word, "VERB"), detail.split()[1:2]
    if is_noun(word) and not (after and after[0].lower() in WORDS["opens_object"]):
        return False  # "Attacks that cause …"
    return bool(word.endswith("s") and verb != word and is_base_verb(verb) and inflected(verb, "VBZ") == word)


# Questions for the cells of a table, from the head of the column and the kind of its values.
#
# Only forms are read: what a head may be ("Owner", "Maximum size", "Required", "Release date") and how the row is
# named.

_UNIT = re.compile(r"\s*[(\[](?P<unit>[^()\[\]]{1,16})[)\]]\s*$")
_LONG_FORMS = {"max": "maximum", "min": "minimum", "avg": "average", "no": "number", "qty": "quantity"}
_YES_OR_NO = re.compile(r"(?i)^(?:yes|no|true|false|y|n)\.?$")
_RATIO = re.compile(r"^\d+\s?/\s?\d+$")
_BOUND = re.compile(r"(?i)^(?P<bound>start|end) of (?P<what>[a-z]+)$")
_USED = re.compile(r"(?i)^(?:what (?:we|you) use it for|used for|use|uses|usage|used to)$")
_PRICE = re.compile(r"(?i)^(?:(?:monthly |annual )?price|cost)$")
_MAX_HEAD_WORDS = 4


def says_what(head: str) -> bool:
    """Check whether a column says what the things of the rows are or do.

    Example:
        >>> says_what("Description"), says_what("Default")
        (True, False)
    """
    return bool(PATTERNS["says_what"].match(head.strip(" :")))


def is_askable(value: str) -> bool:
    """Check whether the text of a cell can be an answer, and not just a mark, link or footnote.

    Example:
        >>> is_askable("2 GB"), is_askable("x"), is_askable(":white_check_mark:")
        (True, False, False)
    """
    return not PATTERNS["mark_cell"].match(value) or bool(_YES_OR_NO.match(value))


def cell_question(
    head: str, row: str, values: Sequence[str], *, kind: str = "", names: frozenset[str] = frozenset()
) -> str:
    """Return the question for a cell of the column ``head``; "" if the head is not an attribute that can be asked for.

    ``row`` names the row inside a sentence, ``kind`` is the noun for it; ``values`` are all values of the column.

    Example:
        >>> cell_question("Max. file size", "the Team plan", ["2 GB", "1 GB"], kind="plan")
        'What is the maximum file size on the Team plan?'
        >>> cell_question("Owner", "the Pike project", ["Ada"]), cell_question("Required", "the host field", ["Yes", "No"])
        ('Who is the owner of the Pike project?', 'Is the host field required?')
        >>> cell_question("End of support", "Pike 2", ["2025-07-31"]), cell_question("Signed", "Pike 2", ["i8"])
        ('When does support for Pike 2 end?', '')
    """  # noqa: E501
    unit, text = _UNIT.search(head), _UNIT.sub("", head).strip(" :?.")
    words = [_LONG_FORMS.get(word.lower().strip("."), word) for word in text.split()]
    bare = " ".join(words)
    if PATTERNS["yes_no_head"].match(bare):
        return f"Is {row} {bare.lower()}?" if all(map(_YES_OR_NO.match, values)) else ""
    if not words or len(words) > _MAX_HEAD_WORDS or PATTERNS["unasked"].match(bare) or head.endswith("?"):
        return ""
    dates, shown = all(map(PATTERNS["date_cell"].match, values)), _inside(bare, names)
    if bound := _BOUND.match(bare):
        return f"When does {bound['what'].lower()} for {row} {bound['bound'].lower()}?" if dates else ""
    if PATTERNS["done"].match(bare):
        return f"When was {row} {bare.lower()}?" if dates else ""
    if match := PATTERNS["role"].match(bare):
        named = all(re.match(r"[A-Z“\"]", value) for value in values)
        be = "are" if match["plural"] or shown.startswith("points") else "is"
        return f"Who {be} the {shown} {'for' if 'contact' in shown else 'of'} {row}?" if named else ""
    if PATTERNS["place_head"].match(bare):
        return f"Which {shown} is {row} in?" if all(value[:1].isupper() for value in values) else ""
    if _USED.match(bare):
        return f"What is {row} used for?"
    if _PRICE.match(bare) and all(re.search(r"\d|(?i:free)", value) for value in values):
        return f"How much does {row} cost?"
    return _attribute(shown, row, values, kind, unit["unit"] if unit else "")


def _inside(head: str, names: frozenset[str]) -> str:
    """Return a head as it is written inside a sentence: in lower case, except names and short words in capitals."""
    words = head.split()
    shown = plain_case(head, names).split()
    return " ".join(
        word.lower() if _is_ordinary(word) and (n == 0 or word not in names) else shown[n]
        for n, word in enumerate(words)
    )


def _is_ordinary(word: str) -> bool:
    """Check whether a word in capitals or title case is an ordinary word: its parts are in the dictionary."""
    short = word.isupper() and len(word) < 5
    return not short and all(map(is_word, re.findall(r"[A-Za-z]+", word)))


def _attribute(shown: str, row: str, values: Sequence[str], kind: str, unit: str) -> str:
    last = re.split(r" (?:of|for|in) ", shown)[0].split()[-1]
    plain = all(re.fullmatch(r"[A-Za-z][A-Za-z'’-]*", word) for word in shown.split())
    one = singular(last.lower())
    order = " " in shown and is_only_verb(shown.split()[0])
    named = one != "name" or row.startswith("the ")
    if not plain or order or one not in _HAD or not named or re.search(r" (?:or|and) ", shown):
        return ""
    traits = any(_YES_OR_NO.match(value) or _RATIO.match(value) for value in values) and "default" not in shown
    if traits or PATTERNS["opens_no_attribute"].match(shown):
        return ""  # "At the office", or whether the row has what the head names
    if kind and kind.split()[-1] in map(singular, shown.lower().split()):
        return ""  # "the package content of the X package"
    if shown == "default" and kind.split()[-1:] and kind.split()[-1] in WORDS["takes_no_default"]:
        return ""
    counted = re.match(r"number of (?P<things>.+)$", shown)
    if counted:
        numbers = all(re.match(r"[\d.,]+\+?$", value) for value in values)
        return f"How many {counted['things']} does {row} have?" if numbers else ""
    plural = one != last.lower() and not last.isupper()
    listed = sum(bool(re.search(r",\s|\s(?:and|or)\s", value)) for value in values) * 2 > len(values)
    if listed and not plural and all(len(value.split()) <= 2 * value.count(",") + 2 for value in values):
        shown, plural = f"{shown[: -len(last)]}{inflected(one, 'NNS')}", True
    if shown == "default":
        shown = "default value"
    preposition = "on" if kind in WORDS["on"] else "for" if PATTERNS["head_for"].search(shown) else "of"
    measured = f" in {unit}" if unit and all(re.match(r"\W?\d", value) for value in values) else ""
    return f"What {'are' if plural else 'is'} the {shown} {preposition} {row}{measured}?"


_HAD = frozenset(
    "accuracy address age alias alternative altitude amount amplitude area argument author bandwidth birthplace "
    "budget cadence capacity capital category cause charge charset city class color colour command contact "
    "content cost count country coverage currency cutoff deadline default density department depth diameter "
    "dimension discount distance duration edition efficiency elevation employee encoding endpoint engine "
    "equivalent expiry extension fee format frequency grade hardness headquarters height host hours income input "
    "interval kind language latency leader length level licence license lifespan lifetime limit location "
    "maintainer manager manufacturer mass material maximum meaning member minimum name number operator output "
    "owner parameter parent penalty percentage period permission platform population port power precision "
    "predecessor prerequisite pressure price priority protocol purpose quantity quota radius range rate rating "
    "ratio region replacement requirement resolution responsibility responsible retention role runtime salary "
    "schedule scope severity shape share shortcut size speed spelling stage state status strategy successor "
    "suffix supplier symbol symptom target temperature threshold throughput tier timeout timezone trigger type "
    "unit validity value vendor version voltage volume weight width yield".split()
)
"""Nouns of which a thing has one or some of its own: "the size of …", but not "the availability of …"."""


def names_documents(corner: str) -> bool:
    """Check whether the rows of a table are documents, links or things to do, whose attributes nobody asks for.

    Example:
        >>> names_documents("Resource"), names_documents("ACTION"), names_documents("Plan")
        (True, True, False)
    """
    return bool(PATTERNS["documents"].search(corner.strip(" :")))


def names_attributes(corner: str) -> bool:
    """Check whether the rows of a table are attributes, and its columns the things that have them.

    Example:
        >>> names_attributes("Feature"), names_attributes(""), names_attributes("Plan")
        (True, True, False)
    """
    return not corner.strip() or bool(PATTERNS["attributes"].match(corner.strip(" :")))


def row_kind(corner: str) -> str:
    """Return what the rows of a table are, from the head of the column that names them; "" if it says nothing.

    Example:
        >>> row_kind("Plans"), row_kind("Name"), row_kind("Plan name"), row_kind("Size (MB)")
        ('plan', '', 'plan', '')
    """
    words = re.sub(r"(?i)\s(?:name|id|key|type)$", "", corner.strip(" :")).split()
    if not 0 < len(words) <= 2 or not all(word.isalpha() for word in words):
        return ""
    last = singular(words[-1].lower())
    if last in _VAGUE_KINDS or not is_noun(last):
        return ""
    return " ".join((*map(str.lower, words[:-1]), last)) if len(words) == 1 or is_noun(words[0].lower()) else ""


_VAGUE_KINDS = frozenset(
    "name item key thing title value resource element entry number id what who task action step question characteristic "  # noqa: E501
    "area aspect topic term word category description dimension context location subject content text change".split()
)
