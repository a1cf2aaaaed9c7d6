"""What the model of a bug says about where to look: its steps, and what only it makes."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.diagnosis.places.search import Before
from attnpack.diagnosis.places.waypoints import alike, layouts_of

from .steps.right import nothing
from .waypoints import waypoints_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from attnpack.diagnosis.models import Model
    from attnpack.diagnosis.places.search import Replacement
    from attnpack.diagnosis.places.waypoints import Waypoint

    from .probe import Probe
    from .tracing import Chosen


def concerned(model: Model | None, probe: Probe) -> Callable[[Waypoint], bool]:
    """Whether a right value belongs to a step that the model replaces, or to one beside it."""
    if model is None:
        return any_of
    steps = probe.exercise.pipeline.steps
    places = [probe.exercise.pipeline.positions[name] for name in model.replaces]
    real = [place for place, (_, step) in enumerate(steps) if step is not nothing]
    first = max((place for place in real if place < min(places)), default=0)
    last = min((place for place in real if place > max(places)), default=max(places))
    return lambda waypoint: waypoint.position < 0 or first <= waypoint.position <= last


def any_of(_: Waypoint) -> bool:
    """Every one."""
    return True


def innocence(
    chosen: Chosen, model: Model | None, new: Sequence[Waypoint]
) -> Callable[[Replacement], bool]:
    """Whether nothing is wrong with the value of a site, though another would mend.

    A right value is what a step was left out of, unless the model makes something new: then what
    goes into the step is right, and what is made on the way in it may be missing.
    """
    positions = chosen.probe.exercise.pipeline.positions
    own = {positions[name] for name in model.replaces} if model is not None else set()

    def innocent(each: Replacement) -> bool:
        if each.before is not Before.RIGHT or not new:
            return each.before is Before.ALIKE
        place = float(each.waypoint.position)
        return place.is_integer() or ceil(place) not in own

    return innocent


def _wrong_alone(chosen: Chosen, others: Sequence[Model], model: Model) -> set[int]:
    """The steps that a model replaces, but for those that alone would change nothing."""
    pipeline = chosen.probe.exercise.pipeline
    right = _results(chosen, others)
    found = set()
    for name, step in model.replaces.items():
        alone = _results(chosen, (*others, replace(model, replaces={name: step})))
        if alone is None or right is None or not all(map(_same, right, alone)):
            found.add(pipeline.positions[name])
    return found


def _results(chosen: Chosen, models: Sequence[Model]) -> Sequence[NDArray[Any]] | None:
    """What a call gives with some models; None where they cannot run on it."""
    state = {"mask": None, **chosen.probe.calls[chosen.index]}
    with np.errstate(all="ignore"):
        try:
            made: Sequence[NDArray[Any]] = chosen.probe.exercise.pipeline.run(state, models)[
                "results"
            ]
        except (ValueError, TypeError, KeyError, IndexError):
            return None
    return made


def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    return one.shape == other.shape and np.allclose(one, other, equal_nan=True)


def newly_made(
    chosen: Chosen, model: Model | None, others: Sequence[Model], right: Sequence[Waypoint]
) -> list[Waypoint]:
    """What the bug's own steps make that no right run has."""
    if model is None:
        return []
    known = [laid for each in right for laid in layouts_of(each.array)]
    own = {chosen.probe.exercise.pipeline.positions[name] for name in model.replaces}
    try:
        new = [
            one
            for one in waypoints_of(chosen.probe, chosen.index, (*others, model))
            if one.array.size > 1
            and not bool((one.array == one.array.flat[0]).all())
            and round(one.position) in own
            and not any(alike(one.array, array, one.allowed) for array in known)
        ]
    except (ValueError, TypeError, KeyError, IndexError):
        return []  # a model that cannot run on the call
    wrong = _wrong_alone(chosen, others, model)
    return [one for one in new if round(one.position) in wrong] or new
