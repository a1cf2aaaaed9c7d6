"""Bugs behind a branch: a model gives every wrong answer, and elsewhere the code is right.

A condition on the inputs must tell the two apart: "only for four axes", "only from the second
call". Of stacked samples, a bug may also be in the first alone, or in all but the first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .matching import NO_STYLE, Explanation
from .models import Model, Pipeline, State, disjoint
from .observed import Ended, Observation, ObservedProbe, Results, residual

if TYPE_CHECKING:
    from collections.abc import Iterator

FEWEST = 2
"""wrong calls that a restricted model must give"""
LEAST = 4
"""finite numbers in one of them: NaN alone proves nothing"""


@dataclass(frozen=True)
class Condition:
    """A property of one call's inputs, or of its place among the calls on one object."""

    label: str
    holds: Callable[[State, int], bool]


Splice: TypeAlias = Callable[[Results, Results], Results]
"""the model's results and the right ones to what comes of both"""


@dataclass(frozen=True)
class Restricted:
    """A model that gives every wrong answer, and the condition under which it does."""

    explanation: Explanation
    condition: str


@dataclass(frozen=True)
class _Call:
    state: State
    place: int
    answer: Observation
    right: Results


def restricted(
    pipeline: Pipeline,
    observed: Sequence[ObservedProbe],
    styles: Sequence[Model],
    models: Sequence[Model],
    conditions: Sequence[Condition],
) -> list[Restricted]:
    """Every model that some condition makes fit, the simplest first."""
    with np.errstate(all="ignore"):
        calls = [
            call for call in _calls(pipeline, observed) if call.answer.ended is not Ended.UNKNOWN
        ]
        wrong = sorted((c for c in calls if c.answer.wrong), key=lambda call: call.answer.size)
        if len(wrong) < FEWEST or not any(_tells(call.answer) for call in wrong):
            return []
        fine = [call for call in calls if not call.answer.wrong]
        found = []
        for model in sorted((m for m in models if not m.stateful), key=lambda m: m.rank):
            found += _restrict(pipeline, model, styles, wrong, fine, conditions)
    return found


def _calls(pipeline: Pipeline, observed: Sequence[ObservedProbe]) -> Iterator[_Call]:
    for probe in observed:
        for place, (state, answer) in enumerate(zip(probe.states, probe.answers, strict=True)):
            yield _Call(state, place, answer, _results(pipeline, state, ()))


def _tells(answer: Observation) -> bool:
    finite = [np.isfinite(array) for array in answer.arrays]
    return sum(int(one.sum()) for one in finite) >= LEAST


def _results(pipeline: Pipeline, state: State, models: tuple[Model, ...]) -> Results:
    try:
        results: Results = pipeline.run({**state, "kept": {}}, models)["results"]
    except Exception:  # noqa: BLE001  a model that cannot run on an input says "raises"
        return None
    return results


def _restrict(
    pipeline: Pipeline,
    model: Model,
    styles: Sequence[Model],
    wrong: Sequence[_Call],
    fine: Sequence[_Call],
    conditions: Sequence[Condition],
) -> list[Restricted]:
    fitting = [s for s in styles if pipeline.has(s) and disjoint(s, model)] or [NO_STYLE]
    for style in fitting:
        modelled = _Modelled(pipeline, (model, style))
        for label, splice in _SPLICES:
            if not all(modelled.gives(call, splice) for call in wrong):
                continue
            elsewhere = [call for call in fine if not modelled.gives(call, splice)]
            condition = label if not elsewhere else _telling(conditions, wrong, elsewhere)
            if condition:
                return [Restricted(Explanation((model,), style, 0.0), condition)]
    return []


class _Modelled:
    """What a model in one style gives for each call, worked out once."""

    def __init__(self, pipeline: Pipeline, models: tuple[Model, ...]) -> None:
        self._pipeline = pipeline
        self._models = models
        self._results: dict[int, Results] = {}

    def gives(self, call: _Call, splice: Splice) -> bool:
        """Whether the spliced results are what came."""
        if id(call) not in self._results:
            self._results[id(call)] = _results(self._pipeline, call.state, self._models)
        return residual(splice(self._results[id(call)], call.right), call.answer) is not None


def _telling(conditions: Sequence[Condition], wrong: Sequence[_Call], fine: Sequence[_Call]) -> str:
    """The first condition that holds for all wrong calls and for none of the others."""
    for condition in conditions:
        if all(condition.holds(call.state, call.place) for call in wrong) and not any(
            condition.holds(call.state, call.place) for call in fine
        ):
            return condition.label
    return ""


def _whole(model: Results, right: Results) -> Results:
    del right
    return model


def _first_sample(model: Results, right: Results) -> Results:
    return _spliced(right, model)


def _other_samples(model: Results, right: Results) -> Results:
    return _spliced(model, right)


def _spliced(others: Results, first: Results) -> Results:
    """Sample 0 of one, the other samples of the other; nothing is said of what has no samples."""
    if others is None or first is None or len(others) != len(first):
        return None
    pairs = list(zip(others, first, strict=True))
    if any(o.shape != f.shape or o.ndim < 3 for o, f in pairs):
        return others
    return tuple(np.concatenate([f[:1], o[1:]]) for o, f in pairs)


_SPLICES: tuple[tuple[str, Splice], ...] = (
    ("", _whole),
    ("for the first sample alone", _first_sample),
    ("for every sample but the first", _other_samples),
)
