"""One function to write, as one object: its texts, the right way, and what is asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attnpack.diagnosis.models import Pipeline, State, Step
from attnpack.pack import texts
from attnpack.pack.texts import Kind
from attnpack.terms import Backend, Stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

Inputs: TypeAlias = Mapping[str, Any]
"""the arguments of one call, by name"""
Ask: TypeAlias = Callable[["np.random.Generator"], Mapping[str, Inputs]]
"""fresh numbers in; calls out, each under a few words that tell it from the others"""
Property: TypeAlias = Callable[[Inputs, Sequence["Array"]], str]
"""what is wrong with the results of one call; empty where nothing is"""

SHAPES: Final = Stage("shapes", worth=0.0)
"""every call returns, and the results have the right shapes; worth nothing of its own"""
VALUES: Final = Stage("values")
"""every number is right, and no argument was changed"""


@dataclass(frozen=True, kw_only=True, eq=False)
class Exercise(texts.Exercise):
    """A function that the learner writes.

        Exercise(
            name="standardise",
            arguments=("x",),
            results=("standard",),
            steps=(("centre", centre), ("scale", scale)),
            ask=lambda rng: {"a table": {"x": rng.normal(size=(3, 5))}},
            ...
        )

    A step reads and writes the state, a dict that holds the arguments at first and the results
    at the end; it never changes an array in place. Steps have no bugs: they are the oracle.
    """

    kind: Kind = Kind.FUNCTION
    stages: tuple[Stage, ...] = field(init=False)
    backends: tuple[Backend, ...] = (Backend.NUMPY,)
    arguments: tuple[str, ...]
    """names, in the order in which they are handed over"""
    results: tuple[str, ...]
    """the names in the state of what is returned"""
    steps: tuple[tuple[str, Step], ...]
    ask: Ask
    """small calls: every one is paid for at each check. The first is what `trace` shows"""
    properties: Mapping[Stage, Property] = field(default_factory=dict)
    """stages of its own, between shapes and values: they name what values alone would not"""
    symbols: Mapping[int, str] = field(default_factory=dict)
    """size -> symbol in the first call, for `trace`"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "stages", (SHAPES, *self.properties, VALUES))

    @cached_property
    def pipeline(self) -> Pipeline:
        """The steps, with what is returned at the end."""

        def finish(state: State) -> None:
            state["results"] = tuple(state[name] for name in self.results)

        return Pipeline(self.name, (*self.steps, ("finish", finish)))
