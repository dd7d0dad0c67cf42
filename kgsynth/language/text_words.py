"""What a text of any language says about itself: steps, a note, a condition, a pointer, a part of a text, yes or no.

The words are those of ``any.toml``, which has several languages, also ones without a package: a file whose language is
not known yet is read with all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from kgsynth.language.lexicon import Lexicon
from kgsynth.language.words import has_cjk, words

ANY = Lexicon(Path(__file__).with_name("any.toml"))
NOTE_KINDS = ("note", "warning", "important", "tip", "deprecated")
PARAMETER_TRAITS = {
    "default": ("default_value",),
    "type": ("type_of_value",),
    "since": ("since_version",),
    "required": ("need_in_brackets", "need_in_parentheses", "need_alone"),
}
"""From a trait of a parameter to the patterns that name it: ``head`` is the naming word, ``value`` what it says."""

# ---- tables and reports ----------------------------------------------------------------------------


def names_rows(corner: str) -> bool:
    """Check whether the head of the column that names the rows says nothing of what they are: "Name"."""
    return corner.strip(" :.#").lower() in ANY.words["naming_heads"]


def reporter(title: str, text: str = "", known: Sequence[str] = ()) -> str:
    """Return who a report is of, "" if nothing says it.

    It is the company in its title or named most in its text, also twice, or its title without other words; otherwise
    the one of those ``known`` from other reports whose first word its text has most often.

    Example:
        >>> reporter("Acme trading statement Q1 2025"), reporter("Report to 31 May 2023")
        ('Acme', '')
        >>> reporter("北风公司2023年年度报告")
        '北风公司'
        >>> reporter("Annual report 2023", "Acme Pumps Inc. grew. Acme Pumps Inc. makes pumps. Bolt AG left.")
        'Acme Pumps Inc.'
        >>> reporter("First half of 2023", "At Acme, sales grew. Bolt AG left.", ["Acme Pumps Inc.", "Cord SE"])
        'Acme Pumps Inc.'
    """
    named = Counter(match[0] for match in ANY.patterns["company"].finditer(f"{title}\n{text}"))
    most = max(named.values(), default=0)
    if most > 1 or ANY.patterns["company"].search(title):
        return next(name for name in named if named[name] == most)
    left = " ".join(ANY.patterns["report_words"].sub(" ", title).split()).strip(" -–—:,|·()（）")
    left = ANY.patterns["report_joint"].sub("", ANY.patterns["report_joint"].sub("", left)).strip()
    told = max(known, key=lambda name: text.count(name.split()[0]), default="")
    if left in f"{title}\n{text}" and left:
        return left
    return told if told.partition(" ")[0] in text else ""


def part_of_year(kind: str, titles: Iterable[str]) -> bool:
    """Check whether a column that is headed by a year is about a part of it, by what stands above its table."""
    return kind == "year" and any(map(ANY.patterns["half_or_quarter"].search, titles))


# ---- lists, notes and conditions -------------------------------------------------------------------


def names_task(title: str) -> bool:
    """Check whether a heading, or the sentence before a list, names something to do.

    Example:
        >>> [names_task(title) for title in ("How to rotate a key", "Rotating keys", "Follow these steps:", "Keys")]
        [True, True, True, False]
    """
    return bool(ANY.patterns["task_title"].search(title))


def announces_steps(lead: str) -> bool:
    """Check whether the sentence before a list says that steps follow.

    Example:
        >>> announces_steps("The steps are:"), announces_steps("There are two drawbacks:")
        (True, False)
    """
    return bool(ANY.patterns["says_steps"].search(lead))


def gives_order(item: str) -> bool:
    """Check whether an item may tell someone what to do: its first word is one that an instruction can begin with.

    Example:
        >>> gives_order("Revoke the old key."), gives_order("The key is old."), gives_order("撤销旧密钥")
        (True, False, True)
    """
    first = words(item)[:1]
    return bool(first) and (has_cjk(first[0]) or first[0].partition("'")[0] not in ANY.words["no_to_do"])


def is_order(lead: str) -> bool:
    """Check whether a sentence before a list names a task: "To rotate a key:", "Rotate a key as follows:".

    Example:
        >>> [is_order(lead) for lead in ("To rotate a key:", "Rotating keys is hard:", "To win, use one of these:")]
        [True, False, False]
    """
    told = ANY.patterns["to_do"].match(lead) or (ANY.patterns["as_follows"].search(lead) and gives_order(lead))
    return bool(told) and not ANY.patterns["choices"].search(lead)


def are_opposites(one: str, other: str) -> bool:
    """Check whether two heads divide a list in two, so that the cells of a row are unrelated.

    Example:
        >>> are_opposites("Pros", "Cons"), are_opposites("In scope", "Not in scope"), are_opposites("Name", "Use")
        (True, True, False)
    """
    pair = [" ".join(words(head)) for head in (one, other)]
    opposed = {"/".join(pair), "/".join(reversed(pair))} & ANY.words["opposed_heads"]
    return bool(opposed) or pair[1] == f"not {pair[0]}"


def says_nothing(lead: str) -> bool:
    """Check whether a lead needs the text before it to say what its list lists.

    Example:
        >>> [says_nothing(lead) for lead in ("For instance:", "That means:", "The server emits:", "例如：")]
        [True, True, False, True]
    """
    bare = lead.strip().rstrip(":：").strip()
    if has_cjk(bare):
        return bool(ANY.patterns["empty_lead"].match(bare))
    return ANY.words["says_nothing"].issuperset(words(bare))


def points_back(lead: str) -> bool:
    """Check whether a sentence opens with a word that stands for something before it.

    Example:
        >>> [points_back(lead) for lead in ("It needs:", "When this happens:", "In this guide:", "A key has:")]
        [True, True, False, False]
    """
    return bool(ANY.patterns["points_back"].match(lead))


def names_thing(term: str) -> bool:
    """Check whether a word in front of a text can be a term: it has a letter, and is not just a label, note or day.

    Example:
        >>> [names_thing(term) for term in ("timeout", "<", "Q", "Note", "Wednesdays", "密钥")]
        [True, False, False, False, False, True]
    """
    return bool(re.search(r"[^\W\d_]", term)) and not ANY.patterns["label_word"].match(term) and not note_name(term)


def names_changes(title: str) -> bool:
    """Check whether a title announces a list of changes.

    Example:
        >>> names_changes("Release notes"), names_changes("CHANGELOG"), names_changes("Plan")
        (True, True, False)
    """
    return bool(ANY.patterns["changelog"].search(title))


def question_stem(title: str) -> str:
    """Return the beginning of a question that the headings below complete, "" for other titles.

    Example:
        >>> question_stem("How do I...?"), question_stem("If you are..."), question_stem("Keys")
        ('How do I', '', '')
    """
    match = ANY.patterns["question_stem"].match(title)
    return match["stem"] if match and ANY.patterns["asks"].match(title) else ""


def asks_itself(title: str) -> bool:
    """Check whether a title is a question with its question word.

    Example:
        >>> asks_itself("Who works here?"), asks_itself("Use the printers?")
        (True, False)
    """
    return bool(ANY.patterns["asks"].match(title)) and title.rstrip().endswith(("?", "？"))


def is_switch(value: str) -> bool:
    """Check whether the value of a field turns something on or off.

    Example:
        >>> is_switch("true"), is_switch("Final")
        (True, False)
    """
    return bool(ANY.patterns["on_off"].match(value))


def note_name(opening: str) -> str:
    """Return which kind of note a word opens, "" for none.

    Example:
        >>> note_name("Note:"), note_name("警告："), note_name("Ada:")
        ('note', 'warning', '')
    """
    word = re.sub(r"\W+", " ", opening).strip().lower()
    return next((kind for kind in NOTE_KINDS if word in ANY.words[kind]), "")


def count_conditions(text: str) -> int:
    """Return how many words of a text open a condition or an exception.

    Example:
        >>> count_conditions("If you are ill, stay at home, unless you feel well."), count_conditions("除非下雨")
        (2, 1)
    """
    return sum(1 for _ in ANY.patterns["condition"].finditer(text))


# ---- passages and their headings --------------------------------------------------------------------


def asks_reason(question: str) -> bool:
    """Check whether a question asks for a reason.

    Example:
        >>> asks_reason("Why should you use a queue?"), asks_reason("Who knows why?")
        (True, False)
    """
    return bool(ANY.patterns["asks_reason"].match(question))


def asks_condition(question: str) -> bool:
    """Check whether a question asks when something holds, or what holds or is done in a case that it names.

    Example:
        >>> asks_condition("When should you rebase?"), asks_condition("Can I fly if I am ill?")
        (True, True)
        >>> asks_condition("Is it?")
        False
    """
    return bool(ANY.patterns["asks_condition"].search(question)) and not ANY.patterns["asks_date"].match(question)


def points_on(text: str) -> bool:
    """Check whether a paragraph only sends the reader on to another text.

    Example:
        >>> points_on("See also: keys."), points_on("Continue to the next page."), points_on("Open the valve.")
        (True, True, False)
    """
    return bool(ANY.patterns["points_on"].match(text))


def is_set_aside(title: str) -> bool:
    """Check whether a heading says that the text below does not hold: it was rejected, is undecided, or is a story.

    Example:
        >>> is_set_aside("Rejected ideas"), is_set_aside("Open questions"), is_set_aside("Ideas")
        (True, True, False)
    """
    return bool(ANY.patterns["set_aside"].search(title))


def lacks_word(text: str) -> bool:
    """Check whether a word was left out of a text: a name that a template writes, a link without a text.

    Example:
        >>> lacks_word("Post in ."), lacks_word("Log in."), lacks_word("Ask the")
        (True, False, True)
        >>> lacks_word("按住 键时点击对象"), lacks_word("选择「 - 语言设置」"), lacks_word("按 Ctrl 键")
        (True, True, False)
    """
    return bool(ANY.patterns["blank"].search(text) or ANY.patterns["open_end"].search(text))


def is_part_of_text(title: str) -> bool:
    """Check whether a heading names a part of a text: its introduction, an example, what else there is to read.

    Example:
        >>> [is_part_of_text(title) for title in ("Introduction", "Further reading", "1. Notes", "Annual leave")]
        [True, True, True, False]
    """
    return bool(ANY.patterns["names_part"].match(member_name(title)))


def names_apparatus(title: str) -> bool:
    """Check whether a heading, or the name of a file, stands for what is around a text: references, licence, contents.

    Example:
        >>> [names_apparatus(title) for title in ("References", "LICENSE", "参考资料", "Drivers and licences", "Usage")]
        [True, True, True, False, False]
    """
    return bool(ANY.patterns["apparatus"].match(member_name(title.replace("_", " ").replace("-", " "))))


def member_name(title: str) -> str:
    """Return the part of a heading that names its matter, without number, label and marks around it.

    Example:
        >>> member_name("2. Use strong passwords:"), member_name("Risk 1: Loss of control"), member_name("7 ways")
        ('Use strong passwords', 'Loss of control', '7 ways')
    """
    found = title.strip()
    while match := ANY.patterns["label"].match(found):
        found = found[match.end() :]
    return found.strip(" .:：;,") or title.strip(" .:：;,")


# ---- answers and questions -------------------------------------------------------------------------


def says_yes_or_no(answer: str) -> bool:
    """Check whether an answer opens with yes, no, true or false.

    Example:
        >>> says_yes_or_no("Yes, twice."), says_yes_or_no("是的"), says_yes_or_no("Noon")
        (True, True, False)
    """
    return bool(ANY.words["yes_or_no"].intersection(words(answer)[:1]))


def says_yes(answer: str) -> bool:
    """Check whether an answer opens with yes or true.

    Example:
        >>> says_yes("Yes, twice."), says_yes("是的"), says_yes("No")
        (True, True, False)
    """
    return bool(ANY.words["yes"].intersection(words(answer)[:1]))


def offers_choice(question: str) -> bool:
    """Check whether a question names what to choose from.

    Example:
        >>> offers_choice("Is it red or green?"), offers_choice("What is it for?")
        (True, False)
    """
    return bool(ANY.patterns["choice"].search(question))


def has_scale_word(text: str) -> bool:
    """Check whether a text holds a word or letter that multiplies a number.

    Example:
        >>> has_scale_word("5k users"), has_scale_word("三万"), has_scale_word("five users")
        (True, True, False)
    """
    return bool(ANY.patterns["scale"].search(text))
