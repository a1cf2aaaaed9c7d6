"""A line trace of the learner's own code: every array a line assigns, changes or returns.

A line event says that the line before it is done; what differs then was done by that line.
Objects are looked at by exact type, so none of them gets to run code of its own here.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from types import GetSetDescriptorType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from attnpack.guest.reply import Event

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator
    from types import FrameType

    from attnpack.guest.backends import Array, GuestBackend

MAX_EVENTS = 400
MAX_ROWS = 40
"""of one line and name: a loop over single rows or columns shows in so many"""
MAX_NUMBERS = 1 << 20
MAX_ARRAY_NUMBERS = 1 << 17
_MAX_NESTING = 4
_MAX_NAMES = 64

_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""part of the line they stand in: what they make is assigned or returned there"""

_SCALARS = (float, int, bool)


class _Held(NamedTuple):
    """A value at one moment: which object, and its numbers."""

    identity: int
    data: bytes
    shape: tuple[int, ...]


@dataclass
class _Activation:
    """One frame of the learner's code while it runs."""

    depth: int
    line: int
    held: dict[str, _Held] = field(default_factory=dict)
    changed_at: dict[tuple[int, str], Event] = field(default_factory=dict)
    """the last in-place change of a name by a line: a loop's later one replaces it"""
    received: list[Event] = field(default_factory=list)
    """arguments that the caller made in the line of the call"""


class Tracer:
    """Records while entered."""

    def __init__(self, files: Container[str], backend: GuestBackend) -> None:
        self._files = files
        self._backend = backend
        self._running: dict[int, _Activation] = {}
        self._kept_alive: dict[int, Any] = {}
        self._numbers = 0
        self._rows: Counter[tuple[str, int, str]] = Counter()
        self._previous: Any = None
        self.events: list[Event] = []

    def __enter__(self) -> Self:
        self._previous = sys.gettrace()
        sys.settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(self._previous)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Callable[..., Any] | None:
        """A function begins, or a generator goes on."""
        if frame.f_code.co_filename not in self._files or self._is_full:
            return None
        if frame.f_code.co_name in _COMPREHENSIONS:
            return None
        activation = _Activation(len(self._running), frame.f_lineno)
        self._running[id(frame)] = activation
        for name, value in _names(frame):
            lowered = self._lower(value)
            if lowered is not None:
                activation.held[name] = _held(value, lowered)
                self._received(frame, name, value, lowered)
        return self._stepped

    def _stepped(self, frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        """A line is about to run, or the function returns."""
        activation = self._running.get(id(frame))
        if activation is None or self._is_full:
            return None
        if event in ("line", "return"):
            self._compare(frame, activation)
            activation.line = frame.f_lineno
        if event == "return":
            for value in argument if type(argument) is tuple else (argument,):
                lowered = self._lower(value)
                if lowered is not None:
                    self._record(frame, activation, "return", value, lowered)
            if activation.received and is_scalar(argument):
                self._forget(activation.received)
            del self._running[id(frame)]
        return self._stepped

    def _forget(self, events: list[Event]) -> None:
        """Rows that went into one number, as of a dot product: every number has such a call."""
        self.events = [kept for kept in self.events if all(kept is not event for event in events)]

    def _received(self, frame: FrameType, name: str, value: Any, array: Array) -> None:
        """Record an argument that was made in the line of the call and has no name there."""
        caller = _calling(frame)
        activation = self._running.get(id(caller))
        if caller and activation and id(value) not in self._kept_alive and "." not in name:
            count = len(self.events)
            self._record(caller, activation, name, value, array)
            self._running[id(frame)].received += self.events[count:]
        self._kept_alive[id(value)] = value

    def _compare(self, frame: FrameType, activation: _Activation) -> None:
        """Record what the line that is done has assigned or changed."""
        for name, value in _names(frame):
            lowered = self._lower(value)
            if lowered is None:
                continue
            now, before = _held(value, lowered), activation.held.get(name)
            if now == before:
                continue
            activation.held[name] = now
            in_place = before is not None and before.identity == now.identity
            self._record(frame, activation, name, value, lowered, in_place=in_place)

    def _record(
        self,
        frame: FrameType,
        activation: _Activation,
        name: str,
        value: Any,
        array: Array,
        *,
        in_place: bool = False,
    ) -> None:
        if self._is_full:
            return
        code = frame.f_code
        line = activation.line if name != "return" else frame.f_lineno
        if array.ndim == 1 and not in_place:
            self._rows[code.co_filename, line, name] += 1
            if self._rows[code.co_filename, line, name] > MAX_ROWS:
                return
        event = Event(
            file=code.co_filename,
            line=line,
            function=code.co_name,
            name=name,
            array=array,
            depth=activation.depth,
            attached=self._backend.attached(value),
        )
        self._kept_alive[id(value)] = value
        key = (event.line, name)
        earlier = activation.changed_at.pop(key, None)
        if in_place and earlier is not None:
            self.events = [kept for kept in self.events if kept is not earlier]
        if in_place:
            activation.changed_at[key] = event
        self._numbers += array.size
        self.events.append(event)

    def _lower(self, value: Any) -> Array | None:
        """A copy of the numbers of an array, a tensor or a list of them; None for all else."""
        if not is_numeric(value):
            return None
        array = self._backend.lower(value).array
        return None if array is None or array.size > MAX_ARRAY_NUMBERS else array

    @property
    def _is_full(self) -> bool:
        return len(self.events) >= MAX_EVENTS or self._numbers > MAX_NUMBERS


def _calling(frame: FrameType) -> FrameType | None:
    """The frame of the function in which the call stands."""
    caller = frame.f_back
    while caller is not None and caller.f_code.co_name in _COMPREHENSIONS:
        caller = caller.f_back
    return caller


def _held(value: Any, array: Array) -> _Held:
    return _Held(id(value), array.tobytes(), array.shape)


def is_numeric(value: Any, nesting: int = 0) -> bool:
    """An array, tensor or parameter, or nested lists of those, of numbers, of scalar nodes."""
    kind = type(value)
    if kind is np.ndarray:
        return True
    if kind is list and nesting < _MAX_NESTING:
        return bool(value) and all(
            type(item) in _SCALARS or is_numeric(item, nesting + 1) for item in value
        )
    return kind in _library_types() or (nesting > 0 and kind in _node_types())


def is_scalar(value: Any) -> bool:
    """One number: of Python, of numpy, a node of the scalar engine."""
    kind = type(value)
    return kind in _SCALARS or kind in _node_types() or issubclass(kind, np.generic)


def _library_types() -> tuple[type, ...]:
    torch = sys.modules.get("torch")
    return (torch.Tensor, torch.nn.Parameter) if torch else ()


def _node_types() -> tuple[type, ...]:
    engine = sys.modules.get("attnpack.value")
    return (engine.Value,) if engine else ()


def _names(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Local names and their values, and the attributes of `self`."""
    names = frame.f_locals
    yield from list(names.items())[:_MAX_NAMES]
    if "self" in names:
        attributes = _attributes(names["self"])
        for name, value in list(attributes.items())[:_MAX_NAMES]:
            yield f"self.{name}", value


def _attributes(value: Any) -> dict[str, Any]:
    """The object's own `__dict__`, not what a property of that name would say."""
    for base in type.__dict__["__mro__"].__get__(type(value)):
        own = type.__dict__["__dict__"].__get__(base).get("__dict__")
        if own is not None:
            found = own.__get__(value) if type(own) is GetSetDescriptorType else {}
            return found if type(found) is dict else {}
    return {}
