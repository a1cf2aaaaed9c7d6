"""The search: which model, or which pair of models, gives the learner's numbers on every probe.

Singles before pairs, cheapest probe first. Every model is screened on one small failing
call; what agrees there is verified on all the others. Pairs share the steps before the
second bug: a prefix is evaluated once for each first bug.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .models import Model, Pipeline, State, disjoint

Array: TypeAlias = NDArray[Any]


class Ended(Enum):
    """How one of the learner's calls ended, as far as a model can repeat it."""

    NUMBERS = auto()
    RAISED = auto()
    OVERFLOWED = auto()
    """raised by scalar arithmetic where arrays would hold NaN or infinity"""
    UNKNOWN = auto()
    """not reached, or not comparable: says nothing for or against a model"""


@dataclass(frozen=True)
class Came:
    """What the learner's code gave for one call, and how close a model must come."""

    ended: Ended
    arrays: tuple[Array, ...] = ()
    allowed: tuple[float, ...] = ()
    counted: tuple[Array | None, ...] = ()
    """which numbers count, broadcastable to each array; None for all"""
    wrong: bool = False
    """the oracle says otherwise"""

    @property
    def size(self) -> int:
        """How many numbers came."""
        return sum(array.size for array in self.arrays)


@dataclass(frozen=True)
class Observed:
    """One probe: the calls on one object, their inputs and what came of them."""

    key: str
    states: tuple[State, ...]
    came: tuple[Came, ...]

    @property
    def wrong(self) -> bool:
        """Some call of it is wrong."""
        return any(came.wrong for came in self.came)


@dataclass(frozen=True)
class Explanation:
    """Models that together give the learner's numbers everywhere. `style` is no bug."""

    models: tuple[Model, ...]
    style: Model

    @property
    def bugs(self) -> tuple[str, ...]:
        """The ids, in pipeline order."""
        return tuple(model.bug for model in self.models)


def agrees(model: Sequence[Array], came: Came) -> bool:
    """The model's results are the learner's: same shapes, every counted number close enough."""
    if len(model) != len(came.arrays):
        return False
    for result, array, allowed, counted in zip(
        model, came.arrays, came.allowed, came.counted, strict=True
    ):
        if result.shape != array.shape:
            return False
        if not _close(result, array, allowed, counted):
            return False
    return True


def _close(model: Array, came: Array, allowed: float, counted: Array | None) -> bool:
    gap = np.abs(model - came)
    close = gap <= allowed
    if counted is None and close.all():
        return True
    close |= (model == came) | (np.isnan(model) & np.isnan(came))
    if counted is not None:
        close |= ~counted
    return bool(close.all())


