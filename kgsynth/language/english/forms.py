"""What headings, heads of columns, lead-ins of lists, descriptions and terms ask, by the forms of ``en.toml``.

Only the form of a text is read, no parser, since a parser misreads titles; a text without a form gives no question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kgsynth.language.english.lexicon import ENGLISH, PATTERNS, WORDS
from kgsynth.language.english.morphology import (
    inflected,
    is_base_verb,
    is_noun,
    is_only_verb,
    is_word,
    lemma_of,
    singular,
)
from kgsynth.language.english.number_words import digits
from kgsynth.language.english.quantities import quantity
from kgsynth.language.lexicon import Asker

# ---- headings --------------------------------------------------------------------------------------

_TITLE_MARKS = re.compile(r"[`*]|^[^\w(\"“'‘<@$./-]+|\s+\{#[^}]*\}$")
_EMOJI = re.compile(r"\s*[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f]+")
_JOINED_GERUND = re.compile(r"(?<=\w )(and|or) (\w{3,}ing) ((?:a|an|the|your|to|\w+s)\b)", re.I)
_MAX_TASK_WORDS = 12
_MAX_TOPIC_WORDS = 6
_MAX_ACRONYM = 3  # letters
_PAIR_IN_CAPITALS = re.compile(r"\b[A-Z][a-z]+-[A-Z]?[a-z]+\b")


def heading_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a heading asks, "" for none.

    Words in title case become lower case, except ``names``.

    Example:
        >>> heading_question("Rotating a Key"), heading_question("3. How to Rotate Keys"), heading_question("Keys")
        ('How do you rotate a key?', 'How do you rotate keys?', '')
    """
    cut = title.rstrip(" ?:").endswith(("...", "…"))
    return "" if cut else re.sub(r"[ ?.:!]+$", "?", _ask("heading", bare_title(title), names))


def topic_question(document: str, heading: str, names: frozenset[str] = frozenset()) -> str:
    """Return what a document is asked about the topic of one of its sections, "" if it has no name, or that no topic.

    Example:
        >>> topic_question("Acme Terms of Service", "3. Account Security")
        'What do the Acme Terms of Service say about account security?'
        >>> topic_question("Getting started", "Account Security"), topic_question("Acme Terms of Service", "Overview")
        ('', '')
        >>> topic_question("Expenses", "Mileage")
        'What does the expenses policy say about mileage?'
    """
    topic = bare_title(heading)
    topic = _PAIR_IN_CAPITALS.sub(
        lambda pair: pair[0].lower() if all(map(is_word, pair[0].split("-"))) and pair[0] not in names else pair[0],
        plain_case(topic.capitalize() if topic.isupper() else topic, names),
    )
    return _ask("document", _named_topic(document), names, topic=topic)


def _named_topic(title: str) -> str:
    """Return what a title says before a bracket, dash, colon or year."""
    text = re.split(r" [(–—-]|: |,? (?:from )?\d", bare_title(title))[0]
    shouted = sum(word.isupper() and len(word) > _MAX_ACRONYM for word in text.split()) > 1
    return re.sub(r"[&+]", "and", text.lower() if shouted else text).strip()


