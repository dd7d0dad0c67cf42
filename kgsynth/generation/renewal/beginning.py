"""Let a run go on from the set in its folder: save the set and what has changed since, and reuse what has not.

``earlier.jsonl`` is the set that the run goes on from, ``earlier.json`` has the hashes of the documents that the set
was made from, and ``earlier_documents.jsonl`` those of the documents that are different now, as they were. All three
change together with the state of the folder, so a run that is killed goes on from the same set.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kgsynth.base.atomic_files import read_array, write_files, write_text
from kgsynth.base.errors import InputError
from kgsynth.base.json_reading import parse_json, value_at
from kgsynth.base.records import Chunk, Document
from kgsynth.base.records_json import from_json
from kgsynth.base.run_folder import CarriedFiles, RunFolder
from kgsynth.base.run_folder.folder import Journal, changed_settings, checksum, decode_line, pretty_json
from kgsynth.golden.dataset import Dataset, load

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Changes:
    """The documents that differ between two states of a folder; ``renamed`` maps old names to new ones.

    The content of a renamed document is the same to the last byte. One that was also edited is removed and added.
    """

    changed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Check whether anything changed."""
        return bool(self.changed or self.added or self.removed or self.renamed)


def compare(before: Mapping[str, str], now: Mapping[str, str]) -> Changes:
    """Return what changed between two folders, each given as document → sha256.

    A document was renamed if another one with its content appeared, and its content was there only once before and now.

    Example:
        >>> compare({"a.md": "1", "b.md": "2"}, {"a.md": "9", "c.md": "2"})
        Changes(changed=('a.md',), added=(), removed=(), renamed={'b.md': 'c.md'})
    """
    gone, new = sorted(before.keys() - now.keys()), sorted(now.keys() - before.keys())
    was, became = _by_content(before), _by_content(now)
    renamed = {
        old: became[before[old]][0] for old in gone if len(was[before[old]]) == len(became.get(before[old], ())) == 1
    }
    return Changes(
        changed=tuple(name for name in sorted(before.keys() & now.keys()) if before[name] != now[name]),
        added=tuple(name for name in new if name not in renamed.values()),
        removed=tuple(name for name in gone if name not in renamed),
        renamed=renamed,
    )


