"""Words that may replace one another in a question: a small lexicon, made by hand.

``VERBS``, ``NOUNS`` and ``OTHERS`` have only pairs that keep meaning and grammar in every sentence; words with several
senses are missing ("launch a rocket", "launch a program"). ``RELATED`` has pairs that mean the same in some sentences:
good enough to search a text for them, but not to write with them.
"""

from __future__ import annotations

VERBS: dict[str, str] = {
    "aid": "help", "alter": "change", "amend": "change", "assist": "help", "begin": "start", "buy": "purchase",
    "commence": "begin", "compel": "force", "conceal": "hide", "construct": "build", "demolish": "tear down",
    "depict": "show", "disclose": "reveal", "discover": "find", "display": "show", "enhance": "improve",
    "ensure": "guarantee", "erect": "build", "exhibit": "show", "found": "establish", "guard": "protect",
    "halt": "stop", "harm": "hurt", "hinder": "impede", "impede": "hinder", "influence": "affect", "inspect": "examine",
    "manufacture": "make", "migrate": "move", "modify": "change", "monitor": "watch", "oversee": "supervise",
    "overthrow": "topple", "permit": "allow", "persuade": "convince", "postpone": "put off", "prohibit": "forbid",
    "purchase": "buy", "relocate": "move", "repair": "fix", "reside": "live", "restrict": "limit", "retain": "keep",
    "safeguard": "protect", "select": "choose", "shut": "close", "supervise": "oversee", "supply": "provide",
    "symbolise": "represent", "symbolize": "represent", "transport": "carry", "utilise": "use", "utilize": "use",
    "vanish": "disappear", "verify": "check",
}  # fmt: skip
"""Lemma of a verb -> a verb that takes the same objects and clauses, with its particle."""

NOUNS: dict[str, str] = {
    "alteration": "change", "assistance": "help", "author": "writer", "catastrophe": "disaster",
    "cemetery": "graveyard", "employee": "worker", "inhabitant": "resident", "movie": "film", "nation": "country",
    "outcome": "result", "physician": "doctor", "uprising": "revolt",
}  # fmt: skip
"""Lemma of a noun that is never a verb -> another that can be counted in the same way."""

OTHERS: dict[str, str] = {
    "additional": "extra", "enormous": "huge", "entire": "whole", "famous": "well-known", "huge": "enormous",
    "numerous": "many", "ongoing": "continuing", "predominantly": "mostly", "primarily": "mainly", "rapid": "fast",
    "rapidly": "quickly", "renowned": "famous", "usually": "normally", "wealthy": "rich",
}  # fmt: skip
"""Adjective or adverb -> one that can stand in the same position."""

RELATED: dict[str, str] = {
    "accomplish": "achieve", "acquire": "obtain", "advantage": "benefit", "aim": "goal", "almost": "nearly",
    "annual": "yearly", "annually": "every year", "ascend": "climb", "attain": "reach", "attempt": "try",
    "beginning": "start", "benefit": "advantage", "boundary": "border", "cease": "stop", "choose": "pick",
    "collect": "gather", "company": "firm", "compose": "write", "danger": "risk", "debate": "discussion",
    "demonstrate": "show", "depart": "leave", "diverse": "varied", "dwelling": "home", "earnings": "income",
    "emerge": "appear", "establish": "set up", "exceed": "surpass", "forbid": "prohibit", "forest": "woodland",
    "freedom": "liberty", "frequent": "common", "frequently": "often", "gather": "collect",
    "gradually": "step by step", "govern": "rule", "guideline": "rule", "harm": "damage", "hazard": "danger",
    "holiday": "vacation", "illustrate": "show", "income": "earnings", "indicate": "show", "inhabit": "live in",
    "initial": "first", "initially": "at first", "inspect": "check", "investigate": "look into", "journey": "trip",
    "launch": "start", "liberty": "freedom", "medieval": "of the Middle Ages", "mistake": "error", "nearly": "almost",
    "obstacle": "barrier", "obtain": "get", "occur": "happen", "often": "frequently", "portray": "depict",
    "prevent": "stop", "principal": "main", "propose": "put forward", "quickly": "fast", "reduce": "lower",
    "regulation": "rule", "residence": "home", "resident": "inhabitant", "resign": "step down", "reveal": "disclose",
    "revolt": "uprising", "salary": "pay", "scholar": "academic", "scientist": "researcher", "seek": "look for",
    "shortage": "lack", "subsequent": "later", "substantial": "considerable", "sufficient": "enough",
    "symbolise": "stand for", "symbolize": "stand for", "teacher": "instructor", "terminate": "end",
    "tiny": "very small", "vast": "huge", "vital": "crucial", "wages": "pay", "wealth": "riches", "whole": "entire",
    "yearly": "annual",
}  # fmt: skip
"""Lemma -> another that means the same in some sentences."""
