"""Where the work on shards runs: in processes of this machine, or as tasks of a Ray cluster.

An engine maps a function over inputs and gives the results in the order of the inputs, so no stage knows which one it
has, and the results are the same; the caller keeps them in the journals of its run folder. Ray gives each task one
core, and one thread to the libraries that count. A task that is lost, because its worker or its node died, is run
again; a driver that was killed resumes from the journals.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from kgsynth.base.errors import InputError, KgsynthError, SystemUnreachableError, lack
from kgsynth.base.processes import In, Out, WorkLimit, in_processes

_TASKS_PER_CORE = 3  # given to the cluster ahead of their results
_TRIES_AGAIN = 20  # of a task whose worker or node died: a cluster that loses nodes all day must not end a run


def in_engine(
    engine: str,
    work: Callable[[In], Out],
    inputs: Iterable[In],
    processes: int,
    limit: WorkLimit[In, Out] | None = None,
    *,
    shard: int = 1,
) -> Iterator[Out]:
    """Yield ``work(each)`` for each input, in their order; the engine "processes" is ``in_processes``.

    "ray" joins the cluster of RAY_ADDRESS or starts one here, "ray://HOST:PORT" joins that one; a task there has
    ``shard`` inputs. ``work`` must be a function at the top level of a module, and what it reads must be on all nodes.

    Raises:
        KgsynthError: a worker was killed again and again, and there is no ``limit``.
        SystemUnreachableError: there is no cluster at the address.
        InputError: ray is not installed.
    """
    if engine == "processes":
        yield from in_processes(work, inputs, processes, limit)
        return
    ray = _connected(engine)
    task = ray.remote(num_cpus=1, max_retries=_TRIES_AGAIN)(_on_shard)
    ahead = _TASKS_PER_CORE * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting: deque[Any] = deque()
    try:
        left = iter(inputs)
        while part := list(islice(left, shard)):
            waiting.append(task.remote(work, limit, part))
            if len(waiting) >= ahead:
                yield from _result(ray, waiting.popleft())
        while waiting:
            yield from _result(ray, waiting.popleft())
    finally:
        for unfinished in waiting:
            ray.cancel(unfinished)


def _on_shard(work: Callable[[In], Out], limit: WorkLimit[In, Out] | None, inputs: list[In]) -> list[Out]:
    """Work on some inputs; with a limit in a process beside the task, so that one that kills it is no lost node."""
    return list(in_processes(work, inputs, 1, limit))


def _connected(engine: str) -> Any:
    """Return the library, connected to a cluster."""
    try:
        import ray
    except ImportError as error:
        raise InputError(lack("the engine ray", "ray")) from error
    if not ray.is_initialized():
        address = engine if engine.startswith("ray://") else os.environ.get("RAY_ADDRESS")
        try:
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, ValueError) as error:
            raise SystemUnreachableError(f"there is no Ray cluster at {address}: {error}") from error
    return ray


def _result(ray: Any, task: Any) -> Any:
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        advice = "give its nodes more memory, or run the same command again without --engine"
        raise KgsynthError(f"a task was lost {_TRIES_AGAIN} times ({type(error).__name__}); {advice}") from error
