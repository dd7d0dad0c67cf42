"""The class of every command: help with examples and groups, settings from kgsynth.toml, and ``--quiet``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from kgsynth.base.errors import BudgetError, GateError, KgsynthError
from kgsynth.cli.options import PATH, key_of
from kgsynth.cli.output import QUIET, note
from kgsynth.cli.settings import apply_settings, name_origins, settings_note

_GENERAL = "General options"


class Command(click.Command):
    """A command with the options that all have in common.

    ``groups`` are the sections of the help, each with the names of its options, without dashes and with _ for -; an
    option in no group is listed under "Other options". The lines after ``\\b`` of the docstring are the examples.
    ``has_config`` says that the fields of ``Config`` are settings of the command too.
    """

    def __init__(
        self, *args: Any, groups: Mapping[str, str] | None = None, has_config: bool = False, **attributes: Any
    ) -> None:
        super().__init__(*args, **attributes)
        text, _, examples = (self.help or "").partition("\b\n")
        self.help, self.examples = text.strip(), tuple(line.strip() for line in examples.splitlines() if line.strip())
        self.groups = {title: names.split() for title, names in (groups or {}).items()}
        self.has_config = has_config
        self.params += [
            click.Option(
                ["--config", "settings_file"],
                type=PATH,
                is_eager=True,
                expose_value=False,
                callback=_read_settings,
                help="The settings file (default: kgsynth.toml in the working folder, if there is one).",
            ),
            click.Option(
                ["-q", "--quiet"],
                is_flag=True,
                expose_value=False,
                callback=lambda ctx, _param, value: ctx.meta.__setitem__(QUIET, value),
                help="Print only results and errors: no progress and no advice.",
            ),
        ]

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the options: from the command line, the environment, the settings file, in this order."""
        for param in self.params:
            if isinstance(param, click.Option) and not param.hidden:
                common = key_of(param) in ("config", "quiet")
                param.envvar = "_".join(["KGSYNTH", *([] if common else [info_name or ""]), key_of(param)]).upper()
        return super().make_context(info_name, args, parent, **extra)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options, and name the settings file in an error about one of its values."""
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise _with_origins(ctx, error) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, and name the settings file in an error about one of its values."""
        if text := settings_note(ctx):
            note(text)
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _with_origins(ctx, error) from None
        except KgsynthError as error:
            if not isinstance(error, BudgetError | GateError):
                error.args = (name_origins(ctx, str(error)),)
            raise

    # ---- help ----------------------------------------------------------------------------------------

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the usage, the examples, what the command does, and its options in groups."""
        self.format_usage(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"{'':{formatter.current_indent}}{line}\n" for line in self.examples))
        self.format_help_text(ctx, formatter)
        self.format_options(ctx, formatter)
        self.format_epilog(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, in each group in the order of its names."""
        for title, params in self.grouped(ctx):
            if rows := [row for param in params if (row := param.get_help_record(ctx))]:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def grouped(self, ctx: click.Context) -> Iterator[tuple[str, list[click.Option]]]:
        """Yield the title and the options of each section of the help."""
        options = {key_of(param): param for param in self.get_params(ctx) if isinstance(param, click.Option)}
        general = [options.pop(name) for name in ("config", "quiet", "help") if name in options]
        for title, names in self.groups.items():
            yield title, [options.pop(name) for name in names if name in options]
        yield "Other options" if self.groups else "Options", list(options.values())
        yield _GENERAL, general


def _with_origins(ctx: click.Context, error: click.UsageError) -> click.UsageError:
    message = error.format_message()
    named = name_origins(ctx, message, getattr(error, "param", None))
    return error if named == message else click.UsageError(named, ctx)


def _read_settings(ctx: click.Context, _param: click.Parameter, path: Path | None) -> None:
    if not ctx.resilient_parsing and isinstance(ctx.command, Command):
        apply_settings(ctx, path, has_config=ctx.command.has_config)
