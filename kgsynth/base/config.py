"""What a run of ``generate`` is told: one frozen record, from kgsynth.toml and the command line.

All faults are collected and told at once. Left out: secrets, which come from the environment and are never kept, and
whatever belongs to one command's output alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kgsynth.base import config_checks as must
from kgsynth.base.errors import ConfigError

DEFAULT_MIX = {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.25, "conditional": 0.15}
"""How the set divides over the question types when nothing is said; the shares sum to 1."""

QUESTION_TYPES = (*DEFAULT_MIX, "unanswerable")
"""Every type a mix may name; unanswerable questions are written only when it does."""

DEFAULT_STYLES = {"natural": 0.7, "conversational": 0.1, "formal": 0.1, "keyword": 0.05, "misspelt": 0.05}
"""How the questions that a language model words divide over the styles; the shares sum to 1."""

DEFAULT_LENGTHS = {"short": 0.4, "medium": 0.4, "long": 0.2}
"""How they divide over the lengths."""

SHARES = {"mix": "simple", "styles": "natural", "lengths": "short"}
"""The settings that the command line gives as ``name=share,name=share``, each with a name to show how."""

CHUNKING = ("fixed", "sentence", "recursive", "semantic")
"""The names of the chunking strategies."""

LANGUAGES = ("auto", "en")
"""The languages of documents; auto decides for each document."""

DEFAULT_THRESHOLDS: dict[str, float] = {
    "leaking": 0.5,  # share of the answer's content words that may stand in the question
    "copied": 0.75,  # share of the question's words that repeat a sentence of its evidence
    "answerable": 0.6,  # share of the question's content words that its evidence and headings must hold
    "ambiguous": 0.8,  # share of the question's words, by rarity, that makes another sentence a rival
    "absent": 0.8,  # the same, for a sentence that may answer what no document is to answer
    "style": -1.3,  # least quality, which the faults of a phrasing lower
    "hop_necessity": 0.8,  # the same, for sentences that answer without the bridge
    "hopeless": 50.0,  # rank of the gold chunk beyond which no retriever could be expected to find it
    "faithful": 0.8,  # least cosine of a reworded question with the plain one
    "faithful_by_model": 0.65,  # the same, when a language model has put it in other words
    "verified": 0.5,  # least agreement of a model's answer, from the evidence alone, with the golden one
    "closed_book": 0.5,  # the same, without any evidence: from there on a question needs no documents
    "near": 0.75,  # cosine of a chunk that names what is asked about, beyond which it may hold the answer
    "answered": 0.55,  # least probability with which the reader finds the question answered by its evidence
    "too_easy": 0.35,  # lead in cosine of the gold chunk over the next
    "duplicate": 0.8,  # estimated Jaccard similarity of word shingles
    "paraphrase": 0.95,  # cosine of two questions that ask the same
}
"""Filter rule -> its threshold."""

_CHUNK_SIZE = 200

_READ = ("language",)
_CHUNK = (*_READ, "chunking", "chunk_size", "chunk_overlap", "chunks", "embedding_model")
_GRAPH = (*_CHUNK, "spacy_model", "llm_graph")
_WRITE = (*_GRAPH, "mix", "n", "seed")
_FILTER = (*_WRITE, "avoid", "thresholds")
_WORD = (*_FILTER, "llm", "styles", "lengths", "personas", "style_examples", "evolved", "drop_closed_book")

STAGE_KEYS = {
    "read": _READ,
    "chunk": _CHUNK,
    "analyse": (*_READ, "spacy_model"),
    "encode": _CHUNK,
    "graph": _GRAPH,
    "write": _WRITE,
    "filter": _FILTER,
    "select": _FILTER,
    "word": _WORD,
}
"""Which settings influence what a stage writes, those of the stages above it included; ``processes`` never does.

