"""The task as the guest sees it: decoded from the request frame, plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from attnpack.guest.protocol import take

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.guest.backends import Argument, Array


class Ask(StrEnum):
    """The kinds of question."""

    CALL = "call"
    BUILD = "build"
    FILL = "fill"
    FORWARD = "forward"
    RELOAD = "reload"


@dataclass(frozen=True)
class Instead:
    """What the evaluations of one site give instead of their own values."""

    site: int
    values: tuple[Array, ...]
    part: int


@dataclass(slots=True)  # thawed: freezing makes a question as dear as a short answer
class Question:
    """One question. Which fields count depends on `ask`; their meaning is that of the host's."""

    ask: Ask
    name: str = ""
    """the function or the class"""
    slot: str = ""
    arguments: tuple[Argument, ...] = ()
    keywords: Mapping[str, Argument] = field(default_factory=dict)
    returns: int = 1
    cotangents: tuple[Array | None, ...] | None = None
    precision: str = "float64"
    strided: bool = False
    mode: str = "eval"
    trace: bool = False
    matrices: Mapping[str, Array] = field(default_factory=dict)
    method: str = "forward"
    parameters: Mapping[str, Sequence[int]] = field(default_factory=dict)
    biases: Mapping[str, str] = field(default_factory=dict)
    see: bool = False
    instead: Instead | None = None
    file: str = ""
    text: str = ""


@dataclass(frozen=True)
class Request:
    """One guest's whole work."""

    exercise: str
    entry: str
    sources: Mapping[str, str]
    backend: str
    stand_ins: Mapping[str, str]
    questions: tuple[Question, ...]
    homes: Mapping[str, str] = field(default_factory=dict)
    """exercises -> the learner's files that define them, where something is replaced"""
    beside: Mapping[str, str] = field(default_factory=dict)
    """further exercises -> the files that define them"""
    together: bool = False
    """answers leave at the end, in one piece"""
    seen: Mapping[str, int] | None = None
    """files whose sites are hooked -> the number of their first site"""
    seen_others: Sequence[str] = ()
    """definitions that are left as they are"""


def decode(header: Mapping[str, Any], body: memoryview) -> Request:
    """The request of a frame. The host is trusted, so little is checked here."""
    return Request(
        exercise=header["exercise"],
        entry=header["entry"],
        sources=header["sources"],
        backend=header["backend"],
        stand_ins=header["stand_ins"],
        homes=header["homes"],
        questions=tuple(_question(item, body) for item in header["questions"]),
        beside=header["beside"],
        together=header["together"],
        seen=header["seen"],
        seen_others=header["seen_others"],
    )


def _question(item: Mapping[str, Any], body: memoryview) -> Question:
    fields = dict(item)
    fields["ask"] = Ask(fields["ask"])
    if "arguments" in fields:
        fields["arguments"] = tuple(_argument(a, body) for a in fields["arguments"])
    if "keywords" in fields:
        fields["keywords"] = {k: _argument(v, body) for k, v in fields["keywords"].items()}
    if "matrices" in fields:
        fields["matrices"] = {k: take(v, body) for k, v in fields["matrices"].items()}
    if fields.get("cotangents") is not None:
        fields["cotangents"] = tuple(
            None if c is None else take(c, body) for c in fields["cotangents"]
        )
    if "instead" in fields:
        given = fields["instead"]
        values = tuple(take(value, body) for value in given["values"])
        fields["instead"] = Instead(given["site"], values, given["part"])
    return Question(**fields)


def _argument(item: Any, body: memoryview) -> Argument:
    """JSON numbers, bools and null are themselves; an object says by its one key what it is."""
    if not isinstance(item, dict):
        scalar: Argument = item
        return scalar
    ((kind, content),) = item.items()
    match kind:
        case "array":
            return take(content, body)
        case "scalar":
            number: Argument = take(content, body)[()]
            return number
        case "list":
            return [_argument(part, body) for part in content]
    return {name: _argument(part, body) for name, part in content.items()}
