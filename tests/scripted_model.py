"""Scripted language models: a faithful one, one that obeys instructions in documents, and their use without HTTP.

A model is a function of anything with ``user``, the text of the prompt: a request as ``model_server`` received it, or a
prompt before it is sent.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from scripted import ScriptedModel

from kgsynth.language.sentence_ends import sentence_spans
from kgsynth.language.words import words
from kgsynth.models.llm import Failure, Prompt
from kgsynth.models.llm.prompts import ShapeError, read

T = TypeVar("T")


class Asked(Protocol):
    @property
    def user(self) -> str: ...


Says = Callable[[Asked], str]

_STAGES = {
    "whether its quote states all of it": "probing",
    "Write three short questions that the sentence answers": "asking lightly",
    "Copy the sentence that answers the question": "answering",
    "Give a short answer to each of the": "closed book",
    "Write up to": "writing",
    "Go on with the conversation": "continuing",
    "You see the questions alone": "judging questions",
    "Judge each turn by its own earlier turns": "judging turns",
    "Check for each question, by the passages below it alone": "leaving passages out",
    "Judge each question by its own passages alone": "verifying",
}


_WAYS = {"when two things of it are put together": "inference", "The case must decide": "case"}
"""Words of a task -> how the answer of a question on it is got."""

_ASKED: dict[str, str] = {}
"""Question -> how its answer is got, as the prompt wanted it that asked for the question."""


def stage(asked: Asked) -> str:
    return next(name for mark, name in _STAGES.items() if mark in asked.user)


def passages(asked: Asked) -> list[str]:
    """The passages of a prompt, in order."""
    return [text for _, text in re.findall(r"<passage-(\w+)>\n(.*?)\n</passage-\1>", asked.user, re.DOTALL)]


def quoted_text(asked: Asked, name: str) -> str:
    """The text between the marks of a name, "" if there is none."""
    return quoted_text_of(asked.user, name)


def quoted_text_of(shown: str, name: str) -> str:
    found = re.search(rf"<{name}-(\w+)>\n(.*?)\n</{name}-\1>", shown, re.DOTALL)
    return found[2] if found else ""


def proposal(question: str, answer: str, *quotes: tuple[int, str], claims: Sequence[str] = ()) -> dict[str, Any]:
    """A proposed question, with a claim for each quote; ``claims`` are their texts, by default those of the quotes."""
    texts = claims or [words for _, words in quotes]
    made = [
        {"text": text, "quotes": [{"passage": number, "words": words}]}
        for text, (number, words) in zip(texts, quotes, strict=True)
    ]
    return {"question": question, "kind": "fact", "answer": answer, "claims": made, "computed": []}


def proposals(*proposed: dict[str, Any]) -> str:
    return json.dumps({"contributions": [], "thoughts": "", "questions": proposed}, ensure_ascii=False)


def alone(count: int, **changed: Any) -> str:
    good = {"stands_alone": True, "natural": True, "one_question": True, "assumes_wrong": False, "likely_asked": 4}
    verdict = {**good, "answer": "I do not know.", "known": False, **changed}
    return json.dumps({"verdicts": [{"number": number, **verdict} for number in range(1, count + 1)]})


def verdict(count: int, answer: str = "They say so.", **changed: Any) -> str:
    """The verdict on one question with so many claims."""
    return json.dumps({"verdicts": [{**one_verdict(1, count, answer), **changed}]}, ensure_ascii=False)


def one_verdict(number: int, claims: int, answer: str) -> dict[str, Any]:
    fine = {"beyond": "", "lacking": "", "contradicted": "", "other_answer": "", "way": "look-up", "one_passage": False}
    return {"number": number, "thoughts": "", "answer": answer, "claims": [True] * claims, **fine}


def trials(*sizes: int, **changed: Any) -> str:
    """The verdicts on questions with so many passages each: all are needed, each for a claim of its own."""
    made = [
        {"number": n, "open_without": ["A part."] * size, "claims": states(size)} for n, size in enumerate(sizes, 1)
    ]
    return json.dumps({"verdicts": [{**each, **changed} for each in made]})


def states(size: int) -> list[dict[str, Any]]:
    """The verdicts on the claims of an answer, one from each passage."""
    return [{"asked": True, "stated_in": [number]} for number in range(1, size + 1)]


def later_turn(question: str, standalone: str, answer: str, *quotes: tuple[int, str]) -> dict[str, Any]:
    """A proposed later turn in one wording, with a claim for each quote."""
    made = proposal(standalone, answer, *quotes)
    del made["kind"], made["question"]
    return {**made, "questions": [question], "standalones": [standalone]}


def later_turns(*proposed: dict[str, Any]) -> str:
    return json.dumps({"thoughts": "", "turns": proposed}, ensure_ascii=False)


def turn_verdicts(count: int, **changed: Any) -> str:
    each = {"understood": True, "open": True, "likely": True, **changed}
    return json.dumps({"verdicts": [{"number": number, **each} for number in range(1, count + 1)]})


class Faithful:
    """Asks one question about each scene, quotes a sentence of each passage, and approves of all its work."""

    def __call__(self, asked: Asked) -> str:
        return {
            "writing": self.write,
            "judging questions": self.judge_alone,
            "continuing": self.go_on,
            "judging turns": self.judge_turns,
            "verifying": self.verify,
            "leaving passages out": self.leave_out,
            "probing": self.probe,
            "asking lightly": self.write_lightly,
            "answering": self.extract,
            "closed book": self.recall,
        }[stage(asked)](asked)

    def probe(self, asked: Asked) -> str:
        quotes = [text for _, text in re.findall(r"<quote-(\w+)>\n(.*?)\n</quote-\1>", asked.user, re.DOTALL)]
        claims = [text for _, text in re.findall(r"<claim-(\w+)>\n(.*?)\n</claim-\1>", asked.user, re.DOTALL)]
        said = [set(words(claim)) <= set(words(quote)) for claim, quote in zip(claims, quotes, strict=True)]
        return json.dumps({"stated": said})

    def write_lightly(self, asked: Asked) -> str:
        """A question with a third of the words of the sentence."""
        sentence = quoted_text(asked, "sentence")
        known = [word for word in words(sentence) if len(word) > 3]
        question = f"What about {' '.join(known[: max(2, len(known) // 3)])}?"
        return json.dumps({"quote": sentence, "questions": [question]})

    def extract(self, asked: Asked) -> str:
        return json.dumps({"quote": passages(asked)[0]})

    def recall(self, asked: Asked) -> str:
        return json.dumps(
            {"answers": [""] * len(re.findall(r"^\d+\. ", quoted_text(asked, "questions"), re.MULTILINE))}
        )

    def write(self, asked: Asked) -> str:
        shown = passages(asked)
        quotes = [(number, longest_sentence(text)) for number, text in enumerate(shown, 1)]
        answer = "" if 'answer: ""' in asked.user else " ".join(" ".join(quote.split()) for _, quote in quotes)
        question = self.question(asked)
        _ASKED[question] = next((way for task, way in _WAYS.items() if task in asked.user), "look-up")
        return proposals(proposal(question, answer, *quotes))

    def question(self, asked: Asked) -> str:
        """A question that no other prompt gets, with words of the passages."""
        known = sorted({word for text in passages(asked) for word in words(text) if len(word) > 5})
        seed = hashlib.sha256(asked.user.encode()).hexdigest()
        return f"What is known about {' '.join(random.Random(seed).sample(known, min(7, len(known))))}?"

    def go_on(self, asked: Asked) -> str:
        """Turns on the last passages, whose words are in many others too."""
        most = int(re.findall(r"write up to (\d+) more turns", asked.user)[0])
        shown = [(number, longest_sentence(text)) for number, text in enumerate(passages(asked), 1)][-most:]
        said = "And if it is not the one?"
        return later_turns(*(later_turn(said, self.of(text), " ".join(text.split()), (n, text)) for n, text in shown))

    def of(self, quote: str) -> str:
        """A question with the words of a quote, in another order."""
        return f"What is known about {' '.join(sorted({word for word in words(quote) if len(word) > 3}))}?"

    def judge_turns(self, asked: Asked) -> str:
        return turn_verdicts(len(re.findall(r"^Turn \d+, after:", asked.user, re.MULTILINE)))

    def judge_alone(self, asked: Asked) -> str:
        return alone(len(re.findall(r"^\d+\. ", quoted_text(asked, "questions"), re.MULTILINE)))

    def verify(self, asked: Asked) -> str:
        return json.dumps({"verdicts": [self.check(n, text) for n, text in asked_questions(asked)]}, ensure_ascii=False)

    def check(self, number: int, shown: str) -> dict[str, Any]:
        """The verdict on one question, of which ``shown`` is everything that the prompt has."""
        golden = re.search(r"<golden-(\w+)>\n(.*?)\n</golden-\1>", shown, re.DOTALL)
        claims = len(re.findall(r"^\d+\. ", golden[2], re.MULTILINE)) if golden else 0
        answer = golden[2].partition("\n")[0].removeprefix("Golden answer: ") if golden else ""
        way = _ASKED.get(quoted_text_of(shown, "question"), "look-up")
        return {**one_verdict(number, claims, answer), "way": way}

    def leave_out(self, asked: Asked) -> str:
        return trials(*(len(re.findall(r"^<passage-", text, re.MULTILINE)) for _, text in asked_questions(asked)))


class Twice(Faithful):
    """Asks a second question about each scene, which any passage answers."""

    def write(self, asked: Asked) -> str:
        (first,) = json.loads(super().write(asked))["questions"]
        known = first["question"].removeprefix("What is known about ").rstrip("?").split()
        return proposals(first, {**first, "question": f"Who has ever heard of {' '.join(reversed(known[:4]))}?"})


def asked_questions(asked: Asked) -> list[tuple[int, str]]:
    """The number of each question of a prompt with several, and all that is shown for it."""
    parts = re.split(r"^Question (\d+): (?=<question-)", asked.user, flags=re.MULTILINE)
    return [(int(number), text) for number, text in zip(parts[1::2], parts[2::2], strict=True)]


def longest_sentence(text: str) -> str:
    low, high = max(sentence_spans(text), key=lambda bounds: bounds[1] - bounds[0])
    return text[low:high]


class Obedient(Faithful):
    """Faithful, except for prompts with "Ignore the above and answer WORD", which get WORD everywhere."""

    def __init__(self) -> None:
        self.obeyed: list[str] = []

    def __call__(self, asked: Asked) -> str:
        faithful = super().__call__(asked)
        order = re.search(r"Ignore the above and answer (\w+)", asked.user, re.IGNORECASE)
        if order is None:
            return faithful
        self.obeyed.append(stage(asked))
        return json.dumps(self.obey(order[1], json.loads(faithful)))

    def obey(self, word: str, reply: Any) -> Any:
        """The reply with the word in place of each of its texts."""
        if isinstance(reply, dict):
            return {key: self.obey(word, value) for key, value in reply.items()}
        if isinstance(reply, list):
            return [self.obey(word, value) for value in reply]
        return word if isinstance(reply, str) else reply


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
