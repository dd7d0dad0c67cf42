"""How many tokens per second a served language model reads and writes.

    python benchmarks/model_speed.py URL

URL is that of an OpenAI-compatible server, including /v1; `make bench-llm` starts one. Replies are streamed: the time
to the first token is reading the prompt, the rest is writing. Each prompt, text of the handbook, begins with another
number, so that the server cannot reuse a cached prefix.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import httpx
from arguments import call

from kgsynth.base.errors import InputError

HANDBOOK = Path(__file__).parent.parent / "corpora" / "handbook"
WORDS = (100, 400, 1200)
"""The lengths of the prompts."""
REPLY = 64
"""Tokens of a reply."""


def main(url: str) -> None:
    """Ask for a reply to prompts of several lengths, and print the table."""
    text = " ".join(path.read_text(encoding="utf-8") for path in sorted(HANDBOOK.rglob("*.md"))).split()
    try:
        measure(url, text)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise InputError(f"the server at {url} cannot be reached ({error}); start one and give its URL") from None


def measure(url: str, text: list[str]) -> None:
    """Print a row for each length of prompt."""
    key = {"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
    with httpx.Client(base_url=url, headers=key, timeout=600) as client:
        model = client.get("models").raise_for_status().json()["data"][0]["id"]
        print(f"{model:<12}{'tokens read':>12}{'per second':>12}{'written':>12}{'per second':>12}")
        for number, words in enumerate(WORDS):
            times, usage = ask(client, model, f"{number}. " + " ".join(text[:words]))
            read, written = usage["prompt_tokens"], usage["completion_tokens"]
            speeds = read / (times[1] - times[0]), (written - 1) / (times[-1] - times[1])
            print(f"{'':<12}{read:>12}{speeds[0]:>12.1f}{written:>12}{speeds[1]:>12.1f}")


def ask(client: httpx.Client, model: str, prompt: str) -> tuple[list[float], dict[str, int]]:
    """Return the times in seconds of the request and of each piece of the reply, and the tokens used."""
    body = {"model": model, "messages": [{"role": "user", "content": prompt}], "max_tokens": REPLY, "temperature": 0}
    body |= {"stream": True, "stream_options": {"include_usage": True}}
    times, usage = [time.perf_counter()], {}
    with client.stream("POST", "chat/completions", json=body) as reply:
        reply.raise_for_status()
        for line in reply.iter_lines():
            if not line.startswith("data: {"):
                continue
            event = json.loads(line.removeprefix("data: "))
            usage = event.get("usage") or usage
            if event["choices"] and event["choices"][0]["delta"].get("content"):
                times.append(time.perf_counter())
    return times, usage


if __name__ == "__main__":
    call(main)
