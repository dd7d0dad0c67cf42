"""The estimate of what a language model would cost, and resuming a run from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from faq_pages import PAGES
from model_server import ModelServer
from scripted_model import Faithful

from kgsynth.base.config import Config
from kgsynth.base.errors import ConfigError
from kgsynth.base.progress import silent
from kgsynth.cli import main
from kgsynth.generation.estimate import estimate
from kgsynth.models.llm import LLMSettings

N = 6
CONFIG = Config(n=N, mix={"simple": 1.0}, llm="scripted", fill=True, processes=1)
PRICES = {"price_in": 0.15, "price_out": 0.6}
OPTIONS = ("-n", str(N), "--mix", "simple=1.0", "--llm", "scripted", "--fill", "--processes", "1", "-q")

pytestmark = pytest.mark.usefixtures("hashed")


@pytest.fixture(autouse=True)
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a server nor a key: whatever needs one fails."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    (tmp_path / "llm.toml").write_text("price_in = 0.15\nprice_out = 0.6\n", encoding="utf-8")
    return tmp_path / "docs"


def cli(command: str, docs: Path, *options: str, url: str | None = None) -> Result:
    given = [command, str(docs), *OPTIONS, "--llm-config", str(docs.parent / "llm.toml"), *options]
    return CliRunner(env={"OPENAI_BASE_URL": url} if url else {}).invoke(main, given)


def test_an_estimate_needs_no_server_and_writes_nothing(docs: Path) -> None:
    before = sorted(docs.parent.rglob("*"))
    found = estimate(docs, config=CONFIG, llm_settings=LLMSettings(**PRICES))
    assert sorted(docs.parent.rglob("*")) == before
    usage: Any = found.usage
    calls = {name: each["calls"] for name, each in usage.items() if name != "cost"}
    assert found.questions == N and found.calls == sum(calls.values())
    assert set(calls) == {"writing", "probing", "judging questions", "verifying"}
    assert calls["verifying"] == 3, "six questions, five in a request, and one more to choose from"
    assert 6 <= calls["writing"] <= 10 and 1 <= calls["judging questions"] <= 2
    both = [sum(each[way] for name, each in usage.items() if name != "cost") for way in ("tokens_in", "tokens_out")]
    assert found.tokens == sum(both)
    assert found.ways["middle"].calls == calls["writing"] + calls["probing"]
    assert found.ways["light"].calls == 2 * calls["writing"] and found.ways["light"].tokens == calls["writing"] * 1600
    assert found.cost == pytest.approx((both[0] * 0.15 + both[1] * 0.6) / 1e6)


def test_without_a_model_there_is_nothing_to_estimate(docs: Path) -> None:
    with pytest.raises(ConfigError, match="nothing to estimate without a language model: name one with --llm"):
        estimate(docs, config=Config(n=N))


def test_caps_that_are_too_low_are_named(docs: Path) -> None:
    found = estimate(
        docs, config=CONFIG, llm_settings=LLMSettings(**PRICES, max_calls=8, max_tokens=10**6, max_cost=1e-6)
    )
    assert found.over == ("max_calls", "max_cost") and found.calls > 8, "all calls are counted nevertheless"


def test_the_command_prints_calls_tokens_and_cost(docs: Path) -> None:
    result = cli("estimate", docs, "--max-calls", "8")
    assert result.exit_code == 0, result.output
    found = estimate(docs, config=CONFIG, llm_settings=LLMSettings(**PRICES))
    usage: Any = found.usage
    ways = [sum(each[way] for name, each in usage.items() if name != "cost") for way in ("tokens_in", "tokens_out")]
    calls = ", ".join(f"{name} {each['calls']}" for name, each in usage.items() if name != "cost")
    assert result.stdout.splitlines() == [
        f"Estimate for {N} questions: {found.calls} calls ({calls}), {ways[0]:,} tokens in and {ways[1]:,} out, "
        f"cost {found.cost:.4f}",
        "If its first replies show a weaker model, fewer calls are made or shorter ones: "
        f"middle way {found.ways['middle'].calls} calls, {found.ways['middle'].tokens:,} tokens, "
        f"light way {found.ways['light'].calls} calls, {found.ways['light'].tokens:,} tokens.",
        "The language model was not called; repeated requests would cost more.",
        "--max-calls is too low: generate would stop there, and resume with a higher cap.",
    ]


def test_without_prices_the_command_says_what_to_set(docs: Path) -> None:
    (docs.parent / "llm.toml").write_text("price_in = 0\n", encoding="utf-8")
    result = cli("estimate", docs)
    assert "cost" not in result.stdout.splitlines()[0]
    assert result.stdout.splitlines()[2] == (
        "For the cost, set price_in and price_out (per million tokens) under [llm] in kgsynth.toml, or in a file given "
        "with --llm-config."
    )


def test_no_stage_of_an_estimate_says_that_the_model_is_asked(docs: Path) -> None:
    stages = []

    @contextmanager
    def recorded(name: str, total: int | None) -> Iterator[Any]:
        stages.append(name)
        with silent(name, total) as stage:
            yield stage

    estimate(docs, config=CONFIG, llm_settings=LLMSettings(), progress=recorded)
    assert "asking the model" not in stages and stages[-2:] == ["counting requests", "choosing"]


def test_generate_resumes_from_an_estimate_and_writes_the_same_files(docs: Path, tmp_path: Path) -> None:
    both = tmp_path / "estimated first", tmp_path / "at once"
    assert cli("estimate", docs, "-o", str(both[0])).exit_code == 0
    assert not (both[0] / "golden.jsonl").exists() and not (both[0] / "llm.sqlite").exists()
    with ModelServer(Faithful()) as server:
        for out in both:
            result = cli("generate", docs, "-o", str(out), url=server.url)
            assert result.exit_code == 0, result.output
    for name in ("golden.jsonl", "rejected.jsonl", "graph.json", "candidates.jsonl"):
        assert (both[0] / name).read_bytes() == (both[1] / name).read_bytes(), name


@pytest.mark.parametrize("option", [("--max-calls", "5"), ("--llm-config", "llm.toml"), ("--max-cost", "1")], ids=str)
def test_options_of_a_language_model_need_one(docs: Path, option: tuple[str, str]) -> None:
    result = CliRunner().invoke(main, ["generate", str(docs), "-o", str(docs.parent / "run"), *option])
    assert result.exit_code == 2
    assert result.stderr == f"error: {option[0]} needs a language model; name one, or omit the option\n"


def test_generate_needs_a_server(docs: Path) -> None:
    result = cli("generate", docs, "-o", str(docs.parent / "run"))
    assert (
        result.exit_code == 2 and "no server for the language model 'scripted'; export OPENAI_API_KEY" in result.stderr
    )
