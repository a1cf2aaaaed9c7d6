"""`attnpack check`: the checks, and what to do next."""

import json
import secrets
import sys
from collections.abc import Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack import workspace
from attnpack.commands import targets
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.report.prose import say
from attnpack.report.words import listed
from attnpack.submission.places import FILES, Places
from attnpack.terms import Backend, Status
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.host.pool import GuestPool
    from attnpack.pack import Bug, Card, Chapter, Pack
    from attnpack.report.glyphs import Glyphs
    from attnpack.report.model import ExerciseReport, Report
    from attnpack.report.terminal import View
    from attnpack.submission import Submission

BackendOption = Annotated[
    Backend | None,
    typer.Option(help="What the code is written in; the workspace's, or read off the imports."),
]
SeedOption = Annotated[
    int | None, typer.Option(min=0, help="The random numbers to use; new ones if not said.")
]


def check(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH] [EXERCISE]...",
            help="A folder or file, and the exercises to check: all of the workspace if not said.",
        ),
    ] = None,
    backend: BackendOption = None,
    seed: SeedOption = None,
    chapter: targets.ChapterOption = None,
    pack: targets.PackOption = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going", help="Check on after an exercise that did not pass.")
    ] = False,
    edit: Annotated[
        bool, typer.Option("--edit", help="Open $EDITOR at the line that the report points at.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Show the whole report, also where the screen is small.")
    ] = False,
    confined: Annotated[
        bool,
        typer.Option(
            "--confined",
            help="For somebody else's file: run it without your files and the network.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object; implies --keep-going.")
    ] = False,
) -> None:
    """Check the exercises; name the bug and the line where one does not pass."""
    target = targets.read(words or [], Path.cwd(), pack, chapter or ())
    submission, report = run(
        target, backend, seed, keep_going=keep_going or as_json, confined=confined
    )
    if as_json:
        sys.stdout.write(json.dumps(report.to_json()) + "\n")
    else:
        steps = next_steps(report, target, places_of(submission))
        shown = view_of(report, submission, steps, news=news_of(target, report))
        show(shown, _whole(words or []), full=full)
    remember(target, report, submission)
    if edit:
        _edit(report, submission)
    if not report.passed:
        raise typer.Exit(1)


def run(
    target: targets.Target,
    backend: Backend | None,
    seed: int | None,
    *,
    keep_going: bool,
    confined: bool = False,
) -> "tuple[Submission, Report]":
    """Check a target with fresh random numbers, or with those of a seed.

    `confined` raises BadInputError where this machine cannot confine its code.
    """
    from attnpack import submission as submissions
    from attnpack.checking import runner
    from attnpack.report.waiting import waiting

    submission = submissions.own(target.path, target.pack)
    chosen = backend or backend_of(target, submission)
    asked = _asked_for(target, submission, chosen)
    with _guests(chosen, confined=confined) as pool, waiting(asked) as judged:
        report = runner.check(
            submission,
            backend=chosen,
            seed=secrets.randbelow(100_000) if seed is None else seed,
            exercises=asked,
            keep_going=keep_going,
            on_exercise=judged,
            pool=pool,
        )
    return submission, report


@contextmanager
def _guests(backend: Backend, *, confined: bool) -> "Iterator[GuestPool | None]":
    """Confined guests; None where the ordinary ones do."""
    if not confined:
        yield None
        return
    from attnpack.guest.confine.policy import Policy, Tier
    from attnpack.host.pool import open_pool

    try:
        with open_pool(backend, Policy().to_json()) as pool:
            yield pool
    except OwnFaultError:
        from attnpack.host import isolation

        found = isolation.probe()
        if found.tier is not Tier.PROCESS:
            raise
        let = ", ".join(denial.name for denial in found.denials if not denial.denied)
        raise BadInputError(
            f"This machine cannot confine code. Without --confined, the code could: {let}. "
            "Read it first, or check it on another machine: attnpack selftest --security"
        ) from None


def _asked_for(
    target: targets.Target, submission: "Submission", backend: Backend
) -> tuple[str, ...]:
    """The exercises to check: those named, or those of the chapters that are here.

    Raises BadInputError where one that is named is not written in this backend.
    """
    if target.exercises:
        for name in target.exercises:
            if backend not in target.pack.exercise(name).backends:
                chapter = target.pack.chapter_of(name)
                scaffolding.refuse_other_backend(target.pack, chapter, backend)
        return target.exercises
    here = target.workspace.chapters if target.workspace else submission.chapters
    return tuple(e.name for chapter in here for e in chapter.exercises if backend in e.backends)


def backend_of(target: targets.Target, submission: "Submission") -> Backend:
    """The workspace's; without one, what the files import."""
    return target.workspace.backend if target.workspace else submission.backend


def show(view: "View", whole: str, *, full: bool, taken: int = 1) -> None:
    """Draw a report on standard output: on a screen, in the lines that are not taken there.

    `whole` says how to see all of it.
    """
    from attnpack.report import brief, terminal

    console = terminal.console()
    if full or not console.is_terminal:
        console.print(terminal.Page(view))
    else:
        console.print(brief.fitting(view, console, console.height - taken, whole))


def _whole(typed: Sequence[str]) -> str:
    return " ".join(["The whole report: attnpack check", *typed, "--full"])


