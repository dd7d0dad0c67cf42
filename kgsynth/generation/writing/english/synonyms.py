"""Words that may stand for one another in a question: a small hand-made lexicon, read literally from two columns.

Only pairs that keep the sense in nearly every sentence are in it; the words of trades (return, value, key, commit) are
not. What still goes wrong in a context, the encoder finds out later: see the filter ``faithful``.
"""

from __future__ import annotations

VERBS: dict[str, str] = {
    "accomplish": "achieve", "acquire": "obtain", "aid": "help", "alter": "change", "amend": "change",
    "ascend": "climb", "assist": "help", "attain": "reach", "attempt": "try", "begin": "start", "buy": "purchase",
    "cease": "stop", "choose": "pick", "collect": "gather", "commence": "begin", "compel": "force",
    "compose": "write", "conceal": "hide", "construct": "build", "demolish": "tear down", "demonstrate": "show",
    "depart": "leave", "depict": "portray", "disclose": "reveal", "discover": "find", "display": "show",
    "emerge": "appear", "enhance": "improve", "ensure": "guarantee", "erect": "build", "establish": "set up",
    "exceed": "surpass", "exhibit": "show", "forbid": "prohibit", "found": "set up", "gather": "collect",
    "govern": "rule", "guard": "protect", "halt": "stop", "harm": "damage", "hinder": "impede", "illustrate": "show",
    "impede": "hinder", "indicate": "show", "influence": "affect", "inhabit": "live in", "inspect": "check",
    "investigate": "look into", "launch": "start", "manufacture": "make", "migrate": "move", "modify": "change",
    "monitor": "watch", "obtain": "get", "occur": "happen", "oversee": "supervise", "overthrow": "topple",
    "permit": "allow", "persuade": "convince", "portray": "depict", "postpone": "put off",
    "prevent": "stop", "prohibit": "forbid", "propose": "put forward", "purchase": "buy",
    "reduce": "lower", "relocate": "move", "repair": "fix", "reside": "live", "resign": "step down",
    "restrict": "limit", "retain": "keep", "reveal": "disclose", "safeguard": "protect", "seek": "look for",
    "select": "choose", "shut": "close", "supervise": "oversee", "supply": "provide",
    "symbolise": "stand for", "symbolize": "stand for", "terminate": "end",
    "transport": "carry", "utilise": "use", "utilize": "use", "vanish": "disappear", "verify": "check",
}  # fmt: skip
"""Lemma of a verb -> one that takes the same objects, with its particle."""

NOUNS: dict[str, str] = {
    "advantage": "benefit", "aim": "goal", "alteration": "change", "assistance": "help", "author": "writer",
    "beginning": "start", "benefit": "advantage", "boundary": "border", "catastrophe": "disaster",
    "cemetery": "graveyard", "company": "firm", "danger": "risk", "debate": "discussion",
    "dwelling": "home", "earnings": "income", "employee": "worker",
    "forest": "woodland", "freedom": "liberty", "guideline": "rule", "hazard": "danger",
    "holiday": "vacation", "income": "earnings", "inhabitant": "resident",
    "journey": "trip", "liberty": "freedom", "mistake": "error", "movie": "film", "nation": "country",
    "obstacle": "barrier", "outcome": "result", "physician": "doctor",
    "regulation": "rule", "residence": "home", "resident": "inhabitant", "revolt": "uprising", "salary": "pay",
    "scholar": "academic", "scientist": "researcher", "ship": "vessel", "shortage": "lack", "teacher": "instructor",
    "uprising": "revolt", "wages": "pay", "wealth": "riches",
}  # fmt: skip
"""Lemma of a noun -> another of the same number."""

OTHERS: dict[str, str] = {
    "additional": "extra", "almost": "nearly", "annual": "yearly", "annually": "every year",
    "diverse": "varied", "due to": "because of",
    "enormous": "huge", "entire": "whole", "famous": "well-known", "frequent": "common", "frequently": "often",
    "gradually": "step by step", "huge": "enormous", "initial": "first", "initially": "at first",
    "medieval": "of the Middle Ages", "nearly": "almost", "numerous": "many",
    "often": "frequently", "ongoing": "continuing", "predominantly": "mostly", "primarily": "mainly",
    "principal": "main", "prior to": "before", "quickly": "fast", "rapid": "fast", "rapidly": "quickly",
    "renowned": "famous", "subsequent": "later", "substantial": "considerable", "sufficient": "enough",
    "tiny": "very small", "usually": "normally", "vast": "huge", "vital": "crucial", "wealthy": "rich",
    "whole": "entire", "yearly": "annual",
}  # fmt: skip
"""Other words and short phrases, as they stand -> others."""
