"""A system that searches twice and cites its passages: ``kgsynth score --rag examples/rag_steps.py:answer``.

The second search adds the names in the best passage of the first to the question, as an agent would that follows a
lead. The answer has one sentence from each search, with the passage that it is from; ``steps`` shows what each search
found, so that the report can say at which step a question was lost.
"""

import re

from rag_function import PASSAGES, similarity, words


def search(query: str) -> list[dict[str, str]]:
    """Return the five best passages, best first."""
    return sorted(PASSAGES, key=lambda passage: -similarity(query, passage["text"]))[:5]


def best_sentence(question: str, text: str) -> str:
    """Return the sentence of a passage that shares the rarest words with the question."""
    return max(re.split(r"(?<=[.!?])\s+", text.strip()), key=lambda sentence: similarity(question, sentence))


def answer(question: str) -> dict[str, object]:
    """Return the answer, its citations, the passages of both searches, and the searches themselves."""
    found = search(question)
    leads = [name for name in re.findall(r"[A-Z]\w+", found[0]["text"]) if not words(name) <= words(question)]
    steps = [{"query": question, "retrieved": found}]
    query = " ".join([question, *dict.fromkeys(leads)])
    steps.append({"query": query, "retrieved": search(query)})
    retrieved, sentences = [], []
    for step in steps:
        retrieved += [passage for passage in step["retrieved"] if passage not in retrieved]
        best = step["retrieved"][0]
        sentences.append((best_sentence(question, best["text"]), retrieved.index(best)))
    sentences = list(dict.fromkeys(sentences))
    return {
        "answer": " ".join(text for text, _ in sentences),
        "citations": [{"text": text, "passages": [at]} for text, at in sentences],
        "retrieved": retrieved,
        "steps": steps,
    }
