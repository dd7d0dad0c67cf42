"""Embed the questions of the candidates, and the texts that rules and ranker compare them with."""

from __future__ import annotations

from collections.abc import Sequence

from kgsynth.base.run_folder import resume_array
from kgsynth.evidence.knowledge import Knowledge
from kgsynth.evidence.vectors import TextVectors
from kgsynth.generation.filters.answered import evidence_text
from kgsynth.generation.run import Run
from kgsynth.generation.writing import Candidate
from kgsynth.ranking.features import texts_to_embed
from kgsynth.ranking.surroundings import Surroundings


def embed_questions(candidates: Sequence[Candidate], knowledge: Knowledge, run: Run) -> TextVectors:
    """Embed all questions, their evidence, and their answers and titles; an interrupted run reuses the file."""
    around = Surroundings(knowledge.documents)
    answerable = [candidate.item for candidate in candidates if candidate.item.answerable]
    compared = {text for item in answerable for text in (evidence_text(item, knowledge), *texts_to_embed(item, around))}
    texts = sorted({candidate.item.question for candidate in candidates} | compared)
    with run.stage("embedding questions", len(texts)) as stage:
        rows = resume_array(run.run_folder, "questions", texts, make=run.encoder.encode, on_progress=stage.update)
    return TextVectors(run.encoder.encode, texts, rows)
