"""A process as the system: it reads a JSON line with id and question, and writes a JSON line with the reply."""

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
from pathlib import Path

from kgsynth.base.errors import ConfigError, SystemUnreachableError
from kgsynth.base.json_reading import JsonError, parse_json
from kgsynth.base.records import Answer, Item
from kgsynth.documents.document_names import DocNames
from kgsynth.golden.item_json import turns_json
from kgsynth.scoring.systems.python_function import local_sources, module_files
from kgsynth.scoring.systems.reply_reader import ReplyPaths, failed, unreadable
from kgsynth.scoring.systems.settings import SystemSettings

_MAX_LINES_AHEAD = 1000  # lines that a process may write before it is asked for them
_GRACE_SECONDS = 2.0  # for a process to end by itself after its input was closed
_NOT_FOUND = (126, 127)  # the exit codes of a shell for a command that it cannot run


class ExecSystem:
    """The process that ``command`` starts, without a shell; ``close`` ends it with its children.

    The signature has the command and the contents of the files it names, up to a megabyte each, with what Python files
    among them import from their own project.

    Raises:
        ConfigError: the command is empty or cannot be split into words.
        SystemUnreachableError: there is no such program.
    """

    def __init__(self, command: str, settings: SystemSettings, documents: DocNames | None = None) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ConfigError(f"exec:{command} is not a valid command ({error}): check its quotes") from None
        if not self._words:
            raise ConfigError("exec: has no command: give one such as 'exec:python my_rag.py'")
        if shutil.which(self._words[0]) is None:
            raise SystemUnreachableError(f"exec:{command} cannot be started: there is no program {self._words[0]}")
        self.name = f"exec:{command}"
        files = [Path(word) for word in self._words]
        if "-m" in self._words[:-1]:
            files += module_files(self._words[self._words.index("-m") + 1], Path.cwd())
        content = local_sources(files)
        content_hash = hashlib.sha256(f"{command}\0{settings.fingerprint()}\0".encode() + content).hexdigest()[:16]
        self.signature = f"exec|{command}|sha256:{content_hash}"
        self.compared = "only the command, the files that it names and their own imports"
        self._timeout, self._max_mb = settings.timeout, settings.max_reply_mb
        self._reply = ReplyPaths(settings.reply, documents)
        self._process: _LineProcess | None = None
        self._has_answered, self._ends = False, 0
        self._restarts: list[str] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence on how often the process ended and was started again."""
        if not self._restarts:
            return ()
        often = "once and" if len(self._restarts) == 1 else f"{len(self._restarts)} times and each time"
        first = "" if len(self._restarts) == 1 else "first "
        return (f"the process ended {often} was started again, {first}{self._restarts[0]}",)

    def ask(self, item: Item) -> Answer:
        """Return the answer of the process, or an answer whose ``error`` says why there is none.

        Raises:
            SystemUnreachableError: before any answer, the command was not found, or the process ended twice.
        """
        earlier = {"history": turns_json(item.history)} if item.history else {}
        line = json.dumps({"id": item.id, "question": item.question, **earlier}, ensure_ascii=False)
        while True:
            has_served = self._process is not None and self._process.is_alive()
            try:
                return self._answer(item, line)
            except _ProcessEndedError as error:
                self._end()
                if not has_served:
                    self._check_end(error)
                    return failed(item.id, str(error))
                self._restarts.append(f"at the question {item.id}: {str(error).removeprefix('ended: ')}")
            except (ValueError, OSError) as error:
                self._end()
                return failed(item.id, str(error))

    def _answer(self, item: Item, line: str) -> Answer:
        if self._process is None or not self._process.is_alive():
            if self._process is not None:
                self._restarts.append(f"before the question {item.id}")
            self._end()
            try:
                self._process = _LineProcess(self._words, self._max_mb)
            except OSError as error:
                raise SystemUnreachableError(f"{self.name} cannot be started ({error}): correct the command") from None
        start = time.perf_counter()
        self._process.write(line)
        text = self._process.read(self._timeout)
        latency = round(time.perf_counter() - start, 6)
        self._has_answered = True
        return self._parse(item, text, latency)

    def _check_end(self, error: _ProcessEndedError) -> None:
        """Raise an error for a process that will not answer any question: it has ended, and not answered before."""
        self._ends += 1
        if self._has_answered or (error.code not in _NOT_FOUND and self._ends < 2):
            return
        asked = "the first question" if self._ends < 2 else f"any of the first {self._ends} questions"
        how = (
            str(error).removeprefix("ended: the process ").replace("before it answered", f"before it answered {asked}")
        )
        raise SystemUnreachableError(f"{self.name} {how}: correct the command, then run the same command again")

    def _parse(self, item: Item, text: str, latency: float) -> Answer:
        try:
            data = parse_json(text, tolerant=True)
        except JsonError as error:
            raise ValueError(unreadable(error, f"its line begins {text[:60]!r}")) from None
        if isinstance(data, Mapping):
            if data.get("id", item.id) != item.id:
                raise ValueError(f"wrong shape: it answers {data['id']!r} when asked {item.id!r}")
            if data.get("error"):
                return failed(item.id, f"its own error: {data['error']}")
        return self._reply.read(item.id, data, latency)

    def close(self) -> None:
        """End the process and its children, after giving it a moment to end by itself."""
        self._end(_GRACE_SECONDS)

    def _end(self, grace: float = 0.0) -> None:
        if self._process is not None:
            self._process.end(grace)
            self._process = None


class _ProcessEndedError(ValueError):
    """The process ended before it answered; ``code`` is its exit code, None if it is not known."""

    def __init__(self, reason: str, code: int | None = None) -> None:
        super().__init__(reason)
        self.code = code


class _LineProcess:
    """A running process that leads its own process group, with a thread that reads its lines as they come."""

    def __init__(self, words: list[str], max_mb: int) -> None:
        self._popen = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True,
        )  # fmt: skip
        self.pid = self._popen.pid
        self._max_mb = max_mb
        self._lines: queue.SimpleQueue[str | ValueError | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read_lines, daemon=True)
        self._reader.start()

    def _read_lines(self) -> None:
        assert self._popen.stdout is not None
        with suppress(ValueError, OSError):  # the output may be closed while it is read
            limit = self._max_mb * 2**20
            while line := self._popen.stdout.readline(limit + 1):
                if len(line) > limit or self._lines.qsize() >= _MAX_LINES_AHEAD:
                    what = f"{_MAX_LINES_AHEAD} lines without being asked"
                    if len(line) > limit:
                        what = f"a line of more than {self._max_mb} MB (max_reply_mb)"
                    self._lines.put(ValueError(f"too large: the process wrote {what}; it was ended"))
                    return
                if line.strip():
                    self._lines.put(line)
        self._lines.put(None)

    def is_alive(self) -> bool:
        """Check whether the process is still running."""
        return self._popen.poll() is None

    def write(self, line: str) -> None:
        """Write a line to the process."""
        assert self._popen.stdin is not None
        try:
            self._popen.stdin.write(f"{line}\n")
            self._popen.stdin.flush()
        except OSError:
            raise self._ended() from None

    def read(self, timeout: float) -> str:
        """Return the next line of the process.

        Raises:
            _ProcessEndedError: it ended without another line.
            ValueError: no line came within ``timeout`` seconds, or too much.
        """
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            raise ValueError(f"timeout: no answer in {timeout:g} s; the process was ended") from None
        if line is None:
            raise self._ended()
        if isinstance(line, ValueError):
            raise line
        return line

    def _ended(self) -> _ProcessEndedError:
        try:
            code = self._popen.wait(_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return _ProcessEndedError("ended: the process closed its output before it answered")
        how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
        return _ProcessEndedError(f"ended: the process ended {how} before it answered", code)

    def end(self, grace: float) -> None:
        """Close the input, wait ``grace`` seconds for the process to end, then kill its process group."""
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
        self._reader.join(_GRACE_SECONDS)
        if not self._reader.is_alive():  # closing it while the thread reads could block forever
            self._popen.stdout.close()
