"""`attnpack grade`, `grade merge` and `export`: a cohort's marks."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.errors import BadInputError
from attnpack.guest.confine.policy import Tier
from attnpack.terms import Backend

if TYPE_CHECKING:
    from attnpack.grade.commands import Options

MERGE = "merge"
UNCONFINED = (
    "This machine cannot confine students' code: it could read and write your files. Grade only "
    "code that you trust here, or use Linux. What is missing: attnpack selftest --security"
)


def grade(
    folders: Annotated[
        list[Path],
        typer.Argument(
            metavar="SUBMISSIONS | merge DIR...",
            help="The folder with one file, folder, notebook or archive per student; or `merge` "
            "and the output folders of all shards.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="The folder for marks, reports and pages.")],
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Worker processes; one per processor if not said.")
    ] = None,
    backend: Annotated[
        Backend | None, typer.Option(help="What all are written in; else read off the imports.")
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option(metavar="FOLDER|NAME", help="Exercises of others; else attnpack's own."),
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Who is in the course.")
    ] = None,
    rubric: Annotated[
        Path | None,
        typer.Option(metavar="FILE.toml", help="Points, partial credit, hidden checks."),
    ] = None,
    overrides: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Marks set by hand; overrides.csv in --out counts too."),
    ] = None,
    seed_secret_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The seeds' secret; made in --out if not said."),
    ] = None,
    deadline_s: Annotated[
        float | None, typer.Option(min=0.1, help="CPU seconds for one call of a student's code.")
    ] = None,
    require_isolation: Annotated[
        Tier | None,
        typer.Option(help="Refuse to start below this; `contained` if not said."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    shard: Annotated[
        str | None, typer.Option(metavar="i/n", help="Grade only this part of n.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Judge on this Dask cluster.")
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what would be read, as whose, and what not."),
    ] = False,
) -> None:
    """Grade a cohort, resumable; untrusted code stays in a sandbox."""
    from attnpack.grade import commands

    if str(folders[0]) == MERGE:
        raise typer.Exit(commands.merge(folders[1:], out, overrides, pack))
    if len(folders) > 1:
        raise BadInputError("grade takes one folder of submissions. To join shards: grade merge")
    options = commands.Options(
        submissions=folders[0],
        out=out,
        jobs=jobs or os.cpu_count() or 1,
        backend=backend.value if backend else None,
        pack=pack,
        roster=roster,
        rubric=rubric,
        overrides=overrides,
        seed_secret_file=seed_secret_file,
        deadline_s=deadline_s,
        require_isolation=require_isolation or Tier.CONTAINED,
        resume=resume,
        shard=shard,
        scheduler=scheduler,
    )
    if dry_run:
        raise typer.Exit(commands.dry_run(options))
    _refuse_below(options)
    raise typer.Exit(commands.grade(options))


def export(
    platform: Annotated[str, typer.Argument(help="gradescope or github-classroom.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write.")],
    rubric: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="The rubric to grade by there.")
    ] = None,
    backend: Annotated[
        Backend | None, typer.Option(help="What all write in; for torch it is installed there.")
    ] = None,
    wheel: Annotated[
        Path | None,
        typer.Option(metavar="FILE.whl", help="attnpack itself, if no package index has it."),
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option(metavar="FOLDER|NAME", help="Exercises of others; else attnpack's own."),
    ] = None,
) -> None:
    """Write what a course platform needs to grade with attnpack."""
    from attnpack.grade.export import Platform, Wanted, advice
    from attnpack.grade.export import export as write

    if platform not in tuple(Platform):
        raise BadInputError(f"No platform '{platform}'. There are: {', '.join(Platform)}")
    from attnpack.report.prose import say

    wanted = Wanted(rubric, backend, wheel, pack)
    for path in write(Platform(platform), folder, wanted):
        say(f"Wrote {path}")
    for step in advice(Platform(platform), wanted):
        say(step)
    typer.echo("Next: docs/instructors.md says where it goes.")


def _refuse_below(options: "Options") -> None:
    """A machine that cannot confine as required is told so before anything is read."""
    from attnpack.host import isolation

    if options.scheduler:
        return  # its workers are other machines, which refuse for themselves
    try:
        found = isolation.require(Tier(options.require_isolation or Tier.CONTAINED))
    except isolation.IsolationError as error:
        raise BadInputError(str(error)) from error
    if found.tier is Tier.PROCESS:
        typer.echo(UNCONFINED, err=True)
