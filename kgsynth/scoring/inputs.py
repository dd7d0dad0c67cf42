"""Read what a run of score starts from: the questions, all or a sample, the documents, and the earlier answers."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.records import Document, Item, Span, fitting_id
from kgsynth.base.thresholds import LIMITS
from kgsynth.documents import read_documents
from kgsynth.documents.run_documents import RUN_DOCUMENTS, documents_folder
from kgsynth.golden.answer_patterns import pattern_problem
from kgsynth.golden.dataset import Dataset, file_of
from kgsynth.golden.exchange.open_set import open_set
from kgsynth.golden.item_json import line_of
from kgsynth.golden.span_tracking import SpanTracker
from kgsynth.golden.spans import cited_documents, evidence_spans, excerpt, in_place, location
from kgsynth.scoring.matching import Matcher
from kgsynth.scoring.metrics.criteria import PassCriteria, Profile
from kgsynth.scoring.metrics.judged import Judge
from kgsynth.scoring.metrics.semantic import TextEncoder
from kgsynth.scoring.run_results import read_items
from kgsynth.show.wording import joined, many

# ---- which questions are asked -------------------------------------------------------------------
#
# A sample is drawn by question type in proportion, with a fixed seed, and comes with a sentence on its sampling
# error.

SAMPLE_SEED = 0


def choose(
    items: Sequence[Item], sample: str | None = None, since: str | Path | None = None, only: Collection[str] = ()
) -> tuple[list[Item], tuple[str, ...]]:
    """Return the items to ask, in their order, and a sentence for each reason why they are not all.

    Raises:
        ConfigError: ``sample`` is not a share or number of items, or no item has a tag of ``only``.
        InputError: ``since`` is not the folder of a run, or no item is new or changed since then.
    """
    notes = []
    chosen = list(items)
    if only:
        chosen = [item for item in items if set(only) & set(item.tags)]
        if not chosen:
            known = sorted({tag for item in items for tag in item.tags})
            raise ConfigError(f"no question has the tag {' or '.join(only)}: the tags are {joined(known) or '(none)'}")
        notes.append(f"only the {len(chosen)} of {len(items)} questions with the tag {' or '.join(only)} count")
    if since is not None:
        before = read_items(Path(since), ("fingerprint",))
        chosen = [item for item in chosen if before.get(item.id, {}).get("fingerprint") != fitting_id(item)]
        if not chosen:
            raise InputError(
                f"none of the {len(items)} questions is new or changed since {since}: there is nothing to score"
            )
        notes.append(f"only the {len(chosen)} of {len(items)} questions that are new or changed since {since} count")
    if sample is not None:
        total = len(chosen)
        n = sample_size(sample, total)
        chosen = list(Dataset(chosen).sample(n, seed=SAMPLE_SEED))
        if n < total:
            notes.append(
                f"a sample of {n} of {total} questions, drawn by type with seed {SAMPLE_SEED}: a share in the full set "
                f"is within {sample_error(n, total):.3f} of the share in the sample (95 % confidence)"
            )
    return chosen, tuple(notes)


def sample_size(sample: str, total: int) -> int:
    """Return how many of ``total`` items a sample such as ``10%`` or ``40`` means, at least one.

    Two sizes, as in ``20%,50``, mean the larger of them, or all items if there are fewer.

    Raises:
        ConfigError: ``sample`` has another form, or asks for more items than there are.

    Example:
        >>> sample_size("10%", 395), sample_size("40", 395)
        (40, 40)
        >>> [sample_size("20%,50", total) for total in (30, 100, 1000)]
        [30, 50, 200]
    """
    sizes = [_size(part, total) for part in sample.split(",")]
    n = max(sizes) if len(sizes) == 1 else min(max(sizes), total)
    if min(sizes) < 1 or len(sizes) > 2 or n > total:
        raise ConfigError(
            f"--sample {sample} is not a share or number of the {total} questions: give one such as 10% or 40"
        )
    return n


def _size(part: str, total: int) -> int:
    """Return how many items one share or number means, 0 when it is neither."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(%?)\s*", part)
    number = float(match[1]) if match else 0.0
    if match and match[2] and number:
        return max(1, round(total * number / 100))
    return int(number) if number == int(number) else 0


def sample_error(n: int, total: int) -> float:
    """Return the half-width of the 95 % interval of a share in a sample of ``n``, for a share of one half.

    This is the worst case: 1.96 standard errors with the finite population correction. Drawing by type does not make
    it larger.

    Example:
        >>> round(sample_error(40, 400), 3), sample_error(400, 400)
        (0.147, 0.0)
    """
    return 1.96 * math.sqrt(0.25 / n * (total - n) / max(1, total - 1))


