"""The failing call as a short script without attnpack: for a debugger, a forum, a teacher."""

from __future__ import annotations

import ast
import textwrap
from typing import TYPE_CHECKING, Final

import numpy as np

from attnpack.calls import Build, Call, Fill, Forward
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.calls import Argument, Question
    from attnpack.pack.kinds import Comparison

IMPORTS: Final = {
    Backend.NUMPY: ("import numpy as np",),
    Backend.TORCH: ("import torch",),
    Backend.VALUE: ("from attnpack.value import Value",),
}
FILL_TORCH: Final = (
    "def fill(W, numbers):  # nn.Linear computes x @ weight.T",
    "    weight, numbers = (W.weight, numbers.T) if hasattr(W, 'weight') else (W, numbers)",
    "    weight.data.copy_(numbers)",
)
FEW: Final = 64
"""numbers that are read at a glance"""
COLUMNS: Final = 90
PLAIN_IN_VALUE: Final = {"mask"}
"""parameters that the value backend gets as plain numbers, not as Values"""


def text(
    name: str,
    source: str,
    module: str,
    questions: Sequence[Question],
    backend: str,
    comments: Sequence[str] = (),
) -> str:
    """The script that asks `questions` of the exercise `name`, which `module` defines.

    `source` is the learner's file: its parameters' names are used. Numbers are written in full.
    `comments` stand at the end.
    """
    kind = Backend(backend)
    lines = [f"# The failing call of {name}, written by `attnpack repro {name}`. Yours to change."]
    lines += [*IMPORTS[kind], "from math import inf, nan", "", f"from {module} import {name}", ""]
    if kind is Backend.TORCH and any(isinstance(q, Fill) for q in questions):
        lines += ["", *FILL_TORCH, "", ""]
    parameters = parameters_of(source, name)
    for question in questions:
        lines += _asked(question, name, parameters, kind)
    lines += [f"# {line}".rstrip() for line in comments]
    return "\n".join(lines) + "\n"


def expected(said: str, comparison: Comparison | None) -> list[str]:
    """What should have come, in lines: the numbers where they are few, else the first wrong one."""
    lines = ["", *textwrap.wrap(said, COLUMNS)]
    if comparison is None:
        return lines
    right = comparison.right
    if right is not None and right.size <= FEW:
        written = np.array2string(np.asarray(right), precision=6, suppress_small=False)
        lines += [f"expected, shape {right.shape}:", *written.splitlines()]
    if comparison.first_index is not None:
        at = list(comparison.first_index)
        lines.append(f"at {at}: {comparison.expected:.6g} expected, {comparison.got:.6g} came")
    return lines


def parameters_of(source: str, name: str) -> Mapping[str, Sequence[str]]:
    """The names of the parameters of a function, or of `__init__` and `forward` of a class."""
    try:
        module = ast.parse(source)
    except SyntaxError:
        return {}
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return {name: [argument.arg for argument in node.args.args]}
        if isinstance(node, ast.ClassDef) and node.name == name:
            return {
                method.name: [argument.arg for argument in method.args.args[1:]]
                for method in node.body
                if isinstance(method, ast.FunctionDef)
            }
    return {}


def _asked(
    question: Question, name: str, parameters: Mapping[str, Sequence[str]], backend: Backend
) -> Iterator[str]:
    match question:
        case Call():
            names = _names(question.arguments, parameters.get(question.function, ()))
            yield from _assignments(names, question.arguments, backend, question.precision)
            yield f"print({question.function}({', '.join(names)}))"
        case Build():
            given = [_scalar(value) for value in question.arguments]
            given += [f"{key}={_scalar(value)}" for key, value in question.keywords.items()]
            yield f"layer = {name}({', '.join(given)})"
        case Fill():
            for matrix, numbers in question.matrices.items():
                yield _filled(matrix, numbers, backend)
        case Forward():
            names = _names(question.arguments, parameters.get("forward", ()))
            yield from _assignments(names, question.arguments, backend, question.precision)
            given = [*names, *(f"{key}={_scalar(v)}" for key, v in question.keywords.items())]
            yield f"print(layer.forward({', '.join(given)}))"


def _names(arguments: Sequence[Argument], parameters: Sequence[str]) -> list[str]:
    return [
        parameters[n] if n < len(parameters) else f"argument_{n + 1}" for n in range(len(arguments))
    ]


def _assignments(
    names: Sequence[str], arguments: Sequence[Argument], backend: Backend, precision: str
) -> Iterator[str]:
    for name, value in zip(names, arguments, strict=True):
        if isinstance(value, np.ndarray):
            yield f"{name} = {_array(value, backend, precision, lifted=name not in PLAIN_IN_VALUE)}"
        else:
            yield f"{name} = {_scalar(value)}"


def _array(numbers: np.ndarray, backend: Backend, precision: str, *, lifted: bool = True) -> str:
    written = repr(numbers.tolist())
    floating = np.issubdtype(numbers.dtype, np.floating)
    match backend:
        case Backend.NUMPY:
            dtype = f", dtype=np.{precision}" if floating and precision != "float64" else ""
            return f"np.array({written}{dtype})"
        case Backend.TORCH:
            return (
                f"torch.tensor({written}, dtype=torch.{precision if floating else numbers.dtype})"
            )
        case Backend.VALUE:
            return _values(written, numbers.ndim) if floating and lifted else written


def _values(written: str, depth: int) -> str:
    if depth == 1:
        return f"[Value(v) for v in {written}]"
    return f"[[Value(v) for v in row] for row in {written}]"


def _filled(matrix: str, numbers: np.ndarray, backend: Backend) -> str:
    match backend:
        case Backend.NUMPY:
            return f"layer.{matrix}[...] = {_array(numbers, backend, 'float64')}"
        case Backend.TORCH:
            return f"fill(layer.{matrix}, {_array(numbers, backend, 'float32')})"
        case Backend.VALUE:
            return f"layer.{matrix}[:] = {_array(numbers, backend, 'float64')}"


def _scalar(value: Argument) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)
