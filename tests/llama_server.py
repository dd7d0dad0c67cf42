"""A real language model behind HTTP: llama.cpp's own server, in a process of its own, on a free port of this machine.

The package ``xllamacpp`` holds llama.cpp, built for common processors; `make test-llm` installs it. The server's
threads sleep while they wait for each other: spinning, they keep each other from running as soon as anything else
wants the processor, and a reply takes more than ten times as long.

    python tests/llama_server.py gemma                 serves until interrupted, and prints the URL
    python tests/llama_server.py qwen -- COMMAND ...   runs COMMAND with OPENAI_BASE_URL set to it, and stops
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Timer
from typing import IO, Any

import click
import httpx
from gguf_models import MODELS, fetch

START_S, STOP_S = 180, 20
"""The timeouts for loading the model, and for ending."""


@contextmanager
def llama_server(name: str, *, context: int = 4096, slots: int = 1) -> Iterator[str]:
    """Serve a model of ``gguf_models.MODELS``, fetched first when it must be; yields the URL for OPENAI_BASE_URL.

    Each of the ``slots`` serves one request at a time and has a ``context`` of so many tokens for prompt and reply.
    Raises RuntimeError with what the server said last when it does not start.
    """
    fetch(name)
    command = [sys.executable, __file__, name, f"--context={context}", f"--slots={slots}", "--until-eof"]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            yield started(process, log)
        finally:
            stop(process)


def started(process: subprocess.Popen[str], log: IO[str]) -> str:
    """Return the URL that a server prints when its model is loaded, after a health check."""
    too_late = Timer(START_S, process.kill)
    too_late.daemon = True
    too_late.start()
    url = (process.stdout.readline() if process.stdout else "").strip()
    too_late.cancel()
    if not url:
        log.seek(0)
        raise RuntimeError("the server did not start; it said last: " + "".join(log.readlines()[-5:]))
    httpx.get(url.removesuffix("/v1") + "/health", trust_env=False).raise_for_status()
    return url


def stop(process: subprocess.Popen[str]) -> None:
    """End a server by closing its input, or by force if it does not react."""
    try:
        process.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def serve(name: str, context: int, slots: int) -> Any:
    """Return a running server of ``xllamacpp``; it ends when it is garbage-collected."""
    os.environ["OMP_WAIT_POLICY"] = "passive"  # read when the library is loaded; without OpenMP, `poll` says the same
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(fetch(name))
    params.model_alias = {name}
    params.chat_template = MODELS[name].template
    params.n_ctx, params.n_parallel = context * slots, slots
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.cache_ram_mib = 1024  # of earlier prompts, whose beginnings come again; 8 GB by default
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads, threads.poll = 2, 0
    return xllamacpp.Server(params)


@click.command()
@click.argument("model", type=click.Choice([*MODELS]))
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--context", default=4096, help="Tokens of prompt and reply together.")
@click.option("--slots", default=1, help="Requests served at once.")
@click.option("--until-eof", is_flag=True, help="End when standard input ends.")
def main(model: str, command: tuple[str, ...], context: int, slots: int, until_eof: bool) -> None:
    """Serve MODEL and print the URL, or run COMMAND with it."""
    if command:
        with llama_server(model, context=context, slots=slots) as url:
            environment = os.environ | {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
            sys.exit(subprocess.run(command, env=environment).returncode)
    server = serve(model, context, slots)
    click.echo(f"{server.listening_address}/v1")
    if until_eof:
        sys.stdin.read()
    else:
        Event().wait()


if __name__ == "__main__":
    main()