Semantic chunks are cut by embeddings, so the embedding model is in from there on.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings of one run; making one with a wrong value raises ``ConfigError`` with every fault in it.

    ``chunk_size`` and ``chunk_overlap`` are in words. ``chunks`` is a file of the user's own chunks, used instead
    of the strategy; ``avoid`` names earlier golden sets not to repeat; ``processes`` None means one for each core.
    ``llm`` is the language model that words the questions anew, None for none; the settings after it are
    its: ``evolved`` is the share, of the questions that can be, which only a model can make.

    Example:
        >>> Config(n=20).mix["simple"]
        0.4
    """

    n: int = 100
    mix: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_MIX))
    seed: int = 0
    language: str = "auto"
    chunking: str = "recursive"
    chunk_size: int = _CHUNK_SIZE
    chunk_overlap: int = 0
    chunks: Path | None = None
    spacy_model: str = "en_core_web_sm"
    embedding_model: str = "all-MiniLM-L6-v2"
    avoid: tuple[Path, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_THRESHOLDS))
    llm: str | None = None
    styles: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_STYLES))
    lengths: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_LENGTHS))
    personas: Path | None = None
    style_examples: Path | None = None
    evolved: float = 0.3
    drop_closed_book: bool = False
    llm_graph: bool = False
    processes: int | None = None

    def __post_init__(self) -> None:
        faults = _faults({key: getattr(self, key) for key in KEYS}, lambda _: "")
        if faults:
            raise _error(faults)

    @classmethod
    def load(cls, path: Path | None = None, **overrides: object) -> Config:
        """Return the settings of the file ``path``, each overridden by what ``overrides`` gives for it.

        An override of None counts as not given. A ``mix`` may be text (``simple=0.5,reasoning=0.5``) and replaces the
        whole mix; ``thresholds`` replace only the rules they name. Paths in the file start from its folder.

        Raises:
            ConfigError: with every unknown key and wrong value, or because the file is no readable TOML.
        """
        given, faults = _from_file(path)
        in_file = dict.fromkeys(given, f" in {path}")
        for key, value in overrides.items():
            if value is None:
                continue
            if key == "thresholds" and isinstance(value, Mapping) and isinstance(given.get(key), Mapping):
                value = {**given[key], **value}
            given[key] = value
            in_file.pop(key, None)
        faults += [must.unknown("key", key, KEYS, in_file.get(key, "")) for key in sorted(set(given) - set(KEYS))]
        values = {key: given[key] for key in KEYS if key in given}
        for key in filter(values.__contains__, SHARES):
            if isinstance(values[key], str):
                values[key], wrong = _read_shares(key, values[key])
                faults += wrong
                if wrong:
                    del values[key]
        if isinstance(values.get("thresholds"), Mapping):
            values["thresholds"] = {**DEFAULT_THRESHOLDS, **values["thresholds"]}
        if isinstance(values.get("avoid"), list):
            values["avoid"] = tuple(values["avoid"])
        faults += _faults(values, lambda key: in_file.get(key, ""))
        if faults:
            raise _error(faults)
        return cls(**values)

    def workers(self, at_most: int | None = None) -> int:
        """Return how many processes to use: ``at_most`` so many when given, at least one.

        Example:
            >>> Config(processes=8).workers(3)
            3
        """
        wanted = self.processes or _cores()
        return wanted if at_most is None else max(1, min(wanted, at_most))

    def resolved(self) -> dict[str, object]:
        """Return every setting as plain JSON values, for the manifest."""
        return {key: _plain(getattr(self, key)) for key in KEYS}

    def identity(self) -> dict[str, object]:
        """Return the settings that influence the output, files by the hash of their content."""
        influential = sorted({key for keys in STAGE_KEYS.values() for key in keys})
        return {key: _plain(getattr(self, key), hashed=True) for key in influential}

    def fingerprint(self) -> str:
        """Return a hash of all that influences the output; two configs with the same one write the same bytes."""
        return _hash(self.identity())

    def stage_fingerprint(self, stage: str) -> str:
        """Return a hash of all that influences what ``stage`` writes; see ``STAGE_KEYS``."""
        identity = self.identity()
        return _hash({key: identity[key] for key in STAGE_KEYS[stage]})


KEYS = tuple(entry.name for entry in fields(Config))
"""The names of all settings: the keys of kgsynth.toml."""


def parse_mix(text: str) -> dict[str, float]:
    """Read a mix as the command line gives it.

    Raises:
        ConfigError: with every piece that is no ``type=share``, every unknown type, and a sum other than 1.

    Example:
        >>> parse_mix("simple=0.7, reasoning=0.3")
        {'simple': 0.7, 'reasoning': 0.3}
    """
    mix, faults = _read_shares("mix", text)
    faults = faults or CHECKS["mix"]("mix", mix)
    if faults:
        raise _error(faults)
    return mix


def _read_shares(key: str, text: str) -> tuple[dict[str, float], list[str]]:
    read: dict[str, float] = {}
    faults = []
    for piece in (part.strip() for part in text.split(",")):
        name, _, share = (part.strip() for part in piece.partition("="))
        if name in read:
            faults.append(f"{key} names {name!r} twice; give each once")
        try:
            read[name] = float(share)
        except ValueError:
            faults.append(f"{key} holds {piece!r}; write it as name=share, such as {SHARES[key]}=0.4")
    return read, faults


# ---- the checks: see ``config_checks`` ------------------------------------------------------------

CHECKS: dict[str, must.Check] = {
    "n": must.whole(1),
    "mix": must.shares("question type", QUESTION_TYPES),
    "seed": must.whole(0, 2**32 - 1),
    "language": must.one_of(LANGUAGES),
    "chunking": must.one_of(CHUNKING),
    "chunk_size": must.whole(1),
    "chunk_overlap": must.whole(0),
    "chunks": must.file,
    "spacy_model": must.name,
    "embedding_model": must.name,
    "avoid": must.files,
    "thresholds": must.numbers(DEFAULT_THRESHOLDS),
    "llm": must.optional_name,
    "styles": must.shares("style", DEFAULT_STYLES),
    "lengths": must.shares("length", DEFAULT_LENGTHS),
    "personas": must.file,
    "style_examples": must.file,
    "evolved": must.share,
    "drop_closed_book": must.flag,
    "llm_graph": must.flag,
    "processes": must.whole(1, optional=True),
}
"""What each setting must be."""


def _faults(values: Mapping[str, Any], origin: Callable[[str], str]) -> list[str]:
    faults = []
    for key, value in values.items():
        for fault in CHECKS[key](key, value):
            what, _, advice = fault.rpartition(";")
            faults.append(f"{what}{origin(key)};{advice}")
    size, overlap = values.get("chunk_size", _CHUNK_SIZE), values.get("chunk_overlap", 0)
    if not CHECKS["chunk_size"]("", size) and not CHECKS["chunk_overlap"]("", overlap) and overlap >= size:
        faults.append(f"chunk_overlap is {overlap} and chunk_size {size}; give an overlap smaller than the size")
    return faults


def _error(faults: list[str]) -> ConfigError:
    if len(faults) == 1:
        return ConfigError(faults[0])
    return ConfigError("\n  - ".join([f"{len(faults)} settings are wrong:", *faults]))


def _from_file(path: Path | None) -> tuple[dict[str, Any], list[str]]:
    if path is None:
        return {}, []
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}, [f"there is no config file {path}; check the path"]
    except OSError as error:
        return {}, [f"the config file {path} cannot be read ({error.strerror}); give a file in TOML"]
    except ValueError as error:
        return {}, [f"the config file {path} is no TOML ({error}); mend it there"]
    for key in ("chunks", "avoid", "personas", "style_examples"):
        given[key] = _beside(path, given[key]) if key in given else None
    return {key: value for key, value in given.items() if value is not None}, []


def _beside(path: Path, value: Any) -> Any:
    if isinstance(value, list):
        return [_beside(path, each) for each in value]
    return path.parent / value if isinstance(value, str) and value else value


def _plain(value: Any, *, hashed: bool = False) -> Any:
    if isinstance(value, Path):
        return f"sha256 {hashlib.sha256(value.read_bytes()).hexdigest()}" if hashed else value.as_posix()
    if isinstance(value, tuple):
        return [_plain(each, hashed=hashed) for each in value]
    return dict(sorted(value.items())) if isinstance(value, Mapping) else value


def _hash(settings: Mapping[str, object]) -> str:
    text = json.dumps(settings, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
