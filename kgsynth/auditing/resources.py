"""What an audit works with beside the set and its documents: models, another set, what a run has on file.

Left out: what is done with them. Where a model is not to be had the audit goes on without it, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.auditing.run_files import Filed, filed
from kgsynth.base.config import Config
from kgsynth.base.errors import SystemUnreachableError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.records import Analysis, Document
from kgsynth.golden.dataset import Dataset
from kgsynth.language import language

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.models.encoder import Encoder
    from kgsynth.models.llm import LLM

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

BY_WORDS = "the audit was to go by words alone"


@dataclass(frozen=True, slots=True)
class Means:
    """What there is: an ``encode`` for vectors, a ``parse`` for facts; ``lacking`` says why one of them is not there.

    ``against`` is a set that should have nothing in common with this one, ``model`` is asked what it knows by heart,
    ``filed`` is what a run over the same documents has on file.
    """

    encode: Encode | None = None
    parse: Callable[[Document], Analysis] | None = None
    model: LLM | None = None
    against: Dataset | None = None
    filed: Filed | None = None
    progress: Progress = silent
    lacking: Mapping[str, str] = field(default_factory=dict)

    def have(self, needs: str) -> bool:
        """Say whether what a check ``needs`` is there; a check that needs nothing always has it."""
        there = {"vectors": self.encode, "facts": self.parse, "model": self.model, "against": self.against}
        return there.get(needs, True) is not None


def gather(
    documents: Mapping[str, Document],
    golden: Path | None = None,
    *,
    quick: bool = False,
    against: Dataset | None = None,
    model: LLM | None = None,
    progress: Progress = silent,
) -> Means:
    """Return the means for an audit: the models, unless it is to be ``quick``, and what the run ``golden`` lies in has.

    Raises:
        InputError: a model is there and cannot be used.
    """
    if quick:
        return Means(None, None, model, against, None, progress, dict.fromkeys(("vectors", "facts"), BY_WORDS))
    run = filed(golden, documents) if golden is not None else None
    settings = run.config if run else {"embedding_model": Config().embedding_model, "spacy_model": Config().spacy_model}
    try:
        with progress("loading the model", 1) as stage:
            encoder = _encoder(settings["embedding_model"])
            stage.update()
    except SystemUnreachableError as error:
        parse = partial(_parse, model=settings["spacy_model"])
        return Means(None, parse, model, against, run, progress, {"vectors": str(error)})
    return Means(encoder.encode, partial(_parse, model=settings["spacy_model"]), model, against, run, progress)


@cache
def _encoder(name: str) -> Encoder:
    """Load an embedding model; a process that audits often does it once."""
    from kgsynth.models.encoder import load_encoder

    return load_encoder(name)


def _parse(document: Document, model: str) -> Analysis:
    return language(document.language).analyse(document, model)
