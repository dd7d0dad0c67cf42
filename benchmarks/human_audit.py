"""Audit questions written by people: each finding is a false alarm, or a real problem of the question.

    python benchmarks/human_audit.py HUMAN_JSONL DOCS

HUMAN_JSONL has human questions about DOCS; only the answerable ones are audited. Prints for each check the share of
items with a finding, and examples. Each check should report errors in less than 3 % of the questions.
"""

from __future__ import annotations

import time

from arguments import call

from kgsynth.auditing.flow import check_set
from kgsynth.auditing.resources import load_resources
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load

EXAMPLES_SHOWN = 3


def main(human: str, docs: str) -> None:
    """Audit the questions and print the table."""
    items = Dataset(item for item in load(human) if item.answerable)
    documents = {document.id: document for document in read_documents(docs)}
    started = time.perf_counter()
    report = check_set(items, documents, resources=load_resources(documents))
    seconds = time.perf_counter() - started
    print(f"{len(items)} answerable questions over {len(documents)} documents, in {seconds:.0f} s")
    print(f"{'check':<16}{'severity':<10}{'items':>7}{'share':>9}")
    checks = report.checks()
    for check in checks:
        print(f"{check['code']:<16}{check['severity'] or '-':<10}{check['items']:>7}{check['share']:>9.2%}")
    for check in checks:
        for example in check["examples"][:EXAMPLES_SHOWN]:
            print(f"\n{check['code']}: {example['message']}")


if __name__ == "__main__":
    call(main)
