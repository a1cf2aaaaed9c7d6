"""The model that gives the learner's numbers nearly everywhere, where none does everywhere.

A bug has more ways of writing than a catalogue has models: they part in calls of odd shapes,
where one raises and another broadcasts. What agrees on nearly all calls is likely, not exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .matching import Screen
from .models import Model, Pipeline, State, disjoint
from .observed import Ended, Observation, ObservedProbe, Results, residual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

FIRST = 4
"""wrong calls on which a model is tried first"""
OF_WRONG = 0.7
"""the least share of the wrong numbers that a likely model gives"""
OF_ALL = 0.85
"""and of all calls"""


@dataclass(frozen=True)
class Near:
    """A model and the share of calls on which it agrees with the learner."""

    model: Model
    style: Model
    share: float


@dataclass(frozen=True)
class _Call:
    state: State
    answer: Observation


def nearest(
    pipeline: Pipeline,
    observed: Sequence[ObservedProbe],
    styles: Sequence[Model],
    is_styled: Callable[[State], bool],
    models: Iterable[Model],
) -> list[Near]:
    """Models that agree nearly everywhere, the nearest and then the simplest first."""
    all_calls = [
        _Call(state, answer)
        for probe in observed
        for state, answer in zip(probe.states, probe.answers, strict=True)
        if answer.ended is not Ended.UNKNOWN
    ]
    with np.errstate(all="ignore"):
        calls = [call for call in all_calls if _well_formed(pipeline, call)]
        wrong = _wrong_calls(calls)
        if len(wrong) < 2:
            calls, wrong = all_calls, _wrong_calls(all_calls)
        if len(wrong) < 2:
            return []
        step = max(1, len(wrong) // FIRST)
        first = [
            Screen(pipeline, call.state, call.answer, styled=is_styled(call.state))
            for call in wrong[::step][:FIRST]
        ]
        first.sort(key=lambda screen: screen.styled)
        tried = (_near(pipeline, calls, wrong, first, styles, m) for m in models if not m.stateful)
        found = [near for near in tried if near is not None]
    return sorted(found, key=lambda near: (-near.share, near.model.rank))


def _wrong_calls(calls: Sequence[_Call]) -> list[_Call]:
    """Those with wrong numbers, the smallest first."""
    found = [call for call in calls if call.answer.wrong and call.answer.ended is Ended.NUMBERS]
    return sorted(found, key=lambda call: call.answer.size)


def _well_formed(pipeline: Pipeline, call: _Call) -> bool:
    """It gave numbers, in the right shape: how bugs of one kind part elsewhere says little."""
    right = pipeline.run(call.state, ())["results"]
    shapes = [array.shape for array in right]
    return call.answer.ended is Ended.NUMBERS and shapes == [a.shape for a in call.answer.arrays]


def _near(
    pipeline: Pipeline,
    calls: Sequence[_Call],
    wrong: Sequence[_Call],
    first: Sequence[Screen],
    styles: Sequence[Model],
    model: Model,
) -> Near | None:
    fitting = [s for s in styles if pipeline.has(s) and disjoint(s, model)] or [Model("", {})]
    best = Near(model, model, 0.0)
    for style in _promising(fitting, first, model):
        told = sum(_same(pipeline, call, model, style) for call in wrong)
        if told < OF_WRONG * len(wrong):
            continue
        share = sum(_same(pipeline, call, model, style) for call in calls) / len(calls)
        if share > best.share:
            best = Near(model, style, share)
    return best if best.share >= OF_ALL else None


def _promising(styles: Sequence[Model], first: Sequence[Screen], model: Model) -> Iterator[Model]:
    """The styles in which the model agrees on more than half of the first calls."""
    for style in styles:
        differing = 0
        for screen in first:
            if not screen.accepts(screen.results((model, style))):
                differing += 1
            if 2 * differing >= len(first):
                if not screen.styled:
                    return  # so it is in every style
                break
        else:
            yield style


def _same(pipeline: Pipeline, call: _Call, model: Model, style: Model) -> bool:
    results: Results
    try:
        results = pipeline.run({**call.state, "kept": {}}, (model, style))["results"]
    except Exception:  # noqa: BLE001  a model that cannot run on an input says "raises"
        results = None
    return residual(results, call.answer) is not None
