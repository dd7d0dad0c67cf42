"""What a language model costs and what it cannot break, over part of the handbook with the real stages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from llm_runs import CONFIG, HANGS, KEY, MIX, PATIENCE, PRICES, EveryKind, N, Prepared, Ran, run
from model_server import KINDS, ModelServer
from scripted_model import Faithful, stage

import kgsynth
from kgsynth.base.shares import apportion
from kgsynth.cli import main
from kgsynth.golden.dataset import load
from kgsynth.models import encoder

ASKED = "asking the model"


@pytest.fixture(scope="module")
def faithful() -> Faithful:
    """One for all runs."""
    return Faithful()


@pytest.fixture(autouse=True, scope="module")
def reached() -> Iterator[None]:
    """A key, the way to this machine, and the embedding model loaded once for all runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_PROXY", "127.0.0.1")
        patch.setenv("OPENAI_API_KEY", KEY)
        patch.setattr(encoder, "load_encoder", cache(encoder.load_encoder))
        yield


@pytest.fixture(scope="module")
def healthy(prepared: Prepared, faithful: Faithful, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    return run(prepared, tmp_path_factory.mktemp("runs") / "healthy", faithful)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


# ---- the cost ----------------------------------------------------------------------------------------


def test_reading_the_documents_and_building_the_graph_call_no_model(healthy: Ran) -> None:
    assert {"parsing", "embedding", "linking", "finding scenarios", "writing", "filtering"} <= set(healthy.after)
    assert {number for name, number in healthy.after.items() if name not in (ASKED, "choosing")} == {0}
    assert healthy.after[ASKED] == len(healthy.requests)


def test_an_accepted_item_takes_at_most_four_calls(healthy: Ran) -> None:
    assert len(healthy.made.golden) == N and healthy.made.shortage.missing == 0
    assert all(item.metadata["writer"] == "llm:scripted" for item in healthy.made.golden)
    assert len(healthy.requests) <= 4 * N
    counted = {name: sum(stage(request) == name for request in healthy.requests) for name in healthy.made.usage}
    calls = {name: usage["calls"] for name, usage in healthy.made.usage.items() if name != "cost"}  # type: ignore[index]
    assert calls == {name: number for name, number in counted.items() if name != "cost"}
    assert json.loads((healthy.folder / "manifest.json").read_text("utf-8"))["usage"] == healthy.made.usage


def test_the_estimate_is_within_a_tenth_of_the_real_usage(prepared: Prepared, healthy: Ran) -> None:
    usage = [each for name, each in healthy.made.usage.items() if name != "cost"]
    tokens = sum(each["tokens_in"] + each["tokens_out"] for each in usage)  # type: ignore[index]
    assert prepared.estimate.questions == N
    assert prepared.estimate.calls == pytest.approx(len(healthy.requests), rel=0.1)
    assert prepared.estimate.tokens == pytest.approx(tokens, rel=0.1)
    assert prepared.estimate.cost == pytest.approx(healthy.made.usage["cost"], rel=0.1)


# ---- what it cannot break ----------------------------------------------------------------------------


def test_the_audit_finds_no_error_in_a_set_that_a_model_wrote(prepared: Prepared, healthy: Ran) -> None:
    report = kgsynth.audit(healthy.folder / "golden.jsonl", prepared.docs)
    assert report.at_least("error") == ()


def test_every_type_has_its_share(healthy: Ran) -> None:
    counts = Counter(row["question_type"] for row in rows(healthy.folder / "golden.jsonl"))
    assert counts == apportion(N, MIX)


def test_every_claim_is_proved_by_evidence_that_stands_in_the_documents(healthy: Ran) -> None:
    for item in healthy.made.golden:
        assert not item.answerable or (item.claims and all(claim.groups for claim in item.claims))
        used = {number for claim in item.claims for number in claim.groups}
        assert used == set(range(len(item.evidence)))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Settings with a short timeout, since some replies hang."""
    path = tmp_path_factory.mktemp("settings") / "llm.toml"
    prices = "\n".join(f"{name} = {price}" for name, price in PRICES.items())
    path.write_text(f"timeout = {PATIENCE}\nbackoff = 0.01\n{prices}\n", encoding="utf-8")
    return path


def cli(docs: Path, out: Path, server: ModelServer, *options: str) -> Result:
    """The same run from the command line."""
    mix = ",".join(f"{kind}={share}" for kind, share in MIX.items())
    chosen = ["-n", str(N), "--mix", mix, "--kinds", "all", "--fill"]
    given = [*chosen, "--llm", str(CONFIG.llm), "--processes", "1", "-q", *options]
    return CliRunner(env={"OPENAI_BASE_URL": server.url}).invoke(main, ["generate", str(docs), "-o", str(out), *given])


def test_a_server_that_fails_in_every_way_gives_the_same_set(
    prepared: Prepared, healthy: Ran, faithful: Faithful, tmp_path: Path
) -> None:
    ran = run(prepared, tmp_path / "run", faithful, EveryKind(0.3, hang_s=HANGS), timeout=PATIENCE)
    assert set(ran.server.met) == set(KINDS)
    assert sum(ran.server.met.values()) >= 0.2 * len(ran.requests)
    assert ran.golden == healthy.golden


def test_a_cap_stops_the_run_at_exactly_this_many_calls_and_it_resumes_to_the_same_set(
    prepared: Prepared, healthy: Ran, faithful: Faithful, settings: Path, tmp_path: Path
) -> None:
    out, seen, finished = prepared.copy(tmp_path / "run"), 0, set[str]()
    with ModelServer(faithful, faults=EveryKind(0.3, hang_s=HANGS)) as server:
        for _ in range(5):
            result = cli(prepared.docs, out, server, "--llm-config", str(settings), "--max-calls", "50")
            if result.exit_code == 0:
                break
            assert result.exit_code == 130, result.output
            assert len(server.requests) == seen + 50, "neither more nor fewer"
            seen = len(server.requests)
            done = load(out / "partial.jsonl")
            assert result.stderr == (
                "error: stopped after 50 calls to the language model, all that --max-calls allows; "
                f"{len(done)} of {N} questions are finished and were saved to {out / 'partial.jsonl'}: "
                "allow more and run the same command again to resume\n"
            )
            assert finished <= {item.id for item in done}, "what is finished stays"
            finished = {item.id for item in done}
            assert not (out / "golden.jsonl").exists()
    assert result.exit_code == 0 and seen > 0, result.output
    assert (out / "golden.jsonl").read_bytes() == healthy.golden
    assert finished & {item.id for item in healthy.made.golden}
    assert not (out / "partial.jsonl").exists()
    again = cli(prepared.docs, out, server, "--llm-config", str(settings))  # the server is gone by now
    assert again.exit_code == 0 and "language model: 0 calls" in again.stdout, again.output
    assert (out / "golden.jsonl").read_bytes() == healthy.golden
