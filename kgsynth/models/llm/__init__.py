"""Language models behind any OpenAI-compatible server, with a cache, typed replies and a budget.

Only this package uses the client library. Prompts are in the stages that send them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from kgsynth.base.errors import BudgetError, SystemUnreachableError
from kgsynth.base.processes import in_threads
from kgsynth.models.llm.budget import Budget, LLMSettings, Spending, Usage, read_llm_settings
from kgsynth.models.llm.client import ChatClient, ChatRequest, Failure, ReplyCache, key_of
from kgsynth.models.llm.prompts import ShapeError, read, schema, with_outline

__all__ = [
    "LLM",
    "Budget",
    "BudgetError",
    "Failure",
    "LLMSettings",
    "Prompt",
    "ServedLLM",
    "Spending",
    "Usage",
    "read_llm_settings",
]

T = TypeVar("T")

_MAX_TRIES = 3  # times a prompt is sent anew when its replies cannot be used
_MAX_UNUSABLE = 5  # prompts without a usable reply, when no prompt had one, after which the LLM is given up
_MAX_REPLY_SHOWN = 4000  # characters of an unusable reply that the LLM is shown to correct it


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, and the ``stage`` that sends it.

    ``system`` is written by kgsynth; ``user`` may contain text of documents, which is data and never instructions.
    ``repeat`` numbers prompts that are otherwise the same, from 0. ``example_reply`` is a good reply, from which
    costs are estimated; it is never sent. A ``fresh`` prompt neither reads nor writes the cache, so that it can be
    timed. ``earlier`` are the messages of a conversation before it, each a role and a text. ``model`` names one of the
    models that a ``ServedLLM`` has, "" its first.
    """

    stage: str
    system: str
    user: str
    max_tokens: int = 800
    temperature: float = 0.0
    repeat: int = 0
    example_reply: str = ""
    fresh: bool = False
    earlier: tuple[tuple[str, str], ...] = ()
    model: str = ""


