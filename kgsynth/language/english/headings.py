"""Questions that headings ask: "Rotating a key", "How to rotate a key" and "Rotate a key" ask how you rotate a key.

Only the form of a heading is read, no parser; a heading that could be a noun phrase gives no question.
"""

from __future__ import annotations

import re

from kgsynth.language.english.morphology import is_base_verb, is_only_verb, is_word, lemma_of

_NUMBERING = re.compile(
    r"^(?:(?:step|part|case|rule|option|phase|stage)\s+)?#?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.):]\s+|^\d+(?:\.\d+)+\s+|^\d+\s+-\s+",
    re.I,
)
_MARKS = re.compile(r"[`*]|^[^\w(\"“'‘<@$./-]+|\s+\{#[^}]*\}$")
_ASKS = re.compile(
    r"^(?:how|what|why|when|where|who|which|whose|whom|can|could|do|does|did|is|are|was|were|should|will|would|may|must|"
    r"has|have)\b",
    re.I,
)
_INVERTED = re.compile(
    r"^(?:how (?:many|much|often|long|far|soon|large|big|fast) .*|how|what|why|when|where|who|which|whose|whom)(?: [\w'’-]+){0,4}? "
    r"(?:is|are|was|were|do|does|did|can|could|should|will|would|may|might|must|has|have|had|am|isn['’]t|aren['’]t|don['’]t|doesn['’]t|can['’]t)\b",
    re.I,
)
_HOW_TO = re.compile(r"^(?:how to|steps? to|steps for|instructions for|guide to|procedure for) (?P<task>\w.*)$", re.I)
_WHEN_TO = re.compile(r"^(?P<word>when|where|why|whom?|which \w+|what) (?P<not>not )?to (?P<task>\w.*)$", re.I)
_WHAT_IF = re.compile(r"^what to do (?P<rest>(?:if|when|before|after|while|during|in)\b.*)$", re.I)
_OBJECT = frozenset(
    "a an the your you my our their its his her this that these those each every all any some no one two three multiple several "
    "other another more existing new custom different both".split()
)
_PREPOSITIONS = frozenset(
    "to with from into for in on at by of about over under through between without within as via using across against and or "
    "if when than".split()
)
_STATES = frozenset(
    "understanding getting following being having becoming pricing billing training meeting onboarding nothing something anything "
    "everything during including regarding concerning according morning evening string ring king spring thing building wing "
    "engineering marketing programming computing networking branding funding hiring spending warning heading listing setting "
    "meaning feeling ending opening beginning introducing comparing thinking looking wrapping reading moving continuing "
    "considering limiting exploring".split()
)
"""Words in "-ing" that open headings which name a subject, or tell the reader what the text does."""
_NOT_TASKS = frozenset(
    "see note read learn get be have do let go come know think try look meet say tell want need like love remember "
    "understand consider keep wrap introduce compare continue design support access contact overview background feedback "
    "release policy request issue report work project plan result example".split()
)
_SMALL = frozenset(
    "a an the and or but nor of in on at to for with from by as into via per vs is are be if when your you it its".split()
)


def heading_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a heading asks, "" for none.

    Words in title case become lower case, except ``names``.

    Example:
        >>> heading_question("Rotating a Key"), heading_question("3. How to Rotate Keys"), heading_question("Keys")
        ('How do you rotate a key?', 'How do you rotate keys?', '')
        >>> heading_question("When to use Redis", frozenset({"Redis"})), heading_question("What is a shard?")
        ('When should you use Redis?', 'What is a shard?')
    """
    text = bare_title(title)
    if text.endswith("?"):
        return _asked(text, names)
    if match := _HOW_TO.match(text):
        task = _task(match["task"]) or match["task"]
        return _question(f"How do you {plain_case(task, names)}")
    if match := _WHAT_IF.match(text):
        return _question(f"What should you do {plain_case(match['rest'], names)}")
    if match := _WHEN_TO.match(text):
        task = plain_case(match["task"], names)
        no = "not " if match["not"] else ""
        return _question(f"{match['word'].capitalize()} should you {no}{task}")
    task = _task(text)
    return _question(f"How do you {plain_case(task, names)}") if task else ""


def _asked(text: str, names: frozenset[str]) -> str:
    if not (
        _INVERTED.match(text)
        or (_ASKS.match(text) and not re.match(r"(?:how|what|why|when|where|who|which)\b", text, re.I))
    ):
        return ""
    if re.match(r"(?:how|what|why|when|where|who|which)\s*\?", text, re.I) or len(text.split()) < 3:
        return ""
    first, _, rest = text.partition(" ")
    return f"{first.capitalize()} {plain_case(rest, names)}"


def _task(text: str) -> str:
    """Return the task that a heading names, from its verb in the base form on; "" if it names none."""
    first, _, rest = text.partition(" ")
    word, others = first.lower(), rest.split()
    if not others or not first.isalpha() or len(others) > 11 or text.endswith(("!", "…")) or ":" in text:
        return ""
    following = others[0].strip(",").lower()
    if word.endswith("ing") and word not in _STATES:
        verb = lemma_of(word, "VERB")
        if (
            verb == word
            or not is_base_verb(verb)
            or following in ("is", "are", "and", "of")
            or following in _PREPOSITIONS - {"to", "with", "for", "from", "into", "in", "on", "as"}
        ):
            return ""
        return f"{verb} {rest}"
    if is_base_verb(word) and word not in _NOT_TASKS and (following in _OBJECT or is_only_verb(word)):
        return f"{word} {rest}"
    return ""


def bare_title(title: str) -> str:
    """Return a heading without its number and marks.

    Example:
        >>> bare_title("3.2. *Rotating* a key:")
        'Rotating a key'
    """
    return _MARKS.sub("", _NUMBERING.sub("", title.strip())).strip(" .:")


def heading_task(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the task that a heading names, from its verb in the base form on, "" for none.

    Example:
        >>> heading_task("Rotating a Key"), heading_task("How to rotate keys"), heading_task("Keys")
        ('rotate a key', 'rotate keys', '')
    """
    question = heading_question(title, names)
    return question[len("How do you ") : -1] if question.startswith("How do you ") else ""


def plain_case(text: str, names: frozenset[str]) -> str:
    """Return a text in title case without its capitals, except in names."""
    words = text.split()
    shown = [word for word in words if word[:1].isalpha()]
    titled = [word for word in shown[1:] if word[:1].isupper()]
    small = [word for word in shown[1:] if word[:1].islower() and word not in _SMALL]
    title_case = len(titled) > len(small)
    return " ".join(
        word if not _is_plain(word) or (index and not title_case) or _name(word, names) else word[0].lower() + word[1:]
        for index, word in enumerate(words)
    )


def _name(word: str, names: frozenset[str]) -> bool:
    return word.strip(",.;:()\"'’?").removesuffix("'s").removesuffix("’s") in names


def _is_plain(word: str) -> bool:
    """Check whether a word is in title case, and an ordinary word in lower case."""
    bare = word.strip(",.;:()\"'’?")
    return (
        bare[:1].isupper()
        and bare[1:].islower()
        and all(is_word(part) or part.lower() in _SMALL for part in re.findall(r"[A-Za-z]+", bare))
    ) or (bare in ("A", "I") and bare == "A")


def _question(text: str) -> str:
    return " ".join(text.split()).rstrip(" .:!") + "?"
