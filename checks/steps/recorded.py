"""A right run of a pipeline with every array that it goes through, by its name in the field.

This is the oracle: float64, written apart from the reference solutions and held against them
and against torch by the tests. Every step broadcasts over leading axes, so that central
differences can perturb a whole stack of inputs at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from attnpack.guest.nested import mapped
from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from attnpack.diagnosis.models import Pipeline

    Array: TypeAlias = NDArray[Any]
    Named: TypeAlias = dict[str, Array]
else:
    np = LazyModule("numpy")

SPOKEN = {"masked": "masked scores"}
"""names in a state that go by another in the field"""
EARLIER = {"scores": "raw scores", **{name: f"projected {name}" for name in "QKV"}}
"""what an array is called once a later step has put another in its place"""
UNNAMED = frozenset({"keep", "shifted", "kept", "returned", "results"})
"""what a state holds beside the tensors that have a name of their own"""


def _double(value: Any) -> Any:
    is_float = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return value.astype(np.float64, copy=False) if is_float else value


def recorded(pipeline: Pipeline, call: Mapping[str, Any], arguments: Iterable[str]) -> Named:
    """Arguments that are arrays first, then what the steps make, in order; floats in float64."""
    kept = call.get("kept", {})
    state = {"mask": None, **mapped(call, _double), "kept": kept}
    named = {n: state[n] for n in arguments if hasattr(state[n], "ndim") and n != "mask"}
    made: set[str] = set()
    for _, step in pipeline.steps:
        before = dict(state)
        with np.errstate(all="ignore"):
            step(state)
        for name in [n for n in state if n not in UNNAMED and state[n] is not before.get(n)]:
            spoken = SPOKEN.get(name, name)
            if name in made and name in EARLIER:
                named[EARLIER[name]] = named.pop(spoken)
            made.add(name)
            named.pop(spoken, None)
            named[spoken] = state[name]
    return named
