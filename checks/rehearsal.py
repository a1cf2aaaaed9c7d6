"""Every model of the catalogue, and pairs of them, acted out and diagnosed.

A bug must be diagnosed as itself, or as one that its card declares equal. Two bugs that the
probes of an exercise cannot tell apart, and that are not declared equal, are a fault of the
probes. A pair must be diagnosed as a pair where no single bug gives its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np

from attnpack.diagnosis.matching import Effort
from attnpack.diagnosis.models import Model, disjoint
from attnpack.diagnosis.observed import Ended
from attnpack.pack.kinds import Rehearsal, Thoroughness
from attnpack.terms import Backend, Match, Status

from . import stages
from .bugs import catalogue
from .diagnosing import diagnose
from .enacting import enact, examples
from .exercises import exercise as exercise_of
from .explaining import written_in
from .judging import judge, plan
from .observing import observe
from .probe import with_answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.calls import Transcript
    from attnpack.pack.kinds import Plan, Suspect

    from .exercise import Exercise

SEED = 7291
SAMPLED_PAIRS = 30


def rehearse(
    exercise: str, backend: Backend, thoroughness: Thoroughness, bug: str | None = None
) -> Rehearsal:
    """Act out the models of one exercise, alone and in pairs; or all of one bug's, alone."""
    asked = plan(exercise, backend, np.random.default_rng(SEED))
    models = [model for model in models_of(asked) if bug in (None, model.bug)]
    everything = thoroughness is Thoroughness.EXHAUSTIVE
    stage = _Stage(asked)
    for model in models:
        if everything or bug is not None or model.rank == 0:
            stage.single(model)
    if bug is not None:
        return Rehearsal(stage.singles, 0, 0, tuple(stage.faults))
    pairs = list(_pairs(list(models_of(asked, most=1))))
    for first, second in pairs if everything else _sample(pairs):
        stage.pair(first, second)
    return Rehearsal(stage.singles, stage.pairs, stage.pairs_named, tuple(stage.faults))


def collisions(exercise: str, backend: Backend) -> list[str]:
    """Every single model that is not diagnosed as itself, or as one declared equal."""
    asked = plan(exercise, backend, np.random.default_rng(SEED))
    stage = _Stage(asked)
    for model in models_of(asked):
        stage.single(model)
    return stage.faults


def declared_equal(first: str, second: str, exercise: Exercise) -> bool:
    """Whether one names the other as its equal in an exercise, or both name the same third."""
    return bool(_equals(first, exercise) & _equals(second, exercise))


def _equals(bug: str, exercise: Exercise) -> set[str]:
    return {bug, *catalogue()[bug].equals_in(exercise)}


def models_of(asked: Plan, most: int | None = None) -> Iterator[Model]:
    """Every model, with at most so many numbers tried where it takes one."""
    pipeline = exercise_of(asked.exercise).pipeline
    for bug in catalogue().values():
        for entry in bug.models:
            for model in islice(examples(entry), most):
                named = replace(model, bug=bug.id)
                if pipeline.has(named) and written_in(asked.backend, named):
                    yield named


def _pairs(models: Sequence[Model]) -> Iterator[tuple[Model, Model]]:
    for first, second in combinations([model for model in models if model.paired], 2):
        if first.bug != second.bug and disjoint(first, second):
            yield first, second


def _sample(pairs: Sequence[tuple[Model, Model]]) -> list[tuple[Model, Model]]:
    count = min(SAMPLED_PAIRS, len(pairs))
    chosen = np.random.default_rng(SEED).choice(len(pairs), count, replace=False) if count else ()
    return [pairs[index] for index in sorted(chosen)]


@dataclass
class _Stage:
    """Where models are acted out before the probes of one exercise, and what was wrong."""

    asked: Plan
    faults: list[str] = field(default_factory=list)
    singles: int = 0
    pairs: int = 0
    pairs_named: int = 0

    def single(self, model: Model) -> None:
        """It must be found, and nothing beside it that is not declared equal."""
        suspects = self._suspects(model)
        if suspects is None:
            return
        self.singles += 1
        alone = [s for s in suspects if s.match is Match.EXACT and (model.also or not s.together)]
        exact = [s.id for s in alone if s.id != model.also]
        exercise = exercise_of(self.asked.exercise)
        foreign = [bug for bug in exact if not declared_equal(model.bug, bug, exercise)]
        if not exact:
            self.faults.append(f"{_named(model)} is diagnosed as {_ids(suspects)}")
        elif foreign:
            self.faults.append(f"{_named(model)} collides with {', '.join(foreign)}")

    def pair(self, first: Model, second: Model) -> None:
        """A pair must be found unless a single model gives the same numbers.

        Of a rare way of writing a bug the half that shows is enough: the search leaves out
        rare ones that undo another bug.
        """
        suspects = self._suspects(first, second)
        if suspects is None:
            return
        if suspects[0].together:
            self.pairs += 1
            self.pairs_named += {s.id for s in suspects} == {first.bug, second.bug}
        elif suspects[0].match is not Match.EXACT and not _half_named(suspects, first, second):
            both = f"{_named(first)} with {_named(second)}"
            self.faults.append(f"{both} is diagnosed as {_ids(suspects)}")

    def _suspects(self, *models: Model) -> Sequence[Suspect] | None:
        """The diagnosis of a learner made of models.

        None where every stage passes, and where no wrong call gives numbers: an exception is
        named by the line that raised, and models have no lines.
        """
        transcript = enact(self.asked, models)
        if not _numbers_are_wrong(self.asked, transcript):
            return None
        verdicts = judge(self.asked, transcript).verdicts
        first = next((v for v in verdicts if v.status is not Status.PASSED), None)
        if first is None or first.stage == stages.GRADIENTS:
            return None
        return diagnose(self.asked, transcript, first, effort=Effort.EXHAUSTIVE)


def _numbers_are_wrong(plan: Plan, transcript: Transcript) -> bool:
    observed = observe([with_answers(probe, transcript.answers) for probe in plan.probes])
    calls = [call for probe in observed for call in probe.answers]
    return any(call.wrong and call.ended is Ended.NUMBERS for call in calls)


def _half_named(suspects: Sequence[Suspect], first: Model, second: Model) -> bool:
    return first.rank + second.rank > 0 and suspects[0].id in (first.bug, second.bug)


def _named(model: Model) -> str:
    return f"{model.bug} ({model.label})" if model.label else model.bug


def _ids(suspects: Sequence[Suspect]) -> str:
    return ", ".join(suspect.id for suspect in suspects)
