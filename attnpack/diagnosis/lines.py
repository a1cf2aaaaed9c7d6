"""Which line of the learner's code departs: traced values against known ones.

A library holds the arrays that a right (or a modelled wrong) run goes through, by name and in
every layout a learner may keep them in. A traced value is known where it is one of these, a
slice of one along its leading axes, a row, or the beginning of a row or of its rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from attnpack.calls import TraceEvent

Array: TypeAlias = NDArray[Any]

CLOSED = -1e8
"""a masked score at or below this is as good as minus infinity"""


@dataclass(frozen=True)
class Entry:
    """One known array."""

    name: str
    array: Array
    allowed: float


class Library:
    """Known arrays, looked up by value."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)

    def name_of(self, value: Array) -> str | None:
        """The first entry that the value is, or is a part of."""
        numbers = _squeezed(np.asarray(value, dtype=np.float64))
        for entry in self.entries:
            if is_part(numbers, entry.array, entry.allowed):
                return entry.name
        return None

    def holds(self, value: Array) -> bool:
        """Whether the value is known."""
        return self.name_of(value) is not None


def _squeezed(array: Array) -> Array:
    """Without leading axes of length 1."""
    while array.ndim > 1 and array.shape[0] == 1:
        array = array[0]
    return array


def is_part(value: Array, whole: Array, allowed: float) -> bool:
    """Whether `value` is `whole`, folded along its leading axes, one slice of it, or a row."""
    whole = _squeezed(whole)
    if value.ndim == 0 or whole.ndim == 0:
        return False
    if value.size == whole.size and value.shape[-2:] == whole.shape[-2:]:
        return _equal(value.reshape(whole.shape), whole, allowed)
    if value.ndim <= whole.ndim and value.shape == whole.shape[-value.ndim :]:
        slices = whole.reshape(-1, *value.shape)
        return any(_equal(value, one, allowed) for one in slices)
    if value.ndim == 2 and _is_beginning(value, whole):
        tables = whole[..., : len(value), :].reshape(-1, *value.shape)
        return any(_equal(value, table, allowed) for table in tables)
    if value.ndim == 1 and 2 <= value.size < whole.shape[-1]:
        rows = whole.reshape(-1, whole.shape[-1])[:, : value.size]
        return any(_equal(value, row, allowed) for row in rows)
    return False


def _is_beginning(value: Array, whole: Array) -> bool:
    """Whether a table has the size of the first rows of the whole: what a position may see."""
    if whole.ndim < 2 or value.shape[-1] != whole.shape[-1]:
        return False
    return 2 <= len(value) < int(whole.shape[-2])


def _equal(value: Array, known: Array, allowed: float) -> bool:
    with np.errstate(invalid="ignore"):
        close = np.abs(value - known) <= allowed
    same = (value == known) | (np.isnan(value) & np.isnan(known))
    closed = (known <= CLOSED) & (value <= CLOSED)
    return bool((close | same | closed).all())


def is_neutral(value: Array) -> bool:
    """A value that says nothing: one number throughout, indices, too small to tell."""
    if value.size < 2 or value.ndim == 0:
        return True
    if value.dtype.kind in "iub":
        return True
    first = value.flat[0]
    return bool((value == first).all())


def is_filling(value: Array, known: Library) -> bool:
    """A buffer on its way: zeros, and where it is not zero the known numbers."""
    numbers = _squeezed(np.asarray(value, dtype=np.float64))
    filled = numbers != 0
    if not filled.any() or filled.all():
        return False
    for entry in known.entries:
        whole = _squeezed(entry.array)
        alike = whole.shape == numbers.shape
        if alike and _equal(numbers[filled], whole[filled], entry.allowed):
            return True
    return False


def first_departing(events: Sequence[TraceEvent], right: Library) -> TraceEvent | None:
    """The first value that is neither known nor neutral nor a buffer being filled."""
    for event in events:
        if is_neutral(event.array) or right.holds(event.array):
            continue
        if not is_filling(event.array, right):
            return event
    return None


def first_equal(events: Sequence[TraceEvent], wanted: Entry, right: Library) -> TraceEvent | None:
    """The first value that is all of the wanted array or a part that only a wrong run holds.

    A part that a right run holds as well, or that is one number throughout, proves nothing.
    """
    for event in _equal_events(events, wanted):
        if event.array.size == wanted.array.size:
            return event
        if not is_neutral(event.array) and not right.holds(event.array):
            return event
    return None


def last_equal(
    events: Sequence[TraceEvent], wanted: Entry, before: TraceEvent | None = None
) -> TraceEvent | None:
    """The last value that is the wanted array or a part of it, no later than an event."""
    found = list(_equal_events(events, wanted, before))
    return found[-1] if found else None


def _equal_events(
    events: Sequence[TraceEvent], wanted: Entry, before: TraceEvent | None = None
) -> Iterator[TraceEvent]:
    for event in events:
        numbers = _squeezed(np.asarray(event.array, dtype=np.float64))
        if is_part(numbers, wanted.array, wanted.allowed):
            yield event
        if event is before:
            return
