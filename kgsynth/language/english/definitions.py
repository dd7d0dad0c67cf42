"""Sentences that say what a thing is, by their form alone: "A shard is a part of …"; names side by side."""

from __future__ import annotations

import re

from kgsynth.language.english.headings import bare_title
from kgsynth.language.english.morphology import is_base_verb, is_noun, is_word, lemma_of, singular

_CALLABLE = "()"
"""The kind of a thing in code whose description begins with a verb: "Returns the value."."""

_NAME_WORD = r"[\w./+#'’-]+"
_DEFINED_NAME = rf"(?P<name>(?:(?:An?|The) )?{_NAME_WORD}(?: {_NAME_WORD}){{0,3}}?)(?: \([^()]{{1,40}}\))?"
_IS = re.compile(
    rf"^{_DEFINED_NAME} (?:is|are|was|were) (?:an? |any |the (?!same|only|most|last|first|best|one)|"
    rf"(?=(?:[\w-]+ ){{1,4}}(?:that|which|where|used|designed)\b))"
    r"(?P<what>.+)$"
)
_DOES = re.compile(
    rf"^{_DEFINED_NAME} (?P<verb>means|refers to|occurs? when|happens? when|(?:let|allow|enable)s?|is used to|"
    rf"are used to|stores?|represents?|describes?|consists? of|contains?|provides?) (?P<what>.+)$"
)
_ENTRY = re.compile(rf"^{_DEFINED_NAME}: (?:An?|The|Any) (?P<what>[\w-]+ .+)$")
_ODD_NAME = re.compile(
    r"(?i)^(?:(?:an?|the) )?(?:this|that|these|those|it|they|he|she|we|you|i|there|here|what|which|who|how|when|"
    r"where|why|if|since|because|however|remember|please|while|although|though|even|usually|typically|finally|"
    r"functionally|in|on|at|for|with|to|as|by|one|another|both|all|some|each|every|most|many|more|following|above|"
    r"below|first|second|third|next|other|same|only|main|reason|goal|purpose|idea|result|problem|question|answer|"
    r"examples?|note|section|document|page|chapter|guide|also|so|but|and|or|now|then|our|my|your|its|their|his|her|"
    r"no|not|such|current|best|last|returns?|default|important|see|good|bad|\W*\d+)\b(?![-])|\b(?:of|that|which|who|"
    r"whether|when|and|or|is|are|in|for|to|with|also|itself|on|by|there|this|if)\b|['’]s\b|(?<=\w )the\b|^.?$"
)
_JUDGEMENT = re.compile(
    r"(?i)^(?:.*\bmost\b|(?:very|quite|rather|really|extremely)\b|(?:(?:very|quite|rather|really|extremely|also|"
    r"more|most|just|still|good|great|excellent|special|critical|crucial|key|important|essential|major|big|common|"
    r"popular|powerful|useful|simple|short|different|bit|similar|pretty) )*(?:example|introduction|way|part|case|"
    r"idea|problem|question|reason|reminder|must|shame|result|good|great|critical|special|important|common|lot|bit|"
    r"requirement|step|priority|concern|team|group|full)\b)"
)
_OPENING_WORDS = re.compile(r"^(?P<word>[A-Z][a-z]+) (?P<next>\S+) \S")
_CLAUSE_VERB = re.compile(r"(?i)\b(?:is|are|was|were|can|must|should|will|may|has|have|does|do|you|we|i)\b")
_MAX_KIND_WORDS = 6  # up to the noun that says what kind of thing something is
_TYPES_OF_DATA = frozenset("string number integer float boolean value".split())
"""What a thing is written as, which does not say what it is."""
_TAKES_ARGUMENTS = re.compile(r"\b(?:takes|accepts|requires|expects) (?:[\w-]+ ){0,3}(?:arguments?|parameters?)\b")
_LIKENS = frozenset({"Like", "Same", "Similar", "Identical"})
_OBJECT_OPENERS = frozenset("a an the all any each every one whether if".split())
_CODE_TITLE = re.compile(r"[\w.:/-]+(?:\(\))?|[A-Z][A-Z\d-]+(?: [A-Z\d-]{2,}){1,2}")
_ADJECTIVES = re.compile(r"^(?:[\w-]+, )+(?=[\w-]+ [\w-]+)")
_PARTICIPLE_AFTER_NOUN = re.compile(r"(?<=[a-z]) \w+ed (?=\w)")
_SORT_OF = re.compile(
    r"(?i)\b(?:types?|kinds?|forms?|sorts?|variants?|class|subset|piece|series|one) of (?:an? |the )?"
)
_END_OF_HEAD = re.compile(
    r"(?i),|\.|;|:|\s(?:of|that|which|who|whose|where|when|for|to|in|on|with|used|using|designed|written|containing|"
    r"by|from|as|between|at|and|or|you|made|created|made|given|called|without|into|across|within|whereby|\(.*)(?:\s|"
    r"$)"
)
_BESIDE = re.compile(
    r"(?i)^[\"'”’)`]?(?:,| ?/|,? (?:and|or|nor|vs\.?|versus|rather than|instead of)) ?(?:an? |the )?[\"'“‘(`]?$"
)
_CONTRAST = re.compile(
    r"(?i)\b(?:differ\w*|unlike|whereas|instead of|rather than|compar\w+|contrast\w*|vs\.?|versus|opposed|distin\w+|"
    r"similar\w*|same|identical|likewise)\b"
)