def news_of(target: targets.Target, report: "Report") -> str:
    """What is other than at the last check of this workspace."""
    from attnpack.workspace import news

    return news.since(target.workspace.state, report) if target.workspace else ""


def view_of(
    report: "Report",
    submission: "Submission",
    steps: Sequence[str],
    signs: "Glyphs | None" = None,
    news: str = "",
) -> "View":
    """The report with all that is shown beside it; in signs that standard output has."""
    from attnpack.report import glyphs, terminal

    return terminal.View(
        report=report,
        pack=submission.pack,
        cards=_cards_of(report, submission.pack),
        sources=submission.sources,
        next_steps=steps,
        glyphs=signs or glyphs.for_encoding(terminal.console().encoding),
        places=places_of(submission),
        remarks=submission.remarks,
        news=news,
    )


def _cards_of(report: "Report", pack: "Pack") -> dict[str, "Card"]:
    """The cards of the bugs that the report names; no others are read."""
    named = {b.id for e in report.exercises for check in e.checks for b in check.bugs}
    known = pack.bugs() if named else {}
    return {bug: known[bug].card for bug in sorted(named & known.keys())}


def _edit(report: "Report", submission: "Submission") -> None:
    """Open the first place that the report points at: a bug's line, or the exercise itself."""
    from attnpack.workspace import editor

    for exercise in report.exercises:
        if exercise.status in (Status.FAILED, Status.ERROR, Status.NOT_STARTED):
            bugs = exercise.failing.bugs if exercise.failing else ()
            place = next(((b.file, b.line) for b in bugs if b.file and b.line), None)
            file, line = place or (exercise.file, exercise.line)
            if file is not None:
                editor.open_at(submission.root / file, line or 1)
            return


def places_of(submission: "Submission") -> Places:
    """How lines of the submission are named."""
    return Places(submission.root, submission.cells)


def remember(target: targets.Target, report: "Report", submission: "Submission") -> None:
    """Write the progress down; a workspace that cannot be written costs nobody the verdict."""
    if target.workspace is None:
        return
    try:
        workspace.record(target.workspace, report, submission.sources, datetime.now(UTC))
    except BadInputError as error:
        say(f"The progress could not be remembered. {error}", sys.stderr)


def next_steps(report: "Report", target: targets.Target, places: Places = FILES) -> list[str]:
    """What to type now, and where more help is."""
    failed = [e for e in report.exercises if e.status in (Status.FAILED, Status.ERROR)]
    waiting = [e for e in report.exercises if e.status is Status.NOT_STARTED]
    again = " ".join(word for word in ("attnpack check", target.word) if word)
    if failed:
        return _mend(failed[0], places, again, target.pack.bugs())
    if waiting:
        name = waiting[0].name
        file = target.pack.exercise(name).file if target.path.is_dir() else target.path.name
        return [f"Next: write {name} in {file}, then type: {again}", f"Help: attnpack hint {name}"]
    return _passed(report, target, again)


def _passed(report: "Report", target: targets.Target, again: str) -> list[str]:
    """What is left once all that was asked for passes."""
    chapters = {exercise.chapter for exercise in report.exercises}
    whole = {
        each.name
        for each in target.pack.chapters
        if {e.name for e in each.exercises} <= {e.name for e in report.exercises}
    }
    if chapters - whole:
        return [f"Next: {again}"]
    steps = []
    if target.pack.look and target.pack.chapters[0].name in chapters:
        steps.append(f'Next: attnpack heatmap "the cat sat on the mat" {target.word}'.rstrip())
    last = [each for each in target.pack.chapters if each.name in whole][-1]
    following = next_chapter(target.pack, last, Backend(report.backend), target.workspace)
    if following is not None:
        steps.append(following if not steps else following.replace("Next:", "Then:", 1))
    return steps


def next_chapter(
    pack: "Pack", last: "Chapter", backend: Backend, here: workspace.Workspace | None
) -> str | None:
    """How to go on after a chapter; None where the pack has no other in this backend."""
    position = [each.name for each in pack.chapters].index(last.name)
    later = (c for c in pack.chapters[position + 1 :] if backend in c.backends)
    following = next(later, None)
    if following is None:
        return None
    title = f"the next chapter is {following.name}: {following.title}"
    if here is None:
        names = listed([exercise.name for exercise in following.exercises])
        return f"Next: {title} ({names})"
    if here.holds(following.name):
        return f"Next: {title}. attnpack check --chapter {following.name}"
    return f"Next: {title}. Lay it out: attnpack init --chapter {following.name}"


def _mend(
    exercise: "ExerciseReport", places: Places, again: str, known: "Mapping[str, Bug]"
) -> list[str]:
    bugs = exercise.failing.bugs if exercise.failing else ()
    placed = next((bug for bug in bugs if bug.file and bug.line), None)
    place = exercise.file or "your code"
    if placed and placed.file and placed.line:
        place = places.words(placed.file, placed.line)
    steps = [f"Next: mend {place}, then type: {again}"]
    help_with = [f"attnpack hint {exercise.name}"]
    if bugs and bugs[0].id in known:
        help_with.append(f"attnpack explain {bugs[0].id}")
    return [*steps, f"Help: {', '.join(help_with)}"]
