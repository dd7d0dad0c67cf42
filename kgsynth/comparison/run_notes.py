"""What a reader must know of the runs that are compared, as notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kgsynth.comparison.comparability import checked_by
from kgsynth.scoring.metrics.answer_match import OF_WORDS, WORD_BY_WORD
from kgsynth.show.wording import joined


def run_notes(runs: Mapping[str, Mapping[str, Any]], primary: Sequence[str]) -> tuple[str, ...]:
    """Return the notes on runs; ``runs`` has their scores.json by label, ``primary`` the metrics that decide."""
    return (
        *(f"{label} failed on {n} questions" for label, scores in runs.items() if (n := scores.get("n_errors"))),
        *_golden_notes(runs),
        *document_notes(runs),
        *_one_sided_notes(runs),
        *_carried_notes(runs),
        *_word_notes(runs, primary),
    )


def variant_notes(reasons: Mapping[str, str], force: bool) -> tuple[str, ...]:
    """Return a note for each setting that changes what metrics mean, with the metrics."""
    names: dict[str, list[str]] = {}
    for metric, reason in reasons.items():
        names.setdefault(reason, []).append(metric)
    tested = "tested because of --force" if force else "not tested; --force tests them"
    return tuple(f"not comparable: {reason} ({', '.join(own)}; {tested})" for reason, own in names.items())


def _golden_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note on the runs whose golden set is an update of the first run's."""
    first = next(iter(runs))
    updated = [label for label, scores in runs.items() if scores["golden"] != runs[first]["golden"]]
    note = f"{', '.join(updated)}: the same questions, answers and evidence text as {first}, but another file"
    return (note,) if updated else ()


def document_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note on the runs that were scored on other documents than the first one."""
    first = next(iter(runs))
    hashes = {label: scores.get("documents") for label, scores in runs.items()}
    others = [label for label, found in hashes.items() if found and hashes[first] not in (found, None, "")]
    note = f"{', '.join(others)}: scored on other documents than {first}, so a difference may come from them"
    return (note,) if others else ()


def _one_sided_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a note if only some of the runs return passages, or answers."""
    found = {label: checked_by(scores) for label, scores in runs.items()}
    notes = []
    for what, compared in (("passages", "retrieval was"), ("answers", "answers were")):
        without = [label for label, own in found.items() if what not in own]
        if 0 < len(without) < len(runs):
            notes.append(f"{compared} not compared: no {what} of {joined(without)} could be checked")
    return tuple(notes)


def _carried_notes(runs: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the caveats and notes that ``score`` gave with each run, each once with the runs it is of."""
    found: dict[str, list[str]] = {}
    for label, scores in runs.items():
        own = [scores.get("caveat"), *(scores.get("notes") or ())]
        for note in dict.fromkeys(note for note in own if note and note != WORD_BY_WORD):
            found.setdefault(note, []).append(label)
    return tuple(note if len(own) == len(runs) else f"{', '.join(own)}: {note}" for note, own in found.items())


def _word_notes(runs: Mapping[str, Mapping[str, Any]], primary: Sequence[str]) -> tuple[str, ...]:
    """Return the note on answers that were compared word by word, if that decides."""
    by_words = any("answers" in checked_by(scores) and not _by_meaning(scores) for scores in runs.values())
    return (WORD_BY_WORD,) if by_words and set(primary) & OF_WORDS else ()


def _by_meaning(scores: Mapping[str, Any]) -> bool:
    """Check whether a judge or an embedding model looked at the answers of a run too."""
    similarity = (scores.get("metrics") or {}).get("semantic_similarity", {})
    return "judge" in scores or similarity.get("value") is not None
