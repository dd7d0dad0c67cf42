"""What an audit works with besides the set and its documents: models, another set, the files of a run.

Where a model is not available the audit runs without it, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.auditing.run_files import RunFiles, run_files
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
    from kgsynth.models.llm import Asking

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

QUICK = "the audit was quick: by words alone"

NEEDS = {
    "": "",
    "vectors": "the embedding model",
    "facts": "the parser",
    "against": "another set (`--against`)",
    "model": "an LLM (`--llm`)",
}
"""What a check may need besides the set and its documents."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What is available: ``encode`` for vectors, ``parse`` for facts; ``unavailable`` says why one of them is missing.

    ``against`` is a set that should have nothing in common with this one, ``model`` an LLM that is asked without the
    documents, ``run`` the files of a run of ``generate`` over the same documents.
    """

    encode: Encode | None = None
    parse: Callable[[Document], Analysis] | None = None
    model: Asking | None = None
    against: Dataset | None = None
    run: RunFiles | None = None
    progress: Progress = silent
    unavailable: Mapping[str, str] = field(default_factory=dict)

    def have(self, need: str) -> bool:
        """Return whether what a check needs is available; a check that needs nothing always has it."""
        given = {"vectors": self.encode, "facts": self.parse, "model": self.model, "against": self.against}
        return given.get(need, True) is not None


def gather(
    documents: Mapping[str, Document],
    golden: Path | None = None,
    *,
    quick: bool = False,
    against: Dataset | None = None,
    model: Asking | None = None,
    progress: Progress = silent,
) -> Resources:
    """Load the models, unless the audit is ``quick``, and find the files of the run that ``golden`` lies in.

    Raises:
        InputError: a model is there and cannot be used.
    """
    if quick:
        return Resources(None, None, model, against, None, progress, dict.fromkeys(("vectors", "facts"), QUICK))
    run = run_files(golden, documents) if golden is not None else None
    defaults = Config()
    settings = run.config if run else {name: getattr(defaults, name) for name in ("embedding_model", "spacy_model")}
    parse = partial(_parse, model=settings["spacy_model"])
    try:
        with progress("loading the model", 1) as stage:
            encoder = _encoder(settings["embedding_model"])
            stage.update()
    except SystemUnreachableError as error:
        return Resources(None, parse, model, against, run, progress, {"vectors": str(error)})
    return Resources(encoder.encode, parse, model, against, run, progress)


@cache
def _encoder(name: str) -> Encoder:
    """Load an embedding model; a process that audits often does it once."""
    from kgsynth.models.encoder import load_encoder

    return load_encoder(name)


def _parse(document: Document, model: str) -> Analysis:
    return language(document.language).analyse(document, model)
