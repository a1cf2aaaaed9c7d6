"""The command line: which command does what, and which exit code says how it ended.

0 all asked for passed, 1 something did not, 2 usage or no such thing, 3 a fault of attnpack,
130 interrupted.

Only the command that is asked for is imported; of the others, help knows the summary below.
"""

import errno
import functools
import importlib
import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Final, NamedTuple

import typer

from attnpack import __version__
from attnpack.errors import BadInputError, OwnFaultError

BAD_INPUT: Final = 2
OWN_FAULT: Final = 3
INTERRUPTED: Final = 130
OUTPUT_ERRORS: Final = (errno.ENOSPC, errno.EIO, errno.EBADF)
"""of a write to standard output: a full disk, a terminal that is gone"""


class Command(NamedTuple):
    """One command, or one group of them."""

    place: str
    """the module under attnpack.commands, and its function or Typer"""
    summary: str


COMMANDS: Final[dict[str, Command]] = {
    "demo": Command("demo:demo", "The whole thing in a minute, in a temporary folder."),
    "init": Command("init:init", "Lay out a workspace, a stub for each exercise."),
    "check": Command("check:check", "Check exercises; name the bug and the line."),
    "watch": Command("watch:watch", "Check again at each save."),
    "list": Command("listing:list_exercises", "Show the exercises and your progress."),
    "hint": Command("hint:hint", "Give one step more help, each time it is asked."),
    "explain": Command("explain:explain", "Explain a bug, or list all that have a name."),
    "solution": Command("solution:solution", "Show the reference beside your code."),
    "reset": Command("init:reset", "Put an exercise back to its stub; keeps a backup."),
    "repro": Command("repro:repro", "Write a script that repeats the failing call."),
    "debug": Command("repro:debug", "Run the failing call here, for breakpoint()."),
    "heatmap": Command("look:heatmap", "Draw the attention that your code computes."),
    "generate": Command("look:generate", "Write text through your attention."),
    "trace": Command("trace:trace", "Show the shape and name of what each line makes."),
    "shapes": Command("look:shapes", "Table the shapes of your forward pass."),
    "grade": Command("grading:grade", "Grade a cohort; `grade merge` joins shards."),
    "export": Command("grading:export", "Write what a course platform needs to grade."),
    "selftest": Command("selftest:selftest", "Run attacks against this machine's sandbox."),
    "update": Command("update:update", "Bring newer stubs in; keeps what you edited."),
    "doctor": Command("doctor:doctor", "Say what is wrong with the installation."),
    "bench": Command("bench:bench", "Measure attnpack beside pytest and other graders."),
    "dev": Command("dev:group", "For authors of the pack and of this repository."),
}
"""in the order of `attnpack --help`; summaries that fit beside their names in 80 columns"""

OUR_FAULT: Final = """
This is attnpack's fault, not yours, and your files are untouched. Please report it with the
lines above, what you typed, and the output of `attnpack doctor`."""


def main() -> None:
    """The entry point."""
    _open_streams()
    try:
        application(sys.argv[1:])()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def application(words: Sequence[str]) -> typer.Typer:
    """The application for a command line: the command it names, and the summaries of all."""
    app = typer.Typer(
        name="attnpack",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(coded(start))
    for name, command in COMMANDS.items():
        loaded = _load(command) if name in words[:1] else _not_asked_for
        if isinstance(loaded, typer.Typer):
            app.add_typer(_coded_group(loaded), name=name, help=command.summary)
        else:
            app.command(name, help=command.summary)(coded(loaded))
    return app


def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", is_eager=True)
    ] = False,
) -> None:
    """Write self-attention by hand, and be told which bug you wrote and on which line."""
    if version:
        typer.echo(f"attnpack {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        from attnpack.commands import listing

        listing.standing()


def coded(command: Callable[..., None]) -> Callable[..., None]:
    """The command, with every way it can end turned into an exit code and a message."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> None:
        try:
            with _flushed_output():
                command(*arguments, **options)
        except (typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except BadInputError as error:
            _complain(str(error))
            raise typer.Exit(BAD_INPUT) from error
        except KeyboardInterrupt as error:
            typer.echo("\nInterrupted.", err=True)
            raise typer.Exit(INTERRUPTED) from error
        except OwnFaultError as error:
            _complain(f"{error}\n{OUR_FAULT}")
            raise typer.Exit(OWN_FAULT) from error
        except Exception as error:
            raise _own_fault(error) from error

    return run


@contextmanager
def _flushed_output() -> Iterator[None]:
    """Turns a standard output that cannot be written into a message; not a reader who left."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is not None or error.errno not in OUTPUT_ERRORS:
            raise
        said = f"The output could not be written: {error.strerror}."
        raise BadInputError(said) from error


def _complain(text: str) -> None:
    """What went wrong, on standard error; it may quote what is anybody's."""
    from attnpack.report.prose import say

    say(text, sys.stderr)


def _own_fault(error: Exception) -> typer.Exit:
    """Show what went wrong with us; the exit that says so."""
    import traceback

    said = "".join(traceback.format_exception(error))
    _complain(f"{said}{OUR_FAULT}")
    return typer.Exit(OWN_FAULT)


def _open_streams() -> None:
    """A stream that the shell has closed (`>&-`) takes everything and shows nothing.

    What an encoding lacks becomes a question mark, wherever it comes from.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _coded_group(group: typer.Typer) -> typer.Typer:
    for command in group.registered_commands:
        if command.callback is not None:
            command.callback = coded(command.callback)
    for inner in group.registered_groups:
        if inner.typer_instance is not None:
            _coded_group(inner.typer_instance)
    return group


def _load(command: Command) -> Any:
    module, name = command.place.split(":")
    return getattr(importlib.import_module(f"attnpack.commands.{module}"), name)


def _not_asked_for() -> None:
    """In place of each command that was not typed: only its name and summary are shown."""
