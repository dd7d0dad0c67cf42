"""The command line: one file per command, imported only when that command runs.

The group lists its commands from a literal table, so ``kgsynth --help`` loads no command and no heavy library. It
is also the one place where an error becomes a sentence and an exit code. Left out: what the commands do.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import traceback
from types import TracebackType

import click

from kgsynth.base.errors import KgsynthError
from kgsynth.base.version import __version__

COMMANDS = {
    "generate": ("kgsynth.cli.generate", "Write a golden set from a folder of documents."),
    "estimate": ("kgsynth.cli.estimate", "Say what a language model would cost, without asking it."),
    "audit": ("kgsynth.cli.audit", "Check a golden set against the documents it speaks of."),
    "review": ("kgsynth.cli.review", "Let people review a golden set, or a system's answers."),
    "score": ("kgsynth.cli.score", "Score a RAG system on a golden set."),
    "compare": ("kgsynth.cli.compare", "Test whether runs of score differ significantly."),
    "calibrate": ("kgsynth.cli.calibrate", "Test whether a set ranks systems as a human one does."),
    "graph": ("kgsynth.cli.graph", "Show the knowledge graph as a page and as GraphML."),
    "history": ("kgsynth.cli.history", "List the runs of score, and plot their metrics."),
    "abtest": ("kgsynth.cli.abtest", "Analyse the recorded results of an A/B test."),
}
"""Every command: the module whose ``command`` it is, and its line in the help."""

BUG = 70
"""The exit code of a crash by a fault of kgsynth itself (EX_SOFTWARE), so that it is never read as a failed gate."""

READER_LEFT = 141
"""The exit code when the reader of our output left early: what a shell shows for SIGPIPE."""

_FULL = (errno.ENOSPC, errno.EDQUOT)


class _ErrorsAsSentences:
    """Turns an error that leaves the block into one sentence on stderr and an exit code."""

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx

    def __enter__(self) -> None:
        """Do nothing on the way in."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, click.ClickException | click.exceptions.Exit | click.Abort | SystemExit):
            return
        message, code = explain(error)
        if code == BUG:
            traceback.print_exception(error)
        if message:
            click.echo(message, err=True)
        self._ctx.exit(code)


def explain(error: BaseException) -> tuple[str, int]:
    """Return what to tell the user of ``error``, and the exit code.

    Example:
        >>> from kgsynth.base.errors import InputError
        >>> explain(InputError("docs holds no file kgsynth can read; give another folder"))
        ('error: docs holds no file kgsynth can read; give another folder', 3)
    """
    if isinstance(error, KgsynthError):
        return f"error: {error}", error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return "interrupted; run the same command again to go on", 130
    if isinstance(error, BrokenPipeError) and error.filename is None:
        return "", READER_LEFT
    if isinstance(error, OSError) and error.errno in _FULL:
        kept = "what was finished is kept, so make room and run the same command again to go on"
        return f"error: no space is left to write {error.filename or 'the output'}; {kept}", 3
    if isinstance(error, OSError) and error.filename is not None:
        reason = (error.strerror or type(error).__name__).lower()
        return f"error: {error.filename} could not be used ({reason}); check the path and its permissions", 3
    return "this is a fault of kgsynth, not yours: please report it with the lines above", BUG


class LazyGroup(click.Group):
    """A click group that knows its commands by name and imports one only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order in which one uses them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an unknown one is told with the nearest known one."""
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(
                f"There is no command {args[0]!r}; {f'did you mean {near[0]}?' if near else 'see kgsynth --help.'}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their lines from the table, importing none of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; its errors become one sentence and an exit code."""
        with _ErrorsAsSentences(ctx):
            return super().invoke(ctx)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
    epilog="Exit codes: 0 good; 1 a gate or an audit failed; 2 wrong usage or config; 3 input could not be used; "
    "4 the scored system or a model could not be reached, or failed on too many questions; 130 interrupted, the same "
    "command goes on.",
)
@click.version_option(__version__, prog_name="kgsynth")
def main() -> None:
    """Turn a folder of documents into a golden test set for RAG systems, audit it, and score against it."""
