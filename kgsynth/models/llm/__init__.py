"""Language models behind any OpenAI-compatible server: asked once, kept on file, held to a shape and to a budget.

The only place that knows the client library. Left out: every prompt; those stand with the stage that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from kgsynth.base.errors import BudgetError
from kgsynth.base.threads import at_once
from kgsynth.models.llm.budget import Budget, Spending, Usage
from kgsynth.models.llm.cache import Cache, key_of
from kgsynth.models.llm.client import Client, Failure, Request
from kgsynth.models.llm.reply_shapes import ShapeError, outlined, read, schema
from kgsynth.models.llm.settings import Settings, read_settings

__all__ = [
    "Asking",
    "Budget",
    "BudgetError",
    "Failure",
    "Model",
    "Prompt",
    "Settings",
    "Spending",
    "Usage",
    "read_settings",
]

T = TypeVar("T")

_ROUNDS = 3  # times a question is asked afresh whose replies cannot be used
_SHOWN = 4000  # characters of a reply that are shown to the model again when it is to mend it


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is asked: for which stage, with what instructions, and the text at hand.

    ``system`` is ours; ``user`` may hold the words of documents, which are data and never instructions.
    ``repeat`` counts from 0 those that ask the same once more. ``likely`` is a reply as it should be, from which an
    estimate is made; it is never sent. ``fresh`` is asked whatever is on file, and its reply is not kept: it is timed.
    """

    stage: str
    system: str
    user: str
    max_tokens: int = 800
    temperature: float = 0.0
    repeat: int = 0
    likely: str = ""
    fresh: bool = False


class Asking(Protocol):
    """A model as the stages need it: one that is there, or one that only counts."""

    name: str
    spending: Spending

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the place of each prompt and its reply, as they come."""

    def close(self) -> None:
        """Close what is open."""


class Model:
    """The model ``name``; replies that could be used are kept in the file ``cache``, or while it lives for None.

    May be asked from several threads at once. Models that are given the same ``spending`` share one budget.

    Raises:
        ConfigError: there is neither a server nor a key for one.
        InputError: the cache cannot be used.
    """

    def __init__(
        self,
        name: str,
        settings: Settings | None = None,
        cache: Path | None = None,
        spending: Spending | None = None,
    ) -> None:
        settings = settings or Settings()
        self.name, self.at_once = name, settings.at_once
        self.signature = f"llm|{name}"
        self.spending = spending or Spending(settings.budget)
        self._client = Client(name, settings, self.spending)
        self._cache = Cache(cache)

    def ask(self, prompt: Prompt, shape: type[T]) -> T | Failure:
        """Return the reply in its shape, a frozen dataclass without defaults; or why there is none that can be used.

        A reply that cannot be read is sent back once to be mended, then the question is asked afresh.

        Raises:
            BudgetError: the budget does not allow it.
            SystemUnreachableError: the server refuses us, or is down.
        """
        return self._asked(prompt, outlined(prompt.user, shape), shape, lambda text: read(text, shape))

    def say(self, prompt: Prompt) -> str | Failure:
        """Return the reply as it is, a text that is not empty; raises as ``ask`` does."""
        return self._asked(prompt, prompt.user, None, _text)

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Generator[tuple[int, T | Failure], None, None]:
        """Yield the place of each prompt and its reply as they come, several at once.

        When the budget is spent, those that still fit are waited for and yielded first.

        Raises:
            BudgetError: the budget did not allow all of them.
            SystemUnreachableError: the server refuses us, or is down.
        """

        def work(prompt: Prompt) -> T | Failure | BudgetError:
            try:
                return self.ask(prompt, shape)
            except BudgetError as error:
                return error

        spent = None
        for place, reply in at_once(work, prompts, self.at_once):
            if isinstance(reply, BudgetError):
                spent = reply
            else:
                yield place, reply
        if spent:
            raise spent

    def _asked(self, prompt: Prompt, user: str, shape: type[T] | None, reading: Callable[[str], T]) -> T | Failure:
        messages = ({"role": "system", "content": prompt.system}, {"role": "user", "content": user})
        wanted = schema(shape) if shape else None
        first = Request(messages, wanted, prompt.max_tokens, prompt.temperature, seed=prompt.repeat)
        key = key_of({"model": self.name, **asdict(first)})
        held = None if prompt.fresh else self._cache.get(key)
        if held is not None:
            self.spending.from_cache(prompt.stage)
            return reading(held)
        before = None
        for _ in range(_ROUNDS):
            text = self._client.send(first, prompt.stage)
            good, fault = self._good(first, text, prompt.stage, reading)
            if good is not None:
                if not prompt.fresh:
                    self._cache.keep(key, good)
                return reading(good)
            if isinstance(text, Failure) or (text and text == before):
                break  # the same again: a model that always says the same has nothing better
            before = text
        return Failure(fault)

    def _good(
        self, first: Request, text: str | Failure, stage: str, reading: Callable[[str], object]
    ) -> tuple[str | None, str]:
        """Return the text when it can be read, else the one the model makes of it when told the fault; or the fault."""
        fault = ""
        for mending in (False, True):
            if isinstance(text, Failure):
                return None, text.why
            try:
                reading(text)
                return text, ""
            except ShapeError as error:
                fault = f"a reply that cannot be used: {error}"
                if mending or not text.strip():
                    break
                text = self._client.send(_mending(first, text, str(error)), stage)
        return None, fault

    def close(self) -> None:
        """Close the connections and the cache."""
        self._client.close()
        self._cache.close()


def _mending(first: Request, text: str, fault: str) -> Request:
    """Return the request that shows the model its own reply and what is wrong with it."""
    again = f"That cannot be used: {fault}. Reply again with the one JSON object alone."
    said = ({"role": "assistant", "content": text[:_SHOWN]}, {"role": "user", "content": again})
    return Request((*first.messages, *said), first.schema, first.max_tokens, first.temperature, first.seed)


def _text(reply: str) -> str:
    if not reply.strip():
        raise ShapeError("it is empty")
    return reply.strip()
