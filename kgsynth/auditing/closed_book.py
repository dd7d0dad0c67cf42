"""What a language model answers from memory: a question it gets right measures the model and not the documents."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.config import DEFAULT_THRESHOLDS
from kgsynth.base.errors import BudgetError
from kgsynth.base.records import Finding
from kgsynth.evidence.closed_book import BATCH, Recalled, recall, recalled
from kgsynth.language import LANGUAGES
from kgsynth.models.llm import Failure


def closed_book(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that the model answers without the documents.

    Raises:
        BudgetError: the budget was spent first; what was answered until then has been yielded.
        SystemUnreachableError: the model cannot be reached.
    """
    if case.resources.model is None:
        return
    items = [item for item in case.dataset if item.answerable and item.golden_answers and item.language in LANGUAGES]
    batches = [items[start : start + BATCH] for start in range(0, len(items), BATCH)]
    found: dict[int, list[Finding]] = {}
    spent = None
    with case.resources.progress("asking from memory", len(items)) as progress:
        try:
            for place, reply in case.resources.model.ask_all([recall(batch) for batch in batches], Recalled):
                known = recalled(batches[place], reply)
                if not isinstance(reply, Failure) and len(reply.answers) == len(known):
                    pairs = zip(known, reply.answers, strict=True)
                    found[place] = [
                        Finding("closed_book", "warning", item.id, _message(item.question, answer), _ADVICE)
                        for item, answer in pairs
                        if item.metadata["scores"]["closed_book"] >= DEFAULT_THRESHOLDS["closed_book"]
                    ]
                progress.update(len(batches[place]))
        except BudgetError as error:
            spent = error
    for place in sorted(found):
        yield from found[place]
    if spent is not None:
        raise spent


_ADVICE = "ask what only the documents say"


def _message(question: str, answer: str) -> str:
    return f"without the documents the model answers {question!r} with {answer!r}"
