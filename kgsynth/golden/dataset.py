"""Read, check, sample, count and write golden.jsonl and rejected.jsonl; an item read and written keeps its bytes.

Only the form of an item is checked here; ``auditing`` compares it with the documents.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from kgsynth.base.atomic_files import replacing
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.notebook import data_frame, html_table
from kgsynth.base.records import Document, Item, Rejection
from kgsynth.base.shares import apportion
from kgsynth.golden.item_json import FIELD_TYPES, from_json, line_of_json, to_json

if TYPE_CHECKING:
    from kgsynth.golden.export import Exported

_ROWS_SHOWN = 10  # in a notebook


class Dataset:
    """A golden set: items in order, accessed by index, slice or id; only their metadata can be changed.

    ``path`` is the file that has the whole set, None if there is none: beside it are the settings of its run.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())
        >>> Dataset([item]), Dataset([item])["q-1"].golden_answers
        (Dataset(1 item: simple 1), ('Ada',))
    """

    def __init__(self, items: Iterable[Item], path: Path | None = None) -> None:
        self.path = path
        self._items = tuple(items)
        self._places = {item.id: place for place, item in enumerate(self._items)}
        if len(self._places) < len(self._items):
            repeated = next(each for each, count in Counter(item.id for item in self._items).items() if count > 1)
            raise InputError(f"two items have the id {repeated!r}; give each item its own")

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

    def __repr__(self) -> str:
        """Return the number of items, in all and by type."""
        types = ", ".join(f"{name} {count}" for name, count in sorted(Counter(i.question_type for i in self).items()))
        return f"Dataset({len(self):,} item{'' if len(self) == 1 else 's'}{': ' + types if types else ''})"

    def _repr_html_(self) -> str:
        rows = [(i.id, i.question_type, i.question, " | ".join(i.golden_answers)) for i in self._items[:_ROWS_SHOWN]]
        more = f"; the first {_ROWS_SHOWN}" if len(self) > _ROWS_SHOWN else ""
        return html_table(repr(self) + more, ("id", "type", "question", "golden answers"), rows)

    def to_pandas(self) -> Any:
        """Return a DataFrame with one row per item and one column per key of golden.jsonl.

        Raises:
            ConfigError: pandas is not installed.
        """
        return data_frame([to_json(item) for item in self], list(FIELD_TYPES))

    @property
    def questions(self) -> list[str]:
        """The questions, in order."""
        return [item.question for item in self._items]

    @property
    def golden_answers(self) -> list[tuple[str, ...]]:
        """The golden answers of each item, in order."""
        return [item.golden_answers for item in self._items]

    def sample(self, n: int, by: str = "question_type", seed: int = 0) -> Dataset:
        """Return ``n`` random items in the order of the set, in proportion to the groups of ``by``.

        ``by`` is a field of the items or a key of their metadata.

        Raises:
            ConfigError: ``n`` is negative or more than there are.
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
        """Return counts: items, answerable items, documents with evidence, items per type, subtype and so on."""
        documents = {span.doc for item in self for group in item.evidence for span in group}
        fields = ("question_type", "subtype", "difficulty", "language", "category")
        return {
            "items": len(self),
            "answerable": sum(item.answerable for item in self),
            "documents": len(documents),
            "groups_per_item": dict(sorted(Counter(len(item.evidence) for item in self).items())),
            **{field: dict(sorted(Counter(_group(item, field) for item in self).items())) for field in fields},
        }

    def export(
        self,
        path: Path | str,
        form: str,
        docs: Path | str | Iterable[Document] = (),
        *,
        whole_documents: bool = False,
        raw: bool = False,
    ) -> Exported:
        """Write the set in the format of another tool, and return what was written and what the format cannot hold.

        ``form`` is one of ``EXPORT_FORMATS``. ``docs`` are the documents, or their folder: BEIR, TREC and LlamaIndex
        get their text to search, in chunks or with ``whole_documents`` as they are, and SQuAD the paragraphs around the
        evidence. In CSV, a cell that a spreadsheet would run as a formula begins with an apostrophe, unless ``raw``.

        Raises:
            ConfigError: there is no such format, or it needs a library that is not installed.
            InputError: the format can hold none of the questions, or ``path`` or ``docs`` cannot be used.

        Example:
            >>> import tempfile
            >>> made = Dataset([Item("q-1", "Who?", ("Ada", "Ada Low"), "simple", "factoid", "en", ())])
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     exported = made.export(Path(folder) / "set.jsonl", "ragas")
            >>> exported.written, exported.not_kept
            (1, {'id': 1, 'other golden answers': 1, 'subtype': 1, 'difficulty': 1})
        """
        from kgsynth.documents import read_documents
        from kgsynth.golden.export import export

        documents = read_documents(docs) if isinstance(docs, str | Path) else docs
        return export(self, path, form, documents, whole_documents=whole_documents, raw=raw)

    def save(self, path: Path | str) -> None:
        """Write the set to ``path``, as ``write`` does."""
        write(self._items, path)


