"""`attnpack selftest --security`: the attack corpus, through the real judge, on this machine.

An attack is held where it earned no mark, harmed no right submission judged after it, changed
no file, left no file and no process, and reached no door. What an attack got it would print.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.checking import own_faults
from attnpack.grade import corpus as attacks
from attnpack.grade.archive import UnreadableError
from attnpack.grade.discover import discover
from attnpack.grade.intake import take_in
from attnpack.grade.jobs import InfrastructureFaultError, Settings
from attnpack.grade.loading import load
from attnpack.grade.witness import Witness
from attnpack.grade.worker import open_judge
from attnpack.grade.worker_limits import Memory
from attnpack.host import isolation
from attnpack.terms import Backend, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from attnpack.grade.corpus import Attack, Targets
    from attnpack.grade.intake import Intake
    from attnpack.grade.judging import Judge
    from attnpack.host.isolation import Isolation
    from attnpack.report.model import Report

HELD, NOT_HELD = 0, 1
WIDTH = 80
BACKEND = Backend.NUMPY
DEADLINE_S = 0.25
"""CPU seconds for one call: a loop need not be waited for as long as in a grading"""
ATTEMPTS = 2
_SEED, _SHORT_SEED = 20_260_101, 20_260_102


@dataclass(frozen=True)
class Verdict:
    """How one attack ended."""

    attack: str
    tries: str
    complaints: tuple[str, ...]
    """what it got or broke; empty where it was held"""

    @property
    def held(self) -> bool:
        """It got nothing."""
        return not self.complaints


def main(
    write: Callable[[str], None] = print,
    factory: str = "attnpack.grade.judge:open_judge",
) -> int:
    """Run the corpus and say how each attack ended; the exit code."""
    found = isolation.probe()
    for line in _tier_lines(found):
        write(line)
    if found.tier is isolation.Tier.PROCESS:
        write("")
        write(isolation.what_to_change(isolation.Tier.CONTAINED, found))
        return NOT_HELD
    write("")
    settings = Settings(factory, isolation.Tier.CONTAINED.value, DEADLINE_S)
    count = failed = 0
    for verdict in run(attacks.corpus(), lambda: open_judge(settings)):
        count += 1
        failed += not verdict.held
        for line in _verdict_lines(verdict):
            write(line)
    write("")
    write(f"{count} attacks: {count - failed} held, {failed} not held.")
    return NOT_HELD if failed else HELD


def run(corpus: Iterable[Attack], make_judge: Callable[[], Judge]) -> Iterator[Verdict]:
    """Judge each attack, and a right submission after it.

    Raises InfrastructureFaultError where the right submission does not pass before any attack.
    """
    judge = make_judge()
    try:
        with Witness() as seen:
            neighbour = _right_submission(seen.submissions)
            if problem := _not_full_marks(judge, neighbour):
                raise InfrastructureFaultError(f"the reference is not judged right: {problem}")
            before = seen.look()
            memory = Memory()
            for number, attack in enumerate(corpus):
                intake = _hand_in(seen.submissions / f"{number}", attack, seen.targets)
                complaints = [
                    *_marks(judge, intake, seen.targets.owned),
                    *(f"the next submission: {p}" for p in _not_full_marks(judge, neighbour)),
                    *seen.complaints(before),
                    *memory.complaints(),
                ]
                yield Verdict(attack.name, attack.tries, tuple(complaints))
    finally:
        judge.close()


def _hand_in(folder: Path, attack: Attack, targets: Targets) -> Intake:
    folder.mkdir()
    (folder / attack.file).write_bytes(attack.content(targets))
    (hand_in,) = discover(folder)
    return take_in(hand_in, BACKEND)


def _right_submission(place: Path) -> Intake:
    folder = place / "cohort" / "right"
    folder.mkdir(parents=True)
    pack = packs.load()
    for exercise in pack.chapters[0].exercises:
        text = pack.reference_path(BACKEND, exercise.file).read_text("utf-8")
        (folder / exercise.file).write_text(text, "utf-8")
    (hand_in,) = discover(folder.parent)
    return take_in(hand_in, BACKEND)


def _marks(judge: Judge, intake: Intake, owned: str) -> list[str]:
    """Complaints about what an attack's report says."""
    try:
        report = _judge(judge, intake)
    except UnreadableError:
        return []
    except InfrastructureFaultError as fault:
        return [f"looks like a fault of the machine: {fault}"]
    earned = [e.name for e in report.exercises if e.status is Status.PASSED]
    found = [f"earned {', '.join(earned)}"] if earned else []
    said = (check.message for exercise in report.exercises for check in exercise.checks)
    found += [f"attnpack failed: {m}" for m in said if m.startswith(own_faults.BEGINNING)]
    printed = "\n".join(exercise.output for exercise in report.exercises)
    lines = dict.fromkeys(line for line in printed.splitlines() if owned in line)
    return found + [f"printed: {line[:200]!r}" for line in lines]


def _not_full_marks(judge: Judge, right: Intake) -> list[str]:
    """What a right submission lost."""
    try:
        report = _judge(judge, right)
    except InfrastructureFaultError as fault:
        return [f"was not judged: {fault}"]
    return [f"lost {e.name}" for e in report.exercises if e.status is not Status.PASSED]


def _judge(judge: Judge, intake: Intake) -> Report:
    """Raises UnreadableError, for what is refused before it is judged.

    Raises InfrastructureFaultError as in a grading: after a second try, so that a busy machine
    is not taken for a weak one, and for whatever a submission makes go wrong in the judge.
    """
    if intake.problem:
        raise UnreadableError(intake.problem)
    submission = load(intake.files)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return judge.check(submission, BACKEND, _SEED, None, _SHORT_SEED)
        except InfrastructureFaultError:
            if attempt == ATTEMPTS:
                raise
        except Exception as error:
            raise InfrastructureFaultError(f"{type(error).__name__}: {error}") from error
    raise AssertionError


def _tier_lines(found: Isolation) -> Iterator[str]:
    yield f"Isolation on this machine: {found.tier}"
    if found.inforce:
        yield f"  namespaces  {' '.join(found.inforce['namespaces']) or 'none'}"
        yield f"  files       {'a view of its own' if found.inforce['view'] else 'the machine'}"
        yield f"  Landlock    {found.inforce['landlock'] or 'none'}"
        yield f"  seccomp     {'in force' if found.inforce['seccomp'] else 'none'}"
    for denial in found.denials:
        yield f"  {'denied ' if denial.denied else 'ALLOWED'}     {denial.name}"


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    word = "held" if verdict.held else "NOT HELD"
    line = f"{word:9}{verdict.attack:22}{verdict.tries}"
    yield from textwrap.wrap(line, WIDTH, subsequent_indent=" " * 31)
    for complaint in verdict.complaints:
        yield f"{'':9}{complaint}"
