"""Every model of the catalogue, and pairs of them, acted out and diagnosed.

A bug must be diagnosed as itself, or as one that its card declares equal. Two bugs that the
probes of an exercise cannot tell apart, and that are not declared equal, are a fault of the
probes. A pair must be diagnosed as a pair where no single bug gives its numbers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from attnpack.diagnosis.models import Model, disjoint
from attnpack.terms import Backend, Match, Stage, Status

from .bugs import catalogue
from .diagnosing import diagnose
from .enacting import enact, examples
from .exercises import EXERCISES
from .judging import judge, plan
from .steps.right import PIPELINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.pack.kinds import Plan, Suspect

SEED = 7291


@dataclass
class Tally:
    """What came of acting out the models of one backend."""

    faults: list[str] = field(default_factory=list)
    singles: int = 0
    pairs: int = 0
    pairs_named: int = 0
    """as exactly the two that were acted out"""
    unseen: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """bug -> exercises in which no probe shows any of its models"""


def rehearse(backend: Backend, pairs: int | None) -> Iterator[tuple[str, Tally]]:
    """One exercise after another; `pairs` of each are drawn, all of them for None."""
    for exercise in EXERCISES:
        tally = Tally()
        asked = plan(exercise.name, backend, np.random.default_rng(SEED))
        models = list(_models(asked))
        _singles(asked, models, tally)
        _pairs(asked, models, pairs, tally)
        yield exercise.name, tally


def declared_equal(first: str, second: str) -> bool:
    """Whether one card names the other, or both name the same third."""
    one, other = _family(first), _family(second)
    return bool(one & other)


def _family(bug: str) -> set[str]:
    card = catalogue()[bug].card
    return {bug, *card.equals}


def _models(asked: Plan) -> Iterator[Model]:
    foreign = {other.value for other in Backend} - {asked.backend.value}
    for bug in catalogue().values():
        for entry in bug.models:
            for model in examples(entry):
                if PIPELINES[asked.exercise].has(model) and not model.tags & foreign:
                    yield replace(model, bug=bug.id)


def _suspects(asked: Plan, models: Sequence[Model]) -> Sequence[Suspect] | None:
    """The diagnosis of a learner made of models; None where every stage passes."""
    transcript = enact(asked, models)
    verdicts = judge(asked, transcript).verdicts
    first = next((v for v in verdicts if v.status is not Status.PASSED), None)
    if first is None or first.stage is Stage.GRADIENTS:
        return None
    return diagnose(asked, transcript, first)


def _singles(asked: Plan, models: Sequence[Model], tally: Tally) -> None:
    for model in models:
        suspects = _suspects(asked, (model,))
        if suspects is None:
            tally.unseen[model.bug].add(asked.exercise)
            continue
        tally.singles += 1
        wrong = [s.id for s in suspects if s.match is Match.EXACT and not s.together]
        foreign = [bug for bug in wrong if not declared_equal(model.bug, bug)]
        if not wrong:
            came = ", ".join(suspect.id for suspect in suspects)
            tally.faults.append(f"{_named(model)} is diagnosed as {came}")
        elif foreign:
            tally.faults.append(f"{_named(model)} collides with {', '.join(foreign)}")


def _named(model: Model) -> str:
    return f"{model.bug} ({model.label})" if model.label else model.bug


def _pairs(asked: Plan, models: Sequence[Model], count: int | None, tally: Tally) -> None:
    for first, second in _drawn(models, count):
        suspects = _suspects(asked, (first, second))
        if suspects is None or not suspects[0].together:
            if suspects is not None and suspects[0].match is not Match.EXACT:
                came = ", ".join(suspect.id for suspect in suspects)
                tally.faults.append(f"{_named(first)} with {_named(second)} is diagnosed as {came}")
            continue
        tally.pairs += 1
        tally.pairs_named += {s.id for s in suspects} == {first.bug, second.bug}


def _drawn(models: Sequence[Model], count: int | None) -> list[tuple[Model, Model]]:
    paired = [model for model in models if model.paired]
    every = [
        (first, second)
        for first, second in combinations(paired, 2)
        if first.bug != second.bug and disjoint(first, second)
    ]
    if count is None or count >= len(every):
        return every
    chosen = np.random.default_rng(SEED).choice(len(every), count, replace=False)
    return [every[index] for index in sorted(chosen)]
