"""`attnpack dev`: for authors of the pack and of this repository."""

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from attnpack.commands import targets
from attnpack.errors import BadInputError, in_words
from attnpack.pack import Pack
from attnpack.report.prose import say
from attnpack.terms import Backend

group = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


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
        typer.Option(metavar="ID", help="Only this bug, in every way it is written; no pairs."),
    ] = None,
    pack: targets.PackOption = None,
) -> None:
    """Hold the pack to its word: stubs, references, cards, and every bug model diagnosed."""
    from attnpack.pack import promises

    known = targets.pack_of(pack, Path.cwd())
    names = _asked_for(known, exercise, bug)
    faults = _said("cards", promises.cards(known))
    for track in [backend] if backend else _installed(known):
        faults += _track(known, track, names, bug, everything=everything)
    if faults:
        say(f"{faults} faults.")
        raise typer.Exit(1)
    say("The pack holds its word.")


def _asked_for(pack: Pack, exercises: list[str] | None, bug: str | None) -> list[str]:
    """The names of the exercises to look at. Raises BadInputError for a word that is none."""
    names = [exercise.name for exercise in pack.exercises]
    unknown = next((name for name in exercises or () if name not in names), None)
    if unknown is not None:
        raise BadInputError(f"There is no exercise {unknown}: {', '.join(names)}.")
    if bug is not None and bug not in pack.bugs():
        raise BadInputError(f"There is no bug {bug}: see attnpack explain.")
    return exercises or names


def _installed(pack: Pack) -> list[Backend]:
    """The backends that the pack has exercises in and this machine can run."""
    has_torch = importlib.util.find_spec("torch") is not None
    offered = {backend for exercise in pack.exercises for backend in exercise.backends}
    return [b for b in Backend if b in offered and (b is not Backend.TORCH or has_torch)]


def _track(
    pack: Pack, track: Backend, names: list[str], bug: str | None, *, everything: bool
) -> int:
    from attnpack.host.pool import open_pool
    from attnpack.pack import promises
    from attnpack.pack.kinds import Thoroughness

    asked = [e.name for e in pack.exercises if track in e.backends and e.name in names]
    faults = 0
    if bug is None and asked:
        with open_pool(track) as pool:
            faults += _said(f"{track}: stubs", promises.stubs(pack, track, pool, asked))
            faults += _said(f"{track}: references", promises.references(pack, track, pool, asked))
    thoroughness = Thoroughness.EXHAUSTIVE if everything else Thoroughness.SAMPLE
    for name in asked:
        done = pack.rehearse(name, track, thoroughness, bug)
        tried = f"{done.singles} models, {done.pairs} pairs, {done.pairs_named} named exactly"
        faults += _said(f"{track}: bugs of {name} ({tried})", done.faults)
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
