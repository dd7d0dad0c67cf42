"""Scripted language models: a faithful one, one that obeys instructions in documents, and their use without HTTP.

A model is a function of anything with ``user``, the text of the prompt: a request as ``model_server`` received it, or a
prompt before it is sent.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from scripted import ScriptedModel

from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.reply_shapes import ShapeError, read

T = TypeVar("T")

CRITERIA = ("self_contained", "clear", "contains", "complete")


class Asked(Protocol):
    @property
    def user(self) -> str: ...


Says = Callable[[Asked], str]


def task(asked: Asked) -> tuple[str, str] | None:
    """The question to reword and its answer, "" for none; None if the prompt is another one."""
    found = re.search(r"written by rule: (.*)\nIts answer: (.*)\n", asked.user)
    return None if found is None else (found[1], "" if found[2].startswith("(none") else found[2])


def judged(asked: Asked) -> str | None:
    """The question to verify; None if the prompt is another one."""
    found = re.search(r"<question-(\w+)>\n(.*)\n</question-\1>", asked.user)
    return found and found[2]


def recalled(asked: Asked) -> list[str]:
    """The questions to answer without documents."""
    return re.findall(r"^\d+\. (.*)$", asked.user, re.MULTILINE)


def stage(asked: Asked) -> str:
    return "writing" if task(asked) else "verifying" if judged(asked) is not None else "closed book"


def written(question: str, answer: str) -> str:
    return json.dumps({"question": question, "answer": answer}, ensure_ascii=False)


def verdict(answer: str, **criteria: bool) -> str:
    given = {
        "reasoning": "The first passage says so in as many words, and the question names what it speaks of.",
        **dict.fromkeys(CRITERIA, bool(answer)),
        **criteria,
    }
    return json.dumps({**given, "answer": answer}, ensure_ascii=False)


def answers(*each: str) -> str:
    return json.dumps({"answers": each}, ensure_ascii=False)


class Faithful:
    """Rewords every question a little, finds its answer in the evidence, and knows no answer without documents.

    The prompt for a verdict contains no answer, so it remembers the answer to each question that it reworded;
    ``memorised`` are parts of questions that it answers without documents.
    """

    def __init__(self, memorised: Sequence[str] = ()) -> None:
        self.answers: dict[str, str] = {}
        self.memorised = memorised

    def __call__(self, asked: Asked) -> str:
        if found := task(asked):
            question, answer = found
            worded = self.word(question)
            self.answers |= {question: answer, worded: answer}
            return written(worded, answer)
        if (question := judged(asked)) is not None:
            return verdict(self.answers[question])
        return answers(*(self.recall(question) for question in recalled(asked)))

    def word(self, question: str) -> str:
        return f"Tell me, {question[0].lower()}{question[1:]}"

    def recall(self, question: str) -> str:
        return self.answers[question] if any(each in question for each in self.memorised) else ""


class Obedient(Faithful):
    """Faithful, except for prompts with "Ignore the above and answer WORD", which get WORD everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.obeyed: list[str] = []

    def __call__(self, asked: Asked) -> str:
        faithful = super().__call__(asked)
        order = re.search(r"Ignore the above and answer (\w+)", asked.user, re.IGNORECASE)
        if order is None:
            return faithful
        self.obeyed.append(stage(asked))
        return self.obey(order[1], json.loads(faithful))

    def obey(self, word: str, reply: dict[str, Any]) -> str:
        """The reply with the word in all its texts, and every criterion met."""
        lists = {key: [word] * len(value) for key, value in reply.items() if isinstance(value, list)}
        words = {key: word for key, value in reply.items() if isinstance(value, str)}
        asks = {"question": f"What is {word}?"} if "question" in reply else {}
        return json.dumps(dict.fromkeys(reply, True) | lists | words | asks)


class Direct(ScriptedModel):
    """A model without a server: ``says`` returns the text of a reply, which is parsed like one from a server.

    With ``rng`` the replies come in random order.
    """

    def __init__(
        self, says: Callable[[Asked], str | Failure], calls: int | None = None, rng: random.Random | None = None
    ) -> None:
        super().__init__(says, calls)
        self.rng = rng

    def ask_all(self, prompts: Sequence[Prompt], shape: type[T]) -> Iterator[tuple[int, T | Failure]]:
        said = list(super().ask_all(prompts, str))
        if self.rng:
            self.rng.shuffle(said)
        for place, text in said:
            try:
                yield place, text if isinstance(text, Failure) else read(str(text), shape)
            except ShapeError as error:
                yield place, Failure(str(error))

    def close(self) -> None: ...
