"""Questions that headings ask: "Rotating a key", "How to rotate a key" and "Rotate a key" ask how you rotate a key.

Only the form of a heading is read, no parser; a heading that could be a noun phrase gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kgsynth.language.english.lexicon import PATTERNS, WORDS
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_only_verb, is_word, lemma_of, singular

_TITLE_MARKS = re.compile(r"[`*]|^[^\w(\"“'‘<@$./-]+|\s+\{#[^}]*\}$")
_EMOJI = re.compile(r"\s*[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f]+")
_WH = r"(?:how|what|why|when|where|who|which|whose|whom)"
_AUXILIARY = r"(?:is|are|was|were|am|do|does|did|can|could|should|will|would|may|might|must|has|have|had)"
_OPENS_QUESTION = re.compile(rf"^(?:{_WH}|{_AUXILIARY})\b", re.I)
_ASKS_OPENLY = re.compile(rf"^{_WH}\b", re.I)
_INVERTED = re.compile(
    rf"^(?:how (?:many|much|often|long|far|soon|large|big|fast) .*|{_WH})(?: [\w'’-]+){{0,4}}? "
    rf"{_AUXILIARY}(?:n['’]t)?\b",
    re.I,
)
_HOW_TO = re.compile(r"^(?:how to|steps? to|steps for|instructions for|guide to|procedure for) (?P<task>\w.*)$", re.I)
_WHEN_TO = re.compile(r"^(?P<word>when|where|why|whom?|(?:which|what) \w+|what) (?P<no>not )?to (?P<task>\w.*)$", re.I)
_WHAT_TO = re.compile(r"^(?:which|what) \w+ to \w", re.I)
_WHAT_IF = re.compile(r"^what to do (?P<rest>(?:if|when|before|after|while|during|in)\b.*)$", re.I)
_CANNOT = re.compile(r"^(?P<not>cannot|can['’]t|unable to) (?P<task>[a-z]+ [^,:?]+)$", re.I)
_REASONS = re.compile(r"^(?:reasons? for|benefits of|advantages of|motivations? for) (?P<task>\w+ing \w.*)$", re.I)
_WORKS = re.compile(r"^how (?P<thing>(?!to\b|do\b|does\b|did\b)[\w.'’ -]+?) works?$", re.I)
_SUBJECT_ASKED = re.compile(r"^(?:who|what|which (?P<noun>[\w-]+)) (?P<verb>[a-z]+) \w", re.I)
_PRESENT = re.compile(rf"^{_WH} (?:is|are|does|do|can|should|must|happens)\b", re.I)
_JOINED_GERUND = re.compile(r"(?<=\w )(and|or) (\w{3,}ing) ((?:a|an|the|your|to|\w+s)\b)", re.I)
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
    if title.rstrip(" ?:").endswith(("...", "…")):
        return ""
    if (match := PATTERNS["why_not"].match(text)) and (text[0] in "Rr" or _is_verb_phrase(match["task"])):
        return _question(f"Why should you {plain_case(match['task'], names)}")
    if (text.endswith("?") and not _WHAT_TO.match(text)) or _PRESENT.match(text):
        return _asked(text, names)
    text = text.rstrip(" ?")
    for form, ask in _FORMS:
        if match := form.match(text):
            return _question(ask(match, names))
    task = _task(text)
    return _question(f"How do you {plain_case(task, names)}") if task else ""


def _how(match: re.Match[str], names: frozenset[str]) -> str:
    task = _task(match["task"]) or match["task"]
    return f"How do you {plain_case(task, names)}"


def _when(match: re.Match[str], names: frozenset[str]) -> str:
    return f"{match['word'].capitalize()} should you {match['no'] or ''}{plain_case(match['task'], names)}"


def _reasons(match: re.Match[str], names: frozenset[str]) -> str:
    first, _, rest = match["task"].partition(" ")
    return f"Why should you {lemma_of(first.lower(), 'VERB')} {plain_case(rest, names)}"


def _works(match: re.Match[str], names: frozenset[str]) -> str:
    thing = plain_case(match["thing"], names)
    last = thing.split()[-1]
    return f"How {'do' if singular(last) != last else 'does'} {thing} work"


def _case(match: re.Match[str], names: frozenset[str]) -> str:
    return f"What should you do {match['word'].lower()} {plain_case(match['case'], names)}"


def _cannot(match: re.Match[str], names: frozenset[str]) -> str:
    no = "are unable to" if match["not"].lower() == "unable to" else "cannot"
    return f"What should you do when you {no} {plain_case(match['task'], names)}"


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], frozenset[str]], str]], ...] = (
    (_HOW_TO, _how),
    (_WHAT_IF, lambda match, names: f"What should you do {plain_case(match['rest'], names)}"),
    (_WHEN_TO, _when),
    (_REASONS, _reasons),
    (_WORKS, _works),
    (PATTERNS["in_case"], _case),
    (_CANNOT, _cannot),
)
"""Form of a heading that is not a question -> function that makes the question."""


def _is_verb_phrase(text: str) -> bool:
    """Check whether words begin with a verb in its base form and its object: "use a queue"."""
    first, *others = text.split()
    return is_base_verb(first.lower()) and _is_object(
        others, gerund=not is_noun(first.lower()) or first.lower() == "use"
    )


def _asked(text: str, names: frozenset[str]) -> str:
    """Return a question that a heading asks word for word, "" if it is only the beginning of one."""
    openly = _ASKS_OPENLY.match(text)
    complete = _INVERTED.match(text) or _asks_subject(text) if openly else _OPENS_QUESTION.match(text)
    if not complete or len(text.split()) < _MIN_QUESTION_WORDS or text.rstrip("?").endswith(("...", "…")):
        return ""
    first, _, rest = text.partition(" ")
    return f"{first.capitalize()} {plain_case(rest, names).rstrip(' ?')}?"


def _asks_subject(text: str) -> bool:
    """Check whether a question asks for its subject: "Who pays?", "Which teams use it?", "What happens if …?"."""
    match = _SUBJECT_ASKED.match(text)
    verb = match["verb"].lower() if match else ""
    return bool(verb) and (verb.endswith("s") or bool(match and match["noun"])) and is_base_verb(lemma_of(verb, "VERB"))


def _task(text: str) -> str:
    """Return the task that a heading names, from its verb in the base form on; "" if it names none."""
    first, _, rest = text.partition(" ")
    rest = _JOINED_GERUND.sub(lambda match: f"{match[1]} {lemma_of(match[2].lower(), 'VERB')} {match[3]}", rest)
    word, others = first.lower(), rest.split()
    if not others or not first.isalpha() or len(others) >= _MAX_TASK_WORDS or PATTERNS["no_task"].search(rest):
        return ""
    if word.endswith("ing") and word not in WORDS["states"]:
        verb = lemma_of(word, "VERB")
        if verb in WORDS["stative"]:
            return ""
        return f"{verb} {rest}" if verb != word and is_base_verb(verb) and _is_object(others, gerund=True) else ""
    if is_base_verb(word) and word not in WORDS["not_tasks"] and _is_object(others, gerund=is_only_verb(word)):
        return f"{word} {rest}"
    return ""


def _is_object(words: list[str], *, gerund: bool) -> bool:
    """Check whether words go on as the object of a verb, and not as the rest of a noun ("escaping scheme").

    After a word that may be a noun, only a determiner tells.
    """
    first = words[0].strip(",").lower()
    if first in WORDS["object"]:
        return True
    if not gerund or first in WORDS["prepositions"]:
        return gerund and first in WORDS["alone"] and len(words) > 1
    if not words[0].strip(",").isalpha() or not is_word(first):
        return words[0][0] not in "(&/"  # a name, or code
    head = next((n for n, word in enumerate(words) if word.lower() in WORDS["prepositions"]), len(words))
    last = words[head - 1].strip(",").lower() if head else ""
    plural = is_word(last) and singular(last) != last
    return plural or (head > 1 and not is_noun(first))


def bare_title(title: str) -> str:
    """Return a heading without its number and marks.

    Example:
        >>> bare_title("3.2. *Rotating* a key:")
        'Rotating a key'
    """
    return _EMOJI.sub("", _TITLE_MARKS.sub("", PATTERNS["numbering"].sub("", title.strip()))).strip(" .:")


def plain_case(text: str, names: frozenset[str]) -> str:
    """Return a text in title case without its capitals, except in names."""
    words = text.split()
    shown = [word for word in words if word[:1].isalpha()]
    titled = [word for word in shown[1:] if word[:1].isupper()]
    small = [word for word in shown[1:] if word[:1].islower() and word not in WORDS["small_words"]]
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
    return all(is_word(part) or part.lower() in WORDS["small_words"] for part in re.findall(r"[A-Za-z]+", bare))


def _question(text: str) -> str:
    return " ".join(text.split()).rstrip(" .:!") + "?"
