"""Each statement at the top of a file in a `try` of its own.

A statement that raises ends nothing but itself: the names that it would have bound stand for its
exception, which is raised where one of them is used. So an import that cannot be had, or a
class that cannot be made, costs those exercises that use it and no other.
"""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any, Never

from attnpack.guest.definitions import blocks, defined

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "__attnpack_set_aside__"
"""of the hook, in each module"""
_BINARY = (
    "add",
    "sub",
    "mul",
    "matmul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "and",
    "xor",
)
_OTHERS = (
    *("lt", "le", "gt", "ge", "neg", "pos", "abs", "invert", "int", "float", "complex", "index"),
    *("round", "bool", "len", "iter", "next", "reversed", "contains", "setitem", "delitem"),
    *("enter", "exit", "array", "mro_entries"),
)


class SetAside:
    """Stands for a name whose statement raised. Whatever is done with it raises that exception.

    Of an import that failed, annotations, `isinstance` and attributes are let pass: code may
    mention a library that it does not use.
    """

    error: BaseException

    def __init__(self, error: BaseException) -> None:
        self.__dict__["error"] = error

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._mentioned()

    def __setattr__(self, name: str, value: object) -> None:
        _raise(self)

    def __getitem__(self, key: object) -> Any:
        return self._mentioned()

    def __or__(self, other: object) -> Any:
        return self._mentioned()

    def __call__(self, *_: object, **__: object) -> Never:
        """Raise what the name stands for."""
        _raise(self)

    def __instancecheck__(self, instance: object) -> bool:
        self._mentioned()
        return False

    def _mentioned(self) -> SetAside:
        if not isinstance(self.error, ImportError):
            _raise(self)
        return self


def _raise(name: SetAside, *_: object) -> Never:
    raise name.error


for _word in (*_BINARY, *(f"r{word}" for word in _BINARY), *_OTHERS):
    setattr(SetAside, f"__{_word}__", _raise)


def guarded(tree: ast.Module) -> ast.Module:
    """The same file, each statement at its top in a `try` of its own; lines stay as they are."""
    tree.body = [
        statement if _comes_first(statement) else _tried(statement) for statement in tree.body
    ]
    return tree


class Hook:
    """What the `try`s of one module call."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.errors: list[BaseException] = []
        self._namespace = namespace

    def __call__(self, names: tuple[str, ...]) -> None:
        """Let the names that are not bound yet stand for the exception being handled."""
        error = sys.exception()
        if error is not None:
            self.errors.append(error)
            for name in names:
                self._namespace.setdefault(name, SetAside(error))


def raised_for(namespace: dict[str, Any], name: str) -> BaseException | None:
    """The exception that a name stands for, or that may have kept it from being bound."""
    found = namespace.get(name)
    if isinstance(found, SetAside):
        return found.error
    hook = namespace.get(NAME)
    if found is None and isinstance(hook, Hook) and hook.errors:
        return hook.errors[0]
    return None


def _comes_first(statement: ast.stmt) -> bool:
    """A docstring, or an import from `__future__`, has to stand at the top itself."""
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.ImportFrom(module="__future__"):
            return True
    return False


def _tried(statement: ast.stmt) -> ast.stmt:
    names = ast.Tuple([ast.Constant(name) for name in _bound(statement)], ast.Load())
    call = ast.Expr(ast.Call(ast.Name(NAME, ast.Load()), [names], []))
    tried = ast.Try([statement], [ast.ExceptHandler(None, None, [call])], [], [])
    for node in (tried, *tried.handlers, *ast.walk(call)):
        if isinstance(node, (ast.expr, ast.stmt, ast.ExceptHandler)):
            ast.copy_location(node, statement)
    return tried


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that it would bind, those of its blocks too."""
    inside = (each for block in blocks([statement]) for each in block)
    names = dict.fromkeys(name for each in inside for name in defined(each))
    yield from (name for name in names if name != "*")
