"""Answers as reply frames: small JSON headers and array bytes, cut to what a frame may hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from attnpack.guest.protocol import (
    MAX_REPLY_HEADER,
    MAX_REPLY_NUMBERS,
    MAX_RESULTS,
    Body,
    ProtocolError,
    frame,
)
from attnpack.guest.raised import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from attnpack.guest.backends import Array, Lowered

VALUES_IN_A_FRAME = 40
"""seen values whose references surely fit a header"""
MAX_WORD = 40


@dataclass
class Reply:
    """What came of one question, before it becomes bytes. Fields as in the host's Answer."""

    outcome: str = "returned"
    form: str = ""
    results: list[Lowered] = field(default_factory=list)
    raised: dict[str, Any] | None = None
    changed: dict[str, Array] = field(default_factory=dict)
    gradients: dict[str, Array | None] = field(default_factory=dict)
    backward_raised: dict[str, Any] | None = None
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """One traced value."""

    file: str
    line: int
    function: str
    name: str
    array: Array
    depth: int
    attached: bool


class SeenValue(NamedTuple):
    """A copy of what a site evaluated to."""

    site: int
    array: Array
    depth: int
    """how many calls of the learner's own code it lay within"""
    part: int = -1
    """which element of a tuple; -1: the value itself"""


def answer(index: int, reply: Reply) -> bytes:
    """The frame of an answer; `index` counts questions, -1 is the loading itself."""
    body = Body()
    fields = {
        "form": reply.form,
        "results": _results(reply.results[:MAX_RESULTS], body),
        "raised": reply.raised,
        "changed": _arrays(reply.changed, body),
        "gradients": _arrays(reply.gradients, body),
        "backward_raised": reply.backward_raised,
        "facts": reply.facts,
    }
    header: dict[str, Any] = {"frame": "answer", "index": index, "outcome": reply.outcome}
    header.update((name, value) for name, value in fields.items() if value)
    whole = frame(header, body)
    for key, less in (("facts", {"cut": True}), ("backward_raised", None)):
        if len(whole) - body.length <= MAX_REPLY_HEADER:
            break
        if key in header:
            header[key] = less
        whole = frame(header, body)
    return whole


def event(traced: Event) -> bytes:
    """The frame of a traced value; it precedes the answer it belongs to."""
    body = Body()
    header = {
        "frame": "event",
        "file": cut(traced.file, 160),
        "line": traced.line,
        "function": cut(traced.function, 80),
        "name": cut(traced.name, 80),
        "array": body.add(traced.array),
        "depth": traced.depth,
        "attached": traced.attached,
    }
    return frame(header, body)


def seen(values: Sequence[SeenValue]) -> Iterator[bytes]:
    """The frames of seen values; they precede the answer they belong to."""
    for first in range(0, len(values), VALUES_IN_A_FRAME):
        body = Body()
        told = [
            [value.site, value.part, value.depth, body.add(value.array)]
            for value in values[first : first + VALUES_IN_A_FRAME]
        ]
        yield frame({"frame": "seen", "values": told}, body)


def done(stand_ins_used: Iterable[str], stand_ins_refused: Iterable[str]) -> bytes:
    """The last frame of a task."""
    return frame(
        {
            "frame": "done",
            "stand_ins_used": sorted(stand_ins_used),
            "stand_ins_refused": sorted(stand_ins_refused),
        }
    )


def _results(results: Iterable[Lowered], body: Body) -> list[list[Any]]:
    return [
        [_carry(result.array, body), cut(result.dtype, MAX_WORD), cut(result.kind, MAX_WORD)]
        for result in results
    ]


def _arrays(arrays: Mapping[str, Array | None], body: Body) -> dict[str, list[Any] | None]:
    return {name: _carry(array, body) for name, array in arrays.items()}


def _carry(array: Array | None, body: Body) -> list[Any] | None:
    """The array's reference; None where the frame has no room left for it."""
    if array is None or body.numbers + array.size > MAX_REPLY_NUMBERS:
        return None
    try:
        return body.add(array)
    except ProtocolError:
        return None
