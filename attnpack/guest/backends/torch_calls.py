"""Ready-made attention and softmax of torch, found by being called."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torch.overrides import TorchFunctionMode

from attnpack.guest.backends import Called

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

READY_MADE = ("attention", "transformer")
PARTS = ("softmax",)


class TorchCalls(TorchFunctionMode):
    """While entered, sees every call into torch, under whatever name it was imported.

    `nn.MultiheadAttention` and `nn.Transformer*` call
    `torch.nn.functional.multi_head_attention_forward` and go by that name.
    """

    def __init__(self, called: list[Called]) -> None:
        super().__init__()
        self._called = called

    def __torch_function__(
        self,
        func: Callable[..., Any],
        _types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        name = getattr(func, "__name__", "")
        if _holds(name, PARTS):
            self._record(f"torch.{name}", library=True)
        elif _holds(name, READY_MADE):
            self._record(f"torch.nn.functional.{name}", library=False)
        return func(*args, **(kwargs or {}))

    def _record(self, name: str, *, library: bool) -> None:
        file, line = _learners_line()
        if file:
            self._called.append(Called(name, file, line, library))


@cache
def _holds(name: str, words: tuple[str, ...]) -> bool:
    return any(word in name for word in words)


def _learners_line() -> tuple[str, int]:
    """The innermost frame of a submission: its files have bare names, not paths.

    Nothing where a reference stands between: what it calls is not the learner's.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<reference"):
            break
        if not file.startswith("<") and not Path(file).is_absolute():
            return file, frame.f_lineno
        frame = frame.f_back
    return "", 0
