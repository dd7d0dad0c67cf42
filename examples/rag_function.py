"""A small RAG system: ``kgsynth score --rag examples/rag_function.py:answer`` calls it once per question.

It splits the .md and .txt files of a folder (``DOCS`` in the environment, by default corpora/handbook) at empty lines,
ranks the paragraphs by the rare words they share with the question, and answers with the best sentence of the first.
Replace ``answer`` with your own system: a passage needs a text and, if you have it, the path of its document.
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
    """Return the lower-cased words of a text."""
    return set(re.findall(r"\w+", text.lower()))


PASSAGES_WITH = Counter(word for passage in PASSAGES for word in words(passage["text"]))


def similarity(question: str, text: str) -> float:
    """Return the summed weights of the words that two texts share; rare words weigh more."""
    return sum(math.log(1 + len(PASSAGES) / PASSAGES_WITH[word]) for word in words(question) & words(text))


def answer(question: str) -> dict[str, object]:
    """Return the answer and the ten best passages, best first."""
    ranked = sorted(PASSAGES, key=lambda passage: -similarity(question, passage["text"]))[:10]
    sentences = re.split(r"(?<=[.!?])\s+", ranked[0]["text"])
    return {"answer": max(sentences, key=lambda text: similarity(question, text)), "retrieved": ranked}
