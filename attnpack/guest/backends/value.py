"""Value: matrices are lists of lists of `attnpack.value.Value`; masks are of floats or bools."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
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
    is_additive_mask,
    snapshot_of,
)
from attnpack.guest.backends import numpy as plain
from attnpack.guest.backends.graphless import Number
from attnpack.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

GRAPHLESS = "graphless"
"""the `precision` of a forward pass whose numbers remember nothing"""

_number = Value.__dict__["data"].__get__
"""The slot itself: a subclass of Value cannot answer for it."""


def create() -> GuestBackend:
    """A fresh backend for one task."""
    return _ValueBackend()


class _ValueBackend:
    """See `GuestBackend`."""

    def __init__(self) -> None:
        self._sources: dict[int, Value] = {}
        """every Value that an input or a matrix is made of: what a gradient can flow back to"""

    def lift(self, value: Array | Scalar, precision: str, _wants_grad: bool, /) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray):
            return value
        if value.dtype.kind != "f" or is_additive_mask(value):
            return value.tolist()
        if precision == GRAPHLESS:
            return _nested(value.tolist(), Number)
        return self._known(_nested_values(value.tolist()))

    def precision(self, _built: Built, asked: str, /) -> str:
        return asked

    def like(self, value: Any, array: Array, /) -> Any:
        is_plain = isinstance(value, (int, float)) or array.dtype.kind != "f"
        if not is_plain and (value is None or any(isinstance(c, Value) for c in _cells(value))):
            return _nested_values(array.astype(np.float64).tolist())
        return plain.like(value, array)

    def overwrite(self, value: Any, array: Array, /) -> Any:
        return plain.overwrite(value, self.like(value, array))

    def lower(self, value: Any, /) -> Lowered:
        if isinstance(value, Value):
            return Lowered(plain.lower(_number(value)).array, "Value", "scalar")
        if isinstance(value, (list, tuple)):
            return plain.lower(_numbers(value))
        if isinstance(value, np.ndarray) and value.dtype == object:
            array = plain.lower(_numbers(value.tolist())).array
            return Lowered(array, "object", "array")
        return plain.lower(value)

    def snapshot(self, value: Any, /) -> Snapshot:
        return snapshot_of(self.lower(value).array)

    def attached(self, value: Any, /) -> bool:
        return any(id(ancestor) in self._sources for ancestor in _ancestors(_values(value)))

    def gradients(
        self,
        results: Sequence[Any],
        cotangents: Sequence[Array | None],
        inputs: Mapping[str, Any],
        built: Built | None,
        /,
    ) -> dict[str, Array | None]:
        held = {name: built.held(name) for name in built.parameters} if built else {}
        targets = {**inputs, **{name: rows for name, rows in held.items() if rows is not None}}
        objective = Value(0.0)
        for result, cotangent in zip(results, cotangents, strict=False):
            if cotangent is not None:
                objective = objective + self._weighted_sum(result, cotangent)
        objective.zero_grad()
        objective.backward()
        reached = {id(ancestor) for ancestor in _ancestors([objective])}
        return {name: _gradient(target, reached) for name, target in targets.items()}

    def _weighted_sum(self, result: Any, cotangent: Array) -> Value:
        """sum(cotangent * result) over one result; 0 where their shapes differ."""
        total = Value(0.0)
        lowered = self.lower(result).array
        if lowered is None or lowered.shape != cotangent.shape:
            return total
        for cell, weight in zip(_cells(result), cotangent.ravel().tolist(), strict=True):
            if isinstance(cell, Value):
                total = total + cell * weight
        return total

    def matrix(self, built: Built, name: str, /) -> Array | None:
        held = built.held(name)
        self._known(held)
        return self.lower(held).array

    def fill(self, built: Built, name: str, numbers: Array, /) -> Filled:
        held = built.held(name)
        if held is None:
            return Filled.ABSENT
        array = self.lower(held).array
        if array is None or array.shape != numbers.shape:
            return Filled.REFUSED
        for cell, number in zip(_cells(held), numbers.ravel().tolist(), strict=True):
            if isinstance(cell, Value):
                cell.data = number
        if self._holds(built, name, numbers):
            return Filled.IN_PLACE
        try:
            setattr(built.made, name, _nested_values(numbers.tolist()))
        except AttributeError:
            return Filled.REFUSED
        return Filled.ASSIGNED if self._holds(built, name, numbers) else Filled.REFUSED

    def _holds(self, built: Built, name: str, numbers: Array) -> bool:
        held = self.matrix(built, name)
        return held is not None and np.array_equal(held, numbers)

    def identity(self, built: Built, name: str, /) -> int | None:
        """By the first Value: two lists of the same Values are one matrix."""
        held, again = built.held(name), built.held(name)
        first, same = (next(iter(_values(rows)), None) for rows in (held, again))
        return None if first is None or first is not same else id(first)

    def facts(self, _built: Built, /) -> dict[str, Any]:
        return {}

    def prepare(self, _built: Built, _mode: str, /) -> None:
        """Lists know no modes."""

    def watch(self, _called: list[Called], /) -> AbstractContextManager[None]:
        return nullcontext()

    def _known(self, held: Any) -> Any:
        self._sources.update((id(value), value) for value in _values(held))
        return held


def _nested_values(rows: Any) -> Any:
    return _nested(rows, Value)


def _nested(rows: Any, number: type[Value]) -> Any:
    return [_nested(row, number) for row in rows] if isinstance(rows, list) else number(rows)


def _numbers(value: Any) -> Any:
    """Nested lists with plain numbers where Values were."""
    if isinstance(value, Value):
        return _number(value)
    if isinstance(value, (list, tuple)):
        rows = [_numbers(item) for item in value]
        return tuple(rows) if isinstance(value, tuple) else rows
    return value


def _cells(value: Any) -> Iterator[Any]:
    """Every entry of nested lists, in order."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _cells(item)
    else:
        yield value


def _values(value: Any) -> list[Value]:
    return [cell for cell in _cells(value) if isinstance(cell, Value)]


def _ancestors(values: Sequence[Value]) -> Iterator[Value]:
    """The values and all that they were made from, each once."""
    seen: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if id(value) not in seen:
            seen.add(id(value))
            yield value
            stack.extend(value.parents)


def _gradient(target: Any, reached: set[int]) -> Array | None:
    """The grads of a matrix of Values; None where no cell of it is part of the graph."""
    cells = _values(target)
    if not any(id(cell) in reached for cell in cells):
        return None
    shape = np.shape(_numbers(target))
    if len(cells) != np.prod(shape):
        return None
    grads = [cell.grad if id(cell) in reached else 0.0 for cell in cells]
    return np.array(grads, dtype=np.float64).reshape(shape)
