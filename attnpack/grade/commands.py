"""`grade`, `grade merge` and `export`, without the command line around them."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from attnpack import __version__
from attnpack import pack as packs
from attnpack.errors import BadInputError, in_words
from attnpack.grade import run as running
from attnpack.grade.copies import given_by
from attnpack.grade.discover import discover, left_aside
from attnpack.grade.intake import take_in
from attnpack.grade.jobs import Settings
from attnpack.grade.ledger import FILE_NAME, Entry, read_ledger
from attnpack.grade.lock import locked
from attnpack.grade.overrides import lying_in, read_overrides
from attnpack.grade.presence import told
from attnpack.grade.results import Cohort, Terms, asked_hash, cohort_of, last_run
from attnpack.grade.roster import Roster, read_roster
from attnpack.grade.rubric import default_rubric, read_rubric
from attnpack.grade.schedule import Workers
from attnpack.grade.seeds import SeedSecret, keep_secret, read_secret
from attnpack.grade.write import write_outputs
from attnpack.report.prose import say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from attnpack.grade.jobs import Job
    from attnpack.grade.schedule import Finished

JUDGE = "attnpack.grade.judge:open_judge"
SECRET = "seed-secret.txt"  # noqa: S105
GRADED, NEEDS_REGRADE = 0, 1


@dataclass(frozen=True)
class Options:
    """What `attnpack grade` is told."""

    submissions: Path
    out: Path
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    backend: str | None = None
    pack: str | None = None
    roster: Path | None = None
    rubric: Path | None = None
    overrides: Path | None = None
    seed_secret_file: Path | None = None
    deadline_s: float | None = None
    require_isolation: str = "contained"
    resume: bool = False
    shard: str | None = None
    scheduler: str | None = None
    judge: str = JUDGE
    """for tests: another maker of judges"""


def grade(options: Options) -> int:
    """Grade a cohort; the exit code.

    Raises BadInputError, and KeyboardInterrupt after saying how to go on.
    """
    shard = running.read_shard(options.shard or "1/1")
    pack = packs.load(options.pack)
    rubric = read_rubric(options.rubric, pack) if options.rubric else default_rubric(pack)
    roster = read_roster(options.roster) if options.roster else Roster([])
    hand_ins = discover(options.submissions, options.out, roster.logins)
    _tell_aside(options)
    with in_words(options.out):
        options.out.mkdir(parents=True, exist_ok=True)
    with locked(options.out):
        with in_words(options.out):
            secret = _secret(options)
        seeds, asked = secret.commitment, asked_hash(rubric.points)
        terms = Terms(__version__, pack.fingerprint(), rubric.fingerprint, seeds, asked)
        earlier = running.earlier_entries(options.out, terms, options.resume)
        run = running.Run(
            out=options.out,
            hand_ins=hand_ins,
            take_in=partial(take_in, backend=options.backend),
            schedule=_schedule(options),
            terms=terms,
            pack=pack.place,
            rubric=rubric,
            roster=roster,
            secret=secret,
            shard=shard,
        )
        try:
            with in_words(options.out):
                running.grade_into_ledger(run, earlier)
        except (KeyboardInterrupt, BadInputError):
            say(how_to_resume(sys.argv), sys.stderr)
            raise
        return finish([options.out], options.out, options.overrides)


def dry_run(options: Options) -> int:
    """Say what would be read, as whose, and what not; the exit code. Nothing is written."""
    from attnpack.grade.dry_run import told as read_as

    pack = packs.load(options.pack)
    roster = read_roster(options.roster) if options.roster else Roster([])
    hand_ins = discover(options.submissions, options.out, roster.logins)
    for line in read_as(hand_ins, roster, pack):
        say(line)
    _tell_aside(options)
    return GRADED


def _tell_aside(options: Options) -> None:
    aside = left_aside(options.submissions, options.out)
    if aside:
        say(f"Not taken for submissions: {', '.join(aside)}", sys.stderr)


def merge(
    folders: Sequence[Path], out: Path, overrides: Path | None = None, pack: str | None = None
) -> int:
    """Join the shards graded into these folders; the exit code.

    Raises BadInputError where they do not belong together or are not finished.
    """
    if not folders:
        raise BadInputError("Name the folders to merge: attnpack grade merge DIR... --out DIR")
    runs = [_finished_run(folder) for folder in folders]
    _refuse_different(folders, runs)
    _refuse_gaps(folders, runs)
    with in_words(out):
        out.mkdir(parents=True, exist_ok=True)
    with locked(out):
        return finish(folders, out, overrides, pack)


def finish(
    folders: Sequence[Path], out: Path, overrides: Path | None, place: str | None = None
) -> int:
    """Write the outputs of the runs in these folders; the exit code.

    `place` is where the pack lies that they were judged with, if it is somewhere else now.
    """
    runs = [_finished_run(folder) for folder in folders]
    head = last_run(runs[0])[0]
    pack = packs.load(place or head.get("pack"))
    exercises = list(head["rubric"]["points"])
    files = [path for folder in dict.fromkeys([*folders, out]) for path in lying_in(folder)]
    chosen = read_overrides([*files, *([overrides] if overrides else [])], exercises)
    chosen.refuse_beyond(head["rubric"]["points"])
    cohort = cohort_of(runs, chosen, given_by(pack))
    with in_words(out):
        missing = write_outputs(out, cohort, pack.bugs())
    called = [n for r in cohort.results for p in r.people for n in p.names]
    called += [result.student for result in cohort.results]
    for unused in chosen.unused((result.submission for result in cohort.results), called):
        who = f"submission '{unused.submission}'" if unused.submission else f"'{unused.student}'"
        say(f"No {who}: its override is not used.", sys.stderr)
    say(said(cohort, out, missing))
    return NEEDS_REGRADE if cohort.needing_regrade else GRADED


def _refuse_different(folders: Sequence[Path], runs: Sequence[Sequence[Entry]]) -> None:
    """Raises BadInputError where the runs were judged on different terms."""
    heads = [Terms(**last_run(run)[0]["terms"]) for run in runs]
    for folder, head in zip(folders, heads, strict=True):
        running.refuse_mix(f"The run in {folder}", head, heads[0])
        if head != heads[0]:
            raise BadInputError(
                f"{folder} was graded with another rubric or seed secret than {folders[0]}. "
                "Give every shard the same --rubric and --seed-secret-file."
            )


def _refuse_gaps(folders: Sequence[Path], runs: Sequence[Sequence[Entry]]) -> None:
    """Raises BadInputError where a shard is missing or there twice."""
    shards = [last_run(run)[0]["shard"] for run in runs]
    counts = {shard["count"] for shard in shards}
    indices = sorted(shard["index"] for shard in shards)
    if len(counts) > 1 or indices != list(range(1, len(indices) + 1)) or counts != {len(indices)}:
        given = ", ".join(
            f"{s['index']}/{s['count']} ({f})" for s, f in zip(shards, folders, strict=True)
        )
        raise BadInputError(f"A merge needs every shard once. Given: {given}")


def said(cohort: Cohort, out: Path, missing: Sequence[str] = ()) -> str:
    """The last lines of a run."""
    waiting = cohort.needing_regrade
    lines = [f"{len(cohort.results) - len(waiting)} of {len(cohort.results)} have their mark."]
    if waiting:
        lines.append(
            f"{len(waiting)} need regrading, for no fault of theirs: run the same command "
            "with --resume."
        )
    lines += told(cohort)
    if missing:
        lines.append(
            f"Not written, for a fault of attnpack that is told above: {', '.join(missing)}"
        )
    lines.append(f"Next: open {out / 'cohort.html'}; the marks are in {out / 'grades.csv'}")
    return "\n".join(lines)


def how_to_resume(words: Sequence[str]) -> str:
    """The command that goes on where this one stopped."""
    command = shlex.join(["attnpack", *(word for word in words[1:] if word != "--resume")])
    return f"\nStopped. What is graded is kept; go on with:\n  {command} --resume"


def _secret(options: Options) -> SeedSecret:
    if options.seed_secret_file:
        return read_secret(options.seed_secret_file)
    if options.shard:
        raise BadInputError("--shard needs --seed-secret-file, the same one for every shard.")
    return keep_secret(options.out / SECRET)


def _schedule(options: Options) -> Callable[[Iterable[Job]], Iterator[Finished]]:
    settings = Settings(options.judge, options.require_isolation, options.deadline_s)
    if options.scheduler:
        from attnpack.grade.dask import run_on_cluster

        return partial(run_on_cluster, address=options.scheduler, settings=settings)
    return Workers(max(1, options.jobs), settings).run


def _finished_run(folder: Path) -> Sequence[Entry]:
    """The entries of a folder's ledger; raises BadInputError where its run did not end."""
    reading = read_ledger(folder / FILE_NAME)
    if not reading.entries:
        raise BadInputError(f"{folder} holds no run: there is no {FILE_NAME} to read in it.")
    if reading.damaged:
        lines = ", ".join(str(number) for number in reading.damaged)
        say(
            f"{folder / FILE_NAME}: line {lines} is damaged; what it held is judged again "
            "with --resume.",
            sys.stderr,
        )
    if last_run(reading.entries)[-1]["kind"] != "done":
        raise BadInputError(
            f"The run in {folder} is not finished. Run its command again with --resume first."
        )
    return reading.entries
