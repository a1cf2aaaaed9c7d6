"""The search: which model, or which pair of models, gives the learner's numbers on every probe.

Singles before pairs. Models are first screened on a few small calls, wrong and right ones;
what agrees there is verified on every call. A pair is only evaluated where both its models
show: where just one of them does, that one alone must already give the learner's numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from itertools import combinations, groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .models import Model, Pipeline, State, disjoint
from .observed import Array, Ended, Observation, ObservedProbe, Results, residual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

NO_STYLE = Model("", {}, "as the oracle does it")
AS_CLOSE = 1e-7
"""explanations within this residual are equally close: float64 rounding, no more"""
ENOUGH = 12
"""pairs that fit, after which no more are looked for"""
RUN_ALONE = 6
"""plain screens on which every model is run by itself before pairs are formed"""


@dataclass(frozen=True)
class Explanation:
    """Models that together give the learner's numbers everywhere. `style` is no bug."""

    models: tuple[Model, ...]
    style: Model
    residual: float

    @property
    def bugs(self) -> tuple[str, ...]:
        """The ids, in the order of the models."""
        return tuple(model.bug for model in self.models)

    @property
    def rank(self) -> int:
        """0 for the simplest."""
        return sum(model.rank for model in self.models)


class Effort(Enum):
    """How far a search goes."""

    SIMPLEST = auto()
    """where common ways of writing a bug explain everything to the last digit, no rarer ones"""
    EXHAUSTIVE = auto()


class Effect(Enum):
    """What one model does to one screening call."""

    NONE = auto()
    """the right answer"""
    LEARNERS = auto()
    """the learner's wrong answer"""
    OTHER = auto()


class Screen:
    """One small call with the right states before each step."""

    def __init__(
        self, pipeline: Pipeline, state: State, answer: Observation, *, styled: bool
    ) -> None:
        self.pipeline = pipeline
        self.answer = answer
        self.styled = styled
        self.states = pipeline.right_states(state)
        right: tuple[Array, ...] = self.states[-1]["results"]
        loosest = max(answer.allowed, default=1e-9)
        self._right = Observation(
            Ended.NUMBERS, right, (loosest,) * len(right), (None,) * len(right)
        )
        self._prefixes: dict[tuple[int, int], State | None] = {}

    def results(self, models: Sequence[Model]) -> Results:
        """What the models give, from the first step that one of them replaces."""
        first = self.pipeline.start(models)
        try:
            results: Results = self.pipeline.run(self.states[first], models, first)["results"]
        except Exception:  # noqa: BLE001  a model that cannot run on an input says "raises"
            return None
        return results

    def pair_results(self, first: Model, second: Model) -> Results:
        """The results of both models together; None where they cannot run on this probe.

        The steps before the second model's first are run once for all pairs of `first`.
        """
        stop = self.pipeline.start((second,))
        key = (id(first), stop)
        if key not in self._prefixes:
            self._prefixes[key] = self._prefix(first, stop)
        prefix = self._prefixes[key]
        if prefix is None:
            return None
        try:
            results: Results = self.pipeline.run(prefix, (first, second), stop)["results"]
        except Exception:  # noqa: BLE001  as above
            return None
        return results

    def _prefix(self, first: Model, stop: int) -> State | None:
        start = min(stop, self.pipeline.start((first,)))
        try:
            return self.pipeline.run(self.states[start], (first,), start, stop)
        except Exception:  # noqa: BLE001  as above
            return None

    def accepts(self, results: Results) -> bool:
        """Whether these results are the learner's, within the tolerance of the probe."""
        return residual(results, self.answer) is not None

    def effect(self, model: Model) -> Effect:
        """What the model does here, by itself."""
        results = self.results((model,))
        if self.answer.wrong and self.accepts(results):
            return Effect.LEARNERS
        return Effect.NONE if residual(results, self._right) is not None else Effect.OTHER


