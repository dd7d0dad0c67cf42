"""What does the audit say of questions that people wrote? Each finding there is a false alarm, or a fault of theirs.

    python benchmarks/human_audit.py HUMAN_JSONL DOCS

HUMAN_JSONL holds golden items written by people over DOCS; only answerable ones are audited. Prints for each check the
share of the items that it tells of, and examples. No check should call three in a hundred of people's questions errors.
"""

from __future__ import annotations

import time

from arguments import call

from kgsynth.auditing.flow import check_set
from kgsynth.auditing.resources import gather
from kgsynth.documents import read_documents
from kgsynth.golden.dataset import Dataset, load

SHOWN = 3


def main(human: str, docs: str) -> None:
    """Audit the questions and print the table."""
    items = Dataset(item for item in load(human) if item.answerable)
    documents = {document.id: document for document in read_documents(docs)}
    begun = time.perf_counter()
    report = check_set(items, documents, resources=gather(documents))
    print(f"{len(items)} answerable questions over {len(documents)} documents, in {time.perf_counter() - begun:.0f} s")
    print(f"{'check':<16}{'severity':<10}{'items':>7}{'share':>9}")
    told = report.checks()
    for check in told:
        print(f"{check['code']:<16}{check['severity'] or '-':<10}{check['items']:>7}{check['share']:>9.2%}")
    for check in told:
        for example in check["examples"][:SHOWN]:
            print(f"\n{check['code']}: {example['message']}")


if __name__ == "__main__":
    call(main)
