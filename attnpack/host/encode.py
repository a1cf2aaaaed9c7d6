"""A task as one request frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attnpack.calls import Build, Call, Fill, Forward, Instead, Question, Reload, Task
from attnpack.guest.protocol import Body, frame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from attnpack.calls import Argument, Array


def request(task: Task) -> bytes:
    """The frame that asks all of a task. Raises ProtocolError for dtypes that do not travel."""
    body = Body()
    header = {
        "exercise": task.exercise,
        "entry": task.entry,
        "beside": dict(task.beside),
        "together": task.together,
        "sources": dict(task.sources),
        "backend": str(task.backend),
        "stand_ins": dict(task.stand_ins),
        "homes": dict(task.homes),
        "seen": None if task.seen is None else dict(task.seen.firsts),
        "seen_others": [] if task.seen is None else list(task.seen.others),
        "questions": [_question(question, body) for question in task.questions],
    }
    return frame(header, body)


def _question(question: Question, body: Body) -> dict[str, Any]:
    """What is as it usually is stays out: the guest knows the same defaults."""
    stated = _stated(question, body)
    return {name: value for name, value in stated.items() if _USUAL.get(name, _NOT) != value}


_NOT = object()
_USUAL = {
    "returns": 1,
    "strided": False,
    "arguments": [],
    "keywords": {},
    "method": "forward",
    "parameters": {},
    "biases": {},
    "cotangents": None,
    "precision": "float64",
    "mode": "eval",
    "trace": False,
    "see": False,
    "instead": None,
}


def _stated(question: Question, body: Body) -> dict[str, Any]:
    match question:
        case Call():
            return {
                "ask": "call",
                "name": question.function,
                "returns": question.returns,
                "strided": question.strided,
                **_asked(question, body),
            }
        case Build():
            return {
                "ask": "build",
                "name": question.cls,
                "slot": question.slot,
                "arguments": _arguments(question.arguments, body),
                "keywords": _keywords(question.keywords, body),
                "parameters": {n: list(shape) for n, shape in question.parameters.items()},
                "biases": dict(question.biases),
                "see": question.see,
                "instead": _instead(question.instead, body),
            }
        case Fill():
            return {
                "ask": "fill",
                "slot": question.slot,
                "matrices": {name: body.add(array) for name, array in question.matrices.items()},
            }
        case Forward():
            return {
                "ask": "forward",
                "slot": question.slot,
                "method": question.method,
                "mode": str(question.mode),
                **_asked(question, body),
            }
        case Reload():
            return {"ask": "reload", "file": question.file, "text": question.text}


def _asked(question: Call | Forward, body: Body) -> dict[str, Any]:
    return {
        "arguments": _arguments(question.arguments, body),
        "keywords": _keywords(question.keywords, body),
        "cotangents": _cotangents(question.cotangents, body),
        "precision": question.precision,
        "trace": question.trace,
        "see": question.see,
        "instead": _instead(question.instead, body),
    }


def _instead(instead: Instead | None, body: Body) -> dict[str, Any] | None:
    if instead is None:
        return None
    values = [body.add(value) for value in instead.values]
    return {"site": instead.site, "part": instead.part, "values": values}


def _arguments(arguments: Iterable[Argument], body: Body) -> list[Any]:
    return [_argument(argument, body) for argument in arguments]


def _keywords(keywords: Mapping[str, Argument], body: Body) -> dict[str, Any]:
    return {name: _argument(argument, body) for name, argument in keywords.items()}


def _argument(argument: Argument, body: Body) -> Any:
    if isinstance(argument, Mapping):
        return {"dict": _keywords(argument, body)}
    if isinstance(argument, list):
        return {"list": _arguments(argument, body)}
    if argument is None or isinstance(argument, bool) or type(argument) in (int, float):
        return argument
    import numpy as np

    if isinstance(argument, np.generic):
        return {"scalar": body.add(np.asarray(argument))}
    return {"array": body.add(np.asarray(argument))}


def _cotangents(cotangents: tuple[Array | None, ...] | None, body: Body) -> list[Any] | None:
    if cotangents is None:
        return None
    return [None if c is None else body.add(c) for c in cotangents]
