"""Bug models acted out and diagnosed: is each told as itself, and two of them as the two?"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from attnpack.authoring.diagnosing import diagnose, models
from attnpack.authoring.judging import judge, plan
from attnpack.calls import Answer, Frame, Outcome, Raised, Result, Transcript
from attnpack.diagnosis.matching import Effort
from attnpack.diagnosis.models import disjoint
from attnpack.pack.kinds import Rehearsal, Thoroughness
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.authoring.exercise import Exercise
    from attnpack.authoring.probes import Probe
    from attnpack.diagnosis.models import Model
    from attnpack.pack.kinds import Plan, Suspect
    from attnpack.pack.texts import Bug
    from attnpack.terms import Backend

SEED = 7291
SAMPLED_PAIRS = 30


def rehearse(
    exercise: Exercise,
    bugs: Mapping[str, Bug],
    backend: Backend,
    thoroughness: Thoroughness,
    only: str | None = None,
) -> Rehearsal:
    """Act out every model of one exercise, and pairs of them: all, or the first few.

    With `only`, those of one bug.
    """
    every = list(models(exercise, bugs))
    known = [model for model in every if only in (None, model.bug)]
    pairs = [
        (first, second)
        for first, second in combinations([model for model in every if model.paired], 2)
        if _are_two_bugs(first, second) and only in (None, first.bug, second.bug)
    ]
    if thoroughness is Thoroughness.SAMPLE:
        pairs = pairs[:SAMPLED_PAIRS]
    asked = plan(exercise, backend, np.random.default_rng(SEED))
    faults, named = [], 0
    for model in known:
        faults += _single_faults(model, _suspects(exercise, bugs, asked, (model,)), bugs)
    for first, second in pairs:
        suspects = _suspects(exercise, bugs, asked, (first, second))
        named += {suspect.id for suspect in suspects} == {first.bug, second.bug}
        faults += _pair_faults(first, second, suspects)
    return Rehearsal(len(known), len(pairs), named, tuple(faults))


def enact(asked: Plan, acting: Sequence[Model]) -> Transcript:
    """Every question of a plan, answered by the right steps with the models in them."""
    with np.errstate(all="ignore"):
        answers = {probe.key: _answer(probe, acting) for probe in asked.probes}
    return Transcript(Answer("loaded", Outcome.RETURNED), answers)


def _answer(probe: Probe, acting: Sequence[Model]) -> Answer:
    try:
        results = probe.exercise.pipeline.run(dict(probe.inputs), acting)["results"]
    except Exception as error:  # noqa: BLE001  what the arrays do not allow raises in a learner
        where = Frame("learner.py", 1, probe.exercise.name, "...")
        raised = Raised(type(error).__name__, str(error), (where,))
        return Answer(probe.key, Outcome.RAISED, raised=raised)
    arrays = [np.asarray(array) for array in results]
    kept = tuple(Result(array, array.dtype.name, "array") for array in arrays)
    return Answer(probe.key, Outcome.RETURNED, "one" if len(kept) == 1 else "tuple", kept)


def _are_two_bugs(first: Model, second: Model) -> bool:
    return first.bug != second.bug and disjoint(first, second)


def _suspects(
    exercise: Exercise, bugs: Mapping[str, Bug], asked: Plan, acting: Sequence[Model]
) -> Sequence[Suspect]:
    """The diagnosis of a learner made of models; none where every stage passes."""
    transcript = enact(asked, acting)
    verdicts = judge(exercise, asked, transcript).verdicts
    failing = next((v for v in verdicts if v.status is not Status.PASSED), None)
    if failing is None:
        return ()
    return diagnose(exercise, bugs, asked, transcript, failing, Effort.EXHAUSTIVE)


def _single_faults(model: Model, suspects: Sequence[Suspect], bugs: Mapping[str, Bug]) -> list[str]:
    name = f"{model.bug} ({model.label})" if model.label else model.bug
    if not suspects:
        return [f"{name} passes every stage: no probe shows it"]
    exact = [s.id for s in suspects if s.match is Match.EXACT and not s.together]
    if model.bug not in exact:
        return [f"{name} is diagnosed as {', '.join(s.id for s in suspects)}"]
    equals = {model.bug, *bugs[model.bug].equals}
    foreign = [other for other in exact if not equals & {other, *bugs[other].equals}]
    return [f"{name} collides with {', '.join(foreign)}"] if foreign else []


def _pair_faults(first: Model, second: Model, suspects: Sequence[Suspect]) -> list[str]:
    """Two bugs that undo each other, or look like one, are no fault; that neither is named is."""
    if not suspects or any(suspect.match is Match.EXACT for suspect in suspects):
        return []
    named = ", ".join(suspect.id for suspect in suspects)
    return [f"{first.bug} with {second.bug} is diagnosed as {named}"]
