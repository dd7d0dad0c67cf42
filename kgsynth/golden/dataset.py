"""golden.jsonl and rejected.jsonl: read, checked for form, sampled, counted and written back byte for byte.

Left out: whether what an item says is true of its documents, which is the audit's business.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, overload

from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.quotas import apportion
from kgsynth.base.records import Item, Rejection, Span
from kgsynth.base.run_folder.journal import replacing
from kgsynth.language.detection import script_language

_METADATA: dict[str, Any] = {
    "difficulty": None, "category": None, "source": None, "writer": None, "persona": None, "style": None,
    "keywords": [], "scores": {}, "signature": None,
}  # fmt: skip
_KINDS: dict[str, type | tuple[type, ...]] = {
    "id": str, "question": str, "golden_answers": list, "question_type": str, "subtype": str, "difficulty": str,
    "language": str, "answerable": bool, "evidence": list, "hard_negatives": list, "derivation": dict, "metadata": dict,
}  # fmt: skip
_REQUIRED = ("id", "question", "golden_answers")
_JSON_NAMES = {str: "text", list: "a list", bool: "true or false", dict: "an object"}


class Dataset:
    """A golden set: its items in order, found by place, slice or id; an item's own fields are frozen.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())
        >>> Dataset([item])["q-1"].golden_answers
        ('Ada',)
    """

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = tuple(items)
        self._places = {item.id: place for place, item in enumerate(self._items)}
        if len(self._places) < len(self._items):
            twice = next(each for each, count in Counter(item.id for item in self._items).items() if count > 1)
            raise InputError(f"the id {twice!r} stands on two items; give each its own")

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, item_id: object) -> bool:
        return item_id in self._places

    @overload
    def __getitem__(self, key: int | str) -> Item: ...
    @overload
    def __getitem__(self, key: slice) -> Dataset: ...
    def __getitem__(self, key: int | str | slice) -> Item | Dataset:
        if isinstance(key, slice):
            return Dataset(self._items[key])
        return self._items[self._places[key] if isinstance(key, str) else key]

    @property
    def questions(self) -> list[str]:
        """The questions, in order."""
        return [item.question for item in self._items]

    @property
    def golden_answers(self) -> list[tuple[str, ...]]:
        """The golden answers of each item, in order."""
        return [item.golden_answers for item in self._items]

    def sample(self, n: int, by: str = "question_type", seed: int = 0) -> Dataset:
        """Return ``n`` items drawn at random, in the set's own order, in proportion to the groups of ``by``.

        ``by`` is a field of the items or a key of their metadata.

        Raises:
            ConfigError: ``n`` is below 0 or more than there are.
        """
        if not 0 <= n <= len(self):
            raise ConfigError(f"cannot sample {n} of {len(self)} items; ask for 0 to {len(self)}")
        groups: dict[str, list[int]] = {}
        for place, item in enumerate(self._items):
            groups.setdefault(_group(item, by), []).append(place)
        quotas = apportion(n, {name: len(places) for name, places in groups.items()})
        rng = random.Random(seed)
        drawn = chain.from_iterable(rng.sample(groups[name], quotas[name]) for name in sorted(groups))
        return Dataset(self._items[place] for place in sorted(drawn))

    def stats(self) -> dict[str, Any]:
        """Return counts: items, answerable ones, documents asked about, and items per type, subtype and so on."""
        documents = {span.doc for item in self for group in item.evidence for span in group}
        fields = ("question_type", "subtype", "difficulty", "language", "category")
        return {
            "items": len(self),
            "answerable": sum(item.answerable for item in self),
            "documents": len(documents),
            "groups_per_item": dict(sorted(Counter(len(item.evidence) for item in self).items())),
            **{field: dict(sorted(Counter(_group(item, field) for item in self).items())) for field in fields},
        }

    def with_metadata(self, item_id: str, **values: Any) -> Dataset:
        """Return a set in which the metadata of one item has ``values`` too; nothing else can be edited."""
        place = self._places[item_id]
        item = self._items[place]
        edited = replace(item, metadata={**item.metadata, **values})
        return Dataset((*self._items[:place], edited, *self._items[place + 1 :]))

    def save(self, path: Path | str) -> None:
        """Write the set to ``path``, as ``write`` does."""
        write(self._items, path)


def load(path: Path | str) -> Dataset:
    """Read a golden.jsonl, or the one of a run folder; human-made files may lack all but id, question and answers.

    Raises:
        InputError: no such file, or a line that is no item; the message names file, line and remedy.
    """
    path = file_of(path)
    items: list[Item] = []
    lines: dict[str, int] = {}
    for number, line in _lines(path):
        where = f"{path}, line {number}"
        try:
            item = from_json(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{where}: not JSON ({error}); mend or delete the line{_hint(items)}") from error
        except InputError as error:
            raise InputError(f"{where}: {error}{_hint(items)}") from error
        if item.id in lines:
            raise InputError(f"{where}: the id {item.id!r} stands on line {lines[item.id]} too; give each item its own")
        lines[item.id] = number
        items.append(item)
    return Dataset(items)


def _hint(before: Sequence[Item]) -> str:
    """Say what to do with a file whose very first line is no item, since it was then made elsewhere."""
    return "" if before else "; of a file made elsewhere kgsynth audit -o writes a golden.jsonl"


def distinct(items: Iterable[Item]) -> Dataset:
    """Return items as a set; the second of one id gets ``-2`` behind it, since both stay for the audit to tell.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())
        >>> [each.id for each in distinct([item, item])]
        ['q-1', 'q-1-2']
    """
    counts: Counter[str] = Counter()
    kept = []
    for item in items:
        counts[item.id] += 1
        kept.append(replace(item, id=f"{item.id}-{counts[item.id]}") if counts[item.id] > 1 else item)
    return Dataset(kept)


def file_of(path: Path | str) -> Path:
    """Return the golden.jsonl of a run folder, or the path itself when it is no folder."""
    path = Path(path)
    return path / "golden.jsonl" if path.is_dir() else path


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}); give a golden.jsonl or a run folder") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error


def write(items: Iterable[Item], path: Path | str) -> None:
    """Write ``items`` to ``path``, one JSON object a line; the file appears whole or not at all."""
    _write_lines((to_json(item) for item in items), Path(path))


def write_rejected(pairs: Iterable[tuple[Item, Rejection]], path: Path | str) -> None:
    """Write rejected candidates to ``path``: each as in golden.jsonl, with the rule, score and threshold it fell to."""
    _write_lines(
        (
            to_json(item)
            | {
                "rejected": {
                    "rule": rejection.rule,
                    "score": rejection.score,
                    "threshold": rejection.threshold,
                    "detail": rejection.detail,
                }
            }
            for item, rejection in pairs
        ),
        Path(path),
    )


def to_json(item: Item) -> dict[str, Any]:
    """Return an item as golden.jsonl has it: every key, in the order of the format.

    Example:
        >>> list(to_json(Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())))[:3]
        ['id', 'question', 'golden_answers']
    """
    known = {key: item.metadata.get(key, default) for key, default in _METADATA.items()}
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
        "evidence": [[_span_json(span) for span in group] for group in item.evidence],
        "hard_negatives": [_span_json(span) for span in item.hard_negatives],
        "derivation": dict(item.derivation),
        "metadata": known | {"difficulty": item.difficulty} | others,
    }


def from_json(obj: Any) -> Item:
    """Return the item that a parsed line of golden.jsonl holds.

    What an optional key would say is put in: the type "unknown" ("unanswerable" without an answer), difficulty
    "medium", the language by the script of the question.

    Raises:
        InputError: a key is missing or of the wrong kind.
    """
    if not isinstance(obj, Mapping):
        raise InputError(f"{str(obj)[:40]!r} is not an object; an item needs {', '.join(_REQUIRED)}")
    obj = {key: value for key, value in obj.items() if value is not None or key in _REQUIRED}
    for key, kind in _KINDS.items():
        if key not in obj and key in _REQUIRED:
            raise InputError(f"the key {key!r} is missing; an item needs {', '.join(_REQUIRED)}")
        if key in obj and not isinstance(obj[key], kind):
            raise InputError(f"{key!r} is {str(obj[key])[:40]!r} and must be {_JSON_NAMES[kind]}")  # type: ignore[index]
    if not all(isinstance(answer, str) for answer in obj["golden_answers"]):
        raise InputError(f"'golden_answers' is {str(obj['golden_answers'])[:40]} and must be a list of texts")
    if not all(isinstance(group, list) for group in obj.get("evidence", [])):
        raise InputError("'evidence' must be a list of groups, each a list of spans; put [ ] round each group")
    question, metadata = obj["question"], obj.get("metadata", {})
    answerable = obj.get("answerable", bool(obj["golden_answers"]))
    return Item(
        id=obj["id"],
        question=question,
        golden_answers=tuple(obj["golden_answers"]),
        question_type=obj.get("question_type", "unknown" if answerable else "unanswerable"),
        subtype=obj.get("subtype", ""),
        language=obj.get("language", script_language(question)),
        evidence=tuple(tuple(_span(span, "evidence") for span in group) for group in obj.get("evidence", [])),
        derivation=obj.get("derivation", {}),
        hard_negatives=tuple(_span(span, "hard_negatives") for span in obj.get("hard_negatives", [])),
        difficulty=obj.get("difficulty") or metadata.get("difficulty") or "medium",
        answerable=answerable,
        metadata=metadata,
    )


def _group(item: Item, by: str) -> str:
    if by in _KINDS and by not in ("metadata", "derivation"):
        return str(getattr(item, by))
    return str(item.metadata.get(by) or "")


def _span_json(span: Span) -> dict[str, Any]:
    return {"doc": span.doc, "start": span.start, "end": span.end, "text": span.text}


def _span(obj: Any, key: str) -> Span:
    kinds = {"doc": str, "start": int, "end": int, "text": str}
    if not isinstance(obj, Mapping) or any(type(obj.get(name)) is not kind for name, kind in kinds.items()):
        raise InputError(f"a span of {key!r} is {str(obj)[:60]} and must hold doc, start, end and text")
    return Span(obj["doc"], obj["start"], obj["end"], obj["text"])


def _write_lines(objects: Iterable[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.writelines(map(_line, objects))


def _line(obj: dict[str, Any]) -> bytes:
    compact: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False, "default": _plain}
    try:
        return (json.dumps(obj, ensure_ascii=False, **compact) + "\n").encode()
    except UnicodeEncodeError:  # half a surrogate pair has no UTF-8: only the escaped form can hold it
        return (json.dumps(obj, **compact) + "\n").encode()


def _plain(value: Any) -> Any:
    """Return what JSON can hold for a mapping, a set or a numpy number."""
    if isinstance(value, Mapping):
        return dict(value)
    return sorted(value) if isinstance(value, set | frozenset) else value.item()