class Search:
    """One exercise's pipeline and what was observed of the learner's."""

    def __init__(
        self,
        pipeline: Pipeline,
        observed: Sequence[ObservedProbe],
        styles: Sequence[Model],
        is_styled: Callable[[State], bool],
    ) -> None:
        self.pipeline = pipeline
        self.observed = sorted(observed, key=lambda probe: (not probe.wrong, probe.size))
        self.styles = [style for style in styles if pipeline.has(style)]
        self.is_styled = is_styled
        with np.errstate(all="ignore"):
            self.screens = list(self._choose_screens())

    def singles(
        self, models: Iterable[Model], effort: Effort = Effort.EXHAUSTIVE
    ) -> list[Explanation]:
        """Every single model that explains everything, the closest and simplest first."""
        found: list[Explanation] = []
        with np.errstate(all="ignore"):
            for _, alike in groupby(sorted(models, key=_rank), key=_rank):
                for model in alike:
                    if model.stateful or self._screened((model,)):
                        found.extend(self._verified((model,)))
                exact = any(explanation.residual <= AS_CLOSE for explanation in found)
                if exact and effort is Effort.SIMPLEST:
                    break
        return _best(found)

    def pairs(self, models: Sequence[Model]) -> list[Explanation]:
        """Pairs that explain everything together, the closest and simplest first.

        Those are tried first in which each bug shows where the other does not; where none fits,
        a bug may only show because of the other, or undo it.
        """
        with np.errstate(all="ignore"):
            plain = [screen for screen in self.screens if not screen.styled][:RUN_ALONE]
            wrong = _bits(screen.answer.wrong for screen in plain)
            right = _bits(not screen.answer.wrong for screen in plain)
            effects = [(model, _effects(model, plain)) for model in models]
            quiet = [each for each in effects if each[1].right & right == right]
            common = [each for each in effects if each[0].rank == 0]
            for tried, possible in (
                (quiet, _independent),
                (quiet, _one_shows),
                (common, _any_two),
            ):
                found = self._fitting(self._candidates(tried, possible, wrong))
                if found:
                    return _best(found)
        return []

    def _fitting(self, pairs: Iterable[tuple[Model, Model]]) -> list[Explanation]:
        found: list[Explanation] = []
        for pair in pairs:
            if self._screened(pair):
                found.extend(self._verified(pair))
            if len(found) >= ENOUGH:
                break
        return found

    def _choose_screens(self) -> Iterator[Screen]:
        """The cheapest wrong and right call of each kind, those without styles first."""
        chosen: dict[tuple[bool, str, bool], tuple[int, State, Observation]] = {}
        for probe in self.observed:
            for state, answer in zip(probe.states, probe.answers, strict=True):
                if answer.ended is Ended.UNKNOWN:
                    continue
                kind = (self.is_styled(state), probe.kind, answer.wrong)
                size = answer.size + (10_000 if answer.ended is not Ended.NUMBERS else 0)
                if kind not in chosen or size < chosen[kind][0]:
                    chosen[kind] = (size, state, answer)
        order = sorted(chosen.items(), key=lambda item: (item[0][0], not item[0][2], item[1][0]))
        for (styled, _, _), (_, state, answer) in order:
            yield Screen(self.pipeline, state, answer, styled=styled)

    def _styles_for(self, models: Sequence[Model]) -> list[Model]:
        return [s for s in self.styles if all(disjoint(s, model) for model in models)] or [NO_STYLE]

    def _screened(self, models: tuple[Model, ...]) -> bool:
        for screen in self.screens:
            if not screen.styled:
                results = (
                    screen.results(models) if len(models) == 1 else screen.pair_results(*models)
                )
                if not screen.accepts(results):
                    return False
            elif not self._accepted_in_a_style(screen, models):
                return False
        return True

    def _accepted_in_a_style(self, screen: Screen, models: tuple[Model, ...]) -> bool:
        """Styles of the same kind part ways only where the first of them is not finite.

        Those with tags of their own are of another kind each.
        """
        tried: dict[object, Results] = {}
        for style in self._styles_for(models):
            kind = style.tags or style.paired
            before = tried.get(kind)
            if before is not None and all(np.isfinite(array).all() for array in before):
                continue
            results = screen.results((*models, style))
            if screen.accepts(results):
                return True
            tried.setdefault(kind, results)
        return False

    def _candidates(
        self,
        models: Sequence[tuple[Model, Effects]],
        possible: Callable[[Effects, Effects, int], bool],
        wrong: int,
    ) -> Iterator[tuple[Model, Model]]:
        """Pairs of different bugs on disjoint steps, in the order of the pipeline.

        Only those that the plain screens do not rule out by what each model shows alone.
        """
        ordered = sorted(models, key=lambda each: self.pipeline.start((each[0],)))
        for (first, alone), (second, beside) in combinations(ordered, 2):
            if (
                possible(alone, beside, wrong)
                and first.bug != second.bug
                and disjoint(first, second)
            ):
                yield first, second

    def _verified(self, models: tuple[Model, ...]) -> list[Explanation]:
        for style in self._styles_for(models):
            gap = self._residual((*models, style))
            if gap is not None:
                return [Explanation(models, style, gap)]
        return []

    def _residual(self, models: tuple[Model, ...]) -> float | None:
        """The largest residual over every call, or None at the first call that differs."""
        largest = 0.0
        for probe in self.observed:
            kept: State = {}
            for state, answer in zip(probe.states, probe.answers, strict=True):
                results = self._call({**state, "kept": kept}, models)
                if answer.ended is Ended.UNKNOWN:
                    continue
                gap = residual(results, answer)
                if gap is None:
                    return None
                largest = max(largest, gap)
        return largest

    def _call(self, state: State, models: tuple[Model, ...]) -> Results:
        try:
            results: Results = self.pipeline.run(state, models)["results"]
        except Exception:  # noqa: BLE001  a model that cannot run on an input says "raises"
            return None
        return results


def _rank(model: Model) -> int:
    return model.rank


class Effects(NamedTuple):
    """What a model does by itself to each plain screen: a bit for every screen."""

    right: int
    """where it gives the right answer"""
    learners: int
    """where it gives the learner's wrong answer"""


def _effects(model: Model, plain: Sequence[Screen]) -> Effects:
    found = [screen.effect(model) for screen in plain]
    right = _bits(effect is Effect.NONE for effect in found)
    return Effects(right, _bits(effect is Effect.LEARNERS for effect in found))


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def _independent(first: Effects, second: Effects, wrong: int) -> bool:
    """Whether the models explain every wrong answer if neither changes what the other does.

    A bug that changes nothing by itself on a call changes nothing there in company either; so
    the other one alone must already give the learner's answer.
    """
    missing = (second.right & ~first.learners) | (first.right & ~second.learners)
    return not missing & wrong


def _one_shows(first: Effects, second: Effects, wrong: int) -> bool:
    """Whether on some wrong call at least one of the models changes something by itself.

    A bug that changes nothing by itself may still change what another has made.
    """
    return first.right & second.right & wrong != wrong


def _any_two(_first: Effects, _second: Effects, _wrong: int) -> bool:
    """Any pair: two bugs may also make up for each other, so that neither shows."""
    return True


def _best(found: Sequence[Explanation]) -> list[Explanation]:
    """Those as close as the closest, the simplest first."""
    closest = min((explanation.residual for explanation in found), default=0.0)
    cut = max(AS_CLOSE, 1e3 * closest)
    close = [explanation for explanation in found if explanation.residual <= cut]
    return sorted(close, key=lambda explanation: explanation.rank)