def _by_content(documents: Mapping[str, str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = defaultdict(list)
    for name in sorted(documents):
        names[documents[name]].append(name)
    return dict(names)


SET, INPUTS, DOCUMENTS = "earlier.jsonl", "earlier.json", "earlier_documents.jsonl"
_ANALYSES = "analysis.part.jsonl"

_KEEPING = frozenset(
    "n mix kinds topic include exclude avoid fill llm about styles lengths personas style_examples turns"
    " drop_closed_book".split()
)
"""The settings that say which questions are added; those that are there stay. Others make another set."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """The set that a run goes on from, the changes of the documents since, and the documents as they were before.

    ``documents`` are those that were changed, removed or renamed.
    """

    golden: Dataset
    changes: Changes
    documents: Mapping[str, Document]

    @property
    def cited(self) -> frozenset[str]:
        """The documents that the set has evidence in, by the names they have now, and those that were edited."""
        docs = {span.doc for item in self.golden for group in item.evidence for span in group}
        return frozenset({self.changes.renamed.get(doc, doc) for doc in docs} | set(self.changes.changed))


def read_earlier(run_folder: RunFolder, inputs: Mapping[str, str]) -> Earlier | None:
    """Return what a run goes on from, None if it begins without a set; ``inputs`` are the hashes of its documents."""
    if not run_folder.done(SET):
        return None
    before = _inputs(run_folder.folder)
    old = run_folder.read("earlier_documents", from_json(Document)) if run_folder.done(DOCUMENTS) else ()
    golden = load(run_folder.folder / SET)
    return Earlier(golden, compare(before, inputs), {document.id: document for document in old})


def _inputs(folder: Path) -> dict[str, str]:
    """Return the hashes of the documents that the set was made from."""

    def decode(text: str) -> dict[str, str]:
        match parse_json(text):
            case {"documents": dict(found)} if all(isinstance(each, str) for each in found.values()):
                return found
        raise ValueError("it has no documents with their hashes")

    return decode_line(folder / INPUTS, decode, (folder / INPUTS).read_bytes())


Done = Callable[[str], bool]


class Beginning:
    """Lets a run go on from the run before.

    ``vectors`` then has the embeddings of its chunks by text, ``chunks`` those of the documents that have not changed.
    """

    def __init__(self) -> None:
        self.vectors: dict[str, NDArray[np.float32]] = {}
        self.chunks: dict[str, list[Chunk]] = defaultdict(list)

    def go_on(self, folder: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> CarriedFiles:
        """Save what the run goes on from and what can be reused; called by ``RunFolder.open``.

        Raises:
            InputError: the new settings make another set, or ask for fewer questions than there are; or the set that
                an interrupted run goes on from was changed or removed.
        """
        done = _checked(folder, old["done"])
        finished = (folder / "golden.jsonl").exists() and "golden.jsonl" in old["done"]
        edited = finished and not done("golden.jsonl")
        lost = [name for name in (SET, INPUTS, DOCUMENTS) if name in old["done"] and not done(name)]
        if lost and not finished:
            raise InputError(
                f"{folder / lost[0]} was changed or removed since kgsynth wrote it, and the run goes on from it; put "
                "it back, or add --fresh to start over"
            )
        other_documents = old["inputs"] != new["inputs"]
        changes = changed_settings(old, new)
        if not (other_documents or changes or edited or lost):
            return CarriedFiles()
        from_set = finished or done(SET)
        making = _making(changes, new, other_documents)
        if making:
            _refuse_another_set(folder, making, from_set and other_documents, done(SET), edited)
        complete: tuple[str, ...] = ()
        if from_set and not making:
            _refuse_fewer(folder, load(folder / ("golden.jsonl" if finished else SET)), changes, new)
            complete = self._save_set(folder, old, new, done, finished)
        notes = ("golden.jsonl was edited",) if complete and edited else ()
        if other_documents and not making:
            same = {name for name, sha in new["inputs"].items() if old["inputs"].get(name) == sha}
            if "embedding_model" not in changes:
                self._read_chunks(folder, same, done)
            return CarriedFiles(complete, (_carry_analyses(folder, same, done),), notes)
        return CarriedFiles(complete, (), notes)

    def _save_set(
        self, folder: Path, old: Mapping[str, Any], new: Mapping[str, Any], done: Done, finished: bool
    ) -> tuple[str, ...]:
        """Write the set, the hashes of its documents, and those that changed since as they were; return the names."""
        texts = dict(_lines_by_document(folder, "documents.jsonl")) if done("documents.jsonl") else {}
        if finished:
            before, golden = old["inputs"], (folder / "golden.jsonl").read_bytes()
        else:  # a run that itself goes on from a set was interrupted, or its set was deleted
            before, golden = _inputs(folder), (folder / SET).read_bytes()
            texts = {name: line for name, line in texts.items() if old["inputs"].get(name) == before.get(name)}
            texts |= dict(_lines_by_document(folder, DOCUMENTS)) if done(DOCUMENTS) else {}
        gone = [texts[name] for name in sorted(texts) if before.get(name) != new["inputs"].get(name)]
        files = {SET: golden, INPUTS: pretty_json({"documents": before}).encode(), DOCUMENTS: b"".join(gone)}
        write_files(folder, ((f"{name}.tmp", content) for name, content in files.items()))
        return tuple(files)

    def _read_chunks(self, folder: Path, same: Container[str], done: Done) -> None:
        if not done("chunks.jsonl"):
            return
        path = folder / "chunks.jsonl"
        with path.open("rb") as lines:
            chunks = [decode_line(path, from_json(Chunk), line) for line in lines]
        for chunk in chunks:
            if chunk.doc in same:
                self.chunks[chunk.doc].append(chunk)
        if done("embeddings.npy"):
            rows = read_array(folder / "embeddings.npy")
            if len(rows) == len(chunks):  # otherwise they are computed again
                self.vectors = dict(zip((chunk.searched for chunk in chunks), rows, strict=True))


def _checked(folder: Path, sums: Mapping[str, str]) -> Done:
    """Return a function that checks whether a file is complete and has the content with which it was written."""

    def done(name: str) -> bool:
        path = folder / name
        return name in sums and path.is_file() and checksum(path) == sums[name]

    return done


def _making(changes: Mapping[str, str], new: Mapping[str, Any], other_documents: bool) -> list[str]:
    """Return the changed settings that make another set, each with a sentence that says how it changed.

    The embedding model may change with the languages of the documents.
    """
    free = {"embedding_model"} if other_documents else set()
    stays = _KEEPING - ({"fill"} if not new["config"].get("fill") else set())
    return [changes[name] for name in changes if name not in stays | free]


def _refuse_another_set(folder: Path, making: list[str], other_documents: bool, went_on: bool, edited: bool) -> None:
    """Check that no set is lost that cannot be made again.

    Raises:
        InputError: the set was kept through earlier changes, or edited, or its documents changed.
    """
    reasons = {
        "its documents changed": other_documents,
        "golden.jsonl was edited": edited,
        "the set was renewed or enlarged": went_on,
    }
    for reason, holds in reasons.items():
        if holds:
            raise InputError(
                f"{folder} contains a set made with other settings ({'; '.join(making)}), and {reason}; give these "
                "settings as they were to keep its questions, or add --fresh to start over"
            )


def _refuse_fewer(folder: Path, golden: Dataset, changes: Mapping[str, str], new: Mapping[str, Any]) -> None:
    own = sum(not item.history for item in golden)  # the later turns of conversations come in addition
    if "n" in changes and new["config"]["n"] < own:
        raise InputError(
            f"{folder} contains {own} questions, more than -n {new['config']['n']}; score some of them with kgsynth "
            "score --sample, or add --fresh to make a smaller set"
        )


def _lines_by_document(folder: Path, file: str) -> Iterator[tuple[str, bytes]]:
    with (folder / file).open("rb") as lines:
        for line in lines:
            yield decode_line(folder / file, _first_value, line), line


def _first_value(line: str) -> str:
    """Return the value of the first key of a line of JSON, the name of its document; the rest is not parsed."""
    return str(value_at(line, line.index(":") + 1)[0])


def _carry_analyses(folder: Path, same: Set[str], done: Done) -> str:
    """Write the analyses of unchanged documents to the journal of the parser, and return its name."""
    found: dict[str, str] = {}
    if done("analysis.jsonl"):
        path = folder / "analysis.jsonl"
        with path.open(encoding="utf-8") as lines:
            found = {decode_line(path, _first_value, line): line.rstrip("\n") for line in lines}
    elif (folder / _ANALYSES).exists():
        journal = Journal(folder / _ANALYSES)
        found = {name: journal[name] for name in list(journal.keys())}
        journal.close()
    temporary = folder / f"{_ANALYSES}.tmp"
    write_text(temporary, ())
    journal = Journal(temporary)
    for name in sorted(same & found.keys()):
        journal.append(name, found[name])
    journal.close()
    temporary.replace(folder / _ANALYSES)
    return _ANALYSES
