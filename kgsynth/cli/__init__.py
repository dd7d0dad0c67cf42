"""The command line: one file per command, imported only when that command runs.

The commands are listed in a literal table, so that ``kgsynth --help`` loads no command and no heavy library. Here,
errors become a sentence and an exit code.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import click

from kgsynth.base.errors import ConfigError, KgsynthError, lacking
from kgsynth.base.version import __version__

COMMANDS = {
    "generate": ("kgsynth.cli.generate", "Write a golden set from a folder of documents."),
    "estimate": ("kgsynth.cli.estimate", "Estimate what a language model would cost, without calling it."),
    "harvest": ("kgsynth.cli.harvest", "Find the questions of real users in a log."),
    "audit": ("kgsynth.cli.audit", "Check a golden set against its documents."),
    "review": ("kgsynth.cli.review", "Let people review a golden set, or the answers of a system."),
    "export": ("kgsynth.cli.export", "Write a golden set in the format of another tool."),
    "diff": ("kgsynth.cli.diff", "Show what changed from one golden set to another."),
    "merge": ("kgsynth.cli.merge", "Make one golden set of several."),
    "rank": ("kgsynth.cli.rank", "Fit the estimate of what readers keep to reviewed questions."),
    "score": ("kgsynth.cli.score", "Score a RAG system on a golden set."),
    "compare": ("kgsynth.cli.compare", "Compare runs of score: which differences are significant?"),
    "calibrate": ("kgsynth.cli.calibrate", "Check whether a set ranks systems as a human set does."),
    "graph": ("kgsynth.cli.graph", "Show the knowledge graph as a page and as GraphML."),
    "history": ("kgsynth.cli.history", "List the runs of score, and plot a metric over them."),
    "cache": ("kgsynth.cli.cache", "Show or clear the cache of embeddings."),
}
"""Command -> the module that contains it as ``command``, and its line in the help."""

EXIT_BUG = 70
"""The exit code after a bug in kgsynth (EX_SOFTWARE), which must not look like a failed gate."""

EXIT_BROKEN_PIPE = 141
"""The exit code when the reader of the output ends early, as shells report SIGPIPE."""

_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


class _ErrorReporter:
    """A context manager that turns an error of its block into one sentence on stderr and an exit code."""

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        from kgsynth.cli.output import echo
        from kgsynth.show.wording import visible

        if isinstance(error, click.ClickException):
            error.message = visible(error.message)  # type: ignore[misc]  # final for subclasses only
        if error is None or isinstance(error, click.ClickException | click.exceptions.Exit | click.Abort | SystemExit):
            return
        message, code = explain(error)
        if code == EXIT_BUG:
            echo("".join(traceback.format_exception(error)), err=True)
        if message:
            echo(message, err=True)
        self._ctx.exit(code)


def explain(error: BaseException) -> tuple[str, int]:
    """Return the message for the user, and the exit code.

    Example:
        >>> from kgsynth.base.errors import InputError
        >>> explain(InputError("docs contains no file that kgsynth can read; give another folder"))
        ('error: docs contains no file that kgsynth can read; give another folder', 3)
    """
    if isinstance(error, KgsynthError):
        return f"error: {error}", error.exit_code
    if sentence := lacking("this command", error):
        return f"error: {sentence}", ConfigError.exit_code
    if isinstance(error, KeyboardInterrupt):
        return "interrupted; run the same command again to resume", 130
    if isinstance(error, BrokenPipeError) and error.filename is None:
        return "", EXIT_BROKEN_PIPE
    if isinstance(error, OSError) and error.errno in _DISK_FULL:
        advice = "finished work is kept, so free some space and run the same command again to resume"
        return f"error: no space is left to write {error.filename or 'the output'}; {advice}", 3
    if isinstance(error, OSError) and error.filename is not None:
        reason = (error.strerror or type(error).__name__).lower()
        return f"error: {error.filename} could not be used ({reason}); check the path and its permissions", 3
    return "this is a bug in kgsynth; please report it with the lines above", EXIT_BUG


class LazyGroup(click.Group):
    """A click group that knows its commands by name and imports one only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which they are typically used."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown name, suggest the most similar one."""
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(
                f"There is no command {args[0]!r}; {f'did you mean {near[0]}?' if near else 'see kgsynth --help.'}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, and report its errors."""
        with _ErrorReporter(ctx):
            return super().invoke(ctx)


def _print_guide(ctx: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from kgsynth.cli.output import echo

        guide = Path(__file__).parent.parent / "skill" / f"{str(option.name).upper()}.md"
        echo(guide.read_text(encoding="utf-8").rstrip())
        ctx.exit()


_GUIDE: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "callback": _print_guide}


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
    epilog="Exit codes: 0 success; 1 a gate or an audit failed; 2 wrong usage or settings; 3 input cannot be used; "
    "4 the system under test or a model cannot be reached, or failed on too many questions; 70 a bug in kgsynth; "
    "130 interrupted, and the same command resumes.",
)
@click.version_option(__version__, prog_name="kgsynth")
@click.option("--skill", **_GUIDE, help="Print how a coding agent uses kgsynth, as a SKILL.md.")
@click.option("--agents", **_GUIDE, help="Print the same in a few lines, for an AGENTS.md.")
def main() -> None:
    """Generate golden test sets for RAG systems from a folder of documents, audit them, and score systems on them."""
