"""The same set from processes and from a Ray cluster, also from one that loses workers, nodes and its driver."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from kgsynth.base.config import Config
from kgsynth.base.engines import in_engine
from kgsynth.base.errors import ConfigError, KgsynthError, SystemUnreachableError
from kgsynth.base.processes import WorkLimit
from kgsynth.generation.flow import generate

ray = pytest.importorskip("ray", reason="pip install 'kgsynth[ray]'")
SECONDS = 300
NODE = {"num_cpus": 1, "object_store_memory": 80_000_000}


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    """Three nodes on this machine, with one core each."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))))
        made = Cluster(initialize_head=True, head_node_args=NODE)
        for _ in range(2):
            made.add_node(**NODE)
        made.wait_for_nodes()
        patch.setenv("RAY_ADDRESS", made.address)
        yield made
        ray.shutdown()
        made.shutdown()


def half(number: int) -> float:
    if number < 0:
        raise KgsynthError(f"{number} is below zero")
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return number / 2


def late(number: int) -> int:
    time.sleep(0.2)
    return number


def limited() -> WorkLimit[int, float]:
    return WorkLimit(lambda _: 20.0, 10**9, lambda each, reason: -float(each), lambda each: each < 5)


@pytest.mark.usefixtures("cluster")
def test_results_come_in_order_and_errors_and_killers_end_as_with_processes() -> None:
    assert list(in_engine("ray", half, range(12), 1, shard=5)) == [number / 2 for number in range(12)]
    with pytest.raises(KgsynthError, match="-3 is below zero"):
        list(in_engine("ray", half, [1, -3, 2], 1))
    found = [list(in_engine(engine, half, [1, 13, 7], 1, limited(), shard=3)) for engine in ("ray", "processes")]
    assert found == [[0.5, -13.0, 3.5]] * 2, "what kills its reader costs only itself"


@pytest.mark.usefixtures("cluster")
def test_a_worker_that_is_killed_costs_only_its_task() -> None:
    found = in_engine("ray", late, range(30), 1)
    assert [next(found), next(found)] == [0, 1]
    kill_worker()
    assert list(found) == list(range(2, 30))


def test_a_cluster_that_is_not_there_and_a_wrong_engine_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="engine"):
        Config(engine="spark")
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda *_, **__: (_ for _ in ()).throw(ConnectionError("refused")))
    with pytest.raises(SystemUnreachableError, match="no Ray cluster at ray://nowhere:1: refused"):
        list(in_engine("ray://nowhere:1", half, [1], 1))


@pytest.mark.usefixtures("cluster")
def test_a_cluster_makes_the_set_that_processes_make(docs: Path, tmp_path: Path) -> None:
    sets = []
    for engine in ("processes", "ray"):
        generate(docs, tmp_path / engine, config=Config(n=12, fill=True, engine=engine))
        sets.append({name: (tmp_path / engine / name).read_bytes() for name in ("golden.jsonl", "rejected.jsonl")})
    assert sets[0] == sets[1]


def kill_worker(rng: random.Random | None = None) -> None:
    """Kill a worker that has a task."""
    commands = ((each, " ".join(each.info["cmdline"] or ())) for each in psutil.process_iter(["cmdline"]))
    busy = [each for each, command in commands if "ray::_on_shard" in command]
    if busy:
        (rng or random.Random(1)).choice(busy).kill()


def run(docs: Path, out: Path, address: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kgsynth", "generate", str(docs), "-o", str(out), "-n", "12", "--fill", "-q"]
    environment = {**os.environ, "RAY_ADDRESS": address, "KGSYNTH_CACHE": "off"}
    return subprocess.Popen(
        [*command, "--engine", "ray"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_a_set_survives_the_loss_of_a_worker_a_node_or_the_driver(
    cluster: Any, docs: Path, undisturbed_set: bytes, tmp_path: Path, number: int
) -> None:
    rng = random.Random(number)
    out, node = tmp_path / "out", cluster.add_node(**NODE)
    process = run(docs, out, cluster.address)
    time.sleep(rng.uniform(2, 30))
    if number % 3 == 0:
        kill_worker(rng)
    elif number % 3 == 1:
        cluster.remove_node(node, allow_graceful=False)
    else:
        process.kill()
        process.communicate()
        process = run(docs, out, cluster.address)
    said, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
    assert (out / "golden.jsonl").read_bytes() == undisturbed_set
    if number % 3 != 1:
        cluster.remove_node(node)


@pytest.fixture(scope="session")
def undisturbed_set(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The set of twelve questions that processes make."""
    out = tmp_path_factory.mktemp("engines") / "undisturbed"
    generate(docs, out, config=Config(n=12, fill=True))
    return (out / "golden.jsonl").read_bytes()
