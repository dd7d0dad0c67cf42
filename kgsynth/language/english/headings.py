"""Questions that headings ask: "Rotating a key", "How to rotate a key" and "Rotate a key" ask how you rotate a key.

Only the form of a heading is read, no parser; a heading that could be a noun phrase gives no question.
"""

from __future__ import annotations

import re

from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, lemma_of, singular

_NUMBERING = re.compile(
    r"^(?:(?:step|part|case|rule|option|phase|stage)\s+)?#?(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.):]\s+|^\d+(?:\.\d+)+\s+|^\d+\s+-\s+",
    re.I,
)
_MARKS = re.compile(r"[`*]|^[^\w(\"“'‘<@$./-]+|\s+\{#[^}]*\}$")
_WH = r"(?:how|what|why|when|where|who|which|whose|whom)"
_AUXILIARY = r"(?:is|are|was|were|am|do|does|did|can|could|should|will|would|may|might|must|has|have|had)"
_ASKS = re.compile(rf"^(?:{_WH}|{_AUXILIARY})\b", re.I)
_ASKS_OPENLY = re.compile(rf"^{_WH}\b", re.I)
_INVERTED = re.compile(
    rf"^(?:how (?:many|much|often|long|far|soon|large|big|fast) .*|{_WH})(?: [\w'’-]+){{0,4}}? {_AUXILIARY}(?:n['’]t)?\b",
    re.I,
)
_HOW_TO = re.compile(r"^(?:how to|steps? to|steps for|instructions for|guide to|procedure for) (?P<task>\w.*)$", re.I)
_WHEN_TO = re.compile(r"^(?P<word>when|where|why|whom?|which \w+|what) (?P<no>not )?to (?P<task>\w.*)$", re.I)
_WHAT_IF = re.compile(r"^what to do (?P<rest>(?:if|when|before|after|while|during|in)\b.*)$", re.I)
_OBJECT = frozenset(
    "a an the your you my our their its his her this that these those each every all any some no one two three multiple "
    "several other another more existing new custom different both".split()
)
_PREPOSITIONS = frozenset(
    "to with from into for in on at by of about over under through between without within as via using across against "
    "and or if when than".split()
)
_ALONE = frozenset("to with from into for on as in".split())
"""Prepositions after which a gerund needs no object: "connecting to a server"."""
_STATES = frozenset(
    "understanding getting following being having becoming pricing billing training meeting onboarding nothing "
    "something anything everything during including regarding concerning according morning evening string ring king "
    "spring thing building wing engineering marketing programming computing networking branding funding hiring "
    "spending warning heading listing setting meaning feeling ending opening beginning introducing comparing thinking "
    "looking wrapping reading moving continuing considering limiting exploring missing".split()
)
"""Words in "-ing" that open headings which name a subject, or tell the reader what the text does."""
_NOT_TASKS = frozenset(
    "see note read learn get be have do let go come know think try look meet say tell want need like love remember "
    "understand consider keep wrap introduce compare continue design support access contact overview background "
    "feedback release policy request issue report work project plan result example template google".split()
)
"""Words that open other headings than tasks, though they may be verbs."""
_SMALL = frozenset(
    "a an the and or but nor of in on at to for with from by as into via per vs is are be if when your you it "
    "its".split()
)
_MAX_TASK_WORDS = 12
_MIN_QUESTION_WORDS = 3


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
        no = match["no"] or ""
        return _question(f"{match['word'].capitalize()} should you {no}{task}")
    task = _task(text)
    return _question(f"How do you {plain_case(task, names)}") if task else ""


def _asked(text: str, names: frozenset[str]) -> str:
    """Return a question that a heading asks word for word, "" if it is only the beginning of one."""
    openly = _ASKS_OPENLY.match(text)
    complete = _INVERTED.match(text) if openly else _ASKS.match(text)
    if not complete or len(text.split()) < _MIN_QUESTION_WORDS or text.rstrip("?").endswith(("...", "…")):
        return ""
    first, _, rest = text.partition(" ")
    return f"{first.capitalize()} {plain_case(rest, names)}"


def _task(text: str) -> str:
    """Return the task that a heading names, from its verb in the base form on; "" if it names none."""
    first, _, rest = text.partition(" ")
    word, others = first.lower(), rest.split()
    if not others or not first.isalpha() or len(others) >= _MAX_TASK_WORDS or text.endswith(("!", "…")) or ":" in text:
        return ""
    if word.endswith("ing") and word not in _STATES:
        verb = lemma_of(word, "VERB")
        return f"{verb} {rest}" if verb != word and is_base_verb(verb) and _is_object(others, gerund=True) else ""
    if is_base_verb(word) and word not in _NOT_TASKS and _is_object(others, gerund=is_only_verb(word)):
        return f"{word} {rest}"
    return ""


def _is_object(words: list[str], *, gerund: bool) -> bool:
    """Check whether words go on as the object of a verb, and not as the rest of a noun ("escaping scheme").

    After a word that may be a noun, only a determiner tells.
    """
    first = words[0].strip(",").lower()
    if first in _OBJECT:
        return True
    if not gerund or first in _PREPOSITIONS:
        return gerund and first in _ALONE and len(words) > 1
    if not words[0].strip(",").isalpha() or not is_word(first):
        return True  # a name, or code
    head = next((n for n, word in enumerate(words) if word.lower() in _PREPOSITIONS), len(words))
    last = words[head - 1].strip(",").lower() if head else ""
    plural = is_word(last) and singular(last) != last
    return plural or (head > 1 and not is_noun(first))


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
    if not (bare[:1].isupper() and bare[1:].islower()):
        return bare == "A"
    return all(is_word(part) or part.lower() in _SMALL for part in re.findall(r"[A-Za-z]+", bare))


def _question(text: str) -> str:
    return " ".join(text.split()).rstrip(" .:!") + "?"
