"""numpy: arrays as they are. Lists of lists count as results; nothing has a gradient."""

from __future__ import annotations

import math
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.guest.backends import (
    Array,
    Built,
    Called,
    Filled,
    GuestBackend,
    Lowered,
    Scalar,
    Snapshot,
    snapshot_of,
)
from attnpack.guest.protocol import ITEM_SIZES, MAX_NDIM, MAX_REPLY_BODY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PYTHON_SCALARS = (bool, int, float)


def create() -> GuestBackend:
    """A fresh backend for one task."""
    return _NumpyBackend()


class _NumpyBackend:
    """See `GuestBackend`."""

    def lift(self, value: Array | Scalar, precision: str, _wants_grad: bool, /) -> Any:
        if type(value) is not np.ndarray:
            return value
        if value.dtype.kind == "f":
            return value.astype(precision)
        return value.copy()

    def precision(self, _built: Built, asked: str, /) -> str:
        return asked

    def like(self, value: Any, array: Array, /) -> Any:
        return like(value, array)

    def overwrite(self, value: Any, array: Array, /) -> Any:
        return overwrite(value, like(value, array))

    def lower(self, value: Any, /) -> Lowered:
        return lower(value)

    def snapshot(self, value: Any, /) -> Snapshot:
        # What `lift` made is a plain array, and no subclass that could answer for itself.
        return snapshot_of(value if type(value) is np.ndarray else lower(value).array)

    def attached(self, _value: Any, /) -> bool:
        return True

    def gradients(
        self,
        _results: Sequence[Any],
        _cotangents: Sequence[Array | None],
        inputs: Mapping[str, Any],
        _built: Built | None,
        /,
    ) -> dict[str, Array | None]:
        return dict.fromkeys(inputs)

    def matrix(self, built: Built, name: str, /) -> Array | None:
        return lower(built.held(name)).array

    def fill(self, built: Built, name: str, numbers: Array, /) -> Filled:
        held = built.held(name)
        if held is None:
            return Filled.ABSENT
        is_table = type(held) is np.ndarray or lower(held).array is not None
        if not is_table or np.shape(held) != numbers.shape:
            return Filled.REFUSED
        if _write(held, numbers) and self._holds(built, name, numbers):
            return Filled.IN_PLACE
        try:
            setattr(built.made, name, numbers.tolist() if type(held) is list else numbers.copy())
        except AttributeError:
            return Filled.REFUSED
        return Filled.ASSIGNED if self._holds(built, name, numbers) else Filled.REFUSED

    def _holds(self, built: Built, name: str, numbers: Array) -> bool:
        kept = built.held(name)
        if type(kept) is np.ndarray and kept.dtype == numbers.dtype:
            return np.array_equal(kept, numbers)
        held = lower(kept).array
        if held is None or held.dtype.kind != "f" or held.dtype.itemsize < 4:
            return False
        return np.array_equal(held, numbers.astype(held.dtype))

    def identity(self, built: Built, name: str, /) -> int | None:
        held, again = built.held(name), built.held(name)
        return None if held is None or held is not again else id(held)

    def facts(self, _built: Built, /) -> dict[str, Any]:
        return {}

    def prepare(self, _built: Built, _mode: str, /) -> None:
        """numpy objects know no modes."""

    @contextmanager
    def watch(self, _called: list[Called], /) -> Iterator[None]:
        """numpy has no ready-made attention."""
        yield


def _write(held: Any, numbers: Array) -> bool:
    """Whether the numbers could be written into what the object holds."""
    try:
        if type(held) is list:
            for row, numbers_of_row in zip(held, numbers, strict=True):
                row[:] = numbers_of_row.tolist()
        else:
            held[...] = numbers
    except (TypeError, ValueError):
        return False
    return True


def lower(value: Any) -> Lowered:
    """Arrays, scalars and nested lists as an array of a dtype that travels."""
    if value is None:
        return Lowered(None, "none", "none")
    if type(value) in _PYTHON_SCALARS:
        return Lowered(_scalar(value), type(value).__name__, "scalar")
    if isinstance(value, np.generic):
        return Lowered(travelling(np.asarray(value)), _name(value.dtype), "scalar")
    if isinstance(value, np.ndarray):
        # The base class's own view: a subclass cannot answer for itself.
        plain = np.ndarray.view(value, np.ndarray)
        kind = "array" if type(value) is np.ndarray else type(value).__name__
        return Lowered(travelling(plain), _name(plain.dtype), kind)
    if isinstance(value, (list, tuple)):
        return Lowered(_nested(value), type(value).__name__, type(value).__name__)
    return Lowered(None, "object", type(value).__name__)


def like(value: Any, array: Array) -> Any:
    """Python's numbers and lists for theirs, else an array; of the value's dtype where it fits."""
    if type(value) in (int, bool, float, list, tuple) or array.ndim == 0:
        return _python_like(value, array)
    dtype = getattr(value, "dtype", array.dtype)
    fits = dtype.kind == array.dtype.kind or (array.dtype.kind == "b" and dtype.kind in "iuf")
    made = np.array(array, dtype=dtype if fits else None)
    return made[()] if isinstance(value, np.generic) else made


def _python_like(value: Any, array: Array) -> Any:
    numbers = array.tolist()
    if type(value) is tuple and type(numbers) is list:
        return tuple(numbers)
    return numbers


def overwrite(value: Any, made: Any) -> Any:
    """A value with the numbers of another one of its kind written into it, where it can be."""
    if type(value) is list and type(made) is list:
        value[:] = made
    elif type(value) is np.ndarray and np.shape(made) == value.shape and value.flags.writeable:
        value[...] = made
    else:
        return made
    return value


def travelling(array: Array) -> Array | None:
    """A copy in a dtype the protocol carries; None where there is none, or it is too large."""
    dtype = _travelling_dtype(array.dtype)
    if dtype is None or array.nbytes > MAX_REPLY_BODY or array.ndim > MAX_NDIM:
        return None
    return np.array(array, dtype=dtype, order="C")


@cache
def _travelling_dtype(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    if dtype.kind == "f" and dtype.itemsize > 8:
        return np.dtype(np.float64)
    dtype = dtype.newbyteorder("<")
    return dtype if dtype.str in ITEM_SIZES else None


@cache
def _name(dtype: np.dtype[Any]) -> str:
    return str(dtype)


def _scalar(value: float) -> Array | None:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return np.asarray(math.inf if value > 0 else -math.inf)
    return np.asarray(value)


def _nested(value: list[Any] | tuple[Any, ...]) -> Array | None:
    try:
        return travelling(np.array(value))
    except (TypeError, ValueError, OverflowError):
        return None