def rules_on(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return how a question names the rules of a page by its title, "" if that names no topic.

    Example:
        >>> rules_on("Phones, tablets, laptops (2024)"), rules_on("Code of conduct"), rules_on("Where things are")
        ('under the rules on phones, tablets and laptops', 'under the code of conduct', '')
    """
    text = _named_topic(title)
    order = " " in text and _is_verb_phrase(text)
    vague = PATTERNS["no_topic"].match(text) or PATTERNS["no_plain_topic"].search(text.replace(",", ""))
    if order or vague or text.lower().rpartition(" ")[2] in {"", *WORDS["no_topics"]}:
        return ""
    if PATTERNS["titled_rules"].search(text):
        return f"under the {text if re.search(r' [A-Z]', text) else plain_case(text, names)}"
    return f"under the rules on {plain_case(_listed(text), names)}"


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
        word if not _is_plain(word) or (index and not title_case) or _name(word, names) else _small(word)
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


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def _is_question(text: str) -> bool:
    """Check whether a heading that opens as a question does is a whole one: "What happens if …", not "How secure"."""
    if not re.match(rf"{PATTERNS.sources['asking_word']}\b", text, re.I):
        return bool(re.match(rf"{PATTERNS.sources['auxiliary_verb']}\b", text, re.I))
    subject = PATTERNS["asks_subject"].match(text)
    verb = subject["verb"].lower() if subject else ""
    third = verb.endswith("s") or bool(subject and subject["noun"])
    return bool(PATTERNS["inverted"].match(text)) or (third and is_base_verb(lemma_of(verb, "VERB")))


def _is_verb_phrase(text: str) -> bool:
    """Check whether words begin with a verb in its base form and its object: "use a queue"."""
    first, *others = text.split()
    verb = first.lower()
    return is_base_verb(verb) and _is_object(others, gerund=not is_noun(verb) or verb == "use")


def _task(text: str) -> str:
    """Return the task that a heading names, from its verb in the base form on; "" if it names none."""
    first, _, rest = text.partition(" ")
    rest = _JOINED_GERUND.sub(lambda match: f"{match[1]} {lemma_of(match[2].lower(), 'VERB')} {match[3]}", rest)
    word, others = first.lower(), rest.split()
    if not others or not first.isalpha() or len(others) >= _MAX_TASK_WORDS or PATTERNS["no_task"].search(rest):
        return ""
    if word.endswith("ing") and word not in WORDS["states"]:
        verb = lemma_of(word, "VERB")
        doable = verb != word and is_base_verb(verb) and verb not in WORDS["stative"]
        return f"{verb} {rest}" if doable and _is_object(others, gerund=True) else ""
    doable = is_base_verb(word) and word not in WORDS["not_tasks"]
    return f"{word} {rest}" if doable and _is_object(others, gerund=is_only_verb(word)) else ""


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
    return (is_word(last) and _is_plural(last)) or (head > 1 and not is_noun(first))


# ---- lists: the sentence or heading that leads into them -------------------------------------------

_MAX_SUBJECT_WORDS = 7


def lead_in_question(lead: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that the list after a sentence answers, "" if its form is not known.

    Example:
        >>> lead_in_question("The valve supports the following modes:"), lead_in_question("For instance:")
        ('Which modes does the valve support?', '')
    """
    text = " ".join(lead.split()).rstrip(":： .")
    return _ask("lead_in", re.sub(r"(?i)\b(?:now|currently|presently) |,? (?:do )?either$", "", text), names)


def heading_list_question(title: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question that a list below a heading answers, for headings as "Requirements for a permit"."""
    return _ask("list_heading", bare_title(title), names)


def counted(question: str) -> int:
    """Return the number of things that a question asks for, 0 if it gives none.

    Example:
        >>> counted("What are the two ways to store users?"), counted("What are the ways?")
        (2, 0)
    """
    match = re.match(r"(?:What are the|Which|What) (\d+)\b", digits(question))
    return int(match[1]) if match else 0


def _is_subject(subject: str) -> bool:
    """Check whether a text can be the subject of a question: a short noun phrase, with no verb or modal in it.

    Several small words in the singular without an article are no subject: "Proper symbol design".
    """
    words = subject.split()
    small = len(words) > 1 and all(word.islower() for word in words[1:]) and is_word(words[0].lower())
    bare = small and not PATTERNS["determined"].match(subject) and not _is_plural(words[-1])
    return not bare and len(words) <= _MAX_SUBJECT_WORDS and not PATTERNS["no_subject"].search(subject)


def _inside(subject: str, names: frozenset[str]) -> str:
    """Return a subject from the start of a sentence as it is inside one."""
    first, _, rest = subject.partition(" ")
    ordinary = first.istitle() and first not in names and (is_word(first) or PATTERNS["determined"].match(subject))
    return f"{first.lower()} {rest}".strip() if ordinary else subject


def _bare(things: str, names: frozenset[str]) -> str:
    """Return a plural without words that announce a list: "the following", "several"."""
    return plain_case(PATTERNS["following"].sub("", things), names)


def _all_of(things: str, names: frozenset[str]) -> str:
    shown = _bare(things, names)
    return f"{'some' if shown.lower().startswith('examples') else 'the'} {shown}"


# ---- tables ----------------------------------------------------------------------------------------

_LONG_FORMS = {"max": "maximum", "min": "minimum", "avg": "average", "no": "number", "qty": "quantity"}
_MAX_HEAD_WORDS = 4


def cell_question(
    head: str, row: str, values: Sequence[str], *, kind: str = "", names: frozenset[str] = frozenset()
) -> str:
    """Return the question for a cell of the column ``head``; "" if the head is not an attribute that can be asked for.

    ``row`` names the row inside a sentence, ``kind`` is the noun for it; ``values`` are all values of the column.

    Example:
        >>> cell_question("Owner", "the Pike project", ["Ada"]), cell_question("Signed", "Pike 2", ["i8"])
        ('Who is the owner of the Pike project?', '')
    """
    words = [_LONG_FORMS.get(word.lower().strip("."), word) for word in head.strip(" :.").split()]
    if not 0 < len(words) <= _MAX_HEAD_WORDS:
        return ""
    shown = _head_inside(words, names)
    of = "on" if kind in WORDS["asked_with_on"] else "for" if PATTERNS["head_for"].search(shown) else "of"
    return _ask("cell", shown, names, row=row, values=values, of=of)


def placed_question(
    head: str,
    row: str,
    values: Sequence[str],
    *,
    value: str = "",
    noun: str = "",
    measure: str = "",
    case: str = "",
    people: str = "",
    names: frozenset[str] = frozenset(),
) -> str:
    """Return the question for a cell in the scope of its page, "" if no form fits the head.

    ``value`` is that of the cell, ``noun`` that of the head if it has one, ``measure`` what all cells are; ``case``
    says that the row is no thing, ``people`` that the values are people.
    """
    words = [_LONG_FORMS.get(word.lower().strip("."), word) for word in re.sub(r"^(?:then|plus) ", "", head).split()]
    shown = _head_inside(words, names)
    known = {"row": row, "values": values, "value": value, "noun": noun, "measure": measure}
    return _ask("placed", shown, names, **known, case=case, people=people)


def record_question(attribute: str, records: str, value: str, names: frozenset[str] = frozenset()) -> str:
    """Return the question for all ``records`` of a class with one value, "" if no form fits the attribute.

    Example:
        >>> record_question("maximum file size", "plans", "2 GB"), record_question("owner", "teams", "Ada")
        ('Which plans have a maximum file size of 2 GB?', 'Which teams does Ada own?')
    """
    return _ask("members", attribute, names, records=records, value=value)


def _head_inside(words: Sequence[str], names: frozenset[str]) -> str:
    """Return a head as it is written inside a sentence: in lower case, except names and short words in capitals."""
    shown = plain_case(" ".join(words), names).split()
    return " ".join(
        word.lower() if _is_ordinary(word) and (n == 0 or word not in names) else shown[n]
        for n, word in enumerate(words)
    )


def _is_ordinary(word: str) -> bool:
    """Check whether a word in capitals or title case is an ordinary word: its parts are in the dictionary."""
    short = word.isupper() and len(word) < 5
    return not short and all(map(is_word, re.findall(r"[A-Za-z]+", word)))


def says_what(head: str) -> bool:
    """Check whether a column says what the things of the rows are or do: "Description"."""
    return bool(PATTERNS["says_what"].match(head.strip(" :")))


def is_askable(value: str) -> bool:
    """Check whether the text of a cell can be an answer, and not just a mark, link or footnote.

    Example:
        >>> is_askable("2 GB"), is_askable("x"), is_askable(":white_check_mark:")
        (True, False, False)
    """
    return not PATTERNS["mark_cell"].match(value)


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
    if last in WORDS["vague_kinds"] or not is_noun(last):
        return ""
    return " ".join((*map(str.lower, words[:-1]), last)) if len(words) == 1 or is_noun(words[0].lower()) else ""


# ---- options, fields and terms, and what is said of them -------------------------------------------

_CODE = re.compile(r"\w_\w|[a-z][A-Z]|^-{1,2}\w|\w\.\w|\w\(\)$|^[$@%:#.]\w|\w[-:/]\w+[-:/]\w|^[A-Z]{2,}$")
_NO_TERM = re.compile(r",|\((?![A-Z][\w-]{1,7}\)$|\)$)|[<>{}\[\]*…|\\]|\.\.\.|^\W*$|=|\s--?\w|\?$|^['\"]|/.* | .*/")
_MIN_WORDS = 3
_MAX_WORDS_OF_TERM = 4


def kind_noun(text: str, *, plural: bool = False) -> str:
    """Return the noun that says what the things under a head or heading are, in the singular; "" if it says none.

    Example:
        >>> kind_noun("Environment variables", plural=True), kind_noun("Option"), kind_noun("Introduction")
        ('variable', 'option', '')
    """
    last = re.split(r"[\s/-]", text.strip(" :.").lower())[-1]
    known = len(text.split()) <= _MAX_WORDS_OF_TERM and singular(last) in WORDS["kinds"]
    return singular(last) if known and (_is_plural(last) or not plural) else ""


def kind_in(sentence: str) -> str:
    """Return the noun with which the sentence before a list calls what is in it, "" if it has none.

    Example:
        >>> kind_in("The pool takes these arguments:"), kind_in("It can do more:")
        ('argument', '')
    """
    kinds = (kind_noun(word, plural=True) for word in reversed(re.findall(r"[a-z]+", sentence.lower())))
    return next(filter(None, kinds), "")


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
    option = len(words) > 1 and name.startswith("-")
    lettered = re.search(r"[^\W\d_]", name)
    return bool(lettered) and len(words) <= _MAX_WORDS_OF_TERM and not option and not _NO_TERM.search(name)


def description_question(shown: str, kind: str, detail: str) -> str:
    """Return the question that the description of something named in code answers, "" for none.

    ``shown`` is the name as it is written in the question, with its kind if it has one.

    Example:
        >>> description_question("the --force option", "option", "Removes the lock first.")
        'What does the --force option do?'
        >>> description_question("the level setting", "setting", "only in Docker")
        ''
    """
    described = describes(detail) and not _tells_of_another(shown, detail)
    return _ask("description", detail, shown=shown, kind=kind) if described else ""


def term_question(term: str, detail: str, *, glossary: bool = False, counted: bool | None = None) -> str:
    """Return the question what a term is, "" if its detail does not define it.

    ``term`` is in lower case unless it is a name. A single common word is a term only in a glossary. ``counted`` says
    whether the documents write it with "a"; without it, the definition tells.

    Example:
        >>> term_question("access token", "A short-lived key."), term_question("make introductions", "A round.")
        ('What is an access token?', '')
    """
    if not (describes(detail) and is_term(term)) or _tells_of_another(term, detail):
        return ""  # "A role is given …" below "Inheritance of privileges"
    words = term.split()
    if not PATTERNS["acronym_alone"].match(term) and not _names_thing(words, glossary=glossary):
        return ""
    if counted is None:
        last = _head(term)
        common = term[0].islower() or (len(words) > 1 and words[-1].islower() and is_noun(last))
        counted = common and not last.endswith("ing") and bool(re.match(r"(?i)(?:an?|any|one of)\s", detail))
    one = " ".join([*words[:-1], singular(words[-1])])
    return _ask("term", f"{term}|{one}: {detail}", counted="yes" if counted else "")


def _names_thing(words: Sequence[str], *, glossary: bool) -> bool:
    """Check whether a term is a name or a noun, and no task, heading or common word outside of a glossary."""
    first, head = words[0].lower(), _head(" ".join(words))
    if words[0][0].isupper():
        return len(words) == 1 or not all(is_word(word) and word[0].isupper() for word in words)
    task = is_base_verb(first) and not is_noun(first)
    common = len(words) == 1 and not glossary and is_word(words[0])
    return not common and not task and is_noun(singular(head)) and len(words) <= 3


def _head(term: str) -> str:
    """Return the noun of a term, in lower case: "inheritance" for "Inheritance of privileges"."""
    words = term.lower().split()
    return next((words[n] for n, after in enumerate(words[1:]) if after in WORDS["after_head_noun"]), words[-1])


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
    about = PATTERNS["tells_of"].match(detail)
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


def _is_third_person(opening: str) -> bool:
    """Check whether two words open as what a thing does: "removes the", not "attacks that"."""
    word, *after = re.findall(r"[a-z]+", opening.lower())
    if is_noun(word) and not (after and after[0] in WORDS["opens_object"]):
        return False
    verb = lemma_of(word, "VERB")
    return word.endswith("s") and verb != word and is_base_verb(verb) and inflected(verb, "VBZ") == word


# ---- what the forms are written with ---------------------------------------------------------------


def _is_topic(text: str) -> bool:
    """Check whether a heading names what a text is about, and needs no article: "account security", "use of logos"."""
    words = text.lower().split()
    if not 1 < len(words) <= _MAX_TOPIC_WORDS or PATTERNS["no_plain_topic"].search(text):
        return False
    first, head = words[0], _head(text)
    verb = is_base_verb(first) and (not is_noun(first) or not is_noun(singular(words[1])))
    if verb or first.endswith("ing") or not is_noun(singular(head)):
        return False
    return head not in WORDS["no_topics"] and (_is_plural(head) or bool(PATTERNS["uncounted"].search(head)))


def _is_matter(text: str) -> bool:
    """Check whether a policy may rule on what a heading names: a topic, a single noun, or doing something."""
    plain = _several(text).replace(",", "")
    words = plain.lower().split() or [""]
    if len(words) > _MAX_TOPIC_WORDS or PATTERNS["no_plain_topic"].search(plain):
        return False
    head = words[-1]
    single = len(words) == 1 and (_is_plural(head) or bool(PATTERNS["uncounted"].search(head)))
    return head not in WORDS["no_topics"] and (_is_doing(text) or single or _is_topic(plain))


def _is_doing(text: str) -> bool:
    return bool(re.match(r"\w+ing\b", text)) and is_base_verb(lemma_of(text.lower().split()[0], "VERB"))


def _several(text: str) -> str:
    """Return a heading as a policy speaks of it: "parking and tolls" for "parking, tolls", "breaks" for "break"."""
    text = _listed(text)
    *before, last = text.split(" ")
    counted = before and last.islower() and is_noun(last) and not PATTERNS["uncounted"].search(last)
    if not counted or _is_doing(text) or _is_plural(last) or _head(text) != last:
        return text
    return " ".join([*before, inflected(last, "NNS")])


def _listed(text: str) -> str:
    return text if " and " in text else re.sub(r",(?= [\w ]+$)", " and", text)


def _is_noun_phrase(text: str) -> bool:
    """Check whether a title is a noun with what describes it, which may be called a policy: "Remote work"."""
    first, *_, last = (text.lower().split() * 2)[: max(2, len(text.split()))]
    opens = is_only_verb(first) or first in WORDS["small_words"]
    return not opens and is_noun(singular(last)) and last not in WORDS["no_topics"] | WORDS["no_policies"]


def _is_plural(text: str) -> bool:
    last = text.split()[-1]
    return not last.isupper() and singular(last.lower()) != last.lower()


def _base(verb: str) -> str:
    return lemma_of(verb.lower(), "VERB")


_ask = Asker(
    ENGLISH,
    tests={
        "amount": quantity,
        "base_verb": lambda text: is_base_verb(text.lower()),
        "matter": _is_matter,
        "named_or_short": lambda text: len(text.split()) <= 2,
        "noun_phrase": _is_noun_phrase,
        "only_verb": is_only_verb,
        "plural": _is_plural,
        "question": _is_question,
        "ruled": rules_on,
        "subject": _is_subject,
        "task": _task,
        "third_person": _is_third_person,
        "topic": _is_topic,
        "verb_phrase": _is_verb_phrase,
    },
    shapes={
        "a": lambda text, names: indefinite(text) + text,
        "all_of": _all_of,
        "auxiliary": lambda text, names: "do" if _base(text) == text else "does",
        "bare": _bare,
        "base": lambda text, names: _base(text),
        "third": lambda text, names: inflected(_base(text), "VBZ"),
        "be": lambda text, names: "are" if _is_plural(text.split(" of ")[0]) else "is",
        "capital": lambda text, names: text.capitalize(),
        "do": lambda text, names: "do" if _is_plural(text) else "does",
        "first": lambda text, names: text.partition(" ")[0].lower(),
        "inside": _inside,
        "flat": lambda text, names: text.replace(" (", ", ").replace(")", ""),
        "head": lambda text, names: _head(text),
        "lower": lambda text, names: text.lower(),
        "plain": plain_case,
        "rules": lambda text, names: rules_on(text, names).removeprefix("under "),
        "several": lambda text, names: _several(text),
        "singular": lambda text, names: singular(text),
        "small": lambda text, names: _small(text),
        "task": lambda text, names: plain_case(_task(text) or text, names),
    },
)
"""Writes the question of a text by the forms of its kind."""
