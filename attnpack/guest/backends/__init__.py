"""The seam between learner code of one backend and the plain arrays of the protocol.

A backend lifts arrays into what the learner's code expects, lowers what it returns, fills and
reads the matrices of a built object, and runs the backward pass where there is one. All
arrays on this side of the seam are numpy; a backend's values are opaque to the rest.
"""

from __future__ import annotations

import importlib
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager

Array: TypeAlias = NDArray[Any]
Scalar: TypeAlias = np.generic | int | float | bool | None
Argument: TypeAlias = "NDArray[Any] | Scalar | dict[str, Argument] | list[Argument]"


class Built(NamedTuple):
    """An object of the learner's class, with what it is to keep (`calls.Build`)."""

    made: Any
    parameters: Mapping[str, Sequence[int]] = {}
    """attribute -> shape, as used in `x @ W`"""
    biases: Mapping[str, str] = {}
    """attribute -> the parameter whose layer may have it as its `bias`"""

    @property
    def names(self) -> tuple[str, ...]:
        """Of all that it keeps or may keep."""
        return (*self.parameters, *self.biases)

    def held(self, name: str) -> Any:
        """What stands behind an attribute; None where there is none."""
        return getattr(self.made, name, None)


class Lowered(NamedTuple):
    """A value as the protocol carries it: `calls.Result` in the making."""

    array: Array | None
    """None where no array can be made of it (an object, a ragged list, a string)"""
    dtype: str
    """as the learner's value had it: "float64", "bfloat16", "list", "object", "none" """
    kind: str
    """"array", "tensor", "list", "scalar", "none", or the type's name"""


Snapshot: TypeAlias = tuple[str, tuple[int, ...], bytes]
"""dtype, shape and bytes; empty where a value has none"""


def snapshot_of(array: Array | None) -> Snapshot:
    """The snapshot of what a backend lowers an argument to."""
    return ("", (), b"") if array is None else (array.dtype.str, array.shape, array.tobytes())


class Filled(StrEnum):
    """How numbers came into a matrix."""

    IN_PLACE = "in_place"
    ASSIGNED = "assigned"
    """the object was given a new matrix under that name: the old one did not keep the numbers"""
    ABSENT = "absent"
    REFUSED = "refused"
    """another size, read-only, or reading back gives other numbers still"""


class Part(StrEnum):
    """What a call into the library is, as far as the checks want to know of it."""

    ATTENTION = "attention"
    SOFTMAX = "softmax"
    """fine elsewhere, noted in the exercise that is to write it"""
    LAYER_NORM = "layer_norm"
    """the same"""
    SOFTMAX_WITHOUT_DIM = "softmax_without_dim"
    """the axis is left to the library"""
    DROPOUT = "dropout"
    """dropout that acted"""
    DROPOUT_ON_MASKED = "dropout_on_masked"
    """dropout that acted on scores which a mask had closed"""
    RANDOM = "random"
    """fresh random numbers"""
    DETACHED = "detached"
    """a table of numbers taken out of the autograd graph"""
    IN_PLACE = "in_place"
    """a change in place of what the graph has made; named after what had made it"""


class Called(NamedTuple):
    """A part of the library that learner code called, and the line where it did."""

    name: str
    """dotted: "torch.nn.functional.scaled_dot_product_attention" """
    file: str
    line: int
    part: Part
    shape: tuple[int, ...] = ()
    """of random numbers"""


class GuestBackend(Protocol):
    """What the guest asks of a backend. One instance serves one task."""

    def lift(self, value: Array | Scalar, precision: str, wants_grad: bool, /) -> Any:
        """A fresh argument. Float arrays become `precision`; other dtypes and scalars stay.

        `wants_grad`: a float array becomes a leaf whose gradient can be asked for afterwards.
        """
        ...

    def precision(self, built: Built, asked: str, /) -> str:
        """What float inputs of a built object are lifted to: its own dtype, where it has one."""
        ...

    def like(self, value: Any, array: Array, /) -> Any:
        """The numbers of an array as a value of the same kind as another one."""
        ...

    def overwrite(self, value: Any, array: Array, /) -> Any:
        """The same value with other numbers written into it; a new one where it cannot be."""
        ...

    def lower(self, value: Any, /) -> Lowered:
        """The value as an array (a copy). Runs no code of the value's own class: exact types only.

        Subclasses of the backend's array are lowered through the base class's own methods.
        """
        ...

    def snapshot(self, value: Any, /) -> Snapshot:
        """What a lifted argument is at this moment: equal as long as nobody changes it."""
        ...

    def attached(self, value: Any, /) -> bool:
        """Whether a gradient can flow back from this value (always True in numpy)."""
        ...

    def gradients(
        self,
        results: Sequence[Any],
        cotangents: Sequence[Array | None],
        inputs: Mapping[str, Any],
        built: Built | None,
        /,
    ) -> dict[str, Array | None]:
        """d sum(cotangent * result) for every lifted input, and for the matrices of `built`.

        Keys as in `calls.Answer.gradients`; matrices in the orientation `x @ W`. None where no
        gradient arrived. Raises what the backward pass raises.
        """
        ...

    def matrix(self, built: Built, name: str, /) -> Array | None:
        """`W_q` ... as `x @ W_q` uses it, or `b_q` ...; None where there is none."""
        ...

    def fill(self, built: Built, name: str, numbers: Array, /) -> Filled:
        """Put numbers into a matrix or bias in place, by assignment where that does not hold."""
        ...

    def identity(self, built: Built, name: str, /) -> int | None:
        """Equal for two names where one object serves both; None where there is none."""
        ...

    def facts(self, built: Built, /) -> dict[str, Any]:
        """Plain facts about a built object, beyond those every backend has (see docs/protocol.md).

        torch: `module` (bool) and, of a module, `parameters` (those of its parameters that
        `parameters()` gives), `buffers` and `plain_tensors` (masks kept as plain attributes).
        """
        ...

    def prepare(self, built: Built, mode: str, /) -> None:
        """`eval()` or `train()` where the object knows them."""
        ...

    def watch(self, called: list[Called], /) -> AbstractContextManager[None]:
        """While open, append each part of the library that learner code calls."""
        ...


def is_additive_mask(array: Array) -> bool:
    """Whether floats are 0 and -1e9 or lower only, at least one of them lower: no input is."""
    closed = array <= -1e9
    return bool(closed.any() and (closed | (array == 0.0)).all())


def get(name: str) -> GuestBackend:
    """A fresh backend: "numpy", "torch" or "value". Imports its library at the first use.

    Each `backends/NAME.py` has `create() -> GuestBackend`.
    """
    module = importlib.import_module(f"{__name__}.{name}")
    return cast("GuestBackend", module.create())
