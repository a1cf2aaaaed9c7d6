"""Values that a right run goes through, in their order, and how a site's evaluations take them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from attnpack.diagnosis.lines import CLOSED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Array: TypeAlias = NDArray[Any]


BLOCKS = "h"
"""the waypoint that counts the blocks of columns of a call"""


@dataclass(frozen=True, eq=False)
class Waypoint:
    """One value of a right run."""

    name: str
    array: Array
    position: float
    """after which step of the pipeline it is there, or on the way to it; two of one position were
    made side by side"""
    allowed: float = 0.0
    given: bool = True
    """whether it is tried in place of a wrong value; otherwise it is only known by sight"""
    form_of: str = ""
    """what it says in one of several ways, where any of them will do"""


class Layout(Enum):
    """How an array of a right run may lie in the learner's code and still be right."""

    AS_IS = auto()
    LAST_LEADING_SWAPPED = auto()
    """(B, h, T, d) as (B, T, h, d)"""
    FIRST_SWAPPED = auto()
    """(B, h, T, d) as (h, B, T, d); (B, T, D) as (T, B, D)"""
    HEADS_LAST = auto()
    """(B, h, T, d) as (B, T, d, h)"""


_LAID_OUT: Mapping[Layout, Callable[[Array], Array]] = {
    Layout.AS_IS: lambda array: array,
    Layout.LAST_LEADING_SWAPPED: lambda array: np.swapaxes(array, -3, -2),
    Layout.FIRST_SWAPPED: lambda array: np.swapaxes(array, 0, 1),
    Layout.HEADS_LAST: lambda array: np.moveaxis(array, -3, -1),
}


class Taken(Enum):
    """What one evaluation takes of an array."""

    WHOLE = auto()
    FOLDED = auto()
    """all of it, its leading axes made one"""
    SLICED = auto()
    """one part after another along its leading axes, as a loop does"""
    COLUMNS = auto()
    """one block of columns after another, as a loop over heads does"""


@dataclass(frozen=True)
class Rule:
    """How a site takes waypoints of a name, whatever the call."""

    names: tuple[str, ...]
    """several where a helper is evaluated once for each of them"""
    layout: Layout
    taken: Taken
    axes: int
    """of one evaluation's value"""

    def values(self, right: Mapping[str, Waypoint]) -> tuple[Array, ...]:
        """What the evaluations of one call get; nothing where the call has no such value."""
        if any(name not in right for name in self.names):
            return ()
        arrays = [self._laid_out(right[name].array) for name in self.names]
        blocks = int(right[BLOCKS].array) if BLOCKS in right else 1
        return tuple(value for array in arrays for value in self._taken(array, blocks))

    def _laid_out(self, array: Array) -> Array:
        return _LAID_OUT[self.layout](array) if array.ndim > 2 else array

    def _taken(self, array: Array, blocks: int) -> Sequence[Array]:
        if self.taken is Taken.SLICED and array.ndim > self.axes:
            return list(array.reshape(-1, *array.shape[array.ndim - self.axes :]))
        if self.taken is Taken.COLUMNS and array.ndim and array.shape[-1] % blocks == 0:
            return np.split(array, blocks, axis=-1)
        if self.taken is Taken.FOLDED and array.ndim >= self.axes:
            return [array.reshape(-1, *array.shape[array.ndim - self.axes + 1 :])]
        return [array]


def rules(
    values: Sequence[Array], right: Sequence[Waypoint], series: Sequence[tuple[str, ...]]
) -> Iterator[tuple[Rule, Waypoint]]:
    """The ways in which a site's evaluations could take right values of their own shape."""
    first = values[0]
    alike = all(value.shape == first.shape for value in values)
    for waypoint in right:
        if not _comparable(first, waypoint.array):
            continue
        for layout in _layouts(waypoint.array):
            array = _LAID_OUT[layout](waypoint.array)
            taken = _taken(first, len(values), array, alike=alike)
            if taken is not None:
                yield Rule((waypoint.name,), layout, taken, first.ndim), waypoint
    by_name = {waypoint.name: waypoint for waypoint in right}
    for names in series:
        if len(names) != len(values) or not alike or any(n not in by_name for n in names):
            continue
        for layout in _layouts(by_name[names[0]].array):
            array = _LAID_OUT[layout](by_name[names[0]].array)
            if array.shape == first.shape or _turned(first, array):
                yield Rule(names, layout, Taken.WHOLE, first.ndim), by_name[names[0]]


