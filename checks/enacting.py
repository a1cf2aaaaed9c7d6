"""A learner made of models: the transcript that code with exactly these bugs would give."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.calls import Answer, Frame, Outcome, Raised, Result, Transcript
from attnpack.terms import Backend

from .bugs.ways import Fitted, Quantity
from .draft import Tag

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.diagnosis.models import Model, State
    from attnpack.pack.kinds import Plan

    from .probe import Probe
    from .steps.recorded import Array

EXAMPLES = {
    Quantity.DIVISOR: (8.0, 3.7),
    Quantity.LARGEST_SCORE: (10.0, 5.0),
    Quantity.LARGEST_EXPONENT: (10.0, 5.0),
    Quantity.DENOMINATOR: (1.0,),
    Quantity.TINY_FILL: (1e-9, -1e-9),
    Quantity.SMALL_FILL: (-10.0, -1e4),
    Quantity.TINY_CLOSED: (-1e-9,),
    Quantity.SMALL_CLOSED: (-10.0, -1e4),
    Quantity.POSITIVE_CLOSED: (1e9,),
    Quantity.HORIZON: (6.0, 16.0),
    Quantity.DECIMALS: (2.0,),
    Quantity.BASE: (2.0, 2.7),
}
"""numbers that learners write, for models that take one"""


def examples(entry: Model | Fitted) -> Iterator[Model]:
    """A catalogue entry as models that can be run."""
    if isinstance(entry, Fitted):
        yield from (entry.make(value) for value in EXAMPLES[entry.quantity])
    else:
        yield entry


def enact(plan: Plan, models: Sequence[Model]) -> Transcript:
    """Every question of a plan, answered by the right pipeline with the models in it."""
    answers: dict[str, Answer] = {}
    with np.errstate(all="ignore"):
        for probe in plan.probes:
            answers.update((answer.key, answer) for answer in _answers(probe, models, plan.backend))
    return Transcript(Answer("loaded", Outcome.RETURNED), answers)


def _answers(probe: Probe, models: Sequence[Model], backend: Backend) -> Iterator[Answer]:
    if Tag.REFUSED in probe.tags:
        refused = _raised(f"{probe.key}/build", ValueError("the heads do not divide the width"))
        yield replace(refused, facts={"refusal": True})
        return
    if probe.is_class:
        yield Answer(f"{probe.key}/build", Outcome.RETURNED, facts=_built(probe, backend))
    kept: State = {}
    for index, call in enumerate(probe.calls):
        state = {"mask": None, **call, "kept": kept}
        key = probe.call_key(index)
        try:
            results = probe.exercise.pipeline.run(state, models)["results"]
        except Exception as error:  # noqa: BLE001  what the arrays do not allow raises in a learner
            yield _raised(key, error)
        else:
            yield _returned(key, results)


def _built(probe: Probe, backend: Backend) -> dict[str, Any]:
    built = probe.exercise.built
    assert built is not None
    kept = built.parameters(probe.calls[0])
    facts: dict[str, Any] = {"matrices": {name: list(shape) for name, shape in kept.items()}}
    if backend is Backend.TORCH:
        facts |= {"biases": list(built.biases), "parameters": [*kept, *built.biases]}
    return facts


def _returned(key: str, results: Sequence[Array]) -> Answer:
    arrays = [np.asarray(array) for array in results]
    form = "one" if len(arrays) == 1 else "tuple"
    kept = tuple(Result(array, array.dtype.name, "array") for array in arrays)
    return Answer(key, Outcome.RETURNED, form, kept)


def _raised(key: str, error: Exception) -> Answer:
    line = Frame("learner.py", 1, "forward", "...")
    raised = Raised(type(error).__name__, str(error), (line,))
    return Answer(key, Outcome.RAISED, raised=raised)
