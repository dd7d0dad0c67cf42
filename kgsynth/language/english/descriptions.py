"""Questions that a description answers, by its first words: what an option does, what a term is.

Only forms are read, no parser; a description that does not say what its thing is or does gives no question.
"""

from __future__ import annotations

import re

from kgsynth.language.english.morphology import inflected, is_base_verb, is_noun, is_word, lemma_of, singular

_KIND_NOUNS = (
    r"option|parameter|argument|flag|field|attribute|property|setting|directive|variable|command|subcommand|function|"
    r"method|event|header|keyword|metric|statistic|label|permission|role|value|error|exception|status|code|symbol|"
    r"operator|type|modifier|policy|hook|signal|state|mode|element|tag|column|input|output|key"
)
_KIND_HEAD = re.compile(rf"^(?:.*[\s/-])?(?P<kind>{_KIND_NOUNS})(?P<plural>s|es)?$", re.I)
_KIND_PLURALS = re.compile(rf"(?i)\b(?:(?:{_KIND_NOUNS})(?:s|es)|properties|policies|statuses)\b")
_PLURALS = {"properties": "property", "policies": "policy", "statuses": "status"}
_SET_KINDS = frozenset("option parameter argument flag attribute property setting directive variable modifier".split())
_HOLDS = frozenset("field column header element label key output".split())
_MEANS = frozenset("value error exception status code symbol operator signal state".split())
_ACTS = frozenset(
    "option flag command subcommand function method keyword directive modifier parameter operator".split()
)
_CODE = re.compile(r"\w_\w|[a-z][A-Z]|^-{1,2}\w|\w\.\w|\w\(\)$|^[$@%:#.]\w|\w[-:/]\w+[-:/]\w|^[A-Z]{2,}$")
_OPENS_DEFINITION = re.compile(
    r"^(?:(?:an?|the|any|every|each|one of|all|number of|name of|list of|set of|total|type of|kind of|"
    r"percentage of|amount of|time|size of|maximum|minimum|average|current)\s|short for |stands for |abbreviation )",
    re.I,
)
_STRICT_OPENING = re.compile(r"^(?:an?|any|one of|short for|stands for)\s", re.I)
_OF_ONE = re.compile(r"an? |any |one ", re.I)
_NEEDS_CONTEXT = re.compile(
    r"(?i)\b(?:this|these|those|above|below|previous|following|we|our|us|i|my|see|refer to|listed|here|same as|"
    r"example|e\.g|deprecated|tbd|todo)\b|\[ ?x?\]|https?://|https?:|…|\.\.\.|^\W|[:,;(]$"
)
_NO_TERM = re.compile(r",|\((?![A-Z][\w-]{1,7}\)$|\)$)|[<>{}\[\]*…|\\]|\.\.\.|^\W*$|=|\s--?\w|\?$")
_OPENS_OBJECT = frozenset("a an the all any each every to how whether if when your this one no only it".split())
_AFTER_HEAD_NOUN = frozenset("of for in to on with from by at".split())
_SAYING = frozenset("specify define indicate describe represent contain".split())
"""Verbs with which a description says what its thing is there for: "Specifies the mount point"."""
_SAYS_ELSE = frozenset("default imply depend apply require see equal correspond".split())
_OF_OTHERS = re.compile(
    r"(?i)(?:an?|the) (?P<who>(?:(?!that|which|who|whose|whom|where)[\w-]+ ){1,4}?)"
    r"(?:(?:is|are|was|were|can|may|must|should|has|have|will|cannot|does)\b|"
    r"\w+[^s\W]e?s (?:an?|the|all|any|each|every) )"
)
"""How a sentence begins that says something of a thing, and is no definition."""
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
        asks = "" if verb in _SAYS_ELSE else f"What does {shown} {verb if verb in _SAYING else 'do'}?"
        return asks if kind or code else ""
    if _OPENS_DEFINITION.match(detail):
        if _tells_of_another(shown, detail):
            return ""
        if kind in _SET_KINDS:
            return f"What does {shown} specify?"
        if kind in _HOLDS:
            return f"What does {shown} contain?"
        if kind in _MEANS:
            return f"What does {shown} mean?"
        if kind in ("metric", "statistic"):
            return f"What does {shown} measure?"
        return f"What is {shown}?" if code and not kind else ""
    orders = is_base_verb(first) and kind in _ACTS and len(detail.split()) > _MIN_WORDS
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
    complement = next((n for n, word in enumerate(words) if n and word in _AFTER_HEAD_NOUN), len(words))
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
    about = _OF_OTHERS.match(detail)
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
        and not _NEEDS_CONTEXT.search(sentence)
        and not re.search(r"\b(?:the following|as follows|see below|above)\b|:$", detail)
    )


def _first_word(detail: str) -> str:
    match = re.match(r"[A-Za-z]+", detail)
    return match[0].lower() if match else ""


def _is_third_person(word: str, detail: str) -> bool:
    verb, after = lemma_of(word, "VERB"), detail.split()[1:2]
    if is_noun(word) and not (after and after[0].lower() in _OPENS_OBJECT):
        return False  # "Attacks that cause …"
    return bool(word.endswith("s") and verb != word and is_base_verb(verb) and inflected(verb, "VBZ") == word)
