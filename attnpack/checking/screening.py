"""The short form first: which exercises of a submission are plainly right.

One guest answers few questions about all of them. Who passes has passed; of everyone else
nothing is said, and the whole plan is asked (attnpack/checking/runner.py).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from attnpack.calls import Task
from attnpack.guest.sources import file_name
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np

    from attnpack.calls import Transcript
    from attnpack.host.pool import GuestPool
    from attnpack.pack import Pack
    from attnpack.pack.kinds import Judgement, Plan
    from attnpack.submission import Submission
    from attnpack.terms import Backend

MOST_S = 1.0
"""CPU seconds; slower code is asked everything, with the deadlines that count"""


@dataclass(frozen=True)
class Passed:
    """An exercise that the short form shows to be right."""

    judgement: Judgement
    transcript: Transcript


class ShortForm:
    """The short form of every exercise for one seed, drawn once for many submissions."""

    def __init__(self, pack: Pack, seed: int) -> None:
        self.pack = pack
        self._seed = seed
        self._plans: dict[tuple[str, Backend], Plan] = {}
        self._pieces: dict[tuple[str, Backend], Sequence[Plan]] = {}

    def plan(self, name: str, backend: Backend) -> Plan:
        """The few probes of one exercise; the same object for every submission."""
        if (name, backend) not in self._plans:
            rng = _generator(self._seed, name)
            self._plans[name, backend] = self.pack.short_plan(name, backend, rng)
        return self._plans[name, backend]

    def piece(self, name: str, backend: Backend, own_seed: int) -> Sequence[Plan]:
        """A piece of the whole plan, which the submission's own seed chooses; or none."""
        if (name, backend) not in self._pieces:
            rng = _generator(self._seed, name)
            self._pieces[name, backend] = self.pack.pieces(name, backend, rng)
        pieces = self._pieces[name, backend]
        if not pieces:
            return ()
        return (pieces[int(_generator(own_seed, name).integers(len(pieces)))],)


def _generator(seed: int, name: str) -> np.random.Generator:
    import numpy as np

    return np.random.default_rng([seed, zlib.crc32(name.encode())])


@dataclass(frozen=True)
class Screening:
    """One submission that is asked the short form."""

    submission: Submission
    backend: Backend
    form: ShortForm
    seed: int
    """the submission's own; it chooses what of the whole plan is asked besides"""
    deadline_s: float
    """CPU seconds for one call, where everything is asked"""

    def passed(
        self, exercises: Sequence[str], guests: GuestPool, stand_ins: Mapping[str, str]
    ) -> dict[str, Passed]:
        """Those of the exercises that pass the short form, by name.

        `stand_ins` are the sources of references, by the names of exercises that failed before.
        Exercises that are missing from the result are not known to be wrong.
        """
        found: dict[str, Passed] = {}
        for group in self._groups(exercises):
            plans = {name: self._plans_of(name) for name in group}
            transcript = guests.run(self._task(plans, stand_ins))
            found.update(self._passed(plans, transcript))
        return found

    def _groups(self, exercises: Sequence[str]) -> Iterator[list[str]]:
        """Exercises in files of their own together, and those of each other file."""
        groups: dict[str, list[str]] = {}
        for name in exercises:
            file = self.submission.entries[name]
            groups.setdefault("" if file == file_name(name) else file, []).append(name)
        yield from groups.values()

    def _plans_of(self, name: str) -> Sequence[Plan]:
        """The short form of one exercise, and what is asked of it besides."""
        short = self.form.plan(name, self.backend)
        return (short, *self.form.piece(name, self.backend, self.seed))

    def _task(self, plans: Mapping[str, Sequence[Plan]], stand_ins: Mapping[str, str]) -> Task:
        first, *others = plans
        entries = self.submission.entries
        return Task(
            exercise=first,
            entry=entries[first],
            sources=self.submission.needed,
            backend=self.backend.value,
            questions=tuple(q for each in plans.values() for plan in each for q in plan.questions),
            stand_ins=stand_ins,
            homes=self.submission.entries if stand_ins else {},
            deadline_s=min(MOST_S, self.deadline_s),
            total_s=MOST_S,
            together=True,
            beside={name: entries[name] for name in others},
        )

    def _passed(
        self, plans: Mapping[str, Sequence[Plan]], transcript: Transcript
    ) -> Iterator[tuple[str, Passed]]:
        """What was printed is left out: others are asked with the same numbers."""
        for name, each in plans.items():
            try:
                judgement, *others = (self.form.pack.judge(plan, transcript) for plan in each)
            except Exception:  # noqa: BLE001, S112  the whole plan is asked, and tells
                continue
            verdicts = (v for judged in (judgement, *others) for v in judged.verdicts)
            if all(verdict.status is Status.PASSED for verdict in verdicts):
                yield name, Passed(judgement, replace(transcript, answers={}, output=""))
