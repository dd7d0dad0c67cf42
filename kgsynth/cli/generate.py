"""``kgsynth generate``: its options, and what it prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kgsynth.base.choices import DIFFICULTY, LANGUAGE_CHOICES, split_chunking
from kgsynth.cli.command import Command as CommandClass
from kgsynth.cli.folder_options import folder_options, printable, shortened, skipped_lines
from kgsynth.cli.llm_options import LLM_OPTIONS, llm_options, llm_settings, usage_summary
from kgsynth.cli.options import CHUNKING_OPTION, EMBEDDING_OPTION, JSON_OPTION, PATH, Command, with_options
from kgsynth.cli.output import echo, result, stage, wrote
from kgsynth.cli.settings import settings_path

if TYPE_CHECKING:
    from kgsynth.base.config import Config
    from kgsynth.generation.result import Generated

_QUESTIONS_SHOWN = 5
_REASONS_SHOWN = 3


def _list_kinds(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """List the kinds of questions and stop if the value is "help"."""
    if value == "help":
        from kgsynth.golden.subtypes import kind_lines

        echo("\n".join(kind_lines()))
        context.exit()
    return value


_GENERATE_OPTIONS = (
    click.option("-n", "n", type=int, help="The number of questions (default: 100)."),
    click.option(
        "--mix",
        help="The shares of question types, such as simple=0.5,reasoning=0.5 (default: simple 0.4, reasoning 0.2, "
        "multi_context 0.25, conditional 0.15).",
    ),
    click.option(
        "--kinds",
        metavar="NAME[,NAME]",
        callback=_list_kinds,
        help="The kinds of questions to ask, such as cause,factoid; --kinds help lists them, with those asked "
        "otherwise.",
    ),
    click.option(
        "--add-kind",
        multiple=True,
        metavar="NAME",
        help="Ask questions of this kind too, besides those asked otherwise; can be repeated.",
    ),
    click.option("--topic", help='Ask only about the sections nearest to this text, such as "billing".'),
    click.option("--seed", type=int, help="The seed of random choices (default: 0)."),
    click.option(
        "--language", type=click.Choice(LANGUAGE_CHOICES), help="The language of the documents (default: detected)."
    ),
    CHUNKING_OPTION,
    click.option("--chunk-size", type=int, help="The number of words in a chunk (default: 200)."),
    click.option("--chunk-overlap", type=int, help="The number of words that neighbouring chunks share (default: 0)."),
    click.option(
        "--avoid",
        multiple=True,
        type=PATH,
        help="A golden set whose questions must not be asked again; can be repeated.",
    ),
    click.option(
        "--llm",
        metavar="MODEL",
        help="A language model that writes and judges the questions; several as A,B (docs/llm.md).",
    ),
    click.option("--styles", help="With --llm: the shares of styles, such as natural=0.8,keyword=0.2."),
    click.option("--lengths", help="With --llm: the shares of lengths, such as short=0.5,medium=0.5."),
    click.option("--personas", type=PATH, help="With --llm: a file with one persona per line."),
    click.option(
        "--style-examples",
        type=PATH,
        help="With --llm: a file with questions of your users, one per line.",
    ),
    click.option("--about", help='With --llm: who asks about what, such as "support agents of a bank".'),
    click.option(
        "--turns",
        type=int,
        help="With --llm: go on from every fifth question to a conversation of up to so many turns (default: 1).",
    ),
    click.option(
        "--drop-closed-book",
        is_flag=True,
        default=None,
        help="With --llm: drop the questions that it answers without the documents.",
    ),
    click.option(
        "--min-keep",
        type=float,
        help="Leave out questions that a strict reader would keep with a lower probability (default: 0.5).",
    ),
    click.option("--fill", is_flag=True, default=None, help="Fill the set with questions below --min-keep."),
    click.option(
        "--difficulty",
        type=click.Choice(DIFFICULTY),
        help="How much to prefer questions that only some systems find the evidence of (default: natural).",
    ),
    click.option("--ranker", type=PATH, help="A file of kgsynth rank, to estimate that probability by."),
    click.option("--spacy-model", help="The name or folder of the spaCy model (default: en_core_web_sm)."),
    EMBEDDING_OPTION,
    click.option("--processes", type=int, help="The maximum number of processes that parse (default: one per core)."),
    click.option("--engine", help="Where that work is done: processes (default), ray, or ray://HOST:PORT."),
    JSON_OPTION,
)

GENERATE_GROUPS = {
    "Common options": "out n mix llm json",
    "Documents": "include exclude language chunking chunk_size chunk_overlap",
    "Questions": "kinds add_kind topic avoid seed difficulty min_keep fill ranker",
    "Questions by a language model": "about styles lengths personas style_examples turns drop_closed_book",
    "Language model": "llm_config max_calls max_tokens max_cost",
    "Running": "fresh check spacy_model embedding_model processes engine",
}
"""The sections of the help of ``generate`` and ``estimate``."""


def generate_options(command: Command) -> Command:
    """Add the options of ``generate`` and ``estimate`` to a command."""
    return with_options(folder_options(llm_options(command)), _GENERATE_OPTIONS)


def read_config(command: str, **given: Any) -> Config:
    """Return the settings of a set: the options first, then the settings file, then the defaults.

    Raises:
        ConfigError: a setting is wrong.
    """
    from kgsynth.base.config import Config

    if given["chunking"]:
        given["chunking"], sizes = split_chunking(given["chunking"])
        for name, size in zip(("chunk_size", "chunk_overlap"), sizes or (), strict=False):
            given[name] = size if given[name] is None else given[name]
    if given["kinds"] is not None:
        given["kinds"] = tuple(name.strip() for name in given["kinds"].split(","))
    given |= {name: given[name] or None for name in ("avoid", "include", "exclude")}
    more = given.pop("add_kind")
    config = Config.load(settings_path(), command=command, **given)
    return replace(config, kinds=tuple(dict.fromkeys((*config.kinds, *more)))) if more else config


@click.command(cls=CommandClass, groups=GENERATE_GROUPS, has_config=True)
@click.argument("docs", type=PATH)
@click.option("-o", "--out", required=True, type=PATH, help="The run folder, created if necessary.")
@generate_options
@click.option("--fresh", is_flag=True, help="Start over: use nothing that an earlier run wrote to the folder.")
@click.option(
    "--check", is_flag=True, help="Only say what would change in a finished run, with exit code 1 if anything would."
)
def command(docs: Path, out: Path, fresh: bool, check: bool, as_json: bool, **given: Any) -> None:
    """Write a golden test set for the documents in DOCS.

    DOCS is a folder of documents: text, Markdown, HTML, sheets, data and others (docs/formats.md). The
    run folder receives the set as golden.jsonl, the rejected candidates with their reasons as rejected.jsonl,
    manifest.json and report.html. The same command resumes an interrupted run. If the documents of a finished run
    changed, it keeps the questions that they still prove; a larger -n, another --mix or --kinds adds questions. If the
    documents do not contain enough good questions, the set is smaller, and the report says why.

    \b
    kgsynth generate docs -o outputs/demo
    kgsynth generate docs -o outputs/demo -n 60 --mix simple=0.5,multi_context=0.5
    """
    from kgsynth.generation.flow import generate
    from kgsynth.generation.renewal.preview import preview

    llm = {name: given.pop(name) for name in LLM_OPTIONS}
    config = read_config("generate", **given)
    settings = llm_settings(config.llm, **llm)
    if check:
        found = preview(docs, out, config, stage)
        result("\n".join(found.lines()), found.to_json(), as_json)
        click.get_current_context().exit(int(found.changes))
    made = generate(docs, out, config=config, llm_settings=settings, fresh=fresh, progress=stage)
    result("\n".join(_report(made)), _as_json(made) if as_json else None, as_json)
    wrote(f"report: {made.folder / 'report.html'}")


def _as_json(made: Generated) -> dict[str, object]:
    """Return the manifest without what differs between runs of the same settings, and the path of the set."""
    return {"golden": str(made.folder / "golden.jsonl"), **made.to_manifest()}


def _report(result: Generated) -> list[str]:
    """Return the lines that generate prints."""
    from kgsynth.generation.result import power_lines
    from kgsynth.ranking.promise import promise_lines

    power = power_lines(result.power)
    usage = [f"language model: {usage_summary(result.usage)}"] if result.usage else []
    parts = (
        power[:-1],
        _changes(result),
        _renewal(result),
        _table(result),
        _unwritten(result),
        [*promise_lines(result.promise.to_json()), *power[-1:]],
        _rejected(result),
        _sample(result),
        _shortage(result),
        skipped_lines(result.skipped, f", listed in {result.folder / 'manifest.json'}"),
        _remarks(result),
        usage,
    )
    about = f", asked about {len(result.drawn):,} of them" if len(result.drawn) < result.documents else ""
    made = f"read {_count(result.documents, 'document')}{about} and wrote {_count(len(result.golden), 'question')}"
    ends = [f"{made} to {result.folder / 'golden.jsonl'}"]
    return [line for part in parts if part for line in (*part, "")] + ends


def _changes(result: Generated) -> list[str]:
    """Report which settings changed since the earlier run in the folder, whose unaffected stages were reused."""
    return [f"changed since the last run in this folder: {'; '.join(result.changes)}"] if result.changes else []


def _renewal(result: Generated) -> list[str]:
    """Return what became of the set that the run went on from."""
    if result.renewal is None:
        return []
    full = not result.renewal.added and not result.shortage.missing
    return [*result.renewal.lines(), *(["the set is full; a larger -n adds questions"] if full else [])]


def _table(result: Generated) -> list[str]:
    """Return a table of scenarios, candidates, valid, wanted and chosen questions by type."""
    lines = [f"{'type':<15}{'scenarios':>10}{'candidates':>12}{'valid':>8}{'wanted':>8}{'chosen':>8}"]
    for row in result.shortage.types:
        scenarios, candidates = (
            counts.get(row.question_type, 0) for counts in (result.funnel.scenarios, result.funnel.candidates)
        )
        lines.append(
            f"{row.question_type:<15}{scenarios:>10}{candidates:>12}{row.valid:>8}{row.quota:>8}{row.chosen:>8}"
        )
    return lines


def _unwritten(result: Generated) -> list[str]:
    """Return for each type how many scenarios have no candidate, with the most frequent reasons."""
    unwritten, lines = result.funnel.unwritten, []
    for name in (row.question_type for row in result.shortage.types if row.question_type in unwritten):
        most = [f"{reason} ({number})" for reason, number in list(unwritten[name].items())[:_REASONS_SHOWN]]
        number = f"{sum(unwritten[name].values())} of {result.funnel.scenarios[name]}"
        lines.append(f"  {name:<15}{number:>10}: {', '.join(most)}")
    head = f"Scenarios without a candidate, and the most frequent reasons (all are in {result.folder / 'report.html'}):"
    return [head, *lines] if lines else []


def _rejected(result: Generated) -> list[str]:
    """Return how many candidates each rule rejected, with a bar each."""
    from kgsynth.generation.result import by_rule

    numbers = by_rule(result.funnel.rejected)
    most = max(numbers.values(), default=1)
    lines = [f"  {rule:<15}{number:>7} {'█' * round(24 * number / most)}".rstrip() for rule, number in numbers.items()]
    return [f"Rejected candidates, by rule (all are in {result.folder / 'rejected.jsonl'}):", *lines] if lines else []


def _sample(result: Generated) -> list[str]:
    """Return a few questions with their answers and documents."""
    items = result.golden.sample(min(_QUESTIONS_SHOWN, len(result.golden)))
    lines = [f"{len(items)} of the {len(result.golden)} questions:"] if len(items) else []
    for item in items:
        spans = [group[0] for group in item.evidence] or list(item.hard_negatives[:1])
        documents = ", ".join(sorted({printable(span.doc) for span in spans}))
        lines.append(f"  [{item.question_type}/{item.subtype}, {item.difficulty}] {item.question}")
        lines.append(f"      {item.golden_answers[0] if item.golden_answers else '(no answer)'}   ({documents})")
    return lines


def _shortage(result: Generated) -> list[str]:
    """Return how a language model was used, and the types with too few questions and what rejected their candidates."""
    shortage = result.shortage
    if not shortage.short:
        return shortage.lines()
    if shortage.missing:
        why = "worth keeping (--fill takes others too)" if any(row.below for row in shortage.types) else "valid"
        head = f"{shortage.missing} of {shortage.n} questions are missing, since no other candidates are {why}"
    else:
        head = "Too few candidates for some types; filled with others"
    return [f"{head}:", *(f"  {line}" for line in shortage.lines(result.funnel.rejected))]


def _remarks(result: Generated) -> list[str]:
    """Return what the readers noticed in files that were read."""
    found = [f"{printable(path)}: {remark}" for path, remark in result.remarks]
    lines = [f"  {line}" for line in shortened(found, f", listed in {result.folder / 'manifest.json'}")]
    return ["Remarks on files that were read:", *lines] if lines else []


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
