"""``kgsynth rank``: fit a ranker to one's own grades."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kgsynth.base.shares import percent
from kgsynth.cli.command import Command
from kgsynth.cli.options import EMBEDDING_OPTION, JSON_OPTION, PATH
from kgsynth.cli.output import result, wrote


@click.command(cls=Command)
@click.argument("docs", type=PATH)
@click.option(
    "--fit",
    "grades",
    multiple=True,
    required=True,
    type=PATH,
    metavar="GRADES",
    help="A set that people reviewed, or the rejected items beside it (repeatable).",
)
@click.option("-o", "--out", required=True, type=PATH, metavar="FILE.json", help="The file of the ranker.")
@EMBEDDING_OPTION
@JSON_OPTION
def command(docs: Path, grades: tuple[Path, ...], out: Path, embedding_model: str | None, as_json: bool) -> None:
    """Fit a ranker to questions over DOCS that people reviewed.

    The ranker estimates which questions your readers keep, by the form of question, answer and evidence. Use it with
    kgsynth generate --ranker FILE.json. Review some hundred questions of all types first: kgsynth review.

    \b
    kgsynth rank docs --fit reviewed.jsonl --fit reviewed.rejected.jsonl -o ranker.json
    """
    from kgsynth.base.config import Config
    from kgsynth.models.encoder import choose_model, load_encoder
    from kgsynth.ranking.fitting import fit
    from kgsynth.ranking.grades import read_grades, read_rows
    from kgsynth.ranking.promise import language_names

    graded = [each for path in grades for each in read_grades(path)]
    languages = {each.item.language for each in graded}
    encoder = load_encoder(choose_model(embedding_model or Config().embedding_model, languages))
    ranker = fit([*read_rows(graded, [docs], encoder.encode_prefixed, encoder.prefixes)])
    ranker.save(out)
    fitted = ranker.fitted
    text = (
        f"fitted to {fitted.questions:,} grades of questions in {language_names(fitted.languages)}, "
        f"{percent(fitted.kept)} kept, of {fitted.folders} documents or folders\n"
        f"area under the curve, with each of these left out: {fitted.auc:.2f} (0.5 is chance)"
    )
    result(text, {"ranker": str(out), **asdict(fitted)}, as_json)
    wrote(f"ranker: {out}")
