"""A language model as the system: it gets only the question, also retrieved passages, or what a router decides.

These systems are baselines to compare a system with. Replies are never taken from a cache, so latencies are those of
the model, including the pauses that a busy server asks for.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kgsynth.base.errors import ConfigError
from kgsynth.base.records import Answer, Item, Passage, Route
from kgsynth.models.llm import Failure, LLMSettings, Prompt, ServedLLM
from kgsynth.models.llm.prompts import DATA, quoted
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.reply_reader import failed, writable
from kgsynth.scoring.systems.settings import chat_messages, fill, names

SYSTEM_PROMPT = f"You answer questions about a collection of documents. {DATA}"
"""The system prompt, whatever the template."""

_BRIEFLY = "in as few words as will do: a name, a number, or the clause that says it"
_DECLINE = 'reply "I don\'t know." and nothing else.'

QUESTION_TEMPLATE = f"Question: ${{question}}\n\nAnswer {_BRIEFLY}. If you do not know the answer, {_DECLINE}"
"""The template for only the question."""

PASSAGES_TEMPLATE = (
    "${passages}\n\nQuestion: ${question}\n\n"
    f"Answer from the passages alone, {_BRIEFLY}. If the passages do not hold the answer, {_DECLINE}"
)
"""The template for the question with its retrieved passages."""

ROUTER_PROMPT = (
    f"You decide whether a collection of documents is searched before a question is answered. {DATA} Do not answer the "
    'question. Decide "retrieve" when it asks for something particular that documents of some organisation, product or '
    "subject would tell: who, what, when, how many, under which condition. Decide "
    '"direct" when what everybody knows answers it with certainty, or nothing is asked. In doubt decide "retrieve". '
    "Give the reason in one short sentence."
)
"""The system prompt of the router."""


@dataclass(frozen=True, slots=True)
class RoutingDecision:
    """The reply of a router; the reason comes first, so that the decision follows from it."""

    reason: str
    route: Route


class ModelSystem:
    """A model that answers a question by a template, with passages if there is a retriever.

    The signature has the model, the retriever and the hash of the prompts.
    """

    def __init__(self, name: str, model: ServedLLM, template: str, retriever: System | None = None) -> None:
        self.name, self.at_once, self.spending = name, model.at_once, model.spending
        source = retriever.signature if retriever else "alone"
        self.signature = f"{model.signature}|{source}|prompt:{_hash(SYSTEM_PROMPT, template)}"
        self._model, self._template, self._retriever = model, template, retriever
        self._lock = threading.Lock()  # retrievers are not thread-safe

    def ask(self, item: Item) -> Answer:
        """Return the answer of the model, with the passages it was given; a failure goes into ``Answer.error``.

        Raises:
            BudgetError: the budget does not allow it.
            SystemUnreachableError: the server refuses the request, or is down.
        """
        found = Answer(item.id, None, latency_s=0.0)
        if self._retriever is not None:
            with self._lock:
                found = self._retriever.ask(item)
        if found.error is not None:
            return found
        start = time.perf_counter()
        values = {"question": item.question, "passages": passages_for_prompt(found.retrieved)}
        reply = self._model.say(
            Prompt("rag", SYSTEM_PROMPT, str(fill(self._template, values)), fresh=True, earlier=_earlier(item))
        )
        if isinstance(reply, Failure):
            return failed(item.id, f"model: {reply.why}")
        latency = (found.latency_s or 0.0) + time.perf_counter() - start
        return replace(found, answer=writable(reply), latency_s=round(latency, 6))

    def close(self) -> None:
        """Close the model and the retriever."""
        self._model.close()
        if self._retriever is not None:
            self._retriever.close()


class RoutedSystem:
    """Two systems, and a model that decides for each question which one is asked, and why."""

    def __init__(self, model: ServedLLM, retrieving: ModelSystem, direct: ModelSystem) -> None:
        self.name, self.at_once, self.spending = retrieving.name, model.at_once, model.spending
        self.signature = f"router:{_hash(ROUTER_PROMPT)}|{retrieving.signature}|{direct.signature}"
        self._model, self._systems = model, {"retrieve": retrieving, "direct": direct}

    def ask(self, item: Item) -> Answer:
        """Return the answer of the system that the router chose; raise the same errors as that system."""
        start = time.perf_counter()
        question = quoted("question", item.question)
        prompt = Prompt("router", ROUTER_PROMPT, question, fresh=True, earlier=_earlier(item))
        decision = self._model.ask(prompt, RoutingDecision)
        if isinstance(decision, Failure):
            return failed(item.id, f"router: {decision.why}")
        routing_time = time.perf_counter() - start
        answer = self._systems[decision.route].ask(item)
        if answer.error is not None:
            return answer
        latency = round(routing_time + (answer.latency_s or 0.0), 6)
        return replace(answer, latency_s=latency, route=decision.route, route_reason=writable(decision.reason))

    def close(self) -> None:
        """Close the model and the retriever."""
        for system in self._systems.values():
            system.close()


def open_model(
    target: str, retrieve: Callable[[], System], prompt: Path | None, settings: LLMSettings | None
) -> System:
    """Open the system that ``target`` names: naive, sequential or conditional, a colon, and the name of the model.

    ``retrieve`` opens the retriever, after everything else has been checked; ``prompt`` is a file with a template.

    Raises:
        ConfigError: the model or its server is missing, or the template is invalid.
    """
    kind, _, name = target.partition(":")
    if not name:
        raise ConfigError(f"{target} has no model: give one, such as {kind}:gpt-4o-mini")
    template = read_template(prompt, QUESTION_TEMPLATE if kind == "naive" else PASSAGES_TEMPLATE)
    model = ServedLLM(name, settings)
    if kind == "naive":
        return ModelSystem(target, model, template)
    retriever = retrieve()
    retrieving = ModelSystem(f"{target} over {retriever.name}", model, template, retriever)
    if kind == "sequential":
        return retrieving
    return RoutedSystem(model, retrieving, ModelSystem(f"naive:{name}", model, QUESTION_TEMPLATE))


def read_template(path: Path | None, default: str) -> str:
    """Return the template in a file, which must have the placeholders of ``default``; ``default`` for None.

    Raises:
        ConfigError: the file cannot be read, or has unknown or missing placeholders, all of which are named.
    """
    if path is None:
        return default
    try:
        template = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--prompt {path} cannot be read ({error}): check the path") from None
    known, used = names(default), names(template)
    problems = [f"${{{name}}} is not a known placeholder" for name in sorted(used - known)]
    problems += [f"${{{name}}} is missing" for name in sorted(known - used)]
    if problems:
        wanted = " and ".join(f"${{{name}}}" for name in sorted(known))
        raise ConfigError(f"--prompt {path}: {'; '.join(problems)}: write it with {wanted}")
    return template


def passages_for_prompt(passages: Sequence[Passage]) -> str:
    """Return passages as text for a prompt: numbered, each between marks that its text cannot contain.

    Example:
        >>> print(passages_for_prompt([Passage("leave.md", text="Staff have 25 days.")]))  # doctest: +ELLIPSIS
        <passage-1-...>
        leave.md
        Staff have 25 days.
        </passage-1-...>
    """
    texts = ("\n".join(part for part in (passage.doc, passage.text) if part) for passage in passages)
    return "\n".join(quoted(f"passage-{number}", text) for number, text in enumerate(texts, 1)) or "(no passages)"


def _earlier(item: Item) -> tuple[tuple[str, str], ...]:
    """Return the earlier turns of the conversation, each as a role and a text."""
    return tuple((message["role"], message["content"]) for message in chat_messages(item)[:-1])


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
