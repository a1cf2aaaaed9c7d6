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


@group.command("train-model")
def train_model(
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the model goes.")],
    archives: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where the archives of the text are.")
    ],
    fetch: Annotated[
        bool, typer.Option("--fetch", help="Download the archives that are missing.")
    ] = False,
    steps: Annotated[
        int | None, typer.Option(min=1, help="Of training; the recipe's if not said.")
    ] = None,
) -> None:
    """Train the small model behind heatmap and generate anew (20 minutes on one core)."""
    from attnpack.look.training import train_model as train

    train(out, archives, say, fetch=fetch, steps=steps)


@group.callback()
def start() -> None:
    """For authors of the pack and of this repository."""
