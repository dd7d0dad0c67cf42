"""Generate a golden set, audit it and score BM25 on it, all from Python.

Run it as ``python examples/generate_in_python.py corpora/handbook outputs/from_python 20``.
"""

import sys

import kgsynth


def main(docs: str, out: str, n: str = "20") -> None:
    """Write ``n`` questions about the documents below ``docs`` into the run folder ``out``, and try them."""
    made = kgsynth.generate(docs, out, config=kgsynth.Config(n=int(n)), fresh=True)
    report = kgsynth.audit(made.golden, docs)
    scores = kgsynth.score(made.golden, "bm25", docs=docs)
    lines = [f"{item.question}  {item.golden_answers[0]}" for item in made.golden[:5]]
    lines += made.shortage.lines()
    lines += [f"audit: {len(report.at_least('error'))} errors"]
    lines += [f"bm25: recall@5 {scores.metrics['recall@5'].value}"]
    print("\n".join(lines))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