def _turned(value: Array, array: Array) -> bool:
    """Whether two shapes differ by the order of their axes, or by which axis is a summary's."""
    if value.ndim != array.ndim or value.ndim == 0 or value.shape == array.shape:
        return False
    summaries = 1 in value.shape and 1 in array.shape
    sides = zip(value.shape, array.shape, strict=True)
    unsummed = all(right in (1, own) for own, right in sides)
    return summaries or unsummed or sorted(value.shape) == sorted(array.shape)


def loose_rules(
    values: Sequence[Array], right: Sequence[Waypoint]
) -> Iterator[tuple[Rule, Waypoint]]:
    """The same for values of a wrong shape."""
    if len(values) > 1:
        return
    for waypoint in right:
        first, array = values[0], waypoint.array
        number = first.ndim == 0 and first.dtype.kind != "f"
        if not waypoint.given or number or array.ndim == 0 or first.shape == array.shape:
            continue
        for layout in _layouts(array):
            yield Rule((waypoint.name,), layout, Taken.WHOLE, first.ndim), waypoint


def _comparable(value: Array, right: Array) -> bool:
    """Numbers for numbers; whether something holds for whether something holds."""
    if value.ndim == 0 and right.ndim == 0:
        counts = value.dtype.kind in "iu" and not np.isfinite(right)
        return (value.dtype.kind == "b") == (right.dtype.kind == "b") and not counts
    return value.ndim > 0 or right.ndim > 0


def _layouts(array: Array) -> Sequence[Layout]:
    if array.ndim < 3:
        return (Layout.AS_IS,)
    if array.ndim == 3:
        return (Layout.AS_IS, Layout.FIRST_SWAPPED)
    return tuple(Layout)


def layouts_of(array: Array) -> Iterator[Array]:
    """An array in every layout that is still right."""
    yield from (_LAID_OUT[layout](array) for layout in _layouts(array))


def _taken(value: Array, count: int, array: Array, *, alike: bool) -> Taken | None:
    if count == 1:
        summary = value.ndim == 0 and value.dtype.kind == "f" and array.shape[-1:] == (1,)
        if value.shape == array.shape or summary or _turned(value, array):
            return Taken.WHOLE
        folds = 1 < value.ndim < array.ndim and array.size > 0
        if folds and value.shape == (-1, *array.shape[array.ndim - value.ndim + 1 :]):
            return Taken.FOLDED
        if folds and value.shape[1:] == array.shape[array.ndim - value.ndim + 1 :]:
            return Taken.FOLDED if value.size == array.size else None
        return None
    lead = array.shape[: array.ndim - value.ndim]
    sliced = alike and array.ndim > value.ndim and array.shape[len(lead) :] == value.shape
    if sliced and prod(lead) == count:
        return Taken.SLICED
    blocks = alike and 0 < value.ndim == array.ndim and value.shape[:-1] == array.shape[:-1]
    return Taken.COLUMNS if blocks and value.shape[-1] * count == array.shape[-1] else None


def alike(value: Array, right: Array, allowed: float) -> bool:
    """Whether two arrays of one shape hold the same; what closes a score is as good as -inf."""
    if value.shape != right.shape:
        return False
    if value.ndim == 0 and value.dtype.kind != right.dtype.kind:
        return False
    return bool(right_cells(value, right, allowed).all())


def right_cells(value: Array, right: Array, allowed: float) -> Array:
    """Which cells of an array are those of another of its shape."""
    numbers, known = (np.asarray(array, dtype=np.float64) for array in (value, right))
    with np.errstate(invalid="ignore"):
        close = np.abs(numbers - known) <= allowed
    same = (numbers == known) | (np.isnan(numbers) & np.isnan(known))
    closed = (known <= CLOSED) & (numbers <= CLOSED)
    cells: Array = close | same | closed
    return cells
