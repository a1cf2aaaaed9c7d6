"""Reply frames as answers. What a guest sends is checked field by field: it may be forged."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attnpack.calls import (
    Answer,
    Frame,
    Outcome,
    Question,
    Raised,
    Result,
    SeenValue,
    Task,
    TraceEvent,
)
from attnpack.guest.nested import leaves
from attnpack.guest.protocol import (
    MAX_REPLY_NUMBERS,
    MAX_RESULTS,
    MAX_TASK_NUMBERS,
    ProtocolError,
    take,
)
from attnpack.host import facts

if TYPE_CHECKING:
    from attnpack.calls import Array

MAX_EVENTS = 400
MAX_SEEN = 6000
LOADED = "loaded"

_LEFT_OUT = {"form": "", "results": [], "changed": {}, "gradients": {}, "facts": {}}
_GUESTS_OUTCOMES = {Outcome.RETURNED, Outcome.RAISED, Outcome.NOT_DEFINED}


@dataclass
class Arrays:
    """The arrays of one frame. Each reference is charged for, also where two name the same bytes:
    the judge computes with every one of them as float64.
    """

    body: memoryview
    numbers: int = 0

    def take(self, reference: object) -> Array:
        """The array of a reference. Raises ProtocolError."""
        array = take(reference, self.body)
        self.numbers += array.size
        if self.numbers > MAX_REPLY_NUMBERS:
            raise ProtocolError("more numbers than an answer may hold")
        return array


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
    _seen: list[SeenValue] = field(default_factory=list)
    _numbers: int = 0

    @property
    def waiting_for(self) -> Question | None:
        """The question that the guest is at; None while it loads or when it has answered all."""
        if self.loaded is None or len(self.answers) == len(self.task.questions):
            return None
        return self.task.questions[len(self.answers)]

    def accept(self, header: dict[str, Any], body: memoryview) -> bool:
        """Take one frame; whether it was an answer. Raises ProtocolError."""
        if self.done:
            raise ProtocolError("a frame after the end")
        arrays = Arrays(body)
        kind = header.get("frame")
        match kind:
            case "answer":
                self._answer(header, arrays)
            case "event":
                self._event(header, arrays)
            case "seen":
                self._see(header, arrays)
            case "done":
                self._done(header)
            case _:
                raise ProtocolError("a frame of no known kind")
        # A body is kept as long as one array in it is.
        self._numbers += max(arrays.numbers, len(body) // 8)
        if self._numbers > MAX_TASK_NUMBERS:
            raise ProtocolError("more numbers than a task's answers may hold")
        return bool(kind == "answer")

    def _answer(self, header: dict[str, Any], arrays: Arrays) -> None:
        question = self.waiting_for
        index = -1 if self.loaded is None else len(self.answers)
        if _number(header, "index") != index or (index >= 0 and question is None):
            raise ProtocolError("an answer out of turn")
        answer = decode(LOADED if question is None else question.key, header, arrays)
        if not _paths(question).issuperset(answer.changed):
            raise ProtocolError("a change of an argument that was not given")
        if question is None:
            self.loaded = answer
        else:
            events, self._events = tuple(self._events), []
            seen, self._seen = tuple(self._seen), []
            told = {**vars(answer), "events": events, "seen": seen}
            self.answers[question.key] = Answer(**told)

    def _event(self, header: dict[str, Any], arrays: Arrays) -> None:
        question = self.waiting_for
        if not getattr(question, "trace", False) or len(self._events) >= MAX_EVENTS:
            raise ProtocolError("a trace that was not asked for")
        attached = header.get("attached")
        self._events.append(
            TraceEvent(
                file=_text(header, "file"),
                line=_line(header),
                function=_text(header, "function"),
                name=_text(header, "name"),
                array=arrays.take(header.get("array")),
                depth=_number(header, "depth"),
                attached=attached is not False,
            )
        )

    def _see(self, header: dict[str, Any], arrays: Arrays) -> None:
        values = _list(header, "values")
        asked = getattr(self.waiting_for, "see", False)
        if not asked or len(self._seen) + len(values) > MAX_SEEN:
            raise ProtocolError("values that nobody asked to see")
        for item in values:
            if not (isinstance(item, list) and len(item) == 4):
                raise ProtocolError("a seen value is [site, part, depth, array]")
            value = dict(zip(("site", "part", "depth", "array"), item, strict=True))
            site, part, depth = (_number(value, name) for name in ("site", "part", "depth"))
            self._seen.append(SeenValue(site, arrays.take(value["array"]), depth, part))

    def _done(self, header: dict[str, Any]) -> None:
        if self.loaded is None or self._events or self._seen:
            raise ProtocolError("an end before its time")
        if self.loaded.outcome is Outcome.RETURNED and self.waiting_for is not None:
            raise ProtocolError("an end before its time")
        known = set(self.task.stand_ins)
        self.stand_ins_used = tuple(n for n in _texts(header, "stand_ins_used") if n in known)
        self.stand_ins_refused = tuple(n for n in _texts(header, "stand_ins_refused") if n in known)
        self.done = True


def decode(key: str, header: dict[str, Any], arrays: Arrays) -> Answer:
    """One answer; what is left out of it is empty. Raises ProtocolError."""
    header = {**_LEFT_OUT, **header}
    try:
        outcome = Outcome(_text(header, "outcome"))
    except ValueError:
        raise ProtocolError("an outcome of no known kind") from None
    if outcome not in _GUESTS_OUTCOMES:
        raise ProtocolError("an outcome that only the host can tell")
    results = _list(header, "results")
    if len(results) > MAX_RESULTS:
        raise ProtocolError("more results than an answer may hold")
    raised = _raised(header.get("raised"))
    if outcome is Outcome.RAISED and raised is None:
        raise ProtocolError("an exception of which nothing is told")
    return Answer(
        key=key,
        outcome=outcome,
        form=_text(header, "form"),
        results=tuple([_result(item, arrays) for item in results]),
        raised=raised,
        changed={k: arrays.take(v) for k, v in _mapping(header, "changed").items() if v},
        gradients={
            k: None if v is None else arrays.take(v)
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


def _result(item: object, arrays: Arrays) -> Result:
    if not (isinstance(item, list) and len(item) == 3):
        raise ProtocolError("a result is [array, dtype, kind]")
    reference, dtype, kind = item
    if not (isinstance(dtype, str) and isinstance(kind, str)):
        raise ProtocolError("dtype and kind are words")
    return Result(None if reference is None else arrays.take(reference), dtype, kind)


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
                _line(frame),
                _text(frame, "function"),
                _text(frame, "text"),
                *_extent(frame),
            )
            for frame in frames
        ),
    )


def _extent(frame: dict[str, Any]) -> tuple[int, int, int] | tuple[()]:
    extent = frame.get("extent")
    if not (isinstance(extent, list) and len(extent) == 3):
        return ()
    column, end_line, end_column = (_number({"extent": number}, "extent") for number in extent)
    return column, end_line, end_column


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


def _line(header: dict[str, Any]) -> int:
    line = _number(header, "line")
    if not facts.is_line(line):
        raise ProtocolError("line is no line of a file")
    return line


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
