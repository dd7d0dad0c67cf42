"""The system of rag_function.py as a process, for ``kgsynth score --rag 'exec:python examples/rag_exec.py'``.

It reads a question as a JSON line from stdin and writes the answer as a JSON line to stdout; anything else it prints
must go to stderr. The ``id`` is optional, but lets kgsynth detect an answer to another question.
"""

import json
import sys

from rag_function import answer

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], **answer(asked["question"])}), flush=True)  # noqa: T201
