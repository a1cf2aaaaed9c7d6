"""What a pack promises, held against what it does: `attnpack dev check`.

Stubs are not started, references pass everything, every id has a card and every card a model
or a reason, and every bug model is diagnosed as itself. Each function gives the faults it finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack import submission as submissions
from attnpack.checking import runner
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.host.pool import GuestPool
    from attnpack.pack import Pack
    from attnpack.report.model import ExerciseReport

SEED = 7291


def cards(pack: Pack) -> Iterator[str]:
    """Every id of the vocabulary has a card, every card a model or a reason why it has none."""
    bugs = pack.bugs()
    words = (pack.root / "checks" / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
    ids = [word for word in words if word and not word.startswith("#")]
    yield from (f"{bug} of the vocabulary has no card" for bug in ids if bug not in bugs)
    yield from (f"{bug} has a card and is not in the vocabulary" for bug in bugs if bug not in ids)
    for bug in bugs.values():
        if not bug.models and not bug.card.no_model:
            yield f"{bug.id} has neither a model nor a reason why it has none"
        for other in bug.equals:
            if other not in bugs:
                yield f"{bug.id} is declared equal to {other}, which has no card"


def stubs(pack: Pack, backend: Backend, pool: GuestPool, names: Sequence[str]) -> Iterator[str]:
    """Every stub of these exercises is not started."""
    for exercise in _checked(pack, "exercises", backend, pool, names):
        if exercise.status is not Status.NOT_STARTED:
            yield f"the stub of {exercise.name} is {exercise.status.value}, not not_started"


def references(
    pack: Pack, backend: Backend, pool: GuestPool, names: Sequence[str]
) -> Iterator[str]:
    """Every one of these references passes every stage, and nothing is noted about it."""
    for exercise in _checked(pack, "reference", backend, pool, names):
        if exercise.failing is not None:
            failing = exercise.failing
            yield f"the reference of {exercise.name} fails {failing.stage}: {failing.message}"
        for note in exercise.notes:
            yield f"the reference of {exercise.name} is given the note {note.id}"


def _checked(
    pack: Pack, part: str, backend: Backend, pool: GuestPool, names: Sequence[str]
) -> tuple[ExerciseReport, ...]:
    submission = submissions.load(pack.root / part / backend.value, pack)
    report = runner.check(
        submission,
        backend=backend,
        seed=SEED,
        exercises=names,
        keep_going=True,
        pool=pool,
    )
    return tuple(exercise for exercise in report.exercises if exercise.name in names)
