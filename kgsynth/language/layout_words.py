"""Words that say what a piece of layout is: a lead into a list, a task, a note, a default, a condition."""

from __future__ import annotations

import re

from kgsynth.language.words import has_cjk, words

# Words that say what a piece of layout is: a lead into a list, a task, a note, the default of a parameter.
#
# Each list holds the words of several languages, as in ``shared_words``.

_TASK_TITLE = re.compile(
    r"^(?:how (?:to|do (?:i|you|we)|can (?:i|you|we))\b|[a-z]{3,}ing\b(?! (?:of|is|are|was)\b)|to [a-z]+ )"
    r"|\b(?:steps|step process|procedure|instructions|do the following)\b|^(?:如何|怎[么样麼樣])|步[骤驟]",
    re.IGNORECASE,
)
_TO_DO = re.compile(
    r"^(?:in order )?to [a-z]+ |^how (?:to|do (?:i|you|we)|can (?:i|you|we)) |^(?:如何|怎[么样麼樣])", re.IGNORECASE
)
_AS_FOLLOWS = re.compile(r"\bas follows\W*$", re.IGNORECASE)
_ON_OFF = re.compile(r"^(?:true|false|yes|no|on|off|null|~)$", re.IGNORECASE)
_CHOICES = re.compile(r"\b(?:one of|options?|ways?|either|alternatives?|propose[ds]?)\b", re.IGNORECASE)
_OPPOSED_HEADS = frozenset(
    frozenset(pair.split("/"))
    for pair in ("pros/cons", "advantages/disadvantages", "do/don't", "dos/don'ts", "优 点/缺 点", "优 势/劣 势")
)
_SAYS_STEPS = re.compile(r"\b(?:steps|step process|do the following|instructions)\b|步[骤驟]", re.IGNORECASE)
_NO_TO_DO = frozenset(  # words with which no instruction begins
    "the a an it its you your we our they their he she his her i my this that these those there if when while because "
    "for in on at as all any each no some most and or what who which why how both every to is are was has have".split()
)
_SAYS_NOTHING = frozenset(
    "the a an of in on at to for from by with and or as is are was be been it its this that these those they them he "
    "she we you i our your their there here such so thus also then when if which who what will would can could may "
    "might must should shall do does did has have had not following follows below above include includes including "
    "included mean means meant example examples instance instances e g i e eg ie namely specifically case cases thing "
    "things way ways happen happens follow apply applies because some few several many more other others step steps "
    "note example's particular important interest addition just only following are did all both each possible "
    "one two three four five six seven however therefore hence again like say says let's us lets consist consists of "
    "instructions required optional".split()
)
_EMPTY_LEAD = re.compile(
    r"^(?:(?:例如|比如|比方说|举例来说|举个例子|也就是说|换句话说|即|这意味着|如下|如下所示|包括|其中包括|具体来说|步骤如下"
    r"|具体如下|请注意)[,，]?)+$"
)
_POINTS_BACK = re.compile(
    r"^(?:(?:when|if|for|in|with|after|before|by|from|because|once|since|while|as|on|at|to \w+),? )?"
    r"(?:(?:this|that|these|those|such)\b(?! (?:page|guide|chapter|section|document|article|post|pep|rfc|are)\b)"
    r"|(?:it|they|he|she)\b)|^(?:这|那|它)",
    re.IGNORECASE,
)
_NOTE_WORDS = dict.fromkeys(
    ("note", "notes", "nb", "n b", "info", "注意", "说明", "說明", "备注", "備註", "注", "註"), "note"
)
_NOTE_WORDS |= dict.fromkeys(("warning", "caution", "danger", "attention", "警告", "危险"), "warning")
_NOTE_WORDS |= dict.fromkeys(("important", "重要"), "important") | dict.fromkeys(
    ("tip", "hint", "提示", "小贴士"), "tip"
)
_NOTE_WORDS |= dict.fromkeys(("deprecated", "已弃用", "已棄用", "弃用", "棄用", "废弃"), "deprecated")
_LABEL_WORD = re.compile(
    r"^\W*(?:q|a|questions?|answers?|examples?|e\.?g|i\.?e|for example|see also|update|edit|todo|tl;?dr"
    r"|问|答|示例|例子|例如|例|(?:every |each |on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|once a \w+(?:\W.*)?|every \w+ \w+)\W*$",
    re.IGNORECASE,
)
_ANY_LETTER = re.compile(r"[^\W\d_]")
_CHANGELOG = re.compile(
    r"\b(?:changes?|change ?log|changed|histor(?:y|ies)|releases?|release notes|what.?s new|news)\b"
    r"|更新|变更|變更|发布|發布|历史|歷史",
    re.IGNORECASE,
)
_ASKING = (
    r"(?:how|what|where|when|who|whose|why|which|can|could|do|does|did|is|are|was|were|should|will|would|may|must|am"
    r"|have|has)"
)
_ASKS = re.compile(
    rf"^{_ASKING}\b|^(?:如何|怎[么样麼樣]|[为為]什[么麼]|[什甚][么麼]|哪[里裡]|[谁誰]|何[时時]|在哪)", re.IGNORECASE
)
_QUESTION_STEM = re.compile(r"^(?P<stem>\S.*?)\s*(?:\.{3}|…+)\s*[?？:：]?\s*$")

