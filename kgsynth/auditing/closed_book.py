"""Questions that a language model answers from memory: they measure the model, not the documents."""

from __future__ import annotations

from collections.abc import Iterator

from kgsynth.auditing.case import AuditCase
from kgsynth.base.errors import BudgetError
from kgsynth.base.records import Finding, Item
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS
from kgsynth.evidence.closed_book import RECALLED_AT_ONCE, Recalled, recall, recalled
from kgsynth.language import LANGUAGES
from kgsynth.models.llm import Failure


def closed_book(case: AuditCase) -> Iterator[Finding]:
    """Yield the items that the LLM answers without the documents.

    Raises:
        BudgetError: the budget was spent; findings on the answers received before that have been yielded.
        SystemUnreachableError: the LLM cannot be reached.
    """
    if case.resources.model is None:
        return
    items = [item for item in case.dataset if item.answerable and item.golden_answers and item.language in LANGUAGES]
    batches = [items[start : start + RECALLED_AT_ONCE] for start in range(0, len(items), RECALLED_AT_ONCE)]
    found: dict[int, list[tuple[Item, str]]] = {}
    spent = None
    with case.resources.progress("asking from memory", len(items)) as progress:
        try:
            for number, reply in case.resources.model.ask_all([recall(batch) for batch in batches], Recalled):
                scored = recalled(batches[number], reply)
                if not isinstance(reply, Failure) and len(reply.answers) == len(scored):
                    found[number] = [
                        (item, f"without the documents the LLM answers {item.question!r} with {answer!r}")
                        for item, answer in zip(scored, reply.answers, strict=True)
                        if item.metadata["scores"]["closed_book"] >= DEFAULT_THRESHOLDS["closed_book"]
                    ]
                progress.update(len(batches[number]))
        except BudgetError as error:
            spent = error
    for item, message in (each for number in sorted(found) for each in found[number]):
        yield Finding("closed_book", "warning", item.id, message, "ask about something that only the documents say")
    if spent is not None:
        raise spent
