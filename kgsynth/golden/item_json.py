"""Items as objects of golden.jsonl and back; only their form is checked here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any

from kgsynth.base.errors import InputError
from kgsynth.base.records import Claim, Heading, Item, SourcePlace, Span, Turn
from kgsynth.language.detection import script_language

_METADATA_DEFAULTS: dict[str, Any] = {
    "difficulty": None, "category": None, "source": None, "writer": None, "persona": None, "style": None,
    "keywords": [], "scores": {}, "signature": None,
}  # fmt: skip
FIELD_TYPES: dict[str, type] = {
    "id": str, "question": str, "golden_answers": list, "question_type": str, "subtype": str, "difficulty": str,
    "language": str, "answerable": bool, "evidence": list, "hard_negatives": list, "derivation": dict, "metadata": dict,
}  # fmt: skip
_OPTIONAL_TYPES: dict[str, type] = {"answer_kind": str, "claims": list, "history": list, "standalone": str}
_HEADING_TYPES: dict[str, type] = {"start": int, "end": int, "text": str}
_PLACE_TYPES: dict[str, type] = {"page": int, "bbox": list, "sheet": str, "cell": str, "slide": int}
_REQUIRED_KEYS = ("id", "question", "golden_answers")
_TYPE_NAMES = {str: "text", list: "a list", bool: "true or false", dict: "an object"}


def to_json(item: Item) -> dict[str, Any]:
    """Return an item as an object of golden.jsonl, with every key in the order of the format.

    ``answer_kind``, ``claims``, ``history`` and ``standalone`` are there only if the item has them.

    Example:
        >>> list(to_json(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())))[:3]
        ['id', 'question', 'golden_answers']
    """
    known = {key: item.metadata.get(key, default) for key, default in _METADATA_DEFAULTS.items()}
    others = {key: value for key, value in item.metadata.items() if key not in known}
    return {
        "id": item.id,
        "question": item.question,
        "golden_answers": list(item.golden_answers),
        "question_type": item.question_type,
        "subtype": item.subtype,
        "difficulty": item.difficulty,
        "language": item.language,
        "answerable": item.answerable,
        "evidence": [[span_json(span) for span in group] for group in item.evidence],
        **_optional(item),
        "hard_negatives": [span_json(span) for span in item.hard_negatives],
        "derivation": dict(item.derivation),
        "metadata": known | {"difficulty": item.difficulty} | others,
    }


def from_json(obj: Any) -> Item:
    """Return the item in a parsed line of golden.jsonl.

    Defaults: the type "unknown" ("unanswerable" without an answer), the difficulty "medium", the language by the script
    of the question.

    Raises:
        InputError: a required key is missing, or a value has the wrong type.
    """
    if not isinstance(obj, Mapping):
        raise InputError(f"{str(obj)[:40]!r} is not an object; an item needs {', '.join(_REQUIRED_KEYS)}")
    obj = {key: value for key, value in obj.items() if value is not None or key in _REQUIRED_KEYS}
    for key, wanted in (FIELD_TYPES | _OPTIONAL_TYPES).items():
        if key not in obj and key in _REQUIRED_KEYS:
            raise InputError(f"the key {key!r} is missing; an item needs {', '.join(_REQUIRED_KEYS)}")
        if key in obj and not isinstance(obj[key], wanted):
            raise InputError(f"{key!r} is {str(obj[key])[:40]!r} and must be {_TYPE_NAMES[wanted]}")
    if not all(isinstance(answer, str) for answer in obj["golden_answers"]):
        raise InputError(f"'golden_answers' is {str(obj['golden_answers'])[:40]} and must be a list of texts")
    if not all(isinstance(group, list) for group in obj.get("evidence", [])):
        raise InputError("'evidence' must be a list of groups, each a list of spans; put [ ] around each group")
    if not all(obj.get("evidence", [])):
        raise InputError("'evidence' has an empty group; give each group a span, or leave it out")
    question, metadata = obj["question"], obj.get("metadata", {})
    _check_metadata(metadata)
    answerable = obj.get("answerable", bool(obj["golden_answers"]))
    return Item(
        id=obj["id"],
        question=question,
        golden_answers=tuple(obj["golden_answers"]),
        question_type=obj.get("question_type", "unknown" if answerable else "unanswerable"),
        subtype=obj.get("subtype", ""),
        language=obj.get("language", script_language(question)),
        evidence=tuple(tuple(read_span(span, "evidence") for span in group) for group in obj.get("evidence", [])),
        derivation=obj.get("derivation", {}),
        hard_negatives=tuple(read_span(span, "hard_negatives") for span in obj.get("hard_negatives", [])),
        difficulty=obj.get("difficulty") or metadata.get("difficulty") or "medium",
        answerable=answerable,
        answer_kind=obj.get("answer_kind", ""),
        claims=tuple(_claim(claim, len(obj.get("evidence", []))) for claim in obj.get("claims", [])),
        history=tuple(map(_turn, obj.get("history", []))),
        standalone=obj.get("standalone", ""),
        metadata=metadata,
    )


def _check_metadata(metadata: Mapping[str, Any]) -> None:
    for key in ("keywords", "tags"):
        texts = metadata.get(key) or []
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise InputError(f"'metadata.{key}' is {str(texts)[:40]} and must be a list of texts")
    scores = metadata.get("scores") or {}
    if not isinstance(scores, dict) or not all(type(score) in (int, float) for score in scores.values()):
        raise InputError(f"'metadata.scores' is {str(scores)[:40]} and must be an object of numbers")
    review = metadata.get("review") or {}
    if not _is_review(review):
        raise InputError(f"'metadata.review' is {str(review)[:40]} and must be an object that kgsynth review wrote")
    difficulty = metadata.get("difficulty") or ""
    if not isinstance(difficulty, str):
        raise InputError(f"'metadata.difficulty' is {str(difficulty)[:40]} and must be text")


def _is_review(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    decisions, was = value.get("decisions", []), value.get("was", {})
    return isinstance(decisions, list) and all(isinstance(each, dict) for each in (*decisions, was))


def _optional(item: Item) -> dict[str, Any]:
    """Return the keys that say something of this item only."""
    found = {
        "answer_kind": item.answer_kind,
        "claims": [{"text": claim.text, "groups": list(claim.groups)} for claim in item.claims],
        "history": turns_json(item.history),
        "standalone": item.standalone,
    }
    return {key: value for key, value in found.items() if value}


def turns_json(turns: Iterable[Turn]) -> list[dict[str, str]]:
    """Return the earlier turns of a conversation as objects.

    Example:
        >>> turns_json([Turn("Who leads it?", "Ada.")])
        [{'question': 'Who leads it?', 'answer': 'Ada.'}]
    """
    return [{"question": turn.question, "answer": turn.answer} for turn in turns]


def _claim(obj: Any, groups: int) -> Claim:
    """Return a claim of an item with so many evidence ``groups``."""
    own = obj.get("groups") if isinstance(obj, Mapping) else None
    if own is None or not isinstance(own, list) or not isinstance(obj.get("text"), str):
        raise InputError(f"a claim is {str(obj)[:60]} and must have a text and a list of groups")
    if not all(type(number) is int and 0 <= number < groups for number in own):
        raise InputError(f"the groups of a claim are {str(own)[:40]}, but the item has {groups} evidence groups")
    return Claim(obj["text"], tuple(own))


def _turn(obj: Any) -> Turn:
    if not isinstance(obj, Mapping) or not all(isinstance(obj.get(key), str) for key in ("question", "answer")):
        raise InputError(f"a turn of 'history' is {str(obj)[:60]} and must have a question and an answer")
    return Turn(obj["question"], obj["answer"])


def span_json(span: Span) -> dict[str, Any]:
    """Return a span as an object, with its heading; of its place only what it has: page and box, cell, or slide.

    Example:
        >>> span_json(Span("a.pptx", 0, 3, "Ada", SourcePlace(slide=4)))
        {'doc': 'a.pptx', 'start': 0, 'end': 3, 'text': 'Ada', 'slide': 4}
    """
    place = asdict(span.place) if span.place else {}
    bare = {"doc": span.doc, "start": span.start, "end": span.end, "text": span.text}
    if span.heading:
        bare["heading"] = asdict(span.heading)
    return bare | {key: list(value) if key == "bbox" else value for key, value in place.items() if value}


def read_span(obj: Any, key: str) -> Span:
    """Return the span in an object that ``span_json`` made; ``key`` names it in errors.

    Raises:
        InputError: a key is missing, or a value has the wrong type.
    """
    if not _has_types(obj, {"doc": str, **_HEADING_TYPES}):
        raise InputError(f"a span of {key!r} is {str(obj)[:60]} and must have doc, start, end and text")
    heading = obj.get("heading")
    if heading is not None and not _has_types(heading, _HEADING_TYPES):
        raise InputError(f"the heading of a span of {key!r} is {str(heading)[:60]} and must have start, end and text")
    found = Heading(heading["start"], heading["end"], heading["text"]) if heading else None
    return Span(obj["doc"], obj["start"], obj["end"], obj["text"], _place(obj, key), found)


def _has_types(obj: Any, types: Mapping[str, type]) -> bool:
    return isinstance(obj, Mapping) and all(type(obj.get(name)) is wanted for name, wanted in types.items())


def _place(obj: Mapping[str, Any], key: str) -> SourcePlace | None:
    given = {name: obj[name] for name in _PLACE_TYPES if obj.get(name)}
    right_types = all(type(value) is _PLACE_TYPES[name] for name, value in given.items())
    if not right_types or not _are_points(given.get("bbox")) or min(given.get("page", 1), given.get("slide", 1)) < 1:
        raise InputError(
            f"the place of a span of {key!r} is {str(given)[:60]}; page and slide must be whole numbers, "
            "bbox a list of four numbers, sheet and cell texts"
        )
    if "bbox" in given:
        given["bbox"] = tuple(given["bbox"])
    return SourcePlace(**given) if given else None


def _are_points(bbox: Any) -> bool:
    """Check whether a box has four finite numbers, or is None."""
    return bbox is None or (len(bbox) == 4 and all(type(each) in (int, float) and isfinite(each) for each in bbox))


def line_of(item: Item) -> bytes:
    """Return the line of golden.jsonl of an item, in UTF-8.

    Example:
        >>> line_of(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ()))[:13]
        b'{"id":"q-1","'
    """
    return line_of_json(to_json(item))


def line_of_json(obj: dict[str, Any]) -> bytes:
    """Return an object as a line of golden.jsonl, in UTF-8."""
    compact: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False, "default": _to_plain}
    try:
        return (json.dumps(obj, ensure_ascii=False, **compact) + "\n").encode()
    except UnicodeEncodeError:  # half a surrogate pair has no UTF-8, only an escaped form
        return (json.dumps(obj, **compact) + "\n").encode()


def _to_plain(value: Any) -> Any:
    """Return the JSON form of a mapping, a set or a numpy number."""
    if isinstance(value, Mapping):
        return dict(value)
    return sorted(value) if isinstance(value, set | frozenset) else value.item()