def load(path: Path | str) -> Dataset:
    """Read a golden.jsonl, or that of a run folder; only id, question and golden_answers are required.

    Raises:
        InputError: the file cannot be read, or a line is not an item; the message names file and line.
    """
    path = file_of(path)
    items: list[Item] = []
    lines: dict[str, int] = {}
    for number, line in _lines(path):
        where = f"{path}, line {number}"
        try:
            item = from_json(parse_json(line))
        except JsonError as error:
            raise InputError(f"{where}: {error}; correct or delete the line{_hint(items)}") from error
        except InputError as error:
            raise InputError(f"{where}: {error}{_hint(items)}") from error
        if item.id in lines:
            raise InputError(f"{where}: the id {item.id!r} is also on line {lines[item.id]}; give each item its own")
        lines[item.id] = number
        items.append(item)
    return Dataset(items, path)


def _hint(before: Sequence[Item]) -> str:
    """Return what to do with a file of another tool, which is recognised by its first line not being an item."""
    return "" if before else "; kgsynth audit -o converts the files of other tools to a golden.jsonl"


def with_unique_ids(items: Iterable[Item]) -> Dataset:
    """Return items as a set; the second item with an id gets the suffix ``-2``, so that the audit can report both.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada",), "simple", "factoid", "en", ())
        >>> [each.id for each in with_unique_ids([item, item])]
        ['q-1', 'q-1-2']
    """
    counts: Counter[str] = Counter()
    unique = []
    for item in items:
        counts[item.id] += 1
        unique.append(replace(item, id=f"{item.id}-{counts[item.id]}") if counts[item.id] > 1 else item)
    return Dataset(unique)


def file_of(path: Path | str) -> Path:
    """Return the golden.jsonl of a run folder, or the path itself if it is not a folder."""
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
    """Write ``items`` to ``path``, one JSON object per line; the file is replaced only when it is complete."""
    write_lines((to_json(item) for item in items), Path(path))


def write_rejected(pairs: Iterable[tuple[Item, Rejection]], path: Path | str) -> None:
    """Write rejected candidates to ``path``: each as in golden.jsonl, with the rule, score and threshold."""
    keys = ("rule", "score", "threshold", "detail")
    rejected = (to_json(item) | {"rejected": {key: getattr(why, key) for key in keys}} for item, why in pairs)
    write_lines(rejected, Path(path))


def _group(item: Item, by: str) -> str:
    if by in FIELD_TYPES and by not in ("metadata", "derivation"):
        return str(getattr(item, by))
    return str(item.metadata.get(by) or "")


def write_lines(objects: Iterable[dict[str, Any]], path: Path) -> None:
    """Write one JSON object per line, in the form of golden.jsonl; the file is replaced only when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, temporary.open("wb") as file:
        file.writelines(map(line_of_json, objects))
