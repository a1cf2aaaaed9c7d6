"""`attnpack dev`: for authors of the pack and of this repository."""

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.commands import authoring, targets
from attnpack.errors import BadInputError, in_words
from attnpack.report.prose import say
from attnpack.terms import Backend

if TYPE_CHECKING:
    from attnpack.pack.promises import Part

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


group.command("new-pack")(authoring.new_pack)
group.add_typer(authoring.new, name="new", help="Lay out an exercise or a bug.")


@group.command()
def check(
    backend: Annotated[
        Backend | None, typer.Option(help="Only this track; all that are installed if not said.")
    ] = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Every model and every pair of them, not a sample (hours)."),
    ] = False,
    exercise: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this exercise; repeatable.")
    ] = None,
    bug: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Only this bug, in every way it is written."),
    ] = None,
    pack: targets.PackOption = None,
) -> None:
    """Hold the pack to its word: stubs, references, cards, and every bug model diagnosed."""
    from attnpack.pack.promises import Part, cards

    known = targets.pack_of(pack, Path.cwd())
    part = Part(known, tuple(targets.exercise(name, known).name for name in exercise or ()), bug)
    if bug is not None and bug not in known.bugs():
        raise BadInputError(f"There is no bug {bug}: see attnpack explain.")
    faults = _said("cards", cards(part))
    for track in [backend] if backend else _installed(part):
        faults += _track(part, track, everything=everything)
    if faults:
        say(f"{faults} faults.")
        raise typer.Exit(1)
    say("The pack holds its word.")


def _installed(part: "Part") -> list[Backend]:
    """The backends that there are exercises in and that this machine can run."""
    has_torch = importlib.util.find_spec("torch") is not None
    runs = [b for b in Backend if b is not Backend.TORCH or has_torch]
    return [backend for backend in runs if part.exercises(backend)]


def _track(part: "Part", track: Backend, *, everything: bool) -> int:
    from attnpack.host.pool import open_pool
    from attnpack.pack import promises
    from attnpack.pack.kinds import Thoroughness

    missing = _said(f"{track}: files", promises.files(part, track))
    if missing:
        return missing
    faults = 0
    if part.bug is None:
        with open_pool(track) as pool:
            faults += _said(f"{track}: stubs", promises.stubs(part, track, pool))
            faults += _said(f"{track}: references", promises.references(part, track, pool))
    thoroughness = Thoroughness.EXHAUSTIVE if everything else Thoroughness.SAMPLE
    for exercise in part.exercises(track):
        done = part.pack.rehearse(exercise.name, track, thoroughness, part.bug)
        tried = f"{done.singles} models, {done.pairs} pairs, {done.pairs_named} named exactly"
        faults += _said(f"{track}: bugs of {exercise.name} ({tried})", done.faults)
    return faults


def _said(title: str, faults: Iterable[str]) -> int:
    """Say what was held to its word, and each fault; how many there are."""
    found = list(faults)
    say(f"{title}: {'ok' if not found else f'{len(found)} faults'}")
    for fault in found:
        say(f"  {fault}")
    return len(found)


@group.command()
def screenshot(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the pictures go.")],
) -> None:
    """Draw what the README shows: a failing check and its trace."""
    from attnpack.commands import demo
    from attnpack.report.svg import svg
    from attnpack.workspace.progress import write_whole

    for file, (command, shown) in demo.pictures().items():
        with in_words(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / file, svg(shown, command))
        say(f"Wrote {folder / file}.")


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
    from attnpack.look.training.run import train_model as train

    train(out, archives, say, fetch=fetch, steps=steps)


@group.callback()
def start() -> None:
    """For authors of the pack and of this repository."""
