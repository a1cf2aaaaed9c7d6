"""What a change may be made of: the names, attributes and calls of the learner's own code."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TURNS = {
    Backend.NUMPY: (
        *("np.swapaxes({}, -1, -2)", "np.swapaxes({}, -2, -3)", "np.sqrt({})", "np.exp({})"),
        *("np.sum({}, axis=-1, keepdims=True)", "np.max({}, axis=-1, keepdims=True)"),
    ),
    Backend.TORCH: (
        *("{}.transpose(-1, -2)", "{}.transpose(-2, -3)", "math.sqrt({})", "{} ** 0.5"),
        *("torch.exp({})", "{}.sum(-1, keepdim=True)", "{}.amax(-1, keepdim=True)"),
    ),
    Backend.VALUE: ("[list(row) for row in zip(*{})]", "{} ** 0.5", "{}.exp()", "sum({})"),
}
"""how a backend turns a matrix and a stack of heads, takes roots, exponentials, sums, maxima"""
_COMMON = (
    "-{}",
    "~{}",
    "not {}",
    "1 - {}",
    "{}[:, None]",
    "{}[None, :]",
    "{}[-1]",
    "{}[-2]",
    "{} + 1",
    "{} - 1",
)
_ATOMS = 14


@dataclass(frozen=True)
class Scope:
    """One function of the learner's, and what is around it."""

    names: Sequence[str]
    """parameters and local variables, in order"""
    unread: Sequence[str]
    """those that are read and never bound, or bound and never read"""
    attributes: Sequence[str]
    """`self.W_q` ...: what the class sets, and what it reads"""
    wraps: Sequence[str]
    """how a value may be passed through a function: "self.split_heads({})" """
    atoms: Sequence[str]
    """small expressions that stand in the function"""


def scope_of(
    function: ast.FunctionDef, around: ast.Module, cls: ast.ClassDef | None, backend: Backend
) -> Scope:
    """What a function's changes may be made of."""
    bound = list(dict.fromkeys(_bound(function)))
    read = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and _reads(node)]
    free = [name for name in dict.fromkeys(read) if name not in bound]
    known = _defined(around)
    unread = [name for name in bound if name not in read]
    unread += [name for name in free if name not in known and name not in _BUILT_IN]
    attributes = list(dict.fromkeys(_attributes(cls))) if cls is not None else []
    calls = list(dict.fromkeys(_calls(cls or around)))
    wraps = (*_TURNS[backend], *(f"{name}({{}})" for name in calls), *_COMMON)
    values = [name for name in bound if name != "self"]
    small = [*values, *attributes, *_small(function, backend)]
    return Scope(values, unread, attributes, wraps, list(dict.fromkeys(small))[:_ATOMS])


_BUILT_IN = frozenset(dir(__builtins__) if not isinstance(__builtins__, dict) else __builtins__)


def _reads(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _bound(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function.args):
        if isinstance(node, ast.arg):
            yield node.arg
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _defined(around: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(around):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias():
                found.add((node.asname or node.name).split(".")[0])
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
    return found


def _attributes(cls: ast.ClassDef) -> Iterator[str]:
    methods = {node.name for node in ast.walk(cls) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(cls):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if name not in methods:
                yield f"self.{name}"


def _calls(around: ast.AST) -> Iterator[str]:
    """What is called by one value anywhere: methods of the class, functions of the file."""
    for node in ast.walk(around):
        if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
            name = ast.unparse(node.func)
            if name.replace(".", "").replace("_", "").isalnum() and name != "super":
                yield name


def _small(function: ast.FunctionDef, backend: Backend) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call | ast.Subscript) and isinstance(
            getattr(node, "ctx", ast.Load()), ast.Load
        ):
            text = ast.unparse(node)
            if len(text) < 24:
                yield text
    root = "np.sqrt({})" if backend is Backend.NUMPY else "{} ** 0.5"
    for node in ast.walk(function):
        if isinstance(node, ast.arg | ast.Name):
            name = node.arg if isinstance(node, ast.arg) else node.id
            if name.startswith("d") or name in ("Q", "q", "queries"):
                yield root.format(name if name.startswith("d") else f"{name}.shape[-1]")
