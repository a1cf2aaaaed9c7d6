"""Gradients of code that cuts the graph on some of its paths.

The oracle once more, with edges that may be cut: behind a cut edge stands the number of the
unperturbed run, so central differences do not see it. Which edges are cut is found by trying.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from .agreement import gradient_tolerance
from .gradients import answered_gradients, central_differences, expected_gradients
from .steps.right import join_heads, projected, split_heads, swap, visible
from .traits import Trait

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .draft import Inputs
    from .exercise import Exercise
    from .probe import Answered, Probe
    from .steps.recorded import Array

Cuts = frozenset[str]
MOST = 2
"""edges that are cut at once"""

_SOFTMAX = ("scores", "maximum", "exponentials", "sum")
_ATTEND = ("Q", "K", "V", *_SOFTMAX, "weights of V", "attended", "weights")
_PROJECT = ("x of Q", "x of K", "x of V")


def _edges(exercise: Exercise) -> tuple[str, ...]:
    """Where a path may be cut; nothing of an exercise that has other paths."""
    if exercise.has(Trait.PROJECTS):
        return (*_PROJECT, *_ATTEND)
    if exercise.has(Trait.GIVEN_KEYS, Trait.GIVEN_VALUES):
        return _ATTEND
    if exercise.has(Trait.GIVEN_WEIGHTS):
        return ("weights", "V")
    if exercise.has(Trait.RETURNS_SCORES):
        return ("Q", "K")
    return _SOFTMAX if exercise.has(Trait.GIVEN_SCORES) else ()


class _Run:
    """One forward pass; what a cut edge holds comes from an earlier pass without cuts."""

    def __init__(self, cuts: Cuts, before: Mapping[str, Array]) -> None:
        self.cuts = cuts
        self.before = before
        self.held: dict[str, Array] = {}

    def through(self, edge: str, array: Array) -> Array:
        """The array, or where the edge is cut the number that stood there before."""
        self.held[edge] = array
        return self.before[edge] if edge in self.cuts else array

    def softmax(self, scores: Array) -> Array:
        """Weights (..., T_q, T_k)."""
        largest = self.through("maximum", scores.max(axis=-1, keepdims=True))  # (..., T_q, 1)
        shifted = self.through("scores", scores) - largest  # (..., T_q, T_k)
        exponentials = np.exp(shifted)  # (..., T_q, T_k)
        total = self.through("sum", exponentials.sum(axis=-1, keepdims=True))  # (..., T_q, 1)
        weights: Array = self.through("exponentials", exponentials) / total  # (..., T_q, T_k)
        return weights

    def attend(self, named: Mapping[str, Array], keep: Array | None) -> Mapping[str, Array]:
        """What is attended (..., T_q, d_v), and the weights (..., T_q, T_k)."""
        queries, keys, values = (self.through(name, named[name]) for name in "QKV")
        scores = queries @ swap(keys) / np.sqrt(queries.shape[-1])  # (..., T_q, T_k)
        masked = scores if keep is None else np.where(keep, scores, -np.inf)
        weights = self.softmax(masked)  # (..., T_q, T_k)
        attended = self.through("weights of V", weights) @ values  # (..., T_q, d_v)
        return {
            "attended": self.through("attended", attended),
            "weights": self.through("weights", weights),
        }

    def project(self, call: Inputs) -> Array:
        """The output (..., T, D) of a class."""
        named = {}
        for name in "QKV":
            x = self.through(f"x of {name}", call["x"])  # (..., T, D)
            named[name] = split_heads(projected(dict(call), name.lower(), x), call["num_heads"])
        length = call["x"].shape[-2]
        keep = np.tri(length, dtype=np.bool_) if call["causal"] else None
        joined = join_heads(self.attend(named, keep)["attended"])  # (..., T, D)
        output: Array = projected(dict(call), "o", joined)
        return output

    def results(self, exercise: Exercise, call: Inputs) -> Mapping[str, Array]:
        """By the names that the contract gives them."""
        if exercise.has(Trait.PROJECTS):
            return {"output": self.project(call)}
        if exercise.has(Trait.GIVEN_KEYS, Trait.GIVEN_VALUES):
            mask = call.get("mask")
            return self.attend(call, None if mask is None else visible(mask))
        if exercise.has(Trait.GIVEN_WEIGHTS):
            return {
                "attended": self.through("weights", call["weights"]) @ self.through("V", call["V"])
            }
        if exercise.has(Trait.RETURNS_SCORES):
            queries, keys = (self.through(name, call[name]) for name in "QK")
            return {"scores": queries @ swap(keys) / np.sqrt(queries.shape[-1])}
        return {"weights": self.softmax(call["scores"])}


def cut_edges(answered: Answered) -> Cuts | None:
    """The edges whose cut gives every gradient that came; None where no cut does."""
    probe, exercise = answered.probe, answered.probe.exercise
    right, given = expected_gradients(probe), answered_gradients(answered)
    edges = _edges(exercise)
    before = _Run(frozenset(), {})
    if edges:
        before.results(exercise, probe.calls[0])
    for cuts in _subsets(edges):
        if _gives(probe, _gradients(probe, cuts, before.held), right, given):
            return cuts
    return None


def _subsets(edges: Sequence[str]) -> Iterator[Cuts]:
    for count in range(1, MOST + 1):
        yield from map(frozenset, combinations(edges, count))


def _gradients(
    probe: Probe, cuts: Cuts, before: Mapping[str, Array]
) -> Iterator[tuple[str, Array]]:
    """Name by name, so that the first that differs ends the comparison."""

    def results(call: Inputs) -> Mapping[str, Array]:
        return _Run(cuts, before).results(probe.exercise, call)

    return central_differences(probe, results)


def _gives(
    probe: Probe,
    modelled: Iterator[tuple[str, Array]],
    right: Mapping[str, Array],
    given: Mapping[str, Array | None],
) -> bool:
    for name, wanted in modelled:
        array = given.get(name)
        array = np.zeros_like(wanted) if array is None else array
        allowed = gradient_tolerance(probe.exercise, probe.expected[0], right[name])
        if array.shape != wanted.shape or not np.abs(array - wanted).max() <= allowed:
            return False
    return True
