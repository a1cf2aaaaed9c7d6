"""The changes that are tried, those nearest to a place first."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from attnpack.diagnosis.edits.edit import Edit
from attnpack.diagnosis.edits.expressions import changed, grown
from attnpack.diagnosis.edits.scope import Scope, scope_of
from attnpack.diagnosis.edits.statements import appended, parameter_edits, statement_edits
from attnpack.guest.definitions import defined
from attnpack.guest.seeing.sites import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from attnpack.terms import Backend

_LOOSE = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda)
_TIGHT = (*_LOOSE, ast.Attribute, ast.Starred)


class Near(IntEnum):
    """How near to the place a change lies. Nearest first."""

    AT = 0
    """the expression, what it is part of, and its parts"""
    AROUND = 1
    """the same with something put around it"""
    STATEMENT = 2
    FEEDS = 3
    """a statement that binds what the place's statement reads"""
    FUNCTION = 4
    ELSEWHERE = 5
    GROWN = 6
    """any value of a statement with something put around it"""


@dataclass(frozen=True)
class _Function:
    node: ast.FunctionDef
    scope: Scope


def candidates(
    text: str, file: str, others: Collection[str], place: Span | None, backend: Backend
) -> list[Edit]:
    """Every change of a file that is tried, in order; definitions of `others` stay as they are."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    collecting = _Collecting(Lines(file, text), place if place and place.file == file else None)
    for function in _functions(tree, others, backend):
        collecting.function(function)
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and not set(others) & set(defined(statement)):
            collecting.constant(statement)
    found = sorted(collecting.found, key=lambda each: each[0])
    return list(dict.fromkeys(edit for _, edit in found))


def _functions(tree: ast.Module, others: Collection[str], backend: Backend) -> Iterator[_Function]:
    for statement in ast.walk(tree):
        body = getattr(statement, "body", None)
        if statement is not tree or not isinstance(body, list):
            continue
        for node in body:
            if set(defined(node)) & set(others):
                continue
            cls = node if isinstance(node, ast.ClassDef) else None
            for inner in ast.walk(node):
                if isinstance(inner, ast.FunctionDef):
                    yield _Function(inner, scope_of(inner, tree, cls, backend))


class _Collecting:
    def __init__(self, lines: Lines, place: Span | None) -> None:
        self.found: list[tuple[Near, Edit]] = []
        self._lines = lines
        self._place = place
        self._whole: Span | None = None
        """the expression that the place is an operand or an argument of"""

    def constant(self, statement: ast.Assign) -> None:
        """A value that is named at the top of the file."""
        scope = Scope((), (), (), (), ())
        for node in ast.walk(statement.value):
            if isinstance(node, ast.expr):
                span = self._lines.span(node)
                near = Near.AT if self._place and self._place.holds(span) else Near.FUNCTION
                self.found += [(near, Edit(span, text)) for text in changed(node, scope)]

    def function(self, one: _Function) -> None:
        """Everything in one function."""
        span = self._lines.span(one.node)
        inside = self._place is not None and span.holds(self._place)
        far = Near.FUNCTION if inside else Near.ELSEWHERE
        fed = self._read_at_place(one.node) if inside else set()
        edits = [*parameter_edits(one.node, one.scope, self._lines)]
        self.found += [(far, edit) for edit in edits]
        self.found += [(far, edit) for edit in appended(one.node, one.scope, self._lines)]
        for default in (*one.node.args.defaults, *one.node.args.kw_defaults):
            if default is not None:
                self._expressions(default, None, one.scope, far)
        for body in _blocks(one.node):
            for number, statement in enumerate(body):
                near = self._nearness(statement, fed, far)
                changes = statement_edits(body, number, one.scope, self._lines)
                self.found += [(near, edit) for edit in changes]
                for child, parent in _own_expressions(statement):
                    self._expressions(child, parent, one.scope, near)

    def _nearness(self, statement: ast.stmt, fed: set[str], far: Near) -> Near:
        span = self._lines.span(statement)
        if self._place is not None and far is Near.FUNCTION:
            if span.holds(self._place) or self._place.holds(span):
                return Near.STATEMENT
            if fed & set(defined(statement)):
                return Near.FEEDS
        return far

    def _read_at_place(self, function: ast.FunctionDef) -> set[str]:
        for body in _blocks(function):
            for statement in body:
                span = self._lines.span(statement)
                if self._place is not None and span.holds(self._place):
                    names = (n.id for n in ast.walk(statement) if isinstance(n, ast.Name))
                    return set(names)
        return set()

    def _expressions(
        self, node: ast.expr, parent: ast.AST | None, scope: Scope, near: Near
    ) -> None:
        span = self._lines.span(node)
        at = self._is_at(node, span)
        here = Near.AT if at else near
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        if is_read:
            self._add(here, node, span, parent, changed(node, scope))
            if not isinstance(node, ast.Constant):
                later = Near.AROUND if at else Near.GROWN
                whole = isinstance(parent, ast.stmt) or near is Near.STATEMENT
                if at or whole:
                    self._add(later, node, span, parent, grown(node, scope))
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._expressions(child, node, scope, near)
            elif isinstance(child, ast.keyword):
                self._expressions(child.value, child, scope, near)
            elif isinstance(child, ast.Slice | ast.comprehension):
                for part in ast.iter_child_nodes(child):
                    if isinstance(part, ast.expr):
                        self._expressions(part, child, scope, near)

    def _is_at(self, node: ast.expr, span: Span) -> bool:
        if self._place is None:
            return False
        if self._place.holds(span):
            return True
        children = (c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr | ast.keyword))
        inner = (c.value if isinstance(c, ast.keyword) else c for c in children)
        return any(self._lines.span(child) == self._place for child in inner)

    def _add(
        self,
        near: Near,
        node: ast.expr,
        span: Span,
        parent: ast.AST | None,
        texts: Iterator[str],
    ) -> None:
        tight = isinstance(parent, _TIGHT) or (
            isinstance(parent, ast.Call | ast.Subscript)
            and node is (parent.func if isinstance(parent, ast.Call) else parent.value)
        )
        for text in texts:
            needed = tight and isinstance(_parsed(text), _LOOSE)
            self.found.append((near, Edit(span, f"({text})" if needed else text)))


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def _blocks(function: ast.FunctionDef) -> Iterator[Sequence[ast.stmt]]:
    """The statements of a function and of the blocks in it; of inner functions none."""
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop(0)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
                yield block
                waiting += [s for s in block if not isinstance(s, ast.FunctionDef | ast.ClassDef)]
        waiting += getattr(node, "handlers", [])


def _own_expressions(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.AST]]:
    """Of a statement's own, without those of the statements in it."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AnnAssign):
        value = getattr(statement, "value", None)
        if value is not None:
            yield value, statement
        return
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr):
            yield child, statement
