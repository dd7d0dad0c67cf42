"""Which questions of a set still stand in documents that changed: their proof is there, and nothing new contradicts it.

The proof is looked for as ``audit --fix`` does: spans are moved to where their text is now, and an ambiguous move is no
proof. An item leaves if the audit finds an error in it that it did not have before, or if a sentence, cell, list or
term that is new in the documents gives another answer to its question. What was so before, the user has accepted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kgsynth.auditing.case import AuditCase
from kgsynth.auditing.checks import CHECKS
from kgsynth.auditing.fix import ItemLostError, updated_item
from kgsynth.auditing.other_answers import may_be_searched, other_answers, other_layout_answers
from kgsynth.base.records import Document, Item, Rejection, Sentence, StructureFact
from kgsynth.documents.structure import former_ids
from kgsynth.evidence.list_answers import said
from kgsynth.evidence.other_answers import Name, named_facts
from kgsynth.evidence.statements import Statements
from kgsynth.generation.renewal.beginning import Changes, Earlier
from kgsynth.golden.dataset import Dataset
from kgsynth.golden.span_tracking import SpanTracker

RULE = "outdated"
"""The rule under which outdated.jsonl records the items that leave."""

_ERRORS = tuple(check for check in CHECKS.values() if check.severity == "error" and not check.needs)
_GIVEN_UP = "the question that opens its conversation left the set"


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of a set: ``places`` has its items in order, None where one left; ``left`` are those, with reasons.

    ``moved`` are the ids of the items that stay with evidence or a derivation in another place than before.
    """

    places: tuple[Item | None, ...] = ()
    left: tuple[tuple[Item, Rejection], ...] = ()
    moved: tuple[str, ...] = ()
    changes: Changes = field(default_factory=Changes)

    @property
    def kept(self) -> list[Item]:
        """The items that stay, in the order of the set."""
        return [item for item in self.places if item is not None]


def stand(earlier: Earlier, statements: Statements) -> Standing:
    """Return what becomes of a set in the documents of ``statements``."""
    items = list(earlier.golden)
    if not earlier.changes:
        return Standing(tuple(items))
    now: dict[str, Item] = {}
    reasons: dict[str, str] = {}
    names = _new_names(earlier.changes.renamed, statements.documents)
    renamed = {item.id: _renamed(item, names) for item in items}
    tracker = SpanTracker(renamed.values(), statements.documents)
    for item in items:
        try:
            now[item.id] = updated_item(renamed[item.id], tracker)
        except ItemLostError as error:
            reasons[item.id] = str(error)
    reasons |= _new_errors(items, now, _documents_before(earlier, statements.documents), statements.documents)
    left = [(key, item) for key, item in now.items() if key not in reasons and may_be_searched(item)]
    found = other_answers((item for _, item in left), statements, _newness(earlier))
    keys = {item.id: key for key, item in now.items() if key not in reasons}
    reasons |= {keys[item.id]: message for item, message in found}
    answered = [now[key] for key in keys.values() if key not in reasons and now[key].golden_answers]
    found = other_layout_answers(answered, statements.documents, _new_layout(earlier, statements.documents))
    reasons |= {keys[item.id]: message for item, message in found}
    reasons |= _given_up(items, reasons)
    return Standing(
        tuple(None if item.id in reasons else now[item.id] for item in items),
        tuple((item, Rejection(RULE, reasons[item.id])) for item in items if item.id in reasons),
        tuple(now[item.id].id for item in items if item.id not in reasons and _is_moved(item, now[item.id])),
        earlier.changes,
    )


def _new_names(renamed: Mapping[str, str], documents: Mapping[str, Document]) -> dict[str, str]:
    """Return the new names of documents, and the new ids of the facts of their layout, which depend on the name."""
    found = dict(renamed)
    for old, new in renamed.items():
        if new not in documents:
            continue  # it cannot be read
        facts = former_ids(documents[new], old, lambda part: (part.start, part.end))
        found |= {before: fact.id for before, fact in facts.items()}
    return found