def definition(sentence: str, title: str = "") -> tuple[str, str]:
    """Return what a sentence defines and the kind of thing it is, ("", "") for no definition.

    A ``title`` is the heading that the sentence follows; its name may be plain with any article. An entry of a glossary
    is "term: a thing that …".

    Example:
        >>> definition("A sorted set is a collection of unique strings, each with a score.")
        ('a sorted set', 'collection')
        >>> definition("This is a collection."), definition("The key is the name.")
        (('', ''), ('', ''))
    """
    text = " ".join(sentence.split())
    match = _ENTRY.match(text)
    if match is None or match["name"] in match["what"]:  # "flag: The flag takes …" is a clause
        match = _IS.match(text)
    if match is None or not _names(match["name"], title):
        match = _DOES.match(text)
        if match is None and _is_code(title):
            return (title, _CALLABLE) if _describes(text) else ("", "")
        if match is None or not (title and _same(match["name"], title)) or _ODD_NAME.search(match["name"]):
            return "", ""
        return _shown(match["name"]), lemma_of(match["verb"].split()[0], "VERB")
    kind = _kind(match["what"])
    return (_shown(match["name"]), kind) if kind else ("", "")


def beside(between: str) -> bool:
    """Check whether the text between two names sets them side by side: "and", "or", "vs.", a comma.

    Example:
        >>> beside(" and the "), beside(" runs on ")
        (True, False)
    """
    return bool(_BESIDE.match(between))


def _is_code(title: str) -> bool:
    """Check whether a heading is nothing but a name in code, such as that of a function or a command."""
    return bool(_CODE_TITLE.fullmatch(title)) and (title.isupper() or not is_word(title.lower()))


def _describes(text: str) -> bool:
    """Check whether a sentence says what a thing in code is or does: "Returns the value.", "Time limit in seconds."."""
    match = _OPENING_WORDS.match(text)
    if match is None or match["next"].endswith(":") or match["word"] in _LIKENS or _TAKES_ARGUMENTS.search(text):
        return False
    word = match["word"].lower()
    base = lemma_of(word, "VERB")
    if is_base_verb(base) and (base != word or not is_noun(word) or match["next"] in _OBJECT_OPENERS):
        return True
    return not _ODD_NAME.match(word) and not _CLAUSE_VERB.search(text)


def _names(name: str, title: str) -> bool:
    """Check whether a subject names a thing by itself, and not one of the text around it ("the key")."""
    if _ODD_NAME.search(name):
        return False
    definite = name.startswith("The ") and not re.search(r"[A-Z\d_.]", name[4:])
    return not definite or _same(name, title)


def _same(name: str, title: str) -> bool:
    def words(text: str) -> list[str]:
        return [
            singular(word.lower()) for word in re.findall(_NAME_WORD, re.sub(r"(?i)^(?:an?|the) |\([^)]*\)", "", text))
        ]

    return words(name) == words(bare_title(title))


def _shown(name: str) -> str:
    """Return a name at the start of a sentence as it is inside one; only the article loses its capital."""
    return re.sub(r"^(?:An?|The)(?= )", lambda match: match[0].lower(), name)


def _kind(what: str) -> str:
    """Return the noun that says what kind of thing something is, "" for a judgement on it."""
    text = _SORT_OF.sub("", what.strip(), count=1)
    if _JUDGEMENT.match(text):
        return ""
    text = _ADJECTIVES.sub("", text)
    ends = [match.start() for match in (_PARTICIPLE_AFTER_NOUN.search(text), _END_OF_HEAD.search(text)) if match]
    head = text[: min(ends, default=len(text))].split()
    if not head or len(head) > _MAX_KIND_WORDS or is_base_verb(text):
        return ""
    noun = singular(head[-1].strip("\"'()").lower())
    return noun if is_noun(noun) and noun not in _TYPES_OF_DATA else ""
