"""What learner code calls of torch: attention, softmax, dropout, chance. Found by being called."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from attnpack.guest.backends import Called, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import FrameType

CLOSED = -1e8
"""a score at or below this was closed by a mask"""

_WORDS = {
    "softmax": Part.SOFTMAX,
    "layer_norm": Part.LAYER_NORM,
    "attention": Part.ATTENTION,
    "transformer": Part.ATTENTION,
    "dropout": Part.DROPOUT,
    "rand": Part.RANDOM,
    "bernoulli": Part.RANDOM,
    "uniform_": Part.RANDOM,
    "normal": Part.RANDOM,
}
"""a word in a function's name -> what it is; the first that fits"""
_DETACHING = ("detach", "detach_", "numpy", "tolist")
_IN_PLACE_OPERATORS = ("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__")
_HARMLESS = ("requires_grad_", "detach_", "retain_grad_")
_NOT_RANDOM = ("__rand", "normalize", "norm_except_dim")


_MODULES = {Part.ATTENTION: "torch.nn.functional.", Part.IN_PLACE: ""}
_DATA = torch.Tensor.data.__get__  # type: ignore[attr-defined]


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
        kwargs = kwargs or {}
        self._graph(func, name, args)
        part = _part(name)
        if part is None:
            return func(*args, **kwargs)
        if part is Part.DROPOUT:
            part = _acting(args, kwargs)
        elif part is Part.SOFTMAX and kwargs.get("dim", args[1] if args[1:] else None) is None:
            part = Part.SOFTMAX_WITHOUT_DIM
        result = func(*args, **kwargs)
        if part is not None:
            self._record(name, part, result)
        return result

    def _graph(self, func: Callable[..., Any], name: str, args: Sequence[Any]) -> None:
        """What is taken out of the graph, or changed behind its back."""
        tensor = args[0] if args else None
        if not isinstance(tensor, torch.Tensor) or not tensor.requires_grad:
            return
        if name in _DETACHING or func == _DATA:
            if tensor.ndim >= 2 and tensor.shape[-1] > 1:
                self._record(name, Part.DETACHED, tensor)
        elif tensor.grad_fn is not None and _is_in_place(name):
            made_by = tensor.grad_fn.name().rstrip("0123456789").removesuffix("Backward")
            self._record(made_by, Part.IN_PLACE, tensor)

    def _record(self, name: str, part: Part, result: Any) -> None:
        file, line = _learners_line()
        if file:
            module = _MODULES.get(part, "torch.")
            shape = tuple(result.shape) if isinstance(result, torch.Tensor) else ()
            self._called.append(Called(f"{module}{name}", file, line, part, shape))


@cache
def _is_in_place(name: str) -> bool:
    dunder = name.startswith("__")
    return name in _IN_PLACE_OPERATORS if dunder else name.endswith("_") and name not in _HARMLESS


@cache
def _part(name: str) -> Part | None:
    if name.startswith(_NOT_RANDOM):
        return None
    return next((part for word, part in _WORDS.items() if word in name), None)


def _acting(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Part | None:
    """Whether a dropout (input, p=0.5, training=True) drops anything, and of what."""
    given = dict(zip(("input", "p", "training"), args, strict=False)) | dict(kwargs)
    acts = given.get("training", given.get("train", True)) and given.get("p", 0.5) > 0
    if not acts:
        return None
    return Part.DROPOUT_ON_MASKED if _is_masked(given.get("input")) else Part.DROPOUT


def _is_masked(dropped: object) -> bool:
    if not isinstance(dropped, torch.Tensor) or not dropped.is_floating_point():
        return False
    return bool(torch.any(dropped <= CLOSED))


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