class GoldenSet(NamedTuple):
    """The questions, documents and their folder of a run; ``name`` goes into messages, ``notes`` into the report."""

    name: str
    items: list[Item]
    documents: Sequence[Document]
    notes: tuple[str, ...] = ()
    docs: Path | None = None


@dataclass(frozen=True, slots=True)
class ScoringInputs:
    """Everything a run starts from: ``golden`` is the hash of the questions, ``notes`` go into the report.

    ``excluded`` has the reason for each question that is not asked because its evidence is in no document.
    """

    plan: Profile
    criteria: PassCriteria
    metric_names: list[str]
    items: list[Item]
    golden: str
    documents: Sequence[Document]
    matcher: Matcher
    encoder: TextEncoder | None
    notes: tuple[str, ...]
    excluded: Mapping[str, str]
    docs: Path | None = None

    @property
    def known_documents(self) -> set[str]:
        """The ids of the documents, and those of the documents of the evidence."""
        return cited_documents(self.items) | {document.id for document in self.documents}

    @property
    def documents_hash(self) -> str:
        """The hash of the documents, "" if there are none."""
        return documents_hash(self.documents)


def read_inputs(
    golden_set: GoldenSet,
    since: str | Path | None,
    only: Collection[str],
    plan: Profile,
    criteria: PassCriteria,
    judge: Judge | None,
    cover: float,
) -> ScoringInputs:
    """Choose the questions, check them, and load the embedding model if a metric or the judge needs one.

    Raises:
        ConfigError: a cut-off, the sample or ``cover`` is invalid.
        InputError: the golden set cannot be used, or the documents do not belong to it.
    """
    judged = judge.metrics if judge else ()
    metric_names = plan.full_names(criteria.cut_offs(plan.k), (*criteria.metric_names, *judged))
    items, content = _checked(golden_set)
    chosen, sample_notes = choose(items, plan.sample, since, only)
    if len(chosen) < len(items):  # other questions need another hash, since their scores are not comparable
        content += "\n".join(item.id for item in chosen).encode()
    documents = golden_set.documents
    anchored = anchor(chosen, documents, items)
    notes = (*plan.notes, *sample_notes, *golden_set.notes, *anchored.notes)
    matcher = Matcher({document.id: document for document in documents}, cover, cited_documents(anchored.items))
    encoder = None
    if plan.semantic:
        from kgsynth.models.encoder import choose_model, load_encoder

        encoder = load_encoder(choose_model(plan.semantic, {item.language for item in anchored.items}))
    digest = f"sha256:{hashlib.sha256(content).hexdigest()}"
    return ScoringInputs(
        plan,
        criteria,
        metric_names,
        anchored.items,
        digest,
        documents,
        matcher,
        encoder,
        notes,
        anchored.excluded,
        golden_set.docs,
    )


def open_golden(
    golden: str | Path | Iterable[Item],
    docs: str | Path | Sequence[Document] | None = None,
    mapping: str | None = None,
) -> GoldenSet:
    """Read a set, given as items, or as a file of any format with its documents; see ``open_set``.

    Raises:
        ConfigError: ``mapping`` is invalid.
        InputError: the set or the documents cannot be read.
    """
    if not isinstance(golden, str | Path):
        return GoldenSet("", list(golden), read_documents(docs), docs=documents_folder(docs))
    found = open_set(golden, docs, mapping)
    notes = found.notes
    if docs is None and found.documents and (file_of(Path(golden)).parent / RUN_DOCUMENTS).is_file():
        kept = f"the {len(found.documents)} kept in the run folder when the set was generated were used"
        notes = (f"no documents given: {kept}", *notes)
    return GoldenSet(f" {golden}", list(found.dataset), found.documents, notes, documents_folder(docs, golden))


def _checked(golden_set: GoldenSet) -> tuple[list[Item], bytes]:
    """Return the items of a set, and the bytes to hash: the lines of golden.jsonl as kgsynth writes them."""
    name, items = golden_set.name, golden_set.items
    content = b"".join(map(line_of, items))
    if not items:
        raise InputError(f"the golden set{name} has no questions: give one that has some")
    repeated = [item_id for item_id, count in Counter(item.id for item in items).items() if count > 1]
    if repeated:
        raise InputError(f"the golden set has two questions with the id {repeated[0]}: make the ids unique")
    for item in items:
        for problem in filter(None, map(pattern_problem, item.golden_answers)):
            raise InputError(f"question {item.id}: {problem}; correct it in the golden set")
    return items, content


