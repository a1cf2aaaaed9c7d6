"""Executable bug models: a pipeline of named steps, and models that replace some of them.

The machinery knows no attention. A step reads and writes a state, a plain dict of arrays by
name; a pipeline is the right way to do an exercise, step by step; a model replaces steps by
the buggy form. Steps never change an array in place, so states can share them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

State: TypeAlias = dict[str, Any]
Step: TypeAlias = Callable[[State], None]


@dataclass(frozen=True, eq=False)
class Model:
    """One way to write a bug: the steps it replaces. An empty `bug` is a right style of writing."""

    bug: str
    replaces: Mapping[str, Step]
    label: str = ""
    """what this variant does differently from the bug's others"""
    rank: int = 0
    """0 for the common way to write it, more for rarer ones: simpler explanations come first"""
    paired: bool = True
    """whether pairs with other bugs are tried with this variant"""
    needs: frozenset[str] = frozenset()
    """what an exercise must have, beside the steps, for the bug to be written in it"""
    stateful: bool = False
    """whether a step remembers something between the calls on one object (state["kept"])"""
    also: str = ""
    """a second bug that is written with this one at a time"""
    tags: frozenset[str] = frozenset()
    """free marks that the pack's search rules read, e.g. a backend"""


@dataclass(frozen=True)
class Pipeline:
    """The right way to do one exercise: steps in order."""

    exercise: str
    steps: tuple[tuple[str, Step], ...]
    traits: frozenset[str] = frozenset()
    """what models may need"""
    positions: Mapping[str, int] = field(init=False, hash=False, compare=False)

    def __post_init__(self) -> None:
        places = {name: index for index, (name, _) in enumerate(self.steps)}
        object.__setattr__(self, "positions", places)

    def has(self, model: Model) -> bool:
        """Whether the model can be written in this exercise."""
        return model.needs <= self.traits and all(name in self.positions for name in model.replaces)

    def start(self, models: Sequence[Model]) -> int:
        """The first step that any of the models replaces; the end where none replaces one."""
        places = (self.positions[name] for model in models for name in model.replaces)
        return min(places, default=len(self.steps))

    def run(
        self, state: State, models: Sequence[Model], first: int = 0, stop: int | None = None
    ) -> State:
        """Steps `first` to `stop` on a copy of the state. Raises whatever a step raises."""
        replaced: dict[str, Step] = {}
        for model in models:
            replaced.update(model.replaces)
        current = dict(state)
        for name, right in self.steps[first:stop]:
            replaced.get(name, right)(current)
        return current

    def right_states(self, state: State) -> list[State]:
        """The state before each step when all is right, and after the last."""
        states = [dict(state)]
        for _, step in self.steps:
            following = dict(states[-1])
            step(following)
            states.append(following)
        return states


def disjoint(first: Model, second: Model) -> bool:
    """Whether two models replace different steps."""
    return not first.replaces.keys() & second.replaces.keys()
