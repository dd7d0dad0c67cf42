"""Say what ``generate`` would change in a finished run, and write nothing: all happens in a copy of the folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from kgsynth.base.config import Config
from kgsynth.base.errors import InputError
from kgsynth.base.progress import Progress, silent
from kgsynth.base.run_folder.folder import is_generate_run, read_state
from kgsynth.generation.corpus import open_run, parse, scale_before
from kgsynth.generation.renewal.standing import stand
from kgsynth.generation.renewal.summary import Renewal, document_lines, left_lines, renewal
from kgsynth.golden.dataset import Dataset
from kgsynth.show.wording import many

_NOT_COPIED = ("llm.sqlite", "report", "graph.json", "questions.npy", "candidates.jsonl", "rejected.jsonl")


@dataclass(frozen=True, slots=True)
class Preview:
    """What ``generate`` would change: the settings and documents that changed, and what becomes of the set.

    ``renewal`` is None if nothing would change, and if the set would be made anew. ``free`` is the number of places
    for new questions.
    """

    changes: bool
    settings: tuple[str, ...] = ()
    renewal: Renewal | None = None
    free: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the preview as plain JSON values."""
        found = self.renewal.to_json() if self.renewal else {}
        found.pop("added", None)
        return {"changes": self.changes, "settings": list(self.settings), **found, "free": self.free}

    def lines(self) -> list[str]:
        """Return the preview as lines for a terminal."""
        if not self.changes:
            return ["Nothing would change."]
        settings = [f"settings changed: {'; '.join(self.settings)}"] if self.settings else []
        if self.renewal is None:
            return [*settings, "The set would be made anew."]
        kept, moved, left = self.renewal.kept, self.renewal.moved, self.renewal.left
        where = f", {len(moved):,} of them with evidence in another place" if moved else ""
        return [
            *settings,
            *document_lines(self.renewal.changes),
            f"{many(len(kept), 'question')} would stay{where}, {len(left):,} would leave",
            *left_lines(left),
            f"{many(self.free, 'place')} would be free for new questions",
        ]


def preview(docs: Path, out: Path, config: Config, progress: Progress = silent) -> Preview:
    """Return what ``generate`` would change in the run folder ``out``, which stays as it is.

    Raises:
        InputError: ``out`` contains no run of ``generate``, or one that cannot go on with these settings.
    """
    if not is_generate_run(out):
        raise InputError(
            f"{out} contains no run of generate, so there is nothing to check; run it without --check first"
        )
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        _copy_run(out, folder)
        try:
            return _preview(docs, out, folder, config, progress)
        except InputError as error:
            raise InputError(str(error).replace(temporary, str(out))) from error


def _preview(docs: Path, out: Path, folder: Path, config: Config, progress: Progress) -> Preview:
    from kgsynth.evidence.statements import Statements
    from kgsynth.generation.survey import draws

    with open_run(docs, out, config, False, progress, renew=True, work_in=folder) as (run, documents):
        settings = run.run_folder.changes
        if run.run_folder.intact("golden.jsonl"):
            return Preview(changes=False)
        if run.earlier is None:
            return Preview(changes=True, settings=settings)
        drawn = next(draws(documents, run.config, run.earlier.cited, scale_before(run))).documents
        standing = stand(run.earlier, Statements(drawn, parse(drawn, run)))
        own = sum(not item.history for item in standing.kept)
        free = max(0, run.config.n - own)
        return Preview(True, settings, renewal(standing, Dataset(standing.kept)), free)


def _copy_run(out: Path, folder: Path) -> None:
    """Copy the files of a run that a renewal reads."""
    state = read_state(out)
    names = [*(state["files"] if state else ()), "state.json"]
    for name in (*names, *(f"{each}.tmp" for each in names)):
        if (out / name).is_file() and not name.startswith(_NOT_COPIED):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(out / name, folder / name)