# ---- evidence in documents that may have changed -------------------------------------------------


class AnchoredItems(NamedTuple):
    """The questions with their evidence where it is now, those left out by id with the reason, and notes."""

    items: list[Item]
    excluded: dict[str, str]
    notes: tuple[str, ...] = ()


def anchor(items: Sequence[Item], documents: Sequence[Document], among: Sequence[Item] = ()) -> AnchoredItems:
    """Return ``items`` with every span of their evidence where its text is in ``documents``.

    ``among`` is the whole set, whose other spans show which way a text moved. Without documents nothing is changed.

    Raises:
        InputError: the evidence of most questions is not in the documents.

    Example:
        >>> page = Document("a.md", "New. Ada Low leads the team.", "A", "md", "", (), ())
        >>> old = Span("a.md", 0, 23, "Ada Low leads the team.")
        >>> found = anchor([Item("q", "Who?", ("Ada Low",), "simple", "factoid", "en", ((old,),))], [page])
        >>> found.items[0].evidence[0][0].start, found.notes[0][:60]
        (5, 'the documents changed since the set was made: 1 span found a')
    """
    by_id = {document.id: document for document in documents}
    spans = dict.fromkeys(span for item in items for span in evidence_spans(item) if documents)
    if all(_is_usable(span, by_id) for span in spans):
        return AnchoredItems(list(items), {})
    tracker = SpanTracker(among or items, by_id)
    places = {span: span if _is_usable(span, by_id) else tracker.now(span) for span in spans}
    anchored, excluded = [], {}
    for item in items:
        groups = tuple(tuple(place for span in group if (place := places[span])) for group in item.evidence)
        lost = [group[0] for group, now in zip(item.evidence, groups, strict=True) if group and not now]
        if lost:
            excluded[item.id] = f"its evidence {excerpt(lost[0].text)} ({location(lost[0])}) is not in the documents"
        else:
            anchored.append(replace(item, evidence=groups))
    asked = sum(bool(item.evidence) for item in items)
    if len(excluded) > LIMITS.gone_evidence_share * asked:
        raise InputError(_wrong_documents(list(spans), by_id, f"{len(excluded)} of {many(asked, 'question')}"))
    return AnchoredItems(anchored, excluded, _notes(places, excluded))


def documents_hash(documents: Sequence[Document]) -> str:
    """Return a hash of the ids and texts of documents in any order, "" if there are none.

    Example:
        >>> documents_hash([Document("a.md", "Ada", "A", "md", "", (), ())])[:15], documents_hash([])
        ('sha256:ccb5b1c5', '')
    """
    texts = {document.id: hashlib.sha256(document.text.encode("utf-8", "surrogatepass")) for document in documents}
    lines = "".join(f"{texts[doc].hexdigest()} {doc}\n" for doc in sorted(texts))
    return f"sha256:{hashlib.sha256(lines.encode('utf-8', 'surrogatepass')).hexdigest()}" if documents else ""


def _is_usable(span: Span, documents: Mapping[str, Document]) -> bool:
    """Check whether a span is in place; one without text can only be taken as it is."""
    return in_place(span, documents) or (not span.text.strip() and span.doc in documents)


def _wrong_documents(spans: Sequence[Span], documents: Mapping[str, Document], questions: str) -> str:
    needed = {span.doc for span in spans}
    missing = sorted(needed - documents.keys())
    if missing:
        of_all = f"{len(missing)} of the {many(len(needed), 'document')} of the evidence"
        problem = f"{of_all}, such as {missing[0]}, are not among the {len(documents)} given"
    else:
        other = next(span for span in spans if not in_place(span, documents))
        problem = f"the documents given have other texts than those of the evidence, such as {location(other)}"
    return f"{problem}, and the evidence of {questions} is not in them: give --docs the folder of the golden set"


def _notes(places: Mapping[Span, Span | None], excluded: Mapping[str, str]) -> tuple[str, ...]:
    moved = sum(place is not None and place != span for span, place in places.items())
    gone = sum(place is None for place in places.values())
    renew = "kgsynth audit --fix renews the set"
    found = f"{many(moved, 'span')} found at another place, {gone} not found ({renew})"
    left = f"{many(len(excluded), 'question')} without evidence in the documents left out: {_first(list(excluded))}"
    return (f"the documents changed since the set was made: {found}", *((left,) if excluded else ()))


def _first(ids: Sequence[str]) -> str:
    return ", ".join(ids[:5]) + (" …" if len(ids) > 5 else "")
