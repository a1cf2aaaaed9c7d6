"""`attnpack dev new-pack` and `attnpack dev new`: what an author begins with."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack import pack as packs
from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.report.prose import say, wrapped

if TYPE_CHECKING:
    from attnpack.authoring.layout import Step
    from attnpack.pack import Pack

new = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


def new_pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")],
) -> None:
    """Lay out the smallest pack: one exercise, two bugs, a stage of its own."""
    from attnpack.authoring import layout

    _told(layout.new_pack(folder))
    say(f"\nNext: attnpack dev check --pack {folder}, then attnpack init DIR --pack {folder}")


@new.command("exercise")
def new_exercise(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The function's name.")],
    pack: targets.PackOption = None,
) -> None:
    """Lay out an exercise: every file that it needs, and what others must gain."""
    from attnpack.authoring import layout

    known = _editable(pack)
    _told(layout.new_exercise(known, name))
    say(f"\nNext: write what says TODO, then: attnpack dev check{_option(pack)} --exercise {name}")


@new.command("bug")
def new_bug(
    name: Annotated[str, typer.Argument(metavar="ID", help="Its id, as in divided-twice.")],
    family: Annotated[
        str | None, typer.Option(metavar="NAME", help="The file of its kind, as in scaling.")
    ] = None,
    pack: targets.PackOption = None,
) -> None:
    """Lay out a bug: its card and its model."""
    from attnpack.authoring import layout

    known = _editable(pack)
    _told(layout.new_bug(known, name, family))
    say(f"\nNext: write what says TODO, then: attnpack dev check{_option(pack)} --bug {name}")


@new.callback()
def start() -> None:
    """Lay out what a pack gains: an exercise or a bug."""


def _editable(name: str | None) -> "Pack":
    """The pack that is named, or this checkout's. Raises BadInputError where it is installed."""
    known = packs.load(name)
    if known.place is None and not (known.root / "pyproject.toml").is_file():
        raise BadInputError(
            "attnpack's own exercises are added in a clone of its repository. For a pack of your "
            "own: attnpack dev new-pack DIR, then --pack DIR here."
        )
    return known


def _option(pack: str | None) -> str:
    return "" if pack is None else f" --pack {pack}"


def _told(steps: "list[Step]") -> None:
    """One line for each file, and what is left to add by hand."""
    for line in dict.fromkeys(f"{step.made.value} {step.path}" for step in steps):
        say(wrapped(line))
    for step in steps:
        if step.text:
            say(f"\nIn {step.path}:\n{step.text.strip()}")
