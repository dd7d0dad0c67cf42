"""The settings of a run of ``generate``: one frozen record, read from kgsynth.toml and the command line."""

from __future__ import annotations

import hashlib
import inspect
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, Self, TypeVar

from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from kgsynth.base.choices import LANGUAGE_CHOICES, Chunking, Difficulty
from kgsynth.base.errors import ConfigError, UnknownArgumentError, lacking
from kgsynth.base.names import suggestion
from kgsynth.base.settings import (
    ExistingFile,
    Name,
    known_names,
    one_of,
    problems_of,
    raise_problems,
    read_settings_file,
    shares_of,
    unknown_settings,
)
from kgsynth.base.thresholds import DEFAULT_THRESHOLDS

Args = ParamSpec("Args")
Out = TypeVar("Out")

DEFAULT_MIX = {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.25, "conditional": 0.15}
"""Question type -> its default share of the set."""

QUESTION_TYPES = (*DEFAULT_MIX, "unanswerable")
"""The types a mix may name; unanswerable questions are written only if it names them."""

DEFAULT_STYLES = {"natural": 0.8, "conversational": 0.1, "formal": 0.1, "keyword": 0.0, "misspelt": 0.0}
"""Style -> its default share of the questions that a language model writes."""

DEFAULT_LENGTHS = {"short": 0.4, "medium": 0.4, "long": 0.2}
"""Length -> its default share of these questions."""

SHARES = {"mix": "simple", "styles": "natural", "lengths": "short"}
"""The settings written as ``name=share,name=share`` on the command line, each with a name for an example."""

