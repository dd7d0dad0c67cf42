"""Write the results of a run to its folder, and add the run to the history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Literal

from kgsynth.base.atomic_files import write_text
from kgsynth.base.errors import SystemUnreachableError
from kgsynth.base.records import Answer
from kgsynth.scoring.history import add_run
from kgsynth.scoring.inputs import ScoringInputs
from kgsynth.scoring.metrics.scores import Scores
from kgsynth.scoring.page import page
from kgsynth.scoring.run_results import FAILED_KEY
from kgsynth.scoring.text import markdown
from kgsynth.show.start_page import renew_start_pages, write_report

_RESULTS = ("items.jsonl", "judged.jsonl", "scores.md", "report.html")
"""The files of a run beside scores.json and answers.jsonl."""


@contextmanager
def recording_failure(folder: Path | None) -> Iterator[None]:
    """If the block fails since the system is down, replace the results of an earlier run in ``folder`` by the reason.

    Otherwise they would be taken for the results of the run that failed. The answers stay.
    """
    try:
        yield
    except SystemUnreachableError as error:
        if folder and (folder / "scores.json").is_file():
            for name in _RESULTS:
                (folder / name).unlink(missing_ok=True)
            write_text(folder / "scores.json", [json.dumps({FAILED_KEY: str(error)}, ensure_ascii=False), "\n"])
            renew_start_pages(folder)
        raise


def write_run(
    folder: Path,
    scores: Scores,
    inputs: ScoringInputs,
    answers: Mapping[str, Answer],
    history: Path | Literal[False] | None,
) -> Scores:
    """Write the results and the reports (answers.jsonl was written while asking), and add the run to ``history``.

    ``history`` None means the index beside the folder, False no index. Return the scores, with a note if the run could
    not be added.
    """
    write_text(folder / "items.jsonl", _json_lines(item.to_json() for item in scores.items))
    if scores.judge:
        write_text(folder / "judged.jsonl", _json_lines(map(asdict, scores.judge.replies)))
    write_text(folder / "scores.json", [json.dumps(scores.to_json(), ensure_ascii=False, indent=1), "\n"])
    write_text(folder / "scores.md", [markdown(scores)])
    documents = {document.id: document for document in inputs.documents}
    write_report(folder, page(scores, inputs.items, answers, documents, inputs.docs).files())
    problem = "" if history is False else add_run(folder, history)
    return replace(scores, notes=(*scores.notes, problem)) if problem else scores


def _json_lines(lines: Iterable[Mapping[str, object]]) -> Iterator[str]:
    return (json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
