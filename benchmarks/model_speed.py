"""How many tokens a second a served language model reads and writes.

    python benchmarks/model_speed.py

The server is the one at OPENAI_BASE_URL; `make bench-llm` starts one. Each prompt is asked for one token, which takes
the time of reading it, and then for many: what that takes longer is the time of writing. A prompt is text of the
handbook that begins with another number each time, so that nothing a server has kept of earlier ones can help it.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import NamedTuple

import httpx

HANDBOOK = Path(__file__).parent.parent / "corpora" / "handbook"
WORDS = (100, 500, 1500)
REPLY = 64
"""Tokens to be written."""


class Spoken(NamedTuple):
    """One reply: seconds it took, tokens read, tokens written."""

    seconds: float
    read: int
    written: int


def main() -> None:
    """Ask for replies to prompts of several lengths, and print the table."""
    url = os.environ.get("OPENAI_BASE_URL")
    if not url:
        print("usage: OPENAI_BASE_URL=http://… python benchmarks/model_speed.py")
        return
    with httpx.Client(base_url=url, timeout=600, trust_env=False) as client:
        model = client.get("models").raise_for_status().json()["data"][0]["id"]
        text = " ".join(path.read_text(encoding="utf-8") for path in sorted(HANDBOOK.rglob("*.md"))).split()
        print(f"{model}\n{'prompt tokens':>14}{'read/s':>10}{'reply tokens':>14}{'written/s':>12}")
        for number, words in enumerate(WORDS):
            first, longer = (
                ask(client, model, f"{number}.{most} " + " ".join(text[:words]), most) for most in (1, REPLY)
            )
            reading = first.seconds * longer.read / first.read
            written = (longer.written - 1) / (longer.seconds - reading)
            print(f"{longer.read:>14}{first.read / first.seconds:>10.1f}{longer.written:>14}{written:>12.1f}")


def ask(client: httpx.Client, model: str, prompt: str, most: int) -> Spoken:
    """Ask for a reply of at most so many tokens."""
    body = {"model": model, "messages": [{"role": "user", "content": prompt}], "max_tokens": most, "temperature": 0}
    begun = time.perf_counter()
    usage = client.post("chat/completions", json=body).raise_for_status().json()["usage"]
    return Spoken(time.perf_counter() - begun, usage["prompt_tokens"], usage["completion_tokens"])


if __name__ == "__main__":
    sys.exit(main())
