"""How many processes parse the documents that have no analysis yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from kgsynth.base.config import Config
from kgsynth.base.progress import silent
from kgsynth.base.records import Analysis, Document
from kgsynth.base.records_json import to_json
from kgsynth.base.run_folder import RunFolder
from kgsynth.generation import corpus
from kgsynth.generation.run import Run


@pytest.mark.parametrize(
    ("parsed_before", "processes"),
    [
        (0, 4),  # 40 documents are enough for 5 processes, but 4 are allowed
        (39, 1),  # one page changed: to load the parser in another process would take longer than to parse it
    ],
)
def test_only_documents_without_an_analysis_count_for_the_number_of_processes(
    parsed_before: int, processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = [Document(f"{n:02}.md", "", "", "md", "", (), ()) for n in range(40)]
    asked: list[tuple[int, int]] = []

    def parsed(
        engine: str, work: Callable[..., Analysis], missing: Iterable[Document], number: int, *, shard: int
    ) -> Iterator[Analysis]:
        names = [document.id for document in missing]
        asked.append((len(names), number))
        return (Analysis(name, (), (), ()) for name in names)

    monkeypatch.setattr(corpus, "in_engine", parsed)
    with RunFolder.open(tmp_path, config={}, inputs={}) as folder:
        for document in documents[:parsed_before]:
            folder.journal("analysis").append(document.id, to_json(Analysis(document.id, (), (), ())))
        run = Run(Config(processes=4), folder, None, silent)  # type: ignore[arg-type]
        assert [analysis.doc for analysis in corpus.parse(documents, run)] == [each.id for each in documents]
    assert asked == [(40 - parsed_before, processes)]
