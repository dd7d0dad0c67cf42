"""Settings: read from a file and overridden, all problems reported together, and the identity of a run."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kgsynth.base import config as c
from kgsynth.base.choices import CHUNKING, LANGUAGE_CHOICES
from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.base.settings import problems_of


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults_are_those_of_the_design() -> None:
    config = Config()
    assert (config.n, config.seed, config.language) == (100, 0, "auto")
    assert config.mix == {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.25, "conditional": 0.15}
    assert (config.spacy_model, config.embedding_model) == ("en_core_web_sm", "auto")
    assert Config.load() == config


def test_the_command_line_overrides_the_file_but_none_does_not(tmp_path: Path) -> None:
    file = write(tmp_path / "kgsynth.toml", "n = 7\nseed = 3\n[mix]\nsimple = 1\n")
    config = Config.load(file, seed=5, n=None)
    assert (config.n, config.seed, config.mix) == (7, 5, {"simple": 1})
    assert Config.load(file, mix="reasoning=0.5, conditional=0.5").mix == {"reasoning": 0.5, "conditional": 0.5}


def test_thresholds_add_to_the_defaults(tmp_path: Path) -> None:
    file = write(tmp_path / "kgsynth.toml", "[thresholds]\nleaking = 0.1\ncopied = 0.2\n")
    expected = {**c.DEFAULT_THRESHOLDS, "leaking": 0.1, "copied": 0.95}
    assert Config.load(file, thresholds={"copied": 0.95}).thresholds == expected


def test_paths_in_the_file_are_relative_to_its_folder(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", "{}")
    file = write(tmp_path / "kgsynth.toml", 'avoid = ["old.jsonl"]\n')
    assert Config.load(file).avoid == (tmp_path / "old.jsonl",)


def test_all_problems_are_reported_together_with_value_place_and_next_step(tmp_path: Path) -> None:
    file = write(
        tmp_path / "kgsynth.toml",
        'n = 0\nseed = "x"\nchunk_sise = 3\nchunk_size = 50\nchunk_overlap = 50\nranker = "gone.jsonl"\n'
        "[mix]\nsimple = 0.5\nmulticontext = 0.4\n",
    )
    with pytest.raises(ConfigError) as caught:
        Config.load(file, language="xx", processes=0)
    lines = str(caught.value).splitlines()
    assert lines[0] == "8 settings are wrong:"
    for problem in (
        f"n is 0 in {file}; it must be greater than 0",
        f"seed is 'x' in {file}; it must be an integer",
        f"unknown setting chunk_sise in {file}; did you mean chunk_size?",
        "chunk_overlap is 50 and chunk_size 50; give an overlap smaller than the size",
        f"ranker is '{tmp_path / 'gone.jsonl'}' in {file}; there is no such file, check the path",
        f"mix in {file}: 'multicontext' is unknown, did you mean multi_context?; the shares sum to 0.9, not to 1",
        "processes is 0; it must be greater than 0",
    ):
        assert f"  - {problem}" in lines
    assert "  - language is 'xx'; it must be 'auto', 'en' or 'zh'" in lines


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"n": True}, "n is True"),
        ({"n": 2.0}, "n is 2.0"),
        ({"seed": -1}, "seed is -1"),
        ({"chunk_overlap": -1}, "chunk_overlap is -1; it must be greater than or equal to 0"),
        ({"chunk_overlap": 200}, "chunk_overlap is 200 and chunk_size 200"),
        ({"mix": "simple=0.4,reasoning"}, "mix contains 'reasoning'; write it as name=share"),
        ({"mix": "simple=0.4,simple=0.6"}, "mix names 'simple' twice"),
        ({"mix": "simple=-0.5,reasoning=1.5"}, "mix.simple is -0.5; it must be greater than or equal to 0"),
        ({"mix": "simple=nan"}, "mix.simple is nan; it must be a finite number"),
        ({"mix": {}}, "mix: the shares sum to 0, not to 1"),
        ({"mix": 3}, "mix is 3; it must be a table"),
        ({"spacy_model": ""}, "spacy_model is ''"),
        ({"avoid": ("gone.jsonl",)}, "avoid.0 is 'gone.jsonl'; there is no such file"),
        ({"avoid": "gone.jsonl"}, "avoid is 'gone.jsonl'; it must be a list"),
        ({"thresholds": {"leakin": 0.3}}, "thresholds: 'leakin' is unknown, did you mean leaking?"),
        ({"thresholds": {"leaking": "high"}}, "thresholds.leaking is 'high'; it must be a number"),
        ({"model": "some-model"}, "unknown setting model; did you mean spacy_model?"),
    ],
)
def test_a_single_problem_is_one_line(given: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.load(None, **given)
    assert str(caught.value).startswith(problem)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(None, "cannot be read .No such file"), (b"n = = 3", "is not valid TOML"), (b"\xff\xfe", "is not valid TOML")],
)
def test_a_file_that_cannot_be_read_is_a_config_error(tmp_path: Path, content: bytes | None, problem: str) -> None:
    file = tmp_path / "kgsynth.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=problem):
        Config.load(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        Config.load(tmp_path)


def test_a_config_made_in_code_is_checked_too() -> None:
    with pytest.raises(ConfigError, match="n is 0"):
        Config(n=0)
    with pytest.raises(ConfigError, match="seed is -1"):
        replace(Config(), seed=-1)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=5))
def test_any_mix_that_sums_to_one_is_read_back(weights: list[int]) -> None:
    shares = dict(zip(c.QUESTION_TYPES, (weight / sum(weights) for weight in weights), strict=False))
    assert Config.load(mix=",".join(f"{name}={share!r}" for name, share in shares.items())).mix == shares


@pytest.mark.parametrize("text", ["", "simple", "simple=1=2", "simple=0.9999", "nonsense=1"])
def test_a_wrong_mix_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="mix"):
        Config.load(mix=text)


def test_every_setting_is_checked_and_default_shares_sum_to_one() -> None:
    assert all(len(problems_of(Config, {entry.name: object()})) == 1 for entry in fields(Config))
    assert all(abs(sum(shares.values()) - 1) < 1e-9 for shares in (c.DEFAULT_MIX, c.DEFAULT_STYLES, c.DEFAULT_LENGTHS))


def test_every_setting_but_where_the_work_is_done_changes_the_identity(tmp_path: Path) -> None:
    other = {
        "n": 5,
        "mix": {"simple": 1.0},
        "kinds": ("cause",),
        "seed": 1,
        "language": "en",
        "chunking": "fixed",
        "chunk_size": 90,
        "chunk_overlap": 9,
        "spacy_model": "m",
        "embedding_model": "m",
        "avoid": (write(tmp_path / "a", "a"),),
        "thresholds": {**c.DEFAULT_THRESHOLDS, "leaking": 0.123},
        "llm": "m",
        "include": ("*.md",),
        "exclude": ("drafts/",),
        "styles": {"natural": 1.0},
        "lengths": {"short": 1.0},
        "personas": write(tmp_path / "p", "p"),
        "style_examples": write(tmp_path / "s", "s"),
        "about": "guests of a hotel",
        "drop_closed_book": True,
        "turns": 2,
        "min_keep": 0.6,
        "difficulty": "hard",
        "fill": True,
        "topic": "billing",
        "ranker": write(tmp_path / "r", "r"),
    }
    base = Config(llm="another")
    assert replace(base, processes=3, engine="ray").identity() == base.identity()
    assert set(other) | {"processes", "engine"} == {entry.name for entry in fields(Config)}
    for key, value in other.items():
        changed = replace(base, **{key: value})
        assert {name for name, now in changed.identity().items() if now != base.identity()[name]} == {key}


def test_the_identity_of_a_file_depends_on_its_content_not_its_name(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one", "same"), write(tmp_path / "two", "same")
    assert Config(avoid=(one,)).identity() == Config(avoid=(two,)).identity()
    write(two, "else")
    assert Config(avoid=(one,)).identity() != Config(avoid=(two,)).identity()


def test_the_names_in_the_config_are_those_of_the_stages() -> None:
    """The config must not import the stages, so this test keeps them consistent."""
    from kgsynth.documents.chunking import CHUNKERS
    from kgsynth.language import LANGUAGES

    assert tuple(CHUNKERS) == CHUNKING
    assert ("auto", *LANGUAGES) == LANGUAGE_CHOICES


def test_workers_never_outnumber_documents() -> None:
    assert Config(processes=4).workers(2) == 2
    assert Config(processes=4).workers(0) == 1
    assert Config().workers(10**6) >= 1
    assert Config(processes=4).workers(9) == Config(processes=4).workers() == 4


def test_resolved_is_plain_json_with_every_setting(tmp_path: Path) -> None:
    resolved = Config(avoid=(write(tmp_path / "a", ""),)).resolved()
    assert resolved["avoid"] == [(tmp_path / "a").as_posix()]
    assert set(resolved) == set(c.CONFIG_KEYS)
