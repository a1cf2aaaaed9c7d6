"""Lines that are read off the source: where a definition, a constructor, a loop begins."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from attnpack.guest.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.pack.kinds import Source


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int


@dataclass(frozen=True)
class Definition:
    """One exercise in the learner's files, and the spans of the others."""

    file: str
    node: ast.stmt | None
    others: Mapping[str, tuple[tuple[int, int], ...]]
    """file -> first and last lines of the other exercises"""
    elsewhere: tuple[ast.stmt, ...] = ()
    """what else stands at the top of its file, the other exercises left out"""

    def is_another(self, place: Place) -> bool:
        """Whether a line belongs to another exercise."""
        spans = self.others.get(place.file, ())
        return any(first <= place.line <= last for first, last in spans)

    @property
    def start(self) -> Place | None:
        """The def or class line."""
        return None if self.node is None else Place(self.file, self.node.lineno)

    @property
    def body(self) -> Place | None:
        """The first statement that computes: of a class, of its forward method."""
        method = self.method("forward") or self.method("__call__")
        if method is not None:
            return method
        for statement in getattr(self.node, "body", []):
            if not _is_docstring(statement):
                return Place(self.file, statement.lineno)
        return self.start

    @property
    def constructor(self) -> Place | None:
        """The line of `def __init__`."""
        found = self._function("__init__")
        return None if found is None else Place(self.file, found.lineno)

    def definition_of(self, name: str) -> Place | None:
        """The `def` of a function or method of that name, in the exercise."""
        found = self._function(name)
        return None if found is None else Place(self.file, found.lineno)

    def method(self, name: str) -> Place | None:
        """The first statement of a method."""
        found = self._function(name)
        if found is None:
            return None
        first = next((s for s in found.body if not _is_docstring(s)), found.body[0])
        return Place(self.file, first.lineno)

    def container_in_constructor(self) -> Place | None:
        """The first list, tuple or dictionary of things made there that the constructor keeps."""
        found = self._function("__init__")
        kept = [node for node in (ast.walk(found) if found else ()) if isinstance(node, ast.Assign)]
        holding = [node for node in kept if _holds_what_is_made(node)]
        filled = [node for node in kept if _is_filled_later(node)]
        return next((Place(self.file, node.lineno) for node in (*holding, *filled)), None)

    def assigned_in_constructor(self, *attributes: str) -> Place | None:
        """The first line of the constructor that sets one of these attributes."""
        found = self._function("__init__")
        for node in ast.walk(found) if found else ():
            if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Store):
                continue
            if node.attr in attributes:
                return Place(self.file, node.lineno)
        return None

    def division_in_constructor(self) -> Place | None:
        """What the constructor does where a remainder is left, else its first // or %."""
        found = self._function("__init__")
        nodes = list(ast.walk(found)) if found else []
        for node in nodes:
            if isinstance(node, ast.If) and any(map(_is_division, ast.walk(node.test))):
                return Place(self.file, node.body[0].lineno)
        lines = [node.lineno for node in nodes if isinstance(node, ast.BinOp) if _is_division(node)]
        return Place(self.file, min(lines)) if lines else None

    def read_of(self, attribute: str, *, outside: str) -> Place | None:
        """The first line that reads an attribute, but for calls of `outside` and subtrahends."""
        nodes = list(self._walk())
        skipped = {
            id(part)
            for node in nodes
            if isinstance(node, ast.Call) and _called(node) == outside
            for part in ast.walk(node)
        }
        skipped |= {
            id(node.right)
            for node in nodes
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
        }
        lines = [
            node.lineno
            for node in nodes
            if isinstance(node, ast.Attribute | ast.Constant) and id(node) not in skipped
            if attribute in (getattr(node, "attr", None), getattr(node, "value", None))
        ]
        return Place(self.file, min(lines)) if lines else None

    def derivative(self) -> Place | None:
        """The first line of a hand-written `backward` that computes, in the file's classes."""
        for node in (self.node, *self.elsewhere):
            for method in ast.walk(node) if node is not None else ():
                if isinstance(method, ast.FunctionDef) and method.name == "backward":
                    computing = (s for s in method.body if _computes(s))
                    return Place(self.file, next(computing, method.body[-1]).lineno)
        return None

    def call_with(self, name: str, arguments: int) -> Place | None:
        """The first call of a function with at least so many arguments."""
        for node in self._walk():
            if not isinstance(node, ast.Call) or _called(node) != name:
                continue
            if len(node.args) + len(node.keywords) >= arguments:
                return Place(self.file, node.lineno)
        return None

    def call_of(self, *names: str) -> Place | None:
        """The first call of a function of one of these names, whatever it hangs on."""
        return next(self.calls_of(*names), None)

    def calls_of(self, *names: str) -> Iterator[Place]:
        """Each call of a function of one of these names, whatever it hangs on."""
        for node in self._walk():
            if isinstance(node, ast.Call) and _called(node) in names:
                yield Place(self.file, node.lineno)

    def loop(self) -> Place | None:
        """The first while loop, else the first loop."""
        loops = [n for n in self._walk() if isinstance(n, ast.While | ast.For)]
        loops.sort(key=lambda node: (isinstance(node, ast.For), node.lineno))
        return Place(self.file, loops[0].lineno) if loops else None

    def _function(self, name: str) -> ast.FunctionDef | None:
        for node in self._walk():
            if isinstance(node, ast.FunctionDef) and node.name == name:
                return node
        return None

    def _walk(self) -> Iterator[ast.AST]:
        return iter(()) if self.node is None else ast.walk(self.node)


def definition(source: Source, exercise: str) -> Definition:
    """Read where an exercise and the others are defined; what does not parse has no lines."""
    trees = {
        file: _parsed(source.files.get(file, ""))
        for file in {source.entry, *source.others.values()}
    }
    others: dict[str, list[tuple[int, int]]] = {}
    for name, file in source.others.items():
        node = _last(trees[file], name)
        if node is not None:
            others.setdefault(file, []).append((node.lineno, node.end_lineno or node.lineno))
    spans = {file: tuple(found) for file, found in others.items()}
    tree = trees[source.entry]
    names = {exercise, *source.others}
    rest = [s for s in (tree.body if tree else ()) if getattr(s, "name", None) not in names]
    return Definition(source.entry, _last(tree, exercise), spans, tuple(rest))


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _last(tree: ast.Module | None, name: str) -> ast.stmt | None:
    found = definitions(tree).get(name) if tree is not None else None
    return found[-1] if found else None


_CONTAINERS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple)


def _holds_what_is_made(node: ast.Assign) -> bool:
    """A container with calls inside; a tuple that is unpacked at once is none."""
    value = node.value
    unpacked = any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
    named = isinstance(value, ast.Call) and _called(value) in ("list", "tuple", "dict")
    if unpacked or not (named or isinstance(value, _CONTAINERS)):
        return False
    return any(isinstance(part, ast.Call) for part in ast.walk(value) if part is not value)


def _is_filled_later(node: ast.Assign) -> bool:
    """An empty container that `self` keeps."""
    empty = isinstance(node.value, ast.List) and not node.value.elts
    return empty and any(isinstance(target, ast.Attribute) for target in node.targets)


def _is_division(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.Mod)


def _computes(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.BinOp | ast.AugAssign) for node in ast.walk(statement))


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
