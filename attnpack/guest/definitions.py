"""Which names the top of a file binds, read off its syntax tree."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMPOUND = (ast.If, ast.Try, ast.With, ast.For, ast.While)
_FIELDS = ("body", "orelse", "finalbody")


def blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """The body and the blocks of its if, try, with and loops: all that runs in one namespace.

    Without recursion: a long chain of `elif` is a deep tree.
    """
    waiting = [body]
    while waiting:
        block = waiting.pop()
        yield block
        inner: list[list[ast.stmt]] = []
        for statement in block:
            if isinstance(statement, _COMPOUND):
                inner += [getattr(statement, field, []) for field in _FIELDS]
                inner += [handler.body for handler in getattr(statement, "handlers", [])]
        waiting += reversed(inner)


def defined(statement: ast.stmt) -> list[str]:
    """The names that a statement binds itself: def, class, import, assignment; "*" for all."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name.split(".")[0] for alias in aliases]
        case ast.Assign() if is_own_result(statement):
            return []
        case ast.Assign(targets=targets):
            names = [n for target in targets for n in ast.walk(target) if isinstance(n, ast.Name)]
            return [name.id for name in names if isinstance(name.ctx, ast.Store)]
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            return [name]
    return []


def is_own_result(statement: ast.stmt) -> bool:
    """`name = name(...)`: a call tried out, which does not take the place of what was called."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))):
            return name == called
    return False


def definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """Name -> the statements at the top of the file that bind it, in order."""
    found: dict[str, list[ast.stmt]] = {}
    for body in blocks(tree.body):
        for statement in body:
            for name in defined(statement):
                found.setdefault(name, []).append(statement)
    for statements in found.values():
        statements.sort(key=lambda statement: statement.lineno)
    return found
