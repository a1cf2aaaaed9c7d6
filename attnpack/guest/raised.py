"""An exception of the learner's code as plain data, cut to fit a reply."""

from __future__ import annotations

import json
import linecache
from itertools import islice
from opcode import opmap
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Container
    from types import CodeType, TracebackType

MAX_BYTES = 1600
MAX_FRAMES = 12
MAX_TEXT = 160
MAX_MESSAGE = 600
CUT = " …"
_RAISES = opmap["RAISE_VARARGS"]
"""what `raise` and `assert` become"""


class Catching:
    """Takes whatever learner code raises, SystemExit and KeyboardInterrupt included."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> bool:
        self.error = error
        return True


def describe(exception: BaseException, files: Container[str]) -> dict[str, Any]:
    """Type, message and the frames in the learner's own files, outermost first."""
    frames = _frames(exception.__traceback__, files)
    if isinstance(exception, SyntaxError) and exception.filename in files:
        frames.append(_syntax_frame(exception))
    raised: dict[str, Any] = {
        "type": cut(type(exception).__name__, 80),
        "message": cut(_message(exception), MAX_MESSAGE),
        "frames": frames,
    }
    while len(json.dumps(raised)) > MAX_BYTES and len(frames) > 1:
        del frames[len(frames) // 2]
    length = MAX_MESSAGE
    while len(json.dumps(raised)) > MAX_BYTES and length:
        length //= 2
        raised["message"] = cut(raised["message"], length)
        for frame in frames:
            frame.update({key: cut(frame[key], length) for key in ("file", "function", "text")})
    return raised


def is_refusal(exception: BaseException, files: Container[str]) -> bool:
    """Whether it says no on purpose: an AssertionError, or a ValueError that was written.

    A ValueError counts where a `raise` statement in one of the learner's own files brought it
    up; numpy raises the same kind where a reshape happens to fail. An assertion is never an
    accident, whosever function makes it (`np.testing.assert_equal`).
    """
    if isinstance(exception, AssertionError):
        return True
    return isinstance(exception, ValueError) and _is_raised_in(files, exception.__traceback__)


def _is_raised_in(files: Container[str], trace: TracebackType | None) -> bool:
    """Whether any frame in these files was left by a `raise`, its own or one that passes it on."""
    while trace is not None:
        code = trace.tb_frame.f_code
        # Where a bare `raise` passes an exception on, only the frame knows.
        at = (trace.tb_lasti, trace.tb_frame.f_lasti)
        if code.co_filename in files and any(_is_raise(code, each) for each in at):
            return True
        trace = trace.tb_next
    return False


def _is_raise(code: CodeType, offset: int) -> bool:
    return offset >= 0 and code.co_code[offset] == _RAISES


def cut(text: str, length: int) -> str:
    """At most `length` characters, with a visible mark where something is missing."""
    if len(text) <= length:
        return text
    return text[: max(0, length - len(CUT))] + CUT


def _message(exception: BaseException) -> str:
    """What the exception says; its `__str__` may itself be the learner's, and broken."""
    if isinstance(exception, SyntaxError):
        return exception.msg or "invalid syntax"
    with Catching():
        return str(exception)
    return "(its message cannot be shown: __str__ raised)"


def _frames(trace: TracebackType | None, files: Container[str]) -> list[dict[str, Any]]:
    """The learner's frames; of a deep recursion the outermost and innermost ones."""
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename in files:
            frames.append((code.co_filename, trace.tb_lineno or 0, code.co_name, _extent(trace)))
        trace = trace.tb_next
    if len(frames) > MAX_FRAMES:
        frames = [*frames[:4], *frames[4 - MAX_FRAMES :]]
    return [
        {
            "file": cut(file, MAX_TEXT),
            "line": line,
            "function": cut(function, 80),
            "text": cut(linecache.getline(file, line).strip(), MAX_TEXT),
            "extent": extent,
        }
        for file, line, function, extent in frames
    ]


def _extent(trace: TracebackType) -> list[int] | None:
    """First column, last line, end column, in characters, of the expression that was evaluated."""
    code = trace.tb_frame.f_code
    positions = next(islice(code.co_positions(), trace.tb_lasti // 2, None), None)
    if positions is None or None in positions or positions[0] != trace.tb_lineno:
        return None
    line, end_line, column, end_column = (number or 0 for number in positions)
    texts = (linecache.getline(code.co_filename, each) for each in (line, end_line))
    columns = [
        len(text.encode()[:at].decode(errors="ignore"))
        for text, at in zip(texts, (column, end_column), strict=True)
    ]
    return [columns[0], end_line, columns[1]]


def _syntax_frame(error: SyntaxError) -> dict[str, Any]:
    return {
        "file": error.filename or "",
        "line": error.lineno or 1,
        "function": "<module>",
        "text": cut((error.text or "").strip(), MAX_TEXT),
    }
