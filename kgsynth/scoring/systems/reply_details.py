"""Read the citations and the steps of a reply, and write them as JSON.

A citation has ``passages`` (positions in the list of retrieved passages, from 0, or ids), and says which part of the
answer cites them by ``start`` and ``end`` or by ``text``; without these it is the whole answer. A step has a ``query``
and the passages that were found with it, under any usual key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kgsynth.base.records import Answer, Citation, Passage, RetrievalStep
from kgsynth.scoring.systems.reply_shapes import QUESTION_KEYS, RANKING_KEYS, members_of

_CITATION_KEYS = ("passages", "start", "end", "text")
_QUERY_KEYS = ("query", *QUESTION_KEYS)
_EXAMPLES = {
    "citations": '{"start": 0, "end": 20, "passages": [0, 2]}',
    "steps": '{"query": "…", "retrieved": […]}',
}


def to_citations(raw: object, answer: str | None) -> tuple[Citation, ...]:
    """Read the citations of an ``answer``.

    Raises:
        ValueError: they are not a list of citations, or one has the wrong type or does not lie in the answer.

    Example:
        >>> to_citations([{"text": "62 grams", "passages": [0]}], "It weighs 62 grams.")
        (Citation(passages=(0,), start=10, end=18),)
    """
    entries = _entries(raw, "citations", _CITATION_KEYS)
    return tuple(_citation(entry, f"citation {at}", answer or "") for at, entry in enumerate(entries, 1))


def _citation(entry: Mapping[Any, Any], name: str, answer: str) -> Citation:
    passages = entry.get("passages")
    if not isinstance(passages, list | tuple):
        raise ValueError(f"{name} has {_outline(passages)} as passages: give a list of their positions, from 0, or ids")
    for each in passages:
        if not isinstance(each, str) and not _is_position(each):
            raise ValueError(f"{name} cites the passage {each!r}: give its position, from 0, or its id")
    cited = tuple(writable(each) if isinstance(each, str) else each for each in passages)
    start, end, text = (entry.get(key) for key in ("start", "end", "text"))
    if start is None and end is None:
        if text is None:
            return Citation(cited)
        if not isinstance(text, str):
            raise ValueError(f"{name} has {_outline(text)} as text: give a part of the answer")
        start = answer.find(text.strip())
        if start < 0 or not text.strip():
            raise ValueError(f"{name} has the text {text[:40]!r}, which is not in the answer: give a part of it")
        end = start + len(text.strip())
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(answer)):
        raise ValueError(f"{name} goes from {start!r} to {end!r} in an answer of {len(answer)} characters")
    return Citation(cited, start, end)


def to_steps(
    raw: object, read_ranking: Callable[[object], tuple[Passage, ...]], unused: dict[str, None]
) -> tuple[RetrievalStep, ...]:
    """Read the steps of a reply, their passages by ``read_ranking``; keys that are not understood go to ``unused``.

    Raises:
        ValueError: they are not a list of steps, or a part of one has the wrong type.
    """
    entries = _entries(raw, "steps", (*_QUERY_KEYS, *RANKING_KEYS))
    return tuple(_step(entry, f"step {at}", read_ranking, unused) for at, entry in enumerate(entries, 1))


def _step(
    entry: Mapping[Any, Any],
    name: str,
    read_ranking: Callable[[object], tuple[Passage, ...]],
    unused: dict[str, None],
) -> RetrievalStep:
    query = next((entry[key] for key in _QUERY_KEYS if entry.get(key) is not None), None)
    if query is not None and not isinstance(query, str):
        raise ValueError(f"{name} has {_outline(query)} as query: give a string")
    key = next((key for key in RANKING_KEYS if entry.get(key) is not None), None)
    unused |= dict.fromkeys(f"{each} of steps" for each in entry if each not in (*_QUERY_KEYS, *RANKING_KEYS, "id"))
    try:
        return RetrievalStep(query and writable(query), read_ranking(entry[key]) if key is not None else ())
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def passages_of_steps(steps: Iterable[RetrievalStep]) -> tuple[Passage, ...]:
    """Return the passages of all steps in their order, each once.

    Example:
        >>> one, two = Passage(text="a"), Passage(text="b")
        >>> passages_of_steps([RetrievalStep("x", (one,)), RetrievalStep("y", (two, one))]) == (one, two)
        True
    """
    return tuple(dict.fromkeys(passage for step in steps for passage in step.retrieved))


def details_json(
    answer: Answer, passages_json: Callable[[Iterable[Passage]], list[dict[str, object]]]
) -> dict[str, object]:
    """Return the citations and steps of an answer as they are written to answers.jsonl, None for none."""
    citations = [
        ({} if each.start is None else {"start": each.start, "end": each.end}) | {"passages": list(each.passages)}
        for each in answer.citations
    ]
    steps = [{"query": step.query, "retrieved": passages_json(step.retrieved)} for step in answer.steps]
    return {"citations": citations or None, "steps": steps or None}


def writable(text: str) -> str:
    """Return the text with lone surrogates replaced; JSON can hold them, but a UTF-8 file cannot.

    Example:
        >>> writable("62\\ud83d grams")
        '62? grams'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def _entries(raw: object, name: str, keys: Sequence[str]) -> list[Mapping[Any, Any]]:
    if raw is None:
        return []
    if not isinstance(raw, list | tuple):
        raise ValueError(f"the {name} are {_outline(raw)}, not a list: give objects such as {_EXAMPLES[name]}")
    entries = [members_of(each, keys) for each in raw]
    for at, entry in enumerate(entries):
        if entry is None:
            raise ValueError(f"the {name} contain {_outline(raw[at])}: give objects such as {_EXAMPLES[name]}")
    return [entry for entry in entries if entry is not None]


def _is_position(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _outline(value: object) -> str:
    if value is None:
        return "nothing"
    shown = repr(value)
    return shown if isinstance(value, str | int | float) and len(shown) < 60 else f"a {type(value).__name__}"
