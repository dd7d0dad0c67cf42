"""English: one spaCy pass over the prose of a document, read into sentences, mentions, aliases and facts.

``parsing`` holds the model and the batches, ``clauses`` finds the clauses (``halves`` where the parser finds none),
``phrases`` their constituents, ``flags`` what a writer must know of these, ``lexicon`` the closed word classes,
``names`` what is named, ``judging`` looks at questions, ``contrary`` at what sets a
statement against one. ``coreference`` resolves a pronoun that opens a sentence; other pronouns are left out.
"""

from kgsynth.language.english.dictionary import is_name
from kgsynth.language.english.opposites import contrary
from kgsynth.language.english.parsing import analyse
from kgsynth.language.english.question_checks import answer_kind, content, fits, goes_on, granted, malformed, unclear

__all__ = [
    "analyse",
    "answer_kind",
    "content",
    "contrary",
    "fits",
    "goes_on",
    "granted",
    "is_name",
    "malformed",
    "unclear",
]
