"""What an audit uses besides the set and its documents: models, another set, and the files of a run.

An audit runs without a model that is not available, and reports which checks it skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from kgsynth.auditing.inputs import RunFiles, find_run_files
from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.base.config import Config
from kgsynth.base.errors import SystemUnreachableError, installed, lack
from kgsynth.base.processes import in_processes
from kgsynth.base.progress import Progress, silent, ticking
from kgsynth.base.records import Analysis, Document
from kgsynth.golden.dataset import Dataset
from kgsynth.language import LANGUAGES, language
from kgsynth.models.text_encoder import NO_PREFIXES, Prefixes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kgsynth.models.encoder import Encoder
    from kgsynth.models.llm import LLM

    Encode = Callable[[Sequence[str]], NDArray[np.float32]]

QUICK = "a quick audit loads no models"

NEEDS = {
    "": "",
    "vectors": "the embedding model",
    "facts": "the parser",
    "against": "another set (`--against`)",
    "model": "an LLM (`--llm`)",
}
"""What a check may need besides the set and its documents."""

_TEXTS_PER_TICK = 256  # texts embedded between two steps of the progress bar
_BLOCKS_PER_PROCESS = 500  # a worker process takes as long to load its model as to parse this many blocks


@dataclass(frozen=True, slots=True)
class Resources:
    """What is available: ``encode`` for vectors, ``parse`` for facts; ``unavailable`` says why one of them is missing.

    ``encode`` embeds texts with the ``prefixes`` of its model.
    ``model`` is an LLM to be asked without the documents, ``against`` a set that must not overlap with this one, and
    ``run`` the files of a ``generate`` run over the same documents.
    """

    encode: Encode | None = None
    parse: Callable[[Document], Analysis] | None = None
    model: LLM | None = None
    against: Dataset | None = None
    run: RunFiles | None = None
    progress: Progress = silent
    unavailable: Mapping[str, str] = field(default_factory=dict)
    prefixes: Prefixes = NO_PREFIXES

    def has(self, need: str) -> bool:
        """Check whether what a check needs, a key of ``NEEDS``, is available."""
        given = {"vectors": self.encode, "facts": self.parse, "model": self.model, "against": self.against}
        return given.get(need, True) is not None

    def embed(self, texts: Sequence[str], stage: str) -> NDArray[np.float32]:
        """Return the embeddings of texts, shape (texts, dimensions); ``stage`` names the progress bar.

        Raises:
            ValueError: there is no embedding model.
        """
        import numpy as np

        if self.encode is None:
            raise ValueError("this audit has no embedding model")
        rows = []
        with self.progress(stage, len(texts)) as progress:
            for start in range(0, len(texts), _TEXTS_PER_TICK):
                rows.append(self.encode(texts[start : start + _TEXTS_PER_TICK]))
                progress.update(len(rows[-1]))
        return np.concatenate(rows) if rows else np.zeros((0, 0), np.float32)

    def analyses(self, documents: Mapping[str, Document], blocks: Mapping[str, set[int]]) -> list[Analysis]:
        """Return the analyses of the run; without a run, parse ``blocks``, given by document id and block number.

        Without a parser, and for documents in an unsupported language, there are none.
        """
        if self.run or self.parse is None:
            return self.run.analyses if self.run else []
        parts = [
            replace(documents[doc], blocks=tuple(documents[doc].blocks[number] for number in sorted(blocks[doc])))
            for doc in sorted(blocks)
            if blocks[doc] and documents[doc].language in LANGUAGES
        ]
        processes = Config().workers(sum(map(len, blocks.values())) // _BLOCKS_PER_PROCESS)
        with self.progress("parsing", len(parts)) as stage:
            return list(ticking(in_processes(self.parse, parts, processes), stage))


def load_resources(
    documents: Mapping[str, Document],
    golden: Path | None = None,
    *,
    quick: bool = False,
    against: Dataset | None = None,
    model: LLM | None = None,
    progress: Progress = silent,
) -> Resources:
    """Load the models, unless the audit is ``quick``, and find the files of the run that ``golden`` lies in.

    Raises:
        InputError: a model exists but cannot be used.
    """
    resources = Resources(model=model, against=against, progress=progress)
    if quick:
        return replace(resources, unavailable=dict.fromkeys(("vectors", "facts"), QUICK))
    run = find_run_files(golden, documents) if golden is not None else None
    models = {name: getattr(Config(), name) for name in ("embedding_model", "spacy_model")} | dict(
        run.config if run else {}
    )
    english = any(document.language == DEFAULT_LANGUAGE for document in documents.values())
    resources = replace(resources, run=run)
    if run is not None or not english or installed("spacy"):
        resources = replace(resources, parse=partial(_parse, model=models["spacy_model"]))
    else:
        resources = replace(resources, unavailable={"facts": lack("the parser", "spacy")})
    try:
        with progress("loading the model", 1) as stage:
            encoder = _encoder(_model_for(str(models["embedding_model"]), documents))
            stage.update()
    except SystemUnreachableError as error:
        return replace(resources, unavailable={**resources.unavailable, "vectors": str(error)})
    return replace(resources, encode=encoder.encode_prefixed, prefixes=encoder.prefixes)


def _model_for(given: str, documents: Mapping[str, Document]) -> str:
    from kgsynth.models.encoder import choose_model

    return choose_model(given, {document.language for document in documents.values()})


@cache
def _encoder(name: str) -> Encoder:
    """Load an embedding model, once per process."""
    from kgsynth.models.encoder import load_encoder

    return load_encoder(name)


def _parse(document: Document, model: str) -> Analysis:
    return language(document.language).analyse(document, model)
