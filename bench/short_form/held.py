"""One text through the short form and, where it passes, through the whole plan."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Status
from bench.mutants.campaign import patience

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.pack.kinds import Plan


class Fate(StrEnum):
    """What became of one text."""

    CAUGHT = "caught"
    """it fails the short form, so that the whole plan is asked"""
    RIGHT = "right"
    """it passes both"""
    SLIPPED = "slipped"
    """it passes the short form and fails the plan: the form is too weak"""


@dataclass(frozen=True)
class Text:
    """A submission, and the exercise to look at."""

    kind: str
    name: str
    backend: Backend
    exercise: str
    entry: str
    sources: Mapping[str, str]


@dataclass
class Forms:
    """The plans of one seed, drawn once."""

    seed: int
    _plans: dict[tuple[str, str, Backend], Plan] = field(default_factory=dict)

    def fate(self, text: Text) -> Fate:
        """What becomes of a text. Runs its code in this process."""
        if not passes(self.short(text.exercise, text.backend), text):
            return Fate.CAUGHT
        right = passes(self.whole(text.exercise, text.backend), text)
        return Fate.RIGHT if right else Fate.SLIPPED

    def short(self, exercise: str, backend: Backend) -> Plan:
        """The short form alone, without the sample that grading asks besides."""
        return self._drawn("short", exercise, backend)

    def whole(self, exercise: str, backend: Backend) -> Plan:
        """The whole plan."""
        return self._drawn("whole", exercise, backend)

    def _drawn(self, which: str, exercise: str, backend: Backend) -> Plan:
        key = (which, exercise, backend)
        if key not in self._plans:
            known, rng = pack.load(), np.random.default_rng([self.seed, len(which)])
            draw = known.short_plan if which == "short" else known.plan
            self._plans[key] = draw(exercise, backend, rng)
        return self._plans[key]


def passes(plan: Plan, text: Text) -> bool:
    """Whether a text passes every stage of a plan."""
    task = Task(text.exercise, text.entry, text.sources, text.backend.value, plan.questions)
    with patience(), warnings.catch_warnings(), contextlib.suppress(TimeoutError):
        warnings.simplefilter("ignore")
        verdicts = pack.load().judge(plan, run_in_process(task)).verdicts
        return all(verdict.status is Status.PASSED for verdict in verdicts)
    return False