_CHUNK_SIZE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """All settings of one run; wrong values raise ``ConfigError`` with all problems.

    ``kinds`` are the subtypes that are asked, or "default" or "all"; their names are checked when the run begins.
    ``topic`` is a text near which the questions stay.
    ``embedding_model`` "auto" is chosen by the languages of the documents.
    ``chunk_size`` and ``chunk_overlap`` are in words; ``avoid`` are golden sets whose questions are not asked again;
    ``processes`` None means one per core; ``engine`` is where they are, "ray" or "ray://HOST:PORT" for tasks of a
    cluster.
    ``include`` and ``exclude`` are patterns of the files that are read. ``llm`` is the language model
    that writes the questions, or several with commas, None for those of the rules; the settings from ``styles`` to
    ``turns`` need it. ``about`` says who asks, and about what. With ``turns`` above 1 some questions open conversations
    of up to so many turns; the later ones come in addition to the ``n`` questions.
    Questions that a strict reader would keep with a lower probability than ``min_keep`` are chosen only to ``fill`` the
    set; ``ranker`` is a file of ``kgsynth rank``, used for that instead of kgsynth's own. ``difficulty`` says how much
    questions are preferred on which systems differ.

    Example:
        >>> Config(n=20).mix["simple"]
        0.4
    """

    n: PositiveInt = 100
    mix: Annotated[Mapping[str, NonNegativeFloat], shares_of(QUESTION_TYPES)] = field(
        default_factory=lambda: dict(DEFAULT_MIX)
    )
    kinds: Annotated[tuple[Name, ...], Field(min_length=1)] = ("default",)
    topic: str = ""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    language: Annotated[Name, one_of(LANGUAGE_CHOICES)] = "auto"
    chunking: Chunking = "recursive"
    chunk_size: PositiveInt = _CHUNK_SIZE
    chunk_overlap: NonNegativeInt = 0
    spacy_model: Name = "en_core_web_sm"
    embedding_model: Name = "auto"
    avoid: tuple[ExistingFile, ...] = ()
    include: tuple[Name, ...] = ()
    exclude: tuple[Name, ...] = ()
    thresholds: Annotated[Mapping[str, float], known_names(DEFAULT_THRESHOLDS)] = field(
        default_factory=lambda: dict(DEFAULT_THRESHOLDS)
    )
    llm: Annotated[Name, Field(pattern=r"[^,\s]")] | None = None
    styles: Annotated[Mapping[str, NonNegativeFloat], shares_of(DEFAULT_STYLES)] = field(
        default_factory=lambda: dict(DEFAULT_STYLES)
    )
    lengths: Annotated[Mapping[str, NonNegativeFloat], shares_of(DEFAULT_LENGTHS)] = field(
        default_factory=lambda: dict(DEFAULT_LENGTHS)
    )
    about: str = ""
    personas: ExistingFile | None = None
    style_examples: ExistingFile | None = None
    drop_closed_book: bool = False
    min_keep: Annotated[float, Field(ge=0, le=1)] = 0.5
    fill: bool = False
    difficulty: Difficulty = "natural"
    ranker: ExistingFile | None = None
    turns: Annotated[int, Field(ge=1, le=8)] = 1
    processes: PositiveInt | None = None
    engine: Annotated[str, Field(pattern=r"^(processes|ray(://\S+)?)$")] = "processes"

    def __new__(cls, *unnamed: object, **settings: object) -> Self:
        """Check the names before the constructor, which would raise a bare ``TypeError``."""
        if unnamed:
            raise UnknownArgumentError(f"Config takes settings by name, such as Config(n=60), not {unnamed[0]!r}")
        if problems := unknown_settings(list(settings), CONFIG_KEYS, lambda _: ""):
            raise UnknownArgumentError("; ".join(problems))
        return object.__new__(cls)

    def __post_init__(self) -> None:
        raise_problems(_problems({key: getattr(self, key) for key in CONFIG_KEYS}, {}))

    @classmethod
    def load(cls, path: Path | None = None, *, command: str = "generate", **overrides: object) -> Config:
        """Return the settings of the file ``path``, overridden by ``overrides``.

        In the file they are the keys of ``[generate]``, overridden by those of ``[command]``. An override of None is
        ignored. Shares such as ``mix`` may be text (``simple=0.5,reasoning=0.5``) and replace all shares;
        ``thresholds`` replace only the rules they name. Paths in the file are relative to its folder.

        Raises:
            ConfigError: with every unknown setting and wrong value, or because the file cannot be read.
        """
        problems: list[str] = []
        values: dict[str, Any] = {}
        places: dict[str, str] = {}
        try:
            values, places, problems = _read(path, command)
        except ConfigError as error:
            problems = [str(error)]
        for key in filter(values.__contains__, _PATH_SETTINGS):
            values[key] = _relative_to(path, values[key])
        for key, value in overrides.items():
            if value is None:
                continue
            if key == "thresholds" and isinstance(value, Mapping) and isinstance(values.get(key), Mapping):
                value = {**values[key], **value}
            values[key] = value
            places.pop(key, None)
        problems += unknown_settings(sorted(values), CONFIG_KEYS, lambda key: places.get(key, ""))
        values = {key: values[key] for key in CONFIG_KEYS if key in values}
        for key in SHARES:
            if isinstance(values.get(key), str):
                shares, wrong = _read_shares(key, values.pop(key))
                problems += wrong
                if not wrong:
                    values[key] = shares
        if isinstance(values.get("thresholds"), Mapping):
            values["thresholds"] = {**DEFAULT_THRESHOLDS, **values["thresholds"]}
        for key in ("kinds", "avoid", "include", "exclude"):
            if isinstance(values.get(key), list):
                values[key] = tuple(values[key])
        raise_problems(problems + _problems(values, places))
        return cls(**values)

    def workers(self, at_most: int | None = None) -> int:
        """Return how many processes to use: at least one, and no more than ``at_most``.

        Example:
            >>> Config(processes=8).workers(3)
            3
        """
        wanted = self.processes or _count_cores()
        return wanted if at_most is None else max(1, min(wanted, at_most))

    @property
    def writers(self) -> tuple[str, ...]:
        """The language models that write questions in turn, of which the first also judges."""
        return tuple(dict.fromkeys(name.strip() for name in (self.llm or "").split(",") if name.strip()))

    def resolved(self) -> dict[str, object]:
        """Return all settings as plain JSON values, for the manifest."""
        return {key: _plain(getattr(self, key)) for key in CONFIG_KEYS}

    def identity(self) -> dict[str, object]:
        """Return the settings that influence the output, which are all but ``processes`` and ``engine``.

        A file is represented by the hash of its content, so two configs with the same identity write the same bytes.
        """
        return {
            key: _plain(getattr(self, key), hashed=True) for key in sorted({*CONFIG_KEYS} - {"processes", "engine"})
        }


