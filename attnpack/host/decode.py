"""Reply frames as answers. What a guest sends is checked field by field: it may be forged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from attnpack.calls import Answer, Frame, Outcome, Question, Raised, Result, Task, TraceEvent
from attnpack.guest.nested import leaves
from attnpack.guest.protocol import ProtocolError, take
from attnpack.host import facts

MAX_TASK_BYTES = 64 << 20
MAX_EVENTS = 400
LOADED = "loaded"

_LEFT_OUT = {"form": "", "results": [], "changed": {}, "gradients": {}, "facts": {}}
_GUESTS_OUTCOMES = {Outcome.RETURNED, Outcome.RAISED, Outcome.NOT_DEFINED}


@dataclass
class Collected:
    """The answers of one task as they come in, in order; nothing out of turn is accepted."""

    task: Task
    loaded: Answer | None = None
    answers: dict[str, Answer] = field(default_factory=dict)
    stand_ins_used: tuple[str, ...] = ()
    stand_ins_refused: tuple[str, ...] = ()
    done: bool = False
    _events: list[TraceEvent] = field(default_factory=list)
    _bytes: int = 0

    @property
    def waiting_for(self) -> Question | None:
        """The question that the guest is at; None while it loads or when it has answered all."""
        if self.loaded is None or len(self.answers) == len(self.task.questions):
            return None
        return self.task.questions[len(self.answers)]

    def accept(self, header: dict[str, Any], body: memoryview) -> bool:
        """Take one frame; whether it was an answer. Raises ProtocolError."""
        self._bytes += len(body)
        if self.done or self._bytes > MAX_TASK_BYTES:
            raise ProtocolError("more bytes than a task's answers may take")
        kind = header.get("frame")
        match kind:
            case "answer":
                self._answer(header, body)
            case "event":
                self._event(header, body)
            case "done":
                self._done(header)
            case _:
                raise ProtocolError("a frame of no known kind")
        return bool(kind == "answer")

    def _answer(self, header: dict[str, Any], body: memoryview) -> None:
        question = self.waiting_for
        index = -1 if self.loaded is None else len(self.answers)
        if _number(header, "index") != index or (index >= 0 and question is None):
            raise ProtocolError("an answer out of turn")
        answer = decode(LOADED if question is None else question.key, header, body)
        if not _paths(question).issuperset(answer.changed):
            raise ProtocolError("a change of an argument that was not given")
        if question is None:
            self.loaded = answer
        else:
            events, self._events = tuple(self._events), []
            self.answers[question.key] = Answer(**{**vars(answer), "events": events})

    def _event(self, header: dict[str, Any], body: memoryview) -> None:
        question = self.waiting_for
        if not getattr(question, "trace", False) or len(self._events) >= MAX_EVENTS:
            raise ProtocolError("a trace that was not asked for")
        attached = header.get("attached")
        self._events.append(
            TraceEvent(
                file=_text(header, "file"),
                line=_number(header, "line"),
                function=_text(header, "function"),
                name=_text(header, "name"),
                array=take(header.get("array"), body),
                depth=_number(header, "depth"),
                attached=attached is not False,
            )
        )

    def _done(self, header: dict[str, Any]) -> None:
        if self.loaded is None or self._events:
            raise ProtocolError("an end before its time")
        if self.loaded.outcome is Outcome.RETURNED and self.waiting_for is not None:
            raise ProtocolError("an end before its time")
        known = set(self.task.stand_ins)
        self.stand_ins_used = tuple(n for n in _texts(header, "stand_ins_used") if n in known)
        self.stand_ins_refused = tuple(n for n in _texts(header, "stand_ins_refused") if n in known)
        self.done = True


def decode(key: str, header: dict[str, Any], body: memoryview) -> Answer:
    """One answer; what is left out of it is empty. Raises ProtocolError."""
    header = {**_LEFT_OUT, **header}
    try:
        outcome = Outcome(_text(header, "outcome"))
    except ValueError:
        raise ProtocolError("an outcome of no known kind") from None
    if outcome not in _GUESTS_OUTCOMES:
        raise ProtocolError("an outcome that only the host can tell")
    raised = _raised(header.get("raised"))
    if outcome is Outcome.RAISED and raised is None:
        raise ProtocolError("an exception of which nothing is told")
    return Answer(
        key=key,
        outcome=outcome,
        form=_text(header, "form"),
        results=tuple([_result(item, body) for item in _list(header, "results")]),
        raised=raised,
        changed={k: take(v, body) for k, v in _mapping(header, "changed").items() if v},
        gradients={
            k: None if v is None else take(v, body)
            for k, v in _mapping(header, "gradients").items()
        },
        backward_raised=_raised(header.get("backward_raised")),
        facts=facts.known(_mapping(header, "facts")),
    )


def _paths(question: Question | None) -> set[str]:
    """The paths of all that a question hands over: whole arguments and what is inside them."""
    given = dict(enumerate(getattr(question, "arguments", ())))
    given |= getattr(question, "keywords", {})
    inside = {path for name, value in given.items() for path, _ in leaves(value, str(name))}
    return {str(name) for name in given} | inside


def _result(item: object, body: memoryview) -> Result:
    if not (isinstance(item, list) and len(item) == 3):
        raise ProtocolError("a result is [array, dtype, kind]")
    reference, dtype, kind = item
    if not (isinstance(dtype, str) and isinstance(kind, str)):
        raise ProtocolError("dtype and kind are words")
    return Result(None if reference is None else take(reference, body), dtype, kind)


def _raised(item: object) -> Raised | None:
    if item is None:
        return None
    if not isinstance(item, dict):
        raise ProtocolError("an exception is an object")
    frames = [frame for frame in _list(item, "frames") if isinstance(frame, dict)]
    return Raised(
        type=_text(item, "type"),
        message=_text(item, "message"),
        frames=tuple(
            Frame(
                _text(frame, "file"),
                _number(frame, "line"),
                _text(frame, "function"),
                _text(frame, "text"),
            )
            for frame in frames
        ),
    )


def _text(header: dict[str, Any], key: str) -> str:
    value = header.get(key)
    if not isinstance(value, str):
        raise ProtocolError(f"{key} is no text")
    return value


def _number(header: dict[str, Any], key: str) -> int:
    value = header.get(key)
    if type(value) is not int or not -1 <= value < 2**31:
        raise ProtocolError(f"{key} is no line, depth or index")
    return value


def _list(header: dict[str, Any], key: str) -> list[Any]:
    value = header.get(key)
    if not isinstance(value, list):
        raise ProtocolError(f"{key} is no list")
    return value


def _texts(header: dict[str, Any], key: str) -> list[str]:
    return [item for item in _list(header, key) if isinstance(item, str)]


def _mapping(header: dict[str, Any], key: str) -> dict[str, Any]:
    value = header.get(key)
    if not isinstance(value, dict):
        raise ProtocolError(f"{key} is no object")
    return value
