"""`attnpack dev`: for authors of the pack and of this repository."""

from pathlib import Path
from typing import Annotated

import typer

from attnpack.errors import in_words
from attnpack.report.prose import say

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


@group.command()
def screenshot(
    path: Annotated[Path, typer.Argument(metavar="FILE.svg", help="Where to write it.")],
) -> None:
    """Draw a failing check as the README shows it."""
    from attnpack.commands import demo
    from attnpack.progress import write_whole
    from attnpack.report.svg import svg

    with in_words(path):
        write_whole(path, svg(demo.first_page(), "attnpack check --keep-going"))
    say(f"Wrote {path}.")


@group.callback()
def start() -> None:
    """For authors of the pack and of this repository."""