class LLM(Protocol):
    """A language model as the stages use it: a real one, or a dry run that only counts."""

    name: str
    spending: Spending

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the index of each prompt with its reply, in the order in which they arrive."""

    def close(self) -> None:
        """Close connections and files."""


class ServedLLM:
    """The language model ``name`` behind a server; usable replies are cached in the file ``cache``, or in memory.

    Prompts may be sent to ``others`` on the same server instead. It can be used from several threads. Models with the
    same ``spending`` share one budget.

    Raises:
        ConfigError: neither a server nor a key is configured.
        InputError: the cache cannot be used.
    """

    def __init__(
        self,
        name: str,
        settings: LLMSettings | None = None,
        cache: Path | None = None,
        spending: Spending | None = None,
        others: Sequence[str] = (),
    ) -> None:
        settings = settings or LLMSettings()
        self.name, self.at_once = name, settings.at_once
        self.signature = f"llm|{name}"
        self.spending = spending or Spending(settings.budget)
        self._clients = {each: ChatClient(each, settings, self.spending) for each in (name, *others)}
        self._cache = ReplyCache(cache)
        self._usable_replies, self._unusable_replies, self._lock = 0, 0, threading.Lock()

    def ask(self, prompt: Prompt, shape: type[T]) -> T | Failure:
        """Return the reply as a ``shape``, a frozen dataclass without defaults, or why there is no usable reply.

        The LLM is shown an unusable reply once to correct it; then the prompt is sent anew.

        Raises:
            BudgetError: the budget does not allow the call.
            SystemUnreachableError: the server refuses the request or is down.
        """
        return self._ask(prompt, with_outline(prompt.user, shape), shape, lambda text: read(text, shape))

    def say(self, prompt: Prompt) -> str | Failure:
        """Return the reply as text that is not empty; raises the errors of ``ask``."""
        return self._ask(prompt, prompt.user, None, _non_empty)

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the index of each prompt with its reply as they arrive, several at the same time.

        When the budget is spent, the replies already paid for are yielded first.

        Raises:
            BudgetError: the budget did not allow all calls.
            SystemUnreachableError: the server refuses a request or is down.
        """

        def work(prompt: Prompt) -> T | Failure | BudgetError:
            try:
                return self.ask(prompt, shape)
            except BudgetError as error:
                return error

        over_budget = None
        for place, reply in in_threads(work, prompts, self.at_once):
            if isinstance(reply, BudgetError):
                over_budget = reply
            else:
                yield place, reply
        if over_budget:
            raise over_budget

    def _ask(self, prompt: Prompt, user: str, shape: type[T] | None, parse: Callable[[str], T]) -> T | Failure:
        turns = (("system", prompt.system), *prompt.earlier, ("user", user))
        messages = tuple({"role": role, "content": text} for role, text in turns)
        reply_schema = schema(shape) if shape else None
        request = ChatRequest(messages, reply_schema, prompt.max_tokens, prompt.temperature, seed=prompt.repeat)
        client = self._clients[prompt.model or self.name]
        key = key_of({"model": prompt.model or self.name, **asdict(request)})
        if (cached := self._cached(prompt, key, parse)) is not None:
            return cached
        before = None
        for _ in range(_MAX_TRIES):
            text = client.send(request, prompt.stage)
            usable = self._usable(client, request, text, prompt.stage, parse)
            if isinstance(usable, str):
                if not prompt.fresh:
                    self._cache.keep(key, usable)
                self._count(usable=True)
                return parse(usable)
            failure = usable
            if isinstance(text, Failure) or (text and text == before):
                break  # an LLM that repeats its reply has no better one
            before = text
        if not isinstance(text, Failure):
            self._count(usable=False, why=failure.why)
        return failure

    def _cached(self, prompt: Prompt, key: str, parse: Callable[[str], T]) -> T | None:
        """Return the cached reply; None without one, or if the cache was damaged and it cannot be used."""
        cached = None if prompt.fresh else self._cache.get(key)
        if cached is None:
            return None
        try:
            reply = parse(cached)
        except ShapeError:
            self._cache.drop(key)
            return None
        self.spending.count_cached(prompt.stage)
        self._count(usable=True)
        return reply

    def _count(self, *, usable: bool, why: str = "") -> None:
        """Count prompts by whether a reply could be used; give the LLM up when none could."""
        with self._lock:
            self._usable_replies += usable
            self._unusable_replies += not usable
            hopeless = not self._usable_replies and self._unusable_replies >= _MAX_UNUSABLE
        if hopeless:
            raise SystemUnreachableError(
                f"no reply of the language model {self.name!r} to the first {_MAX_UNUSABLE} prompts can be used, the "
                f"last is {why}; check that OPENAI_BASE_URL is a chat server, or give another model"
            )

    @staticmethod
    def _usable(
        client: ChatClient, request: ChatRequest, text: str | Failure, stage: str, parse: Callable[[str], object]
    ) -> str | Failure:
        """Return the text if it can be parsed, otherwise the LLM's correction of it, or why neither can be parsed."""
        for corrected in (False, True):
            if isinstance(text, Failure):
                return text
            try:
                parse(text)
                return text
            except ShapeError as error:
                failure = Failure(f"a reply that cannot be used: {error}")
                if corrected or not text.strip():
                    break
                text = client.send(_correction(request, text, str(error)), stage)
        return failure

    def close(self) -> None:
        """Close the connections and the cache."""
        for client in self._clients.values():
            client.close()
        self._cache.close()


def _correction(request: ChatRequest, reply: str, problem: str) -> ChatRequest:
    """Return the request that shows the LLM its own reply and what is wrong with it."""
    again = f"That cannot be used: {problem}. Reply again with the one JSON object alone."
    more = ({"role": "assistant", "content": reply[:_MAX_REPLY_SHOWN]}, {"role": "user", "content": again})
    return replace(request, messages=(*request.messages, *more))


def _non_empty(reply: str) -> str:
    if not reply.strip():
        raise ShapeError("it is empty")
    return reply.strip()
