"""What a statement may be changed to: left out, moved, bound to another name."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING

from attnpack.diagnosis.edits.edit import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.diagnosis.edits.scope import Scope
    from attnpack.guest.seeing.sites import Lines, Span


def statement_edits(
    body: Sequence[ast.stmt], place: int, scope: Scope, lines: Lines
) -> Iterator[Edit]:
    """Changes of one statement of a block."""
    statement = body[place]
    span = lines.span(statement)
    match statement:
        case ast.Assign(targets=[ast.Name() as target]):
            others = (*scope.unread, *scope.names)
            yield from _instead(lines.span(target), others, target.id)
        case ast.Assign(targets=[ast.Attribute() as target]):
            own = ast.unparse(target)
            yield from _instead(lines.span(target), scope.attributes, own)
        case ast.Assign(targets=[ast.Tuple() as target]):
            yield from _instead(lines.span(target), _exchanged(target), ast.unparse(target))
        case ast.AugAssign():
            for operator in (ast.Add(), ast.Sub(), ast.Mult(), ast.Div()):
                text = ast.unparse(ast.AugAssign(statement.target, operator, statement.value))
                yield Edit(span, text)
        case ast.Expr(value=ast.Call() as call):
            for name in _names_of(call):
                yield Edit(span, f"{name} = {ast.unparse(call)}")
        case ast.Pass():
            yield from (Edit(span, text) for text in _missing(scope))
    if not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Return | ast.Pass):
        yield Edit(span, "pass")
    if place + 1 < len(body):
        yield from _moved(statement, body[place + 1], lines)


def parameter_edits(function: ast.FunctionDef, scope: Scope, lines: Lines) -> Iterator[Edit]:
    """A parameter under the name by which it is read."""
    for argument in (*function.args.args, *function.args.kwonlyargs):
        if argument.arg in scope.unread:
            span = lines.span(argument)
            yield from _instead(span, scope.unread, argument.arg)


def appended(function: ast.FunctionDef, scope: Scope, lines: Lines) -> Iterator[Edit]:
    """A last statement that was forgotten: what is kept of the arguments, what is returned."""
    last = function.body[-1]
    indent = " " * last.col_offset
    span = lines.span(last)
    end = span._replace(line=span.end_line, column=span.end_column)
    for text in _missing(scope):
        if text.startswith("return") != (function.name == "__init__"):
            yield Edit(end, f"\n{indent}{text}")


def _instead(span: Span, others: Sequence[str], own: str) -> Iterator[Edit]:
    yield from (Edit(span, other) for other in dict.fromkeys(others) if other != own)


def _exchanged(target: ast.Tuple) -> list[str]:
    found = []
    for first, second in combinations(range(len(target.elts)), 2):
        elements = list(target.elts)
        elements[first], elements[second] = elements[second], elements[first]
        found.append(", ".join(ast.unparse(element) for element in elements))
    return found


def _names_of(call: ast.Call) -> Iterator[str]:
    receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    for node in (*receiver, *call.args):
        if isinstance(node, ast.Name):
            yield node.id


def _missing(scope: Scope) -> Iterator[str]:
    kept = {name.removeprefix("self.") for name in scope.attributes}
    yield from (f"self.{name} = {name}" for name in scope.names if name in kept)
    yield from (f"return {name}" for name in reversed(scope.names))
    for name in scope.unread:
        yield from (f"{name} = {atom}" for atom in scope.atoms if atom != name)


def _moved(statement: ast.stmt, following: ast.stmt, lines: Lines) -> Iterator[Edit]:
    """Exchanged with the next one."""
    first, second = lines.span(statement), lines.span(following)
    if isinstance(following, ast.Return) or first.end_line >= second.line:
        return
    both = first._replace(end_line=second.end_line, end_column=second.end_column)
    indent = " " * first.column
    yield Edit(both, f"{lines.written(second)}\n{indent}{lines.written(first)}")
