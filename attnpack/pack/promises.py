"""What a pack promises, held against what it does: `attnpack dev check`.

Stubs are not started, references pass everything, every id has a card and every card a model
or a reason, and every bug model is diagnosed as itself. Each function gives the faults it finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack import submission as submissions
from attnpack.checking import runner
from attnpack.errors import OwnFaultError
from attnpack.guest.sources import file_name
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.host.pool import GuestPool
    from attnpack.pack import Bug, Exercise, Pack
    from attnpack.report.model import ExerciseReport

SEED = 7291


@dataclass(frozen=True)
class Part:
    """What of a pack is looked at."""

    pack: Pack
    names: tuple[str, ...] = ()
    """of the exercises; empty for all"""
    bug: str | None = None
    """this one alone"""

    def exercises(self, backend: Backend) -> tuple[Exercise, ...]:
        """Those that can be written in a backend."""
        asked = [e for e in self.pack.exercises if not self.names or e.name in self.names]
        return tuple(exercise for exercise in asked if backend in exercise.backends)

    def bugs(self) -> tuple[Bug, ...]:
        """Those whose cards and models are looked at."""
        return tuple(b for b in self.pack.bugs().values() if self.bug in (None, b.id))


def cards(part: Part) -> Iterator[str]:
    """Every bug has a card, every card a model or a reason why it has none.

    Where the pack has a vocabulary, `checks/vocabulary.txt`, the bugs are those of it.
    """
    bugs = part.pack.bugs()
    if part.bug is None:
        yield from _vocabulary(part.pack)
    for bug in part.bugs():
        try:
            reason = bug.card.no_model
        except (OwnFaultError, OSError) as error:
            yield str(error)
            continue
        if not bug.models and not reason:
            yield f"{bug.id} has neither a model nor a reason why it has none"
        for other in bug.equals:
            if other not in bugs:
                yield f"{bug.id} is declared equal to {other}, which has no card"


def _vocabulary(pack: Pack) -> Iterator[str]:
    path = pack.root / "checks" / "vocabulary.txt"
    if not path.is_file():
        return
    bugs = pack.bugs()
    words = path.read_text(encoding="utf-8").splitlines()
    ids = [word for word in words if word and not word.startswith("#")]
    yield from (f"{bug} of the vocabulary has no card" for bug in ids if bug not in bugs)
    yield from (f"{bug} has a card and is not in the vocabulary" for bug in bugs if bug not in ids)


def files(part: Part, backend: Backend) -> Iterator[str]:
    """Every exercise has the file that its name asks for, as a stub and as a reference."""
    for exercise in part.exercises(backend):
        if exercise.file != file_name(exercise.name):
            yield f"the file of {exercise.name} is {exercise.file}, not {file_name(exercise.name)}"
        for path in (
            part.pack.stub_path(backend.value, exercise.file),
            part.pack.reference_path(backend.value, exercise.file),
        ):
            if not path.is_file():
                yield f"{exercise.name} has no {path}"


def stubs(part: Part, backend: Backend, pool: GuestPool) -> Iterator[str]:
    """Every stub is not started."""
    for exercise in _checked(part, "exercises", backend, pool):
        if exercise.status is not Status.NOT_STARTED:
            yield f"the stub of {exercise.name} is {exercise.status.value}, not not_started"


def references(part: Part, backend: Backend, pool: GuestPool) -> Iterator[str]:
    """Every reference passes every stage, and nothing is noted about it."""
    for exercise in _checked(part, "reference", backend, pool):
        if exercise.failing is not None:
            failing = exercise.failing
            yield f"the reference of {exercise.name} fails {failing.stage}: {failing.message}"
        for note in exercise.notes:
            yield f"the reference of {exercise.name} is given the note {note.id}"


def _checked(
    part: Part, folder: str, backend: Backend, pool: GuestPool
) -> tuple[ExerciseReport, ...]:
    names = [exercise.name for exercise in part.exercises(backend)]
    if not names:
        return ()
    submission = submissions.load(part.pack.root / folder / backend.value, part.pack)
    report = runner.check(
        submission, backend=backend, seed=SEED, exercises=names, keep_going=True, pool=pool
    )
    return tuple(exercise for exercise in report.exercises if exercise.name in names)
