"""The system of rag_function.py as a process: what ``kgsynth score --rag 'exec:python examples/rag_exec.py'`` starts.

A question comes as a line of JSON on stdin, its answer goes as one to stdout, and all else that is printed must go to
stderr. To give the ``id`` back is not needed, but then a line out of step is noticed.
"""

import json
import sys

from rag_function import answer

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], **answer(asked["question"])}), flush=True)  # noqa: T201
