"""Write the question sets in tests/foreign with the library of each tool, if it is installed.

Every set has the questions in ``PAIRS``. The files in the folder were written by these functions; BEIR and SQuAD have
no library, so their files follow the published format.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

LEADS = "Ada Low leads the Borealis team in Leeds."
ROOMS = 'The Leeds site has nine storerooms;\ntwo of them are "cold", it\'s said.'
TEXTS = {"people/teams.md": f"# Teams\n\n{LEADS}\n\nOthers are named below.\n", "sites.md": f"# Sites\n\n{ROOMS}\n"}
PAIRS: list[tuple[str, str, list[str]]] = [
    ("Who leads the Borealis team?", "Ada Low", [LEADS]),
    ("How many storerooms has the site of the Borealis team?", "nine", [LEADS, ROOMS]),
]


def ragas(folder: Path) -> dict[str, Path]:
    from ragas.dataset_schema import SingleTurnSample
    from ragas.testset.synthesizers.testset_schema import Testset, TestsetSample

    samples = []
    for question, answer, contexts in PAIRS:
        hops = [f"<{hop}-hop>\n\n{text}" for hop, text in enumerate(contexts, 1)] if len(contexts) > 1 else contexts
        name = f"{'multi' if len(contexts) > 1 else 'single'}_hop_specific_query_synthesizer"
        sample = SingleTurnSample(user_input=question, reference=answer, reference_contexts=hops, persona_name="Clerk")
        samples.append(TestsetSample(eval_sample=sample, synthesizer_name=name))
    made = Testset(samples=samples)
    made.to_csv(folder / "ragas.csv")
    made.to_jsonl(folder / "ragas.jsonl")
    made.to_pandas().to_json(folder / "ragas.json")
    return {name: folder / name for name in ("ragas.csv", "ragas.jsonl", "ragas.json")}


def deepeval(folder: Path) -> dict[str, Path]:
    from deepeval.dataset import EvaluationDataset, Golden

    goldens = [
        Golden(input=question, expected_output=answer, context=contexts, source_file="/data/people/teams.md")
        for question, answer, contexts in PAIRS
    ]
    for kind in ("json", "csv", "jsonl"):
        EvaluationDataset(goldens=goldens).save_as(file_type=kind, directory=str(folder), file_name="deepeval")
    return {f"deepeval.{kind}": folder / f"deepeval.{kind}" for kind in ("json", "csv", "jsonl")}


def llamaindex(folder: Path) -> dict[str, Path]:
    from llama_index.core.llama_dataset import CreatedBy, CreatedByType, LabelledRagDataExample, LabelledRagDataset

    by = CreatedBy(type=CreatedByType.HUMAN)
    examples = [
        LabelledRagDataExample(
            query=question, query_by=by, reference_contexts=contexts, reference_answer=answer, reference_answer_by=by
        )
        for question, answer, contexts in PAIRS
    ]
    LabelledRagDataset(examples=examples).save_json(str(folder / "llamaindex.json"))
    return {"llamaindex.json": folder / "llamaindex.json"}


def llamaindex_pairs(folder: Path) -> dict[str, Path]:
    from llama_index.core.evaluation import EmbeddingQAFinetuneDataset

    corpus: dict[str, Any] = {"n1": LEADS, "n2": ROOMS, "n3": "Another."}
    queries = {f"q{number}": question for number, (question, _, _) in enumerate(PAIRS, 1)}
    relevant = {"q1": ["n1"], "q2": ["n1", "n2"]}
    made = EmbeddingQAFinetuneDataset(queries=queries, corpus=corpus, relevant_docs=relevant)
    made.save_json(str(folder / "llamaindex-pairs.json"))
    return {"llamaindex-pairs.json": folder / "llamaindex-pairs.json"}


MAKERS: dict[str, tuple[str, Callable[[Path], dict[str, Path]]]] = {
    "ragas": ("ragas.testset.synthesizers.testset_schema", ragas),
    "deepeval": ("deepeval.dataset", deepeval),
    "llamaindex": ("llama_index.core.llama_dataset", llamaindex),
    "llamaindex-pairs": ("llama_index.core.evaluation", llamaindex_pairs),
}
"""Tool -> the module that must be importable, and the function that writes its files."""