def _renamed(item: Item, names: Mapping[str, str]) -> Item:
    """Return an item with the new ``names`` of documents that were only renamed; itself if it has none of them."""
    spans = [span for group in (*item.evidence, item.hard_negatives) for span in group]
    if not any(span.doc in names for span in spans):
        return item
    evidence, negatives = (
        tuple(tuple(replace(span, doc=names.get(span.doc, span.doc)) for span in group) for group in groups)
        for groups in (item.evidence, (item.hard_negatives,))
    )
    return replace(item, evidence=evidence, hard_negatives=negatives[0], derivation=_with_names(item.derivation, names))


def _is_moved(item: Item, now: Item) -> bool:
    return now.evidence != item.evidence or now.derivation != item.derivation


def _with_names(value: Any, names: Mapping[str, str]) -> Any:
    """Return a derivation, or a part of it, with the new names of documents and ids of facts."""
    if isinstance(value, Mapping):
        return {
            key: names.get(part, part) if key in ("doc", "fact") and isinstance(part, str) else _with_names(part, names)
            for key, part in value.items()
        }
    return [_with_names(part, names) for part in value] if isinstance(value, list | tuple) else value


# ---- what the audit finds --------------------------------------------------------------------------


def _new_errors(
    items: Sequence[Item], now: Mapping[str, Item], before: Mapping[str, Document], documents: Mapping[str, Document]
) -> dict[str, str]:
    """Return the first error that the audit finds in each item now and did not find before, by the id it had."""
    errors = _errors(now.values(), documents)
    if not errors:
        return {}
    known = _errors(items, before)
    found: dict[str, str] = {}
    for key, item in now.items():
        new = [text for code, text in errors.get(item.id, {}).items() if code not in known.get(key, ())]
        found |= {key: new[0]} if new else {}
    return found


def _errors(items: Iterable[Item], documents: Mapping[str, Document]) -> dict[str, dict[str, str]]:
    """Return the errors that the audit finds without a model, by item and code."""
    case = AuditCase(Dataset(items), documents)
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for check in _ERRORS:
        for finding in check.find(case):
            if finding.severity == "error" and finding.item:
                found[finding.item].setdefault(finding.code, finding.message)
    return found


def _documents_before(earlier: Earlier, documents: Mapping[str, Document]) -> dict[str, Document]:
    """Return the documents that the set was made from."""
    changes = earlier.changes
    new = {*changes.added, *changes.renamed.values()}
    return {name: page for name, page in documents.items() if name not in new} | dict(earlier.documents)


# ---- what is new -----------------------------------------------------------------------------------


def _newness(earlier: Earlier) -> Callable[[Sentence], bool]:
    """Return a function that checks whether a sentence is in a document that changed, and was in none before."""
    touched = {*earlier.changes.changed, *earlier.changes.added}
    texts = [" ".join(block.text.split()) for page in earlier.documents.values() for block in page.blocks]

    def is_new(sentence: Sentence) -> bool:
        return sentence.doc in touched and not any(" ".join(sentence.text.split()) in text for text in texts)

    return is_new


def _new_layout(earlier: Earlier, documents: Mapping[str, Document]) -> Iterator[tuple[Name, StructureFact]]:
    """Yield the cells, lists, definitions and traits in documents that changed that no document had, by their names."""
    known = {(name, said(fact)) for page in earlier.documents.values() for name, fact in named_facts(page)}
    for doc in sorted({*earlier.changes.changed, *earlier.changes.added} & documents.keys()):
        yield from (pair for pair in named_facts(documents[doc]) if (pair[0], said(pair[1])) not in known)


def _given_up(items: Sequence[Item], lost: Collection[str]) -> dict[str, str]:
    """Return the later turns of conversations whose first question leaves."""
    first = {item.question for item in items if item.id in lost and not item.history}
    return {
        item.id: _GIVEN_UP
        for item in items
        if item.history and item.history[0].question in first - {item.question}
        if item.id not in lost
    }