class Search:
    """One exercise's pipeline and what was observed of the learner's."""

    def __init__(
        self,
        pipeline: Pipeline,
        observed: Sequence[Observed],
        styles: Sequence[Model],
        styled_steps: frozenset[str],
    ) -> None:
        self.pipeline = pipeline
        self.observed = sorted(observed, key=lambda one: (not one.wrong, _cost(one)))
        self.styles = [style for style in styles if pipeline.has(style)]
        self.styled_steps = styled_steps
        """models that replace one of these are screened in every style"""

    def singles(self, models: Iterable[Model]) -> list[Explanation]:
        """Every single model that explains everything, the simplest first."""
        found = []
        screen = self._screen()
        with np.errstate(all="ignore"):
            for model in models:
                explanation = self._single(model, screen)
                if explanation is not None:
                    found.append(explanation)
        return sorted(found, key=lambda explanation: explanation.models[0].rank)

    def _single(self, model: Model, screen: tuple[Observed, int] | None) -> Explanation | None:
        if not any(self._screened((model,), s, screen) for s in self._styles_to_screen((model,))):
            return None
        for style in self._styles_for((model,)):
            if self._verified((model,), style):
                return Explanation((model,), style)
        return None

    def pairs(self, models: Sequence[Model], limit: int = 4) -> list[Explanation]:
        """Pairs that explain everything together, the simplest first; at most `limit`."""
        found: list[Explanation] = []
        with np.errstate(all="ignore"):
            for first, second in self._screened_pairs(models):
                for style in self._styles_for((first, second)):
                    if self._verified((first, second), style):
                        found.append(Explanation((first, second), style))
                        break
                if len(found) >= limit:
                    break
        return sorted(found, key=lambda e: sum(model.rank for model in e.models))

    def _styles_for(self, models: Sequence[Model]) -> list[Model]:
        return [s for s in self.styles if all(disjoint(s, model) for model in models)] or [NO_STYLE]

    def _styles_to_screen(self, models: Sequence[Model]) -> list[Model]:
        styles = self._styles_for(models)
        styled = any(model.replaces.keys() & self.styled_steps for model in models)
        return styles if styled else styles[:1]

    def _screen(self) -> tuple[Observed, int] | None:
        """The cheapest wrong call with numbers, or None where everything wrong raised."""
        candidates = [
            (came.size, index, one)
            for one in self.observed
            for index, came in enumerate(one.came)
            if came.wrong and came.ended is Ended.NUMBERS
        ]
        if not candidates:
            return None
        _, index, one = min(candidates, key=lambda c: c[0])
        return one, index

    def _screened(
        self, models: Sequence[Model], style: Model, screen: tuple[Observed, int] | None
    ) -> bool:
        if screen is None or any(model.stateful for model in models):
            return True
        one, index = screen
        results = self._results([one.states[index]], (*models, style))
        return results is not None and agrees(results[0], one.came[index])

    def _results(
        self, states: Sequence[State], models: Sequence[Model], first: int = 0
    ) -> list[tuple[Array, ...]] | None:
        try:
            ended = self.pipeline.run(states, models, first)
        except Exception:  # noqa: BLE001  a model that cannot run on an input says "raises"
            return None
        return [state["results"] for state in ended]

    def _verified(self, models: Sequence[Model], style: Model) -> bool:
        return all(self._matches(one, (*models, style)) for one in self.observed)

    def _matches(self, one: Observed, models: Sequence[Model]) -> bool:
        if any(model.stateful for model in models):
            return self._matches_in_sequence(one, models)
        return all(
            came.ended is Ended.UNKNOWN or self._call_matches(state, came, models)
            for state, came in zip(one.states, one.came, strict=True)
        )

    def _call_matches(self, state: State, came: Came, models: Sequence[Model]) -> bool:
        results = self._results([state], models)
        return _outcome_matches(None if results is None else results[0], came)

    def _matches_in_sequence(self, one: Observed, models: Sequence[Model]) -> bool:
        """Call after call on one object: what a stateful model keeps lives through them."""
        kept: dict[str, Any] = {}
        for state, came in zip(one.states, one.came, strict=True):
            results = self._results([{**state, "kept": kept}], models)
            if came.ended is not Ended.UNKNOWN and not _outcome_matches(
                None if results is None else results[0], came
            ):
                return False
        return True

    def _screened_pairs(self, models: Sequence[Model]) -> Iterator[tuple[Model, Model]]:
        """Pairs of different bugs on disjoint steps that agree on the screening call."""
        screen = self._screen()
        spans = {id(model): self.pipeline.span(model) for model in models}
        ordered = sorted(models, key=lambda model: spans[id(model)][0])
        for position, first in enumerate(ordered):
            prefixes: dict[int, list[State] | None] = {}
            for second in ordered[position + 1 :]:
                if first.bug == second.bug or not disjoint(first, second):
                    continue
                start = spans[id(second)][0]
                if self._pair_screened(first, second, start, prefixes, screen):
                    yield first, second

    def _pair_screened(
        self,
        first: Model,
        second: Model,
        start: int,
        prefixes: dict[int, list[State] | None],
        screen: tuple[Observed, int] | None,
    ) -> bool:
        if screen is None or first.stateful or second.stateful:
            return True
        one, index = screen
        if start not in prefixes:
            prefixes[start] = self._prefix(one.states[index], first, start)
        prefix = prefixes[start]
        if prefix is None:
            return False
        for style in self._styles_to_screen((first, second)):
            results = self._results(prefix, (first, second, style), start)
            if results is not None and agrees(results[0], one.came[index]):
                return True
        return False

    def _prefix(self, state: State, first: Model, stop: int) -> list[State] | None:
        try:
            return self.pipeline.run([state], (first,), 0, stop)
        except Exception:  # noqa: BLE001  as in _results
            return None


NO_STYLE = Model("", {}, "as the oracle does it")


def _cost(one: Observed) -> int:
    return sum(came.size for came in one.came)


def _outcome_matches(results: Sequence[Array] | None, came: Came) -> bool:
    if came.ended is Ended.RAISED:
        return results is None
    if came.ended is Ended.OVERFLOWED:
        return results is None or any(not np.isfinite(array).all() for array in results)
    return results is not None and agrees(results, came)


Catalogue: TypeAlias = Mapping[str, Sequence[Model]]
