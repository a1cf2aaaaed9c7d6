"""A grading run: take the submissions in, judge what is not yet judged, keep the ledger."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.grade.jobs import Job
from attnpack.grade.ledger import FILE_NAME, Entry, Ledger, Sync, read_ledger
from attnpack.grade.progress import progress
from attnpack.grade.results import Terms, judged_by_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from attnpack.grade.discover import HandIn
    from attnpack.grade.intake import Intake
    from attnpack.grade.roster import Roster
    from attnpack.grade.rubric import Rubric
    from attnpack.grade.schedule import Finished
    from attnpack.grade.seeds import SeedSecret


@dataclass(frozen=True)
class Shard:
    """One of `count` parts of a cohort, by the hash of the submission; counted from 1."""

    index: int = 1
    count: int = 1

    def holds(self, sha256: str) -> bool:
        """Whether this part judges the submission. Equal submissions are in one part."""
        return int(sha256[:12], 16) % self.count == self.index - 1


def read_shard(text: str) -> Shard:
    """`2/4` as a Shard; raises BadInputError."""
    index, _, count = text.partition("/")
    if not (index.isdecimal() and count.isdecimal() and 1 <= int(index) <= int(count)):
        raise BadInputError(f"--shard takes i/n with i from 1 to n, such as 2/4, not '{text}'")
    return Shard(int(index), int(count))


@dataclass(frozen=True)
class Run:
    """All that a run is told."""

    out: Path
    hand_ins: Sequence[HandIn]
    take_in: Callable[[HandIn], Intake]
    schedule: Callable[[Iterable[Job]], Iterator[Finished]]
    terms: Terms
    pack: str | None
    """by what the pack is found again"""
    rubric: Rubric
    roster: Roster
    secret: SeedSecret
    shard: Shard


def earlier_entries(out: Path, terms: Terms, resume: bool) -> tuple[Entry, ...]:
    """What the ledger in the output folder holds already.

    Raises BadInputError where it may not be built upon.
    """
    reading = read_ledger(out / FILE_NAME)
    if reading.entries and not resume:
        raise BadInputError(
            f"{out} already holds a run. Add --resume to go on with it, or name another --out."
        )
    for entry in reading.entries:
        if entry["kind"] == "run":
            refuse_mix(f"The run in {out}", Terms(**entry["terms"]), terms)
    return reading.entries


def refuse_mix(where: str, theirs: Terms, ours: Terms) -> None:
    """Raises BadInputError where marks were given under another attnpack or pack."""
    for word in ("attnpack", "pack"):
        if getattr(theirs, word) != getattr(ours, word):
            raise BadInputError(
                f"{where} was judged with {word} {getattr(theirs, word)}, not with "
                f"{getattr(ours, word)}: marks of the two must not mix. Use the same "
                "installation, or grade everything again into another --out."
            )


def grade_into_ledger(run: Run, earlier: Sequence[Entry]) -> int:
    """Judge what is not judged yet. Returns how many submissions are this shard's.

    Raises KeyboardInterrupt after leaving the ledger in order.
    """
    known = {key for key, entry in judged_by_key(earlier).items() if entry["kind"] == "judged"}
    with Ledger(run.out / FILE_NAME) as ledger:
        ledger.append(_run_entry(run))
        intakes = _Intakes(run, ledger, known)
        with progress(len(run.hand_ins)) as step:
            intakes.on_settled = step
            for finished in run.schedule(intakes.jobs()):
                ledger.append(_finished_entry(run.terms, finished))
                intakes.settle(finished.job.submission)
        ledger.append({"kind": "done", "found": intakes.found})
    return intakes.found


class _Intakes:
    """Hand-ins turned into jobs, one for each different submission."""

    def __init__(self, run: Run, ledger: Ledger, known: set[tuple[str, ...]]) -> None:
        self.found = 0
        self.on_settled: Callable[[], None] = lambda: None
        self._run = run
        self._ledger = ledger
        self._known = known
        self._waiting: dict[str, int] = {}
        """sha256 -> how many hand-ins wait for its judgement"""

    def jobs(self) -> Iterator[Job]:
        """The jobs still to do; what needs none is settled at once."""
        for hand_in in self._run.hand_ins:
            intake = self._run.take_in(hand_in)
            if not self._run.shard.holds(intake.sha256):
                self.on_settled()
                continue
            self.found += 1
            self._ledger.append(_found_entry(hand_in, intake, self._run.roster), Sync.LATER)
            key = tuple(self._run.terms.key(intake.sha256))
            if intake.problem or key in self._known:
                self.on_settled()
            elif intake.sha256 in self._waiting:
                self._waiting[intake.sha256] += 1
            else:
                self._waiting[intake.sha256] = 1
                yield self._job(intake)

    def settle(self, sha256: str) -> None:
        """A judgement came: it is that of every equal hand-in, also of those still to come."""
        for _ in range(self._waiting.pop(sha256)):
            self.on_settled()
        self._known.add(tuple(self._run.terms.key(sha256)))

    def _job(self, intake: Intake) -> Job:
        return Job(
            submission=intake.sha256,
            files=intake.files,
            backend=intake.backend,
            seed=self._run.secret.seed(intake.sha256, "report"),
            common_seed=self._run.secret.seed("", "cohort"),
            short_seed=self._run.secret.short_seed(intake.sha256),
            exercises=tuple(self._run.rubric.points),
            pack=self._run.pack,
        )


def _run_entry(run: Run) -> Entry:
    return {
        "kind": "run",
        "terms": asdict(run.terms),
        "pack": run.pack,
        "rubric": run.rubric.to_json(),
        "roster": run.roster.to_json(),
        "shard": asdict(run.shard),
    }


def _found_entry(hand_in: HandIn, intake: Intake, roster: Roster) -> Entry:
    people, match = roster.look_up(hand_in.owner)
    return {
        "kind": "found",
        "submission": hand_in.submission,
        "student": hand_in.owner.student,
        "people": [student.to_json() for student in roster.with_group(people)],
        "match": match.value,
        "sha256": intake.sha256,
        "shown": dict(intake.shown),
        "problem": intake.problem,
        "notes": list(intake.notes),
        "when": hand_in.owner.when,
        "late": hand_in.owner.late,
    }


def _finished_entry(terms: Terms, finished: Finished) -> Entry:
    key = terms.key(finished.job.submission)
    if finished.judged is None:
        return {
            "kind": "fault",
            "key": key,
            "fault": finished.fault,
            "attempts": finished.attempts,
        }
    return {
        "kind": "judged",
        "key": key,
        "judged": finished.judged.to_json(),
        "attempts": finished.attempts,
    }
