"""A RAG system on one page: what ``kgsynth score --rag examples/rag_function.py:answer`` calls, once a question.

It cuts the .md and .txt files of a folder (``DOCS`` in the environment, else corpora/handbook) at empty lines, ranks
the paragraphs by the rare words they share with the question, and answers with the best sentence of the first. Put your
own system in the place of ``answer``: a passage needs a text and, if you have it, the path of its document.
"""

import math
import os
import re
from collections import Counter
from pathlib import Path

FOLDER = Path(os.environ.get("DOCS", "corpora/handbook"))
FILES = sorted(path for path in FOLDER.rglob("*") if path.suffix in {".md", ".txt"})
PASSAGES = [
    {"doc": path.relative_to(FOLDER).as_posix(), "text": text}
    for path in FILES
    for text in re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
]


def words(text: str) -> set[str]:
    """Return the words of a text, in lower case."""
    return set(re.findall(r"\w+", text.lower()))


SPREAD = Counter(word for passage in PASSAGES for word in words(passage["text"]))


def alike(question: str, text: str) -> float:
    """Return the weight of the words two texts share, the rare ones weighing most."""
    return sum(math.log(1 + len(PASSAGES) / SPREAD[word]) for word in words(question) & words(text))


def answer(question: str) -> dict[str, object]:
    """Return the answer and the ten passages it was looked for in, the best first."""
    ranked = sorted(PASSAGES, key=lambda passage: -alike(question, passage["text"]))[:10]
    sentences = re.split(r"(?<=[.!?])\s+", ranked[0]["text"])
    return {"answer": max(sentences, key=lambda text: alike(question, text)), "retrieved": ranked}
