"""Fit the ranker of each language anew, and report how it does on folders that were left out.

    python benchmarks/fit_ranker.py [DOCS] [GRADES …]

Without arguments: fit to benchmarks/graded/features.csv; the report takes minutes. GRADES are files of graded questions
to add first, and only their languages are fitted; DOCS has a folder of documents for each corpus that they name
(several such folders are joined with ":"). With DOCS alone, the features of the questions in
benchmarks/graded/grades.jsonl are computed again, after a change of the features. Writes, for each language,
kgsynth/ranking/weights/CODE.json and benchmarks/graded/report_CODE.md.

After a change of the rules, take "writer" from the metadata of all items in grades.jsonl, and set the column
``rules.current`` of features.csv to 0: the level of the estimate is then that of the questions graded since.

A line of GRADES has ``corpus``, ``kind``, ``item`` and ``grade`` (see ``kgsynth/ranking/grades.py``). Texts are kept
only of corpora whose licence is listed in ``TEXT_LICENCES``; of all others only ids, letters and features.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from arguments import call

from kgsynth.base.choices import DEFAULT_LANGUAGE
from kgsynth.golden.item_json import span_json
from kgsynth.language import language
from kgsynth.models.encoder import AUTO, choose_model, load_encoder
from kgsynth.ranking.fitting import (
    STRENGTHS,
    GradeTable,
    area,
    by_letter,
    calibrated,
    calibration,
    fit,
    fitted,
    out_of_fold,
    table_of,
)
from kgsynth.ranking.grades import (
    LETTERS,
    GradedItem,
    GradedRow,
    read_grades,
    read_rows,
    read_table,
    write_table,
)
from kgsynth.ranking.model import Ranker, Rankers, log_odds

GRADED = Path(__file__).parent / "graded"
FEATURES, TEXTS = GRADED / "features.csv", GRADED / "grades.jsonl"
WEIGHTS = Path(__file__).parent.parent / "kgsynth" / "ranking" / "weights"

TEXT_LICENCES = {
    "18f_handbook": "public domain",
    "site_policy": "CC0",
    "peps": "public domain or CC0",
    "flask_docs": "BSD-3-Clause",
    "rust_book": "MIT or Apache-2.0",
    "fastapi_en": "MIT",
    "prometheus_docs": "Apache-2.0",
    "image_spec": "Apache-2.0",
    "rust_rfcs": "MIT or Apache-2.0",
    "eng_practices": "CC BY 3.0, Google",
    "opensource_guide": "CC BY 4.0, GitHub",
    "handbook_zh": "in corpora",
    "fastapi_zh": "MIT",
    "opensource_guide_zh": "CC BY 4.0, GitHub",
}
"""Corpus -> the licence under which its questions and answers, which quote it, are kept here."""

SAME_FOLDER = {"18f_sixteen": "18f_handbook"}
"""Corpora that are a part of another: both are left out together."""

Method = Callable[[Any, Any, Any], Any]


def main(docs: str = "", *grades: str) -> None:
    """Add grades if there are any, fit, write the weights and the reports."""
    rows = {row.key: row for row in (read_table(FEATURES) if FEATURES.exists() else [])}
    known = read_grades(TEXTS) if TEXTS.exists() else []
    new = [_in_folder(each) for path in grades for each in read_grades(Path(path))]
    todo = [each for each in new if each.key not in rows] if grades else known
    if docs and todo:
        rows |= {row.key: row for row in _computed(todo, [Path(root) for root in docs.split(os.pathsep)])}
        write_table(rows.values(), FEATURES)
        _write_texts([*known, *new])
    found = read_table(FEATURES)
    for code in sorted({each.item.language for each in new} or {row.language for row in found}):
        own = [row for row in found if row.language == code]
        _fitted(own, code).save(WEIGHTS / f"{code}.json")
        report = "\n".join(_report(own, code)) + "\n"
        print(report)
        (GRADED / f"report_{code}.md").write_text(report, encoding="utf-8")


def _fitted(rows: Sequence[GradedRow], code: str) -> Ranker:
    """Return the ranker for a language: weights of its own, or, where they do better, those of the default language."""
    ranker = fit(rows)
    if code == DEFAULT_LANGUAGE:
        return ranker
    other = _relevelled(Rankers(WEIGHTS / f"{DEFAULT_LANGUAGE}.json").of(code), rows)
    return max(ranker, other, key=lambda each: each.fitted.auc)


def _relevelled(base: Ranker, rows: Sequence[GradedRow]) -> Ranker:
    """Return a ranker with the weights of ``base``, and a calibration fitted to graded questions of another language.

    For few folders: weights fitted to them would say more of the folders than of the questions.
    """
    table = table_of(rows)
    said = np.array([log_odds(base.keep(row.features)) for row in rows])
    slope, shift = calibration(said, table.kept)
    languages = tuple(sorted({row.language for row in rows}))
    slope, shift = float(f"{slope * base.slope:.5g}"), float(f"{slope * base.shift + shift:.5g}")
    return replace(base, slope=slope, shift=shift, fitted=fitted(table, said, languages))


def _computed(graded: Sequence[GradedItem], roots: Sequence[Path]) -> Iterable[GradedRow]:
    """Yield the features of graded questions, each language by the embedding model for it."""
    for code in sorted({each.item.language for each in graded}):
        encoder = load_encoder(choose_model(AUTO, [code]))
        own = [each for each in graded if each.item.language == code]
        yield from read_rows(own, roots, encoder.encode_prefixed, encoder.prefixes)


def _in_folder(each: GradedItem) -> GradedItem:
    folder = SAME_FOLDER.get(each.corpus, each.corpus)
    return GradedItem(each.item, folder, each.kind, each.letters, each.use, each.reader)


def _write_texts(graded: Iterable[GradedItem]) -> None:
    lines = {}
    for each in graded:
        if each.corpus in TEXT_LICENCES:
            item = each.item
            slim = {"id": item.id, "question": item.question, "golden_answers": list(item.golden_answers)[:1]}
            slim |= {"question_type": item.question_type, "subtype": item.subtype, "language": item.language}
            slim["evidence"] = [[span_json(span) for span in group[:1]] for group in item.evidence]
            slim["metadata"] = {"scores": dict(item.metadata.get("scores", {}))}
            slim["metadata"] |= {name: item.metadata[name] for name in ("writer",) if name in item.metadata}
            grade = {letter: "y" if each.letters[letter] else "n" for letter in LETTERS} | {"use": each.use}
            row = {"corpus": each.corpus, "kind": each.kind, "reader": each.reader, "grade": grade, "item": slim}
            lines[each.corpus, item.id, each.reader] = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    TEXTS.write_text("\n".join(lines[key] for key in sorted(lines)) + "\n", encoding="utf-8")


# ---- the report ------------------------------------------------------------------------------------


def _report(rows: Sequence[GradedRow], code: str) -> Iterable[str]:
    table = table_of(rows)
    said = {f"by letter, C={each}": out_of_fold(table, by_letter(each)) for each in STRENGTHS}
    best = max(said, key=lambda name: area(table.kept, said[name]))
    yield f"# The ranker for {language(code).NAME}, with whole folders left out"
    yield ""
    folders, kept = len(set(table.folders)), f"{table.kept.mean():.1%} kept"
    yield f"{len(rows)} graded questions of {folders} folders, {kept}; {len(table.names)} features."
    yield "Written by `benchmarks/fit_ranker.py`. Of every figure, the folder it is about was left out of the fit."
    yield ""
    yield "| method | area under the curve | kept in each fifth, the best first |"
    yield "|---|---|---|"
    others = {name: out_of_fold(table, method) for name, method in _others().items()}
    for name, scores in {**said, **others}.items():
        yield _line(name, scores, table.kept)
    if code != DEFAULT_LANGUAGE:
        by_default = Rankers(WEIGHTS / f"{DEFAULT_LANGUAGE}.json").of(code)
        name = f"the ranker for {language(DEFAULT_LANGUAGE).NAME}, not fitted to these"
        said[name] = np.array([log_odds(by_default.keep(row.features)) for row in rows])
        yield _line(name, said[name], table.kept)
        best = max(best, name, key=lambda each: area(table.kept, said[each]))
    old = np.array([row.features.get("baseline.quality", np.nan) for row in rows])
    has = ~np.isnan(old)
    if has.any():
        yield _line(f"quality, the former score ({has.sum()} questions)", old[has], table.kept[has])
        yield _line(f"{best}, on the same", said[best][has], table.kept[has])
    told = calibrated(said[best], table.kept, table.folders)
    yield from _calibration(table, told)
    yield from _least(told, table.kept)
    yield from _by_class("folder", table.folders, table, said[best])
    yield from _by_class("kind", [row.kind for row in rows], table, said[best])
    if strength := best.partition("=")[2]:
        yield from _by_letter(table, float(strength))
        yield from _ablation(rows, float(strength))


def _line(name: str, scores: Any, kept: Any) -> str:
    order = np.argsort(-scores, kind="stable")
    fifths = " ".join(f"{100 * kept[part].mean():.0f}" for part in np.array_split(order, 5))
    return f"| {name} | {area(kept, scores):.3f} | {fifths} |"


def _others() -> dict[str, Method]:
    from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
    from sklearn.linear_model import LogisticRegression

    def of(make: Callable[[], Any]) -> Method:
        return lambda values, letters, new: make().fit(values, letters.min(axis=1)).predict_proba(new)[:, 1]

    boosted = {"max_depth": 3, "learning_rate": 0.04, "subsample": 0.6, "max_features": 0.2, "min_samples_leaf": 8}
    return {
        "one logistic regression, C=0.003": of(lambda: LogisticRegression(C=0.003, max_iter=5000)),
        "one logistic regression, C=0.01": of(lambda: LogisticRegression(C=0.01, max_iter=5000)),
        "150 boosted trees of depth 3": of(
            lambda: GradientBoostingClassifier(n_estimators=150, random_state=0, **boosted)
        ),
        "forest of 400 trees": of(
            lambda: RandomForestClassifier(400, min_samples_leaf=4, max_features=0.2, random_state=0)
        ),
    }


def _calibration(table: GradeTable, told: Any) -> Iterable[str]:
    order = np.argsort(-told, kind="stable")
    yield ""
    yield "| fifth, the best first | predicted | kept |"
    yield "|---|---|---|"
    for at, part in enumerate(np.array_split(order, 5), 1):
        yield f"| {at} | {told[part].mean():.1%} | {table.kept[part].mean():.1%} |"


def _least(told: Any, kept: Any) -> Iterable[str]:
    """Yield what `--min-keep` leaves."""
    yield ""
    yield "| `--min-keep` | candidates left | of these kept |"
    yield "|---|---|---|"
    for least in (0.0, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6):
        left = told >= least
        yield (
            f"| {least:g} | {left.mean():.0%} | {kept[left].mean():.0%} |" if left.any() else f"| {least:g} | 0% | – |"
        )


def _by_class(name: str, classes: Sequence[str], table: GradeTable, said: Any) -> Iterable[str]:
    yield ""
    yield f"| {name} | questions | kept | kept in its best fifth | area |"
    yield "|---|---|---|---|---|"
    for each in sorted(set(classes)):
        own = np.array([one == each for one in classes])
        kept, scores = table.kept[own], said[own]
        best = kept[np.argsort(-scores, kind="stable")][: max(1, len(kept) // 5)]
        both = f"{area(kept, scores):.2f}" if 0 < kept.mean() < 1 else "–"
        yield f"| {each} | {own.sum()} | {kept.mean():.0%} | {best.mean():.0%} | {both} |"


def _by_letter(table: GradeTable, strength: float) -> Iterable[str]:
    yield ""
    yield "| letter | yes | area of its own model |"
    yield "|---|---|---|"
    for at, letter in enumerate(LETTERS):
        grades = table.letters[:, at : at + 1]
        one = GradeTable(table.names, table.values, table.means, table.deviations, grades, grades[:, 0], table.folders)
        yield f"| {letter} | {grades.mean():.0%} | {area(grades[:, 0], out_of_fold(one, by_letter(strength))):.3f} |"


def _ablation(rows: Sequence[GradedRow], strength: float) -> Iterable[str]:
    groups = sorted({name.partition(".")[0] for name in table_of(rows).names})
    yield ""
    yield "| group of features | area without it | area with it alone |"
    yield "|---|---|---|"
    for group in groups:
        rest = tuple(f"{other}." for other in groups if other != group)
        pair = (table_of(rows, (f"{group}.",)), table_of(rows, rest))
        yield (
            f"| {group} | "
            + " | ".join(f"{area(table.kept, out_of_fold(table, by_letter(strength))):.3f}" for table in pair)
            + " |"
        )


if __name__ == "__main__":
    call(main)
