"""A language model as the system: asked the question alone, with what a retriever finds, or as a router decides.

Baselines to hold a system against. A reply is never taken from a cache: latencies are those of the model, with the
waits a busy server asks for. Left out: how a server is reached and what it may cost (``kgsynth.models.llm``).
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
from kgsynth.models.llm.prompt_quoting import DATA, quoted
from kgsynth.scoring.systems import System
from kgsynth.scoring.systems.reply_reader import failed, writable
from kgsynth.scoring.systems.request_templates import fill, names

SYSTEM = f"You answer questions about a collection of documents. {DATA}"
"""What is said in every case, whatever the template."""

_SHORT = "in as few words as will do: a name, a number, or the clause that says it"
_ELSE = 'reply "I don\'t know." and nothing else.'

ALONE = f"Question: ${{question}}\n\nAnswer {_SHORT}. If you do not know the answer, {_ELSE}"
"""The template for the question alone."""

GROUNDED = (
    "${passages}\n\nQuestion: ${question}\n\n"
    f"Answer from the passages alone, {_SHORT}. If the passages do not hold the answer, {_ELSE}"
)
"""The template for the question with what was retrieved for it."""

ROUTER = (
    f"You decide whether a collection of documents is searched before a question is answered. {DATA} Do not answer the "
    'question. Decide "retrieve" when it asks for something particular that documents of some organisation, product or '
    "subject would tell: who, what, when, how many, under which condition. Decide "
    '"direct" when what everybody knows answers it with certainty, or nothing is asked. In doubt decide "retrieve". '
    "Give the reason in one short sentence."
)
"""What the router is told."""


@dataclass(frozen=True, slots=True)
class Routing:
    """What a router says; the reason comes first, so that it is thought of before the decision."""

    reason: str
    route: Route


class Answering:
    """The model as a system that answers by a template, from what a retriever finds where there is one.

    The signature holds the model, the retriever and the hash of what the model is told.
    """

    def __init__(self, name: str, model: ServedLLM, template: str, retriever: System | None = None) -> None:
        self.name, self.at_once, self.spending = name, model.at_once, model.spending
        over = retriever.signature if retriever else "alone"
        self.signature = f"{model.signature}|{over}|prompt:{_hash(SYSTEM, template)}"
        self._model, self._template, self._retriever = model, template, retriever
        self._lock = threading.Lock()  # a retriever is asked one question at a time

    def ask(self, item: Item) -> Answer:
        """Return what the model answers, with the passages it was given; a failure is told in ``Answer.error``.

        Raises:
            BudgetError: the budget does not allow it.
            SystemUnreachableError: the server refuses us, or is down.
        """
        found = Answer(item.id, None, latency_s=0.0)
        if self._retriever is not None:
            with self._lock:
                found = self._retriever.ask(item)
        if found.error is not None:
            return found
        begun = time.perf_counter()
        values = {"question": item.question, "passages": shown(found.retrieved)}
        said = self._model.say(Prompt("rag", SYSTEM, str(fill(self._template, values)), fresh=True))
        if isinstance(said, Failure):
            return failed(item.id, f"model: {said.why}")
        return replace(found, answer=writable(said), latency_s=_since(begun, found))

    def close(self) -> None:
        """Let go of the model and the retriever."""
        self._model.close()
        if self._retriever is not None:
            self._retriever.close()


class Conditional:
    """Two systems, and a model that says of each question which of them is asked: the route, and why."""

    def __init__(self, model: ServedLLM, retrieving: Answering, direct: Answering) -> None:
        self.name, self.at_once, self.spending = retrieving.name, model.at_once, model.spending
        self.signature = f"router:{_hash(ROUTER)}|{retrieving.signature}|{direct.signature}"
        self._model, self._ways = model, {"retrieve": retrieving, "direct": direct}

    def ask(self, item: Item) -> Answer:
        """Return what the system says that the router chose; raises as that one does."""
        begun = time.perf_counter()
        routing = self._model.ask(Prompt("router", ROUTER, quoted("question", item.question), fresh=True), Routing)
        if isinstance(routing, Failure):
            return failed(item.id, f"router: {routing.why}")
        decided = time.perf_counter() - begun
        answer = self._ways[routing.route].ask(item)
        if answer.error is not None:
            return answer
        latency = round(decided + (answer.latency_s or 0.0), 6)
        return replace(answer, latency_s=latency, route=routing.route, route_reason=writable(routing.reason))

    def close(self) -> None:
        """Let go of the model and the retriever."""
        for system in self._ways.values():
            system.close()


def open_model(
    target: str, retrieve: Callable[[], System], prompt: Path | None, settings: LLMSettings | None
) -> System:
    """Open the system that ``target`` names: naive, sequential or conditional, a colon, and the name of the model.

    ``retrieve`` opens the retriever, once all else is known to be right; ``prompt`` is a template in place of ours.

    Raises:
        ConfigError: there is no model, no server, or the template cannot be.
    """
    kind, _, name = target.partition(":")
    if not name:
        raise ConfigError(f"{target} names no model: give one, such as {kind}:gpt-4o-mini")
    template = read_template(prompt, ALONE if kind == "naive" else GROUNDED)
    model = ServedLLM(name, settings)
    if kind == "naive":
        return Answering(target, model, template)
    retriever = retrieve()
    retrieving = Answering(f"{target} over {retriever.name}", model, template, retriever)
    if kind == "sequential":
        return retrieving
    return Conditional(model, retrieving, Answering(f"naive:{name}", model, ALONE))


def read_template(path: Path | None, default: str) -> str:
    """Return the template in a file, which must hold the names that ``default`` has; ``default`` for None.

    Raises:
        ConfigError: the file cannot be read, or with every name that is not known or is not there.
    """
    if path is None:
        return default
    try:
        template = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--prompt {path} cannot be read ({error}): check the path") from None
    known, held = names(default), names(template)
    faults = [f"${{{name}}} is no name that is filled in" for name in sorted(held - known)]
    faults += [f"${{{name}}} is missing" for name in sorted(known - held)]
    if faults:
        wanted = " and ".join(f"${{{name}}}" for name in sorted(known))
        raise ConfigError(f"--prompt {path}: {'; '.join(faults)}: write it with {wanted}")
    return template


def shown(passages: Sequence[Passage]) -> str:
    """Return passages as a model is shown them: numbered, each between marks that its text cannot hold.

    Example:
        >>> print(shown([Passage("leave.md", text="Staff have 25 days.")]))  # doctest: +ELLIPSIS
        <passage-1-...>
        leave.md
        Staff have 25 days.
        </passage-1-...>
    """
    texts = ("\n".join(part for part in (passage.doc, passage.text) if part) for passage in passages)
    return "\n".join(quoted(f"passage-{number}", text) for number, text in enumerate(texts, 1)) or "(no passages)"


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _since(begun: float, found: Answer) -> float:
    return round((found.latency_s or 0.0) + time.perf_counter() - begun, 6)