_VALUE_PHRASE = (
    r"(?!(?:that|to|not|whether|used|set|also|still|always|now|是否)\b)"
    r"(?P<value>\"[^\"\n]{0,60}\"|[\[{][^\n\[\]{}]{0,40}[\]}]|(?:[^\n,;，。；()（）]|\(\)){1,60}?)"
    r"(?=\s*(?:$|[,;，。；)）]|[.!](?:\s|$))|\s+(?:[(（]|(?:if|when|unless|and|but|or|for|on|in|which|where|so|because|as|"
    r"meaning|though|although|with)\b))"
)
_CLAUSE_START = r"(?:^|(?<=[.;,(\[。；，（]))\s*"
_NEED_WORD = r"(?P<value>[Rr]equired|[Oo]ptional|必填|必需|必选|可选)"
LOOSE_END = re.compile(r"[\s.;,；，。、]+(?:(?:and|or|以及|或者|和|或)[\s;,；，、]*)?$")
"""What joins the member of a list to the next one."""

WRITTEN_OUT = re.compile(
    r"^(?:(?:is |it is |an? )?(?:short for|(?:abbreviation|acronym) (?:of|for))|(?:it )?stands for|means)\s+(?=\S)",
    re.IGNORECASE,
)
"""What an entry of a glossary has before the words that an acronym stands for."""

PARAMETER_TRAITS = {
    "default": (
        re.compile(
            r"(?P<head>\b[Dd]efaults to|(?<![Bb]y )\b[Dd]efault(?: value)?:"
            r"|\b(?:[Tt]he|[Ii]ts|[Ww]hose) default(?: value)? is"
            rf"|默认(?:值)?(?:为|是|：|:))\s*(?!\w+ed\b){_VALUE_PHRASE}"
        ),
    ),
    "type": (re.compile(rf"{_CLAUSE_START}(?P<head>[Tt]ype(?: is|:|\s?=)|类型(?:为|是|：|:))\s*{_VALUE_PHRASE}"),),
    "since": (
        re.compile(
            r"(?:^|[.;,(\[–-]\s*)(?P<head>(?:[Aa]dded|[Ii]ntroduced|[Nn]ew) in(?: [Vv]ersion)?)\s+"
            r"(?P<value>(?:[A-Z][\w-]+ )?v?\d+(?:\.\d+)+)(?=[.)\]\s]*$)"
        ),
    ),
    "required": (
        re.compile(
            rf"^\s*[(\[（](?:[^()\[\]（）]{{0,40}}[,，;]\s?)?(?P<head>{_NEED_WORD})(?:[,，;][^()\[\]（）]{{0,40}})?[)\]）]"
        ),
        re.compile(rf"[(（](?P<head>{_NEED_WORD})[)）](?=\s*(?:[.,;:。，；：]|$))"),
        re.compile(rf"{_CLAUSE_START}(?P<head>{_NEED_WORD})(?=\s*(?:[.;。；]|$))"),
    ),
}
"""From a trait of a parameter to the patterns that name it: ``head`` is the naming word, ``value`` what it says."""


def names_task(title: str) -> bool:
    """Check whether a heading, or the sentence before a list, names something to do.

    Example:
        >>> [names_task(title) for title in ("How to rotate a key", "Rotating keys", "Follow these steps:", "Keys")]
        [True, True, True, False]
    """
    return bool(_TASK_TITLE.search(title))


def announces_steps(lead: str) -> bool:
    """Check whether the sentence before a list says that steps follow.

    Example:
        >>> announces_steps("The steps are:"), announces_steps("There are two drawbacks:")
        (True, False)
    """
    return bool(_SAYS_STEPS.search(lead))


def gives_order(item: str) -> bool:
    """Check whether an item may tell someone what to do: its first word is one that an instruction can begin with.

    Example:
        >>> gives_order("Revoke the old key."), gives_order("The key is old."), gives_order("撤销旧密钥")
        (True, False, True)
    """
    first = words(item)[:1]
    return bool(first) and (has_cjk(first[0]) or first[0].partition("'")[0] not in _NO_TO_DO)


def is_order(lead: str) -> bool:
    """Check whether a sentence before a list names a task: "To rotate a key:", "Rotate a key as follows:".

    Example:
        >>> [is_order(lead) for lead in ("To rotate a key:", "Rotating keys is hard:", "To win, use one of these:")]
        [True, False, False]
    """
    told = _TO_DO.match(lead) or (_AS_FOLLOWS.search(lead) and gives_order(lead))
    return bool(told) and not _CHOICES.search(lead)


