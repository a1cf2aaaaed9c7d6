"""Whether an exercise still is the stub that the learner was given."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from attnpack import pack
from attnpack.guest.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.terms import Backend

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_stub(text: str, exercise: str, backend: Backend) -> bool:
    """The definition is the pack's own, or says nothing but `pass`, `...`, NotImplementedError."""
    definition = _definition(text, exercise)
    if definition is None:
        return False
    if _is_blank(definition):
        return True
    stub = _stub(exercise, backend)
    return stub is not None and _normalised(definition) == stub


def _definition(text: str, exercise: str) -> ast.stmt | None:
    try:
        found = definitions(ast.parse(text)).get(exercise)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return found[-1] if found and isinstance(found[-1], _DEFINITIONS) else None


@cache
def _stub(exercise: str, backend: Backend) -> str | None:
    file = next((e.file for e in pack.load().exercises if e.name == exercise), None)
    path = pack.stub_path(backend, file) if file else None
    if path is None or not path.is_file():
        return None
    definition = _definition(path.read_text("utf-8"), exercise)
    return _normalised(definition) if definition else None


def _normalised(definition: ast.stmt) -> str:
    """Its structure without docstrings; comments, names of lines and layout do not count."""
    copy = ast.parse(ast.unparse(definition))
    for node in ast.walk(copy):
        if isinstance(node, _DEFINITIONS):
            node.body = _without_docstring(node.body) or [ast.Pass()]
    return ast.dump(copy)


def _without_docstring(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return list(body[1:] if is_text else body)


def _is_blank(statement: ast.stmt) -> bool:
    match statement:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
            return all(map(_is_blank, body))
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id=name)) | ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))))
        ):
            return True
    return False
