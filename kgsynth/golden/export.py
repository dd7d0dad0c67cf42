"""Write a golden set in the format of another tool; ``EXPORT_FORMATS`` lists the formats with their traits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from kgsynth.base.atomic_files import write_files
from kgsynth.base.errors import ConfigError, InputError
from kgsynth.base.json_reading import parse_json
from kgsynth.base.names import suggestion
from kgsynth.base.records import Document, Item
from kgsynth.golden.exchange import beir, cells, deepeval, llamaindex, platforms, promptfoo, ragas, squad, tables, trec
from kgsynth.golden.exchange.export_input import ExportInput, Rendered, without_question
from kgsynth.golden.item_json import from_json, line_of


@dataclass(frozen=True, slots=True)
class Exported:
    """The result of an export: its ``files``, the number of questions ``written``, and what the format cannot hold.

    ``left_out`` has the ids of the questions that are not in it, by the reason; ``not_kept`` what is missing of those
    that are, with the number of questions that have it.

    Example:
        >>> print(Exported("squad", Path("a.json"), (Path("a.json"),), 1, {"without evidence": ("q-2",)}, {"id": 1}))
        squad: 1 of 2 questions in a.json
        left out: 1 without evidence
        fields not kept: id
    """

    format: str
    out: Path
    files: tuple[Path, ...]
    written: int
    left_out: Mapping[str, tuple[str, ...]]
    not_kept: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The number of questions of the set."""
        return self.written + sum(map(len, self.left_out.values()))

    def __str__(self) -> str:
        """Return the result as a few lines."""
        parts = [f"{len(names)} {why}" for why, names in self.left_out.items()]
        fields = [name if n == self.written else f"{name} ({n})" for name, n in self.not_kept.items()]
        whole = f"{self.written:,}" if not parts else f"{self.written:,} of {self.total:,}"
        return "\n".join(
            [
                f"{self.format}: {whole} question{'s' if self.total != 1 else ''} in {', '.join(map(str, self.files))}",
                *([f"left out: {'; '.join(parts)}"] if parts else []),
                *([f"fields not kept: {', '.join(fields)}"] if fields else []),
                *self.notes,
            ]
        )

    def to_json(self) -> dict[str, Any]:
        """Return the result as a JSON value."""
        return {
            "format": self.format,
            "out": str(self.out),
            "files": list(map(str, self.files)),
            "questions": self.total,
            "written": self.written,
            "left_out": [{"why": why, "items": list(names)} for why, names in self.left_out.items()],
            "not_kept": dict(self.not_kept),
            "notes": list(self.notes),
        }


# What a format of another tool may have no place for, and in how many questions of a set that matters.

LOSSES: dict[str, Callable[[Item], bool]] = {
    "id": lambda item: True,
    "other golden answers": lambda item: len(item.golden_answers) > 1,
    "alternative evidence": lambda item: any(len(group) > 1 for group in item.evidence),
    "evidence groups": lambda item: len(item.evidence) > 1,
    "pages, cells and slides": lambda item: any(span.place for group in item.evidence for span in group),
    "headings of evidence": lambda item: any(span.heading for group in item.evidence for span in group),
    "extent of evidence": lambda item: bool(item.evidence),
    "answers": lambda item: bool(item.golden_answers),
    "offsets": lambda item: bool(item.evidence),
    "documents": lambda item: bool(item.evidence),
    "question_type": lambda item: True,
    "subtype": lambda item: bool(item.subtype),
    "difficulty": lambda item: True,
    "answer_kind": lambda item: bool(item.answer_kind),
    "claims": lambda item: bool(item.claims),
    "history": lambda item: bool(item.history),
    "hard_negatives": lambda item: bool(item.hard_negatives),
    "derivation": lambda item: bool(item.derivation),
    "metadata": lambda item: any(value for key, value in item.metadata.items() if key != "difficulty"),
}
"""What may be lost -> whether a question has it."""


def losses(names: Iterable[str], items: Sequence[Item]) -> dict[str, int]:
    """Return how many items have each of these things, without those that none has.

    Example:
        >>> item = Item("q-1", "Who?", ("Ada", "Ada Low"), "simple", "", "en", ())
        >>> losses(["other golden answers", "history"], [item])
        {'other golden answers': 1}
    """
    counts = {name: sum(map(LOSSES[name], items)) for name in names}
    return {name: count for name, count in counts.items() if count}


__all__ = ["EXPORT_FORMATS", "Exported", "default_place", "export"]

_ONLY_TEXTS = ("id", "other golden answers", "alternative evidence", "pages, cells and slides", "headings of evidence")
_TRAITS = ("subtype", "difficulty")
_NOT_IN_CELLS = ("claims", "hard_negatives", "derivation", "metadata")
_ONLY_OURS = ("answer_kind", "claims", "history", "hard_negatives", "derivation", "metadata")
_OURS = ("question_type", *_TRAITS, *_ONLY_OURS)
_GROUPS = ("evidence groups", "alternative evidence", "headings of evidence")


