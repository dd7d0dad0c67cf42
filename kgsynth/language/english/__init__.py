"""English: one spaCy pass over the prose of a document, read into sentences, mentions, aliases and facts.

``parsing`` runs the parser, ``clauses`` finds the clauses and ``phrases`` reads their constituents. ``forms`` asks what
headings, lists, tables and terms answer, and ``heading_bodies`` finds the answer below a heading. ``question_checks``,
``denials`` and ``opposites`` judge questions by their words; ``retractions``, ``alternatives``, ``stated_values`` and
``changed_values`` judge what a system answered; ``quantities``, ``dates``, ``number_words`` and ``units``
read numbers; ``text_forms`` compares names and answers; ``morphology`` knows the forms of words, and ``lexicon`` what
``en.toml`` says: word classes, patterns and forms.
"""

from kgsynth.language.english.alternatives import cuts, hedged, is_detail
from kgsynth.language.english.changed_values import changed
from kgsynth.language.english.denials import affirmed, answer_clauses, denies, may_replace, statements
from kgsynth.language.english.forms import heading_question, topic_question
from kgsynth.language.english.morphology import says_use, singular
from kgsynth.language.english.number_words import digits
from kgsynth.language.english.opposites import contradictions
from kgsynth.language.english.parsing import analyse
from kgsynth.language.english.quantities import quantity
from kgsynth.language.english.question_checks import (
    answer_kind,
    content_stems,
    continues,
    fits_kind,
    malformed,
    may_share,
    opening,
    outside_reference,
    question_form,
    word_classes,
    wrong_kind,
)
from kgsynth.language.english.spellings import spelled_alike
from kgsynth.language.english.stated_values import same_value, stated_quantities, value_places
from kgsynth.language.english.text_forms import (
    answer_form,
    bare_name,
    is_common_word,
    is_emphasis,
    is_name,
    listed,
    name_form,
    name_places,
    short_name,
    verdict,
)

NAME = "English"
SCRIPT = ""
ASKS_IN_PLACE = False

__all__ = [
    "ASKS_IN_PLACE", "NAME", "SCRIPT", "affirmed", "analyse", "answer_clauses",
    "answer_form", "answer_kind", "bare_name", "changed", "content_stems", "continues", "contradictions",
    "cuts", "denies", "digits", "fits_kind", "heading_question", "hedged", "is_common_word",
    "is_detail", "is_emphasis", "is_name", "listed", "malformed", "may_replace", "may_share",
    "name_form", "name_places", "opening", "outside_reference", "quantity",
    "question_form", "same_value", "says_use", "short_name", "singular", "spelled_alike", "stated_quantities",
    "statements", "topic_question", "value_places", "verdict", "word_classes", "wrong_kind",
]  # fmt: skip
