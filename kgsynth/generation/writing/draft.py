"""What the writers of all languages yield: a question with its answers and the steps that prove them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class QuestionDraft(NamedTuple):
    """A written question, its golden answers (the canonical one first), and the steps that prove them.

    ``plain`` is the original question if this one is reworded; ``penalty`` is what its style costs.
    ``answer_kind`` is "list" or "steps" if the answer has members, otherwise "". ``place`` is where the evidence stands
    in the document, if it is a part of its fact.
    """

    question: str
    answers: tuple[str, ...]
    operator: str
    steps: tuple[dict[str, Any], ...]
    extra: Mapping[str, Any] = {}
    penalty: float = 0.0
    plain: str = ""
    answer_kind: str = ""
    place: tuple[int, int] | None = None
