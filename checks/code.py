"""What the learner wrote, as a syntax tree: facts that settle what numbers leave open."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from attnpack.diagnosis.source_lines import Place, definition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.pack.kinds import Source

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Fact: TypeAlias = "Callable[[Code], Place | None]"
"""where the source shows something, or None"""

_METHODS = ("forward", "__call__")


@dataclass(frozen=True)
class Code:
    """One exercise's definition, with the functions and classes that stand beside it."""

    file: str
    node: ast.stmt | None
    beside: tuple[ast.stmt, ...] = ()
    known: frozenset[str] = frozenset()
    """names of exercises: functions that may be imported from another file"""
    _parents: dict[ast.AST, ast.AST] = field(default_factory=dict, compare=False)

    @cached_property
    def asked(self) -> Function | None:
        """The function that is called: the exercise itself, or its forward method."""
        if isinstance(self.node, Function):
            return self.node
        methods = {f.name: f for f in self.functions(self.node)}
        return next((methods[name] for name in _METHODS if name in methods), None)

    @cached_property
    def constructor(self) -> Function | None:
        """`__init__` of a class."""
        found = (f for f in self.functions(self.node) if f.name == "__init__")
        return next(found, None)

    def functions(self, node: ast.AST | None) -> Iterator[Function]:
        """Every function that a statement holds, itself included."""
        for part in ast.walk(node) if node is not None else ():
            if isinstance(part, Function):
                yield part

    @property
    def own(self) -> Iterator[ast.AST]:
        """Every node of the definition, and then of the helpers that it names."""
        if self.node is None:
            return
        nodes = list(ast.walk(self.node))
        yield from nodes
        named = {n.id for n in nodes if isinstance(n, ast.Name)}
        for statement in self.beside:
            if getattr(statement, "name", None) in named:
                yield from ast.walk(statement)

    def find(self, wanted: Callable[[ast.AST], bool]) -> Place | None:
        """The first line of the definition, or of its helpers, with such a node."""
        lines = [node.lineno for node in self.own if hasattr(node, "lineno") and wanted(node)]
        return self.at(lines[0]) if lines else None

    def at(self, line: int) -> Place:
        """A line of the exercise's file."""
        return Place(self.file, line)

    def statement(self, place: Place) -> ast.stmt | None:
        """The innermost statement that covers a line."""
        if place.file != self.file:
            return None
        covering = [
            node
            for top in (self.node, *self.beside)
            for node in (ast.walk(top) if top is not None else ())
            if isinstance(node, ast.stmt)
            and node.lineno <= place.line <= (node.end_lineno or node.lineno)
        ]
        return max(covering, key=lambda node: node.lineno) if covering else None

    def functions_in_reach(self) -> set[str]:
        """Names that stand for functions: the exercises, and what the file defines."""
        own = {s.name for s in self.beside if isinstance(s, Function)}
        return own | set(self.known)


def read(source: Source, exercise: str) -> Code:
    """The code of one exercise; of a file that does not parse, nothing."""
    found = definition(source, exercise)
    others = frozenset(source.others)
    return Code(found.file, found.node, found.elsewhere, others)


def called(node: ast.AST) -> str:
    """The name of what a call calls, without what it hangs on; "" for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def heads(node: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement's own line: of a compound one, what stands before the colon."""
    inner = {
        id(part)
        for name in ("body", "orelse", "finalbody", "handlers")
        for child in getattr(node, name, [])
        if isinstance(child, ast.AST)
        for part in ast.walk(child)
    }
    yield from (part for part in ast.walk(node) if id(part) not in inner)