class ExportFormat(NamedTuple):
    """How a set is written, the ending of the file ("" for a folder), and what the format has no place for.

    ``loses`` are names of ``LOSSES``; ``refuse`` returns why an item is left out, or "".
    """

    render: Callable[[ExportInput], Rendered]
    suffix: str
    loses: tuple[str, ...] = ()
    refuse: Callable[[Item, ExportInput], str] = lambda item, source: ""


EXPORT_FORMATS: dict[str, ExportFormat] = {
    "ragas": ExportFormat(
        ragas.render, ".jsonl", (*_ONLY_TEXTS, *_TRAITS, *_ONLY_OURS), lambda item, _: without_question(item)
    ),
    "deepeval": ExportFormat(deepeval.render, ".json"),
    "promptfoo": ExportFormat(promptfoo.render, ".yaml"),
    "llamaindex": ExportFormat(
        llamaindex.render,
        ".json",
        (*_ONLY_TEXTS, "documents", "offsets", *_OURS),
        lambda item, _: without_question(item),
    ),
    **{name: ExportFormat(partial(platforms.render, own), ".jsonl") for name, own in platforms.PLATFORMS.items()},
    "beir": ExportFormat(beir.render, "", refuse=beir.refuse),
    "trec": ExportFormat(trec.render, "", ("answers", *_GROUPS, "offsets", *_OURS), beir.refuse),
    "squad": ExportFormat(squad.render, ".json", ("extent of evidence", *_GROUPS, *_OURS), squad.refuse),
    "hf": ExportFormat(tables.render_hub, ""),
    "csv": ExportFormat(tables.render_csv, ".csv", _NOT_IN_CELLS),
    "xlsx": ExportFormat(tables.render_workbook, ".xlsx", _NOT_IN_CELLS),
    "parquet": ExportFormat(tables.render_parquet, ".parquet"),
}
"""The formats by name."""


def export(
    items: Iterable[Item],
    out: Path | str,
    form: str,
    documents: Iterable[Document] = (),
    *,
    whole_documents: bool = False,
    raw: bool = False,
) -> Exported:
    """Write a set to the file or folder ``out`` in the format ``form``.

    ``documents`` are those of the evidence: BEIR, TREC and LlamaIndex get their text to search, as chunks or with
    ``whole_documents`` as they are; SQuAD gets the paragraphs around the evidence. In CSV, a cell that a spreadsheet
    would run as a formula begins with an apostrophe, unless ``raw``.

    Raises:
        ConfigError: there is no such format, or it needs a library that is not installed.
        InputError: the set is empty, the format can hold none of its questions, or ``out`` is a folder in place of a
            file or a file in place of a folder.
    """
    if form not in EXPORT_FORMATS:
        raise ConfigError(
            f"there is no format {form!r} to export to, {suggestion(form, EXPORT_FORMATS)}; "
            f"the formats are {', '.join(EXPORT_FORMATS)}"
        )
    traits, out = EXPORT_FORMATS[form], Path(out)
    if out.is_dir() if traits.suffix else out.is_file():
        kinds = ("folder", "file") if traits.suffix else ("file", "folder")
        raise InputError(f"{out} is a {kinds[0]}, and {form} is written to a {kinds[1]}; give another path")
    everything = tuple(map(_plain, items))
    source = ExportInput(everything, {each.id: each for each in documents}, whole_documents, raw)
    reasons = {item.id: why for item in everything if (why := traits.refuse(item, source))}
    kept = tuple(item for item in everything if item.id not in reasons)
    left_out: dict[str, tuple[str, ...]] = {}
    for name, why in reasons.items():
        left_out[why] = (*left_out.get(why, ()), name)
    if not kept:
        why = "; ".join(f"{len(names)} {reason}" for reason, names in left_out.items()) or "the set is empty"
        raise InputError(f"{form} can hold none of the {len(everything)} questions ({why}); choose another format")
    rendered = traits.render(source._replace(items=kept))
    files = {_path(out, name, is_folder=not traits.suffix): content for name, content in rendered.files.items()}
    write_files(Path(), ((str(path), content) for path, content in files.items()))
    return Exported(form, out, tuple(files), len(kept), left_out, losses(traits.loses, kept), rendered.notes)


def default_place(golden: Path, form: str) -> Path:
    """Return where an export of the file ``golden`` goes by default: beside it, with the name of the format.

    Example:
        >>> default_place(Path("demo/golden.jsonl"), "csv").as_posix(), default_place(Path("a.csv"), "beir").as_posix()
        ('demo/golden.csv', 'a.beir')
    """
    suffix = EXPORT_FORMATS[form].suffix
    return golden.with_name(f"{golden.stem}.{form}{'' if suffix == f'.{form}' else suffix}")


def _path(out: Path, name: str, *, is_folder: bool) -> Path:
    if is_folder:
        return out / name
    return out.with_name(f"{out.stem}.{name}{out.suffix}") if name else out


def _plain(item: Item) -> Item:
    """Return an item as it would be read from golden.jsonl, without halves of surrogate pairs, which have no UTF-8."""
    return from_json(cells.to_json_value(parse_json(line_of(item), tolerant=True)))