def are_opposites(one: str, other: str) -> bool:
    """Check whether two heads divide a list in two, so that the cells of a row are unrelated.

    Example:
        >>> are_opposites("Pros", "Cons"), are_opposites("In scope", "Not in scope"), are_opposites("Name", "Use")
        (True, True, False)
    """
    pair = [" ".join(words(head)) for head in (one, other)]
    return frozenset(pair) in _OPPOSED_HEADS or pair[1] == f"not {pair[0]}"


def says_nothing(lead: str) -> bool:
    """Check whether a lead needs the text before it to say what its list lists.

    Example:
        >>> [says_nothing(lead) for lead in ("For instance:", "That means:", "The server emits:", "例如：")]
        [True, True, False, True]
    """
    bare = lead.strip().rstrip(":：").strip()
    if has_cjk(bare):
        return bool(_EMPTY_LEAD.match(bare))
    return _SAYS_NOTHING.issuperset(words(bare))


def points_back(lead: str) -> bool:
    """Check whether a sentence opens with a word that stands for something before it.

    Example:
        >>> [points_back(lead) for lead in ("It needs:", "When this happens:", "In this guide:", "A key has:")]
        [True, True, False, False]
    """
    return bool(_POINTS_BACK.match(lead))


def names_thing(term: str) -> bool:
    """Check whether a word in front of a text can be a term: it has a letter, and is not just a label, note or day.

    Example:
        >>> [names_thing(term) for term in ("timeout", "<", "Q", "Note", "Wednesdays", "密钥")]
        [True, False, False, False, False, True]
    """
    return bool(_ANY_LETTER.search(term)) and not _LABEL_WORD.match(term) and not note_name(term)


def names_changes(title: str) -> bool:
    """Check whether a title announces a list of changes.

    Example:
        >>> names_changes("Release notes"), names_changes("CHANGELOG"), names_changes("Plan")
        (True, True, False)
    """
    return bool(_CHANGELOG.search(title))


def question_stem(title: str) -> str:
    """Return the beginning of a question that the headings below complete, "" for other titles.

    Example:
        >>> question_stem("How do I...?"), question_stem("If you are..."), question_stem("Keys")
        ('How do I', '', '')
    """
    match = _QUESTION_STEM.match(title)
    return match["stem"] if match and _ASKS.match(title) else ""


def asks_itself(title: str) -> bool:
    """Check whether a title is a question with its question word.

    Example:
        >>> asks_itself("Who works here?"), asks_itself("Use the printers?")
        (True, False)
    """
    return bool(_ASKS.match(title)) and title.rstrip().endswith(("?", "？"))


def is_switch(value: str) -> bool:
    """Check whether the value of a field turns something on or off.

    Example:
        >>> is_switch("true"), is_switch("Final")
        (True, False)
    """
    return bool(_ON_OFF.match(value))


def note_name(opening: str) -> str:
    """Return which kind of note a word opens, "" for none.

    Example:
        >>> note_name("Note:"), note_name("警告："), note_name("Ada:")
        ('note', 'warning', '')
    """
    word = re.sub(r"\W+", " ", opening).strip().lower()
    return _NOTE_WORDS.get(word, "")


# Words that open a condition or an exception: if, unless, except, provided that.
#
# Each list holds the words of several languages, as in ``layout_words``.

_CONDITION = re.compile(
    r"\b(?:if|unless|except(?:ion)?s?|otherwise|provided that|as long as|only (?:when|after|for)|in case|even if|"
    r"must not|not (?:apply|eligible|allowed)|eligible"
    r"|wenn|falls|sofern|außer|es sei denn|ausnahmen?|ansonsten|andernfalls"
    r"|sauf|à moins|à condition|lorsque|sinon|en cas d[e']|exceptions?"
    r"|a menos que|salvo|excepto|siempre que|en caso de|excepción|a menos|exceto|desde que|caso contrário|exceção"
    r"|a meno che|eccetto|purché|altrimenti|in caso di|eccezion[ei]"
    r"|tenzij|indien|behalve|mits|anders|uitzondering(?:en)?"
    r"|jeśli|jeżeli|chyba że|oprócz|wyjątek|såvida|förutom|undantag|medmindre|undtagen|hvis|dersom"
    r"|если|кроме|за исключением|при условии|иначе|якщо|крім|εάν|αν|εκτός|εφόσον|διαφορετικά|eğer|hariç|istisna"
    r"|إذا|إلا|باستثناء|यदि|अगर|सिवाय)\b"
    r"|如果|若|除非|否则|除了|除外|例外|只有|假如|倘若|必须|もし|場合|ただし|以外|除き|경우|만약|제외|않으면",
    re.IGNORECASE,
)


def count_conditions(text: str) -> int:
    """Return how many words of a text open a condition or an exception.

    Example:
        >>> count_conditions("If you are ill, stay at home, unless you feel well."), count_conditions("除非下雨")
        (2, 1)
    """
    return sum(1 for _ in _CONDITION.finditer(text))
