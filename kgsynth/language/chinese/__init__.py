"""Chinese: words by jieba, and everything else by the form of the text, without a parser.

``segmentation`` cuts words, ``characters`` brings a text into simplified characters and half width, ``lexicon`` is what
``zh.toml`` says: word classes, patterns and forms. ``question_checks``, ``denials`` and ``opposites`` judge questions
by their words; ``alternatives``, ``stated_values`` and ``changed_values`` judge what a system answered;
``numbers``, ``units`` and ``quantities`` read numbers; ``text_forms`` compares words, names and answers.
``headings`` says what layout asks.
"""

from kgsynth.language.chinese.alternatives import cuts, hedged, is_detail
from kgsynth.language.chinese.changed_values import changed
from kgsynth.language.chinese.denials import affirmed, answer_clauses, denies, may_replace, statements
from kgsynth.language.chinese.headings import heading_question, topic_question
from kgsynth.language.chinese.numbers import digits
from kgsynth.language.chinese.opposites import contradictions
from kgsynth.language.chinese.quantities import quantity
from kgsynth.language.chinese.question_checks import (
    answer_kind,
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
from kgsynth.language.chinese.reading import analyse, says_use
from kgsynth.language.chinese.stated_values import (
    same_value,
    spelled_alike,
    stated_quantities,
    value_places,
)
from kgsynth.language.chinese.text_forms import (
    answer_form,
    bare_name,
    content_stems,
    is_common_word,
    is_emphasis,
    is_name,
    listed,
    name_form,
    name_places,
    short_name,
    singular,
    verdict,
)
from kgsynth.language.words import HAN, HAN_COMPATIBILITY, HAN_EXTENSION

NAME = "Chinese"
SCRIPT = HAN_EXTENSION + HAN + HAN_COMPATIBILITY
ASKS_IN_PLACE = True

__all__ = [
    "ASKS_IN_PLACE", "NAME", "SCRIPT", "affirmed", "analyse", "answer_clauses",
    "answer_form", "answer_kind", "bare_name", "changed", "content_stems", "continues", "contradictions",
    "cuts", "denies", "digits", "fits_kind", "heading_question", "hedged", "is_common_word",
    "is_detail", "is_emphasis", "is_name", "listed", "malformed", "may_replace", "may_share",
    "name_form", "name_places", "opening", "outside_reference", "quantity",
    "question_form", "same_value", "says_use", "short_name", "singular", "spelled_alike", "stated_quantities",
    "statements", "topic_question", "value_places", "verdict", "word_classes", "wrong_kind",
]  # fmt: skip
