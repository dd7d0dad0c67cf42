"""A process as the system, spoken to in JSON lines: an object with id and question in, one with the answer out.

It is started with the first question and serves them all; its stderr is passed through. When it dies it is started
again and the question put once more, unless it died on its first: then that question has failed. When it is late, or
says what cannot be read, it is ended with its children, since what it says next could belong to any question. What it
uses while it answers is measured by ``metering``.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.records import Answer, Item
from kgsynth.scoring.systems.process_meter import Meter
from kgsynth.scoring.systems.reply_paths import Reply
from kgsynth.scoring.systems.reply_reader import failed
from kgsynth.scoring.systems.settings import SystemSettings

_GRACE = 2.0  # seconds a process has to end by itself when its input ends
_SOURCE = 2**20  # bytes of a file beyond which it is no source that would be edited


class ExecSystem:
    """The process that ``command`` starts, without a shell; it ends, with its children, on ``close``.

    The signature holds the command and the content of the files it names, up to a megabyte each.

    Raises:
        ConfigError: the command cannot be split into words, or has none.
        SystemUnreachableError: there is no such program.
    """

    def __init__(self, command: str, settings: SystemSettings) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"exec:{command} is no command ({error}): mend its quotes") from None
        if not self._words:
            raise ConfigError("exec: names no command: give one such as 'exec:python my_rag.py'")
        if shutil.which(self._words[0]) is None:
            raise SystemUnreachableError(f"exec:{command} cannot be started: there is no program {self._words[0]}")
        self.name = f"exec:{command}"
        files = (Path(word) for word in self._words if Path(word).is_file() and Path(word).stat().st_size <= _SOURCE)
        content = b"\0".join(file.read_bytes() for file in files)
        told = hashlib.sha256(f"{command}\0{settings.fingerprint()}\0".encode() + content).hexdigest()[:16]
        self.signature = f"exec|{command}|sha256:{told}"
        self._timeout, self._reply = settings.timeout, Reply(settings.reply)
        self._process: _Process | None = None

    def ask(self, item: Item) -> Answer:
        """Return what the process says to the question, or in ``Answer.error`` why there is nothing."""
        line = json.dumps({"id": item.id, "question": item.question}, ensure_ascii=False)
        while True:
            served = self._process is not None and self._process.alive()
            try:
                return self._answer(item, line)
            except _EndedError as died:
                self._end()
                if not served:
                    return failed(item.id, str(died))
            except (ValueError, OSError) as error:
                self._end()
                return failed(item.id, str(error))

    def _answer(self, item: Item, line: str) -> Answer:
        if self._process is None or not self._process.alive():
            self._end()
            self._process = _Process(self._words)
        with Meter(self._process.pid) as meter:
            begun = time.perf_counter()
            self._process.put(line)
            text = self._process.get(self._timeout)
            latency = round(time.perf_counter() - begun, 6)
        answer = self._read(item, text, latency)
        return answer if answer.error is not None else replace(answer, cpu_s=meter.cpu_s, memory_mb=meter.memory_mb)

    def _read(self, item: Item, text: str, latency: float) -> Answer:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError(f"not JSON: its line begins {text[:60]!r}") from None
        if isinstance(data, Mapping):
            if data.get("id", item.id) != item.id:
                raise ValueError(f"wrong shape: it answers {data['id']!r} when asked {item.id!r}")
            if data.get("error"):
                return failed(item.id, f"its own error: {data['error']}")
        return self._reply.read(item.id, data, latency)

    def close(self) -> None:
        """End the process, and its children, once it has had a moment to end by itself."""
        self._end(_GRACE)

    def _end(self, grace: float = 0.0) -> None:
        if self._process is not None:
            self._process.end(grace)
            self._process = None


class _EndedError(ValueError):
    """The process ended before it answered."""


class _Process:
    """A running process, the head of a group of its own, with a thread that takes its lines as they come."""

    def __init__(self, words: list[str]) -> None:
        self._popen = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True,
        )  # fmt: skip
        self.pid = self._popen.pid
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._taker = threading.Thread(target=self._take, daemon=True)
        self._taker.start()

    def _take(self) -> None:
        assert self._popen.stdout is not None
        with suppress(ValueError, OSError):  # closed under it
            for line in self._popen.stdout:
                if line.strip():
                    self._lines.put(line)
        self._lines.put(None)

    def alive(self) -> bool:
        """Say whether it still runs."""
        return self._popen.poll() is None

    def put(self, line: str) -> None:
        """Write a line to it."""
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(f"{line}\n")
            self._popen.stdin.flush()
        except OSError:
            raise self._died() from None

    def get(self, timeout: float) -> str:
        """Return the next line it writes.

        Raises:
            _EndedError: it ended without one.
            ValueError: none came in time.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise ValueError(f"timeout: no answer in {timeout:g} s; the process was ended") from None
        if line is None:
            raise self._died()
        return line

    def _died(self) -> _EndedError:
        try:
            code = self._popen.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return _EndedError("ended: the process closed its output before it answered")
        how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
        return _EndedError(f"ended: the process ended {how} before it answered")

    def end(self, grace: float) -> None:
        """Let it end by itself for ``grace`` seconds, as its input has ended; then end it and whatever it started."""
        assert self._popen.stdin is not None and self._popen.stdout is not None
        with suppress(OSError):
            self._popen.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(grace)
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        self._popen.wait()
        self._taker.join(_GRACE)
        if not self._taker.is_alive():  # closing it under a thread that reads could wait for ever
            self._popen.stdout.close()