CONFIG_KEYS = tuple(entry.name for entry in fields(Config))
"""The names of all settings, which are keys of ``[generate]`` in kgsynth.toml."""

COMMAND_LINE_ONLY = (
    "out",
    "fresh",
    "check",
    "add_kind",
    "json",
    "quiet",
    "llm_config",
    "max_calls",
    "max_tokens",
    "max_cost",
)
"""The other keys of ``[generate]``: options of the command line that are not settings of the set."""

_PATH_SETTINGS = ("avoid", "personas", "style_examples", "ranker")


def _read(path: Path | None, command: str) -> tuple[dict[str, Any], dict[str, str], list[str]]:
    """Return the settings in the file, the place of each in words, and a sentence for each problem."""
    if path is None:
        return {}, {}, []
    file, problems = read_settings_file(path, CONFIG_KEYS)
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    if file.embedding_model is not None:
        values["embedding_model"], places["embedding_model"] = file.embedding_model, f" in [embedding] of {path}"
    for table in dict.fromkeys(("generate", command)):
        for key, value, place in file.entries(table):
            if key in CONFIG_KEYS:
                values[key], places[key] = value, place
            elif table == "generate" and key not in COMMAND_LINE_ONLY:
                problems.append(f"unknown setting {key}{place}; {suggestion(key, CONFIG_KEYS)}")
    return values, places, problems


def _read_shares(key: str, text: str) -> tuple[dict[str, float], list[str]]:
    shares: dict[str, float] = {}
    problems = []
    for part in (part.strip() for part in text.split(",")):
        name, _, share = (piece.strip() for piece in part.partition("="))
        if name in shares:
            problems.append(f"{key} names {name!r} twice; give each once")
        try:
            shares[name] = float(share)
        except ValueError:
            problems.append(f"{key} contains {part!r}; write it as name=share, such as {SHARES[key]}=0.4")
    return shares, problems


def _problems(values: Mapping[str, Any], places: Mapping[str, str]) -> list[str]:
    problems = problems_of(Config, values, lambda key: places.get(key, ""))
    size, overlap = values.get("chunk_size", _CHUNK_SIZE), values.get("chunk_overlap", 0)
    if not problems_of(Config, {"chunk_size": size, "chunk_overlap": overlap}) and overlap >= size:
        problems.append(f"chunk_overlap is {overlap} and chunk_size {size}; give an overlap smaller than the size")
    turns = values.get("turns", 1)
    if not problems_of(Config, {"turns": turns}) and turns > 1 and not values.get("llm"):
        problems.append(f"turns is {turns}{places.get('turns', '')}, but conversations need a language model; set llm")
    return problems


def _relative_to(file: Path | None, value: Any) -> Any:
    """Return a path in ``file``, or a list of them, relative to the folder of ``file``."""
    if isinstance(value, list):
        return [_relative_to(file, each) for each in value]
    return file.parent / value if file and isinstance(value, str) and value else value


def _plain(value: Any, *, hashed: bool = False) -> Any:
    if isinstance(value, Path):
        return f"sha256 {hashlib.sha256(value.read_bytes()).hexdigest()}" if hashed else value.as_posix()
    if isinstance(value, tuple):
        return [_plain(each, hashed=hashed) for each in value]
    return dict(sorted(value.items())) if isinstance(value, Mapping) else value


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_arguments(function: Callable[Args, Out]) -> Callable[Args, Out]:
    """Return the function; a call with an unknown argument raises ``UnknownArgumentError`` with the nearest one.

    For an argument that is a setting of ``config``, the error says so. A package that is not installed becomes a
    ``ConfigError`` that says how to install it.
    """
    known = inspect.signature(function).parameters

    @wraps(function)
    def call(*args: Args.args, **kwargs: Args.kwargs) -> Out:
        for name in kwargs:
            if name not in known:
                hint = suggestion(name, list(known))
                if "config" in known and name in CONFIG_KEYS:
                    hint = f"give it as config=Config({name}=…)"
                raise UnknownArgumentError(f"{function.__name__}() has no argument {name}; {hint}")
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as error:
            if sentence := lacking(f"{function.__name__}()", error):
                raise ConfigError(sentence) from error
            raise

    return call
