"""`attnpack.check()` in a notebook or at a prompt: judges what the cells have defined.

The judge is the same guest process as everywhere: it gets the text of the cells, not the
objects.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from attnpack import pack as packs
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.pack import Pack
    from attnpack.report.model import ExerciseReport, Report
    from attnpack.report.terminal import View
    from attnpack.submission import Submission

WIDTH: Final = 88


@dataclass(frozen=True, repr=False)
class Checked:
    """The result of a check. A notebook shows it as HTML, a prompt as text."""

    text: str
    html: str
    report: Report | None = field(default=None)
    """None where nothing could be checked; the text says why"""

    @property
    def passed(self) -> bool:
        """Every exercise that was checked passed."""
        return self.report is not None and self.report.passed

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def check(
    *exercises: Any,
    backend: str | None = None,
    seed: int | None = None,
    pack: str | None = None,
) -> Checked:
    """Check the exercises that this notebook or prompt has defined; or only those given.

    `exercises` are the functions and classes themselves, or their names. `backend` is read off
    the imports if not said. The same seed asks the same questions. `pack` is the folder or the
    name of another pack of exercises.

    Nothing is raised: what cannot be checked is told, and the result has not passed.
    """
    return check_in(sys._getframe(1).f_globals, exercises, backend, seed, pack)


def check_in(
    namespace: Mapping[str, Any],
    exercises: tuple[Any, ...] = (),
    backend: str | None = None,
    seed: int | None = None,
    pack: str | None = None,
) -> Checked:
    """Check what a namespace defines. Arguments and result are those of `check`."""
    from attnpack.checking import runner
    from attnpack.live.statements import submission_of

    try:
        known = packs.load(pack)
        asked = _asked(namespace, exercises, known)
        submission = submission_of(namespace, asked, known)
        report = runner.check(
            submission,
            backend=_backend(backend) or submission.backend,
            seed=secrets.randbelow(100_000) if seed is None else seed,
            exercises=tuple(asked),
            keep_going=True,
        )
    except BadInputError as error:
        return _told(str(error))
    except OwnFaultError as error:
        from attnpack.report.words import OWN_FAULT

        return _told(f"{error}\n{OWN_FAULT}")
    return _shown(_view(report, submission))


def _asked(namespace: Mapping[str, Any], exercises: tuple[Any, ...], pack: Pack) -> dict[str, Any]:
    """Exercise -> the learner's object, in the order of the course. Raises BadInputError."""
    known = [exercise.name for exercise in pack.exercises]
    if exercises:
        given = dict(_given(namespace, known, one) for one in exercises)
        return {name: given[name] for name in known if name in given}
    defined = {name: namespace[name] for name in known if callable(namespace.get(name))}
    if not defined:
        raise BadInputError(
            f"Nothing to check yet: define {known[0]}, run its cell, then call attnpack.check() "
            f"again. The exercises are: {', '.join(e.name for e in pack.chapters[0].exercises)}."
        )
    return defined


def _given(namespace: Mapping[str, Any], known: list[str], one: Any) -> tuple[str, Any]:
    """What was given as itself or as its name."""
    by_name = isinstance(one, str)
    own = [name for name in known if namespace.get(name) is one]
    name = one if by_name else next(iter(own), str(getattr(one, "__name__", repr(one))))
    if name not in known:
        raise BadInputError(f"{name} is the name of no exercise. They are: {', '.join(known)}.")
    made = namespace.get(name) if by_name else one
    if not callable(made):
        raise BadInputError(f"{name} is not defined here yet. Run the cell that defines it.")
    return name, made


def _backend(name: str | None) -> Backend | None:
    if name is None:
        return None
    if name not in tuple(Backend):
        raise BadInputError(f"There is no backend {name!r}: {', '.join(Backend)}.")
    return Backend(name)


def _view(report: Report, submission: Submission) -> View:
    from attnpack.commands import check as checking
    from attnpack.report import glyphs

    return checking.view_of(report, submission, _next(report, submission), glyphs.UNICODE)


def _next(report: Report, submission: Submission) -> list[str]:
    """What to do in the notebook now."""
    failed = [e for e in report.exercises if e.status in (Status.FAILED, Status.ERROR)]
    if failed:
        return _mend(failed[0], submission)
    waiting = [e.name for e in report.exercises if e.status is Status.NOT_STARTED]
    checked = {e.name for e in report.exercises}
    waiting += [
        e.name
        for chapter in submission.chapters
        for e in chapter.exercises
        if e.name not in checked
    ]
    if waiting:
        return [f"Next: write {waiting[0]} in a cell, run it, then: attnpack.check()"]
    return []


def _mend(exercise: ExerciseReport, submission: Submission) -> list[str]:
    from attnpack.commands.check import places_of

    bugs = exercise.failing.bugs if exercise.failing else ()
    placed = next(((bug.file, bug.line) for bug in bugs if bug.file and bug.line), None)
    file, line = placed or (exercise.file, exercise.line)
    place = places_of(submission).words(file, line) if file and line else exercise.name
    steps = [f"Next: mend {place}, run it again, then: attnpack.check({exercise.name})"]
    if bugs and bugs[0].id in submission.pack.bugs():
        steps.append(f"More about it: !attnpack explain {bugs[0].id}")
    return steps


def _shown(view: View) -> Checked:
    from attnpack.report import fragment, terminal

    text = terminal.as_text(terminal.Page(view), width=WIDTH)
    return Checked(text, fragment.of_report(view), view.report)


def _told(text: str) -> Checked:
    from attnpack.report import fragment
    from attnpack.report.prose import wrapped

    return Checked(wrapped(text), fragment.of_words(text))
