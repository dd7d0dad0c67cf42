"""Embed the questions of the candidates, and the texts that rules and ranker compare them with."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.run_folder import resume_array
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.vectors import TextVectors
from kgsynth.generation.filters.context import compared_texts
from kgsynth.generation.run import Run
from kgsynth.generation.writing import Candidate


def embed_questions(candidates: Sequence[Candidate], knowledge: Knowledge, run: Run) -> TextVectors:
    """Embed all questions, their evidence, and their answers and titles; an interrupted run reuses the file."""
    items = [candidate.item for candidate in candidates]
    encoder = run.encoder
    asked, compared = {item.question for item in items}, compared_texts(items, knowledge)
    texts = sorted(
        {encoder.prefixes.question + text for text in asked} | {encoder.prefixes.passage + text for text in compared}
    )
    with run.stage("embedding questions", len(texts)) as stage:
        rows = resume_array(run.run_folder, "questions", texts, make=encoder.encode_prefixed, on_progress=stage.update)
    return TextVectors(encoder.encode_prefixed, texts, rows, encoder.prefixes)
