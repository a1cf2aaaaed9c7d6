"""What an expression may be changed to: for one node, the texts that stand in for it."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.diagnosis.edits.scope import Scope

_T = TypeVar("_T")

_OPERATORS: Sequence[type[ast.operator]] = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.FloorDiv, ast.Mod),
)
_COMPARISONS: Sequence[type[ast.cmpop]] = (*(ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),)
_NEAR = ("triu", "tril"), ("max", "sum", "min", "mean"), ("argmax", "max"), ("exp", "log")
"""functions that are taken for each other"""
_KEYWORDS = ("keepdims=True", "axis=-1", "axis=-1, keepdims=True", "k=1", "dim=-1", "keepdim=True")


def changed(node: ast.expr, scope: Scope) -> Iterator[str]:
    """The nearest changes first."""
    match node:
        case ast.Constant():
            yield from _constants(node.value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            yield from _constants(-value)
        case ast.UnaryOp():
            yield _text(node.operand)
        case ast.BinOp():
            yield from _binary(node)
        case ast.Compare() if len(node.ops) == 1:
            yield from _comparison(node)
        case ast.BoolOp():
            yield from map(_text, node.values)
            other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield _text(ast.BoolOp(other, node.values))
        case ast.IfExp():
            yield from (_text(node.body), _text(node.orelse))
            yield _text(ast.IfExp(node.test, node.orelse, node.body))
        case ast.Name():
            yield from (name for name in scope.names if name != node.id)
        case ast.Attribute():
            yield from _attribute(node, scope)
        case ast.Call():
            yield from _call(node, scope)
        case ast.Subscript():
            yield from _subscript(node)
        case ast.Tuple():
            yield from map(_text, _exchanged(node))


def grown(node: ast.expr, scope: Scope) -> Iterator[str]:
    """The expression with something around it: a call, an operand that was left out."""
    own = _text(node)
    atomic = isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
    inner = own if atomic else f"({own})"
    for wrap in scope.wraps:
        yield wrap.format(own if "({})" in wrap or "({}, " in wrap else inner)
    for atom in scope.atoms:
        if atom != own:
            yield from (f"{inner} {sign} {atom}" for sign in ("@", "/", "+", "*", "-", "//", "%"))
            yield from (f"{atom} {sign} {inner}" for sign in ("@", "-", "/"))
            yield from (f"{inner}[{atom}]", f"{inner}[:{atom}]", f"{atom}({own})")


def _text(node: ast.AST) -> str:
    return ast.unparse(node)


def _constants(value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield repr(not value)
    elif isinstance(value, int):
        others = dict.fromkeys((value - 1, value + 1, -value, -1, -2, -3, 0, 1, 2, 3))
        yield from (repr(other) for other in others if other != value)
    elif isinstance(value, float):
        numbers = dict.fromkeys(
            (-value, value / 10, value * 10, value - 1, 0.5, -0.5, -1e9, 0.0, 1.0)
        )
        yield from (repr(other) for other in numbers if other != value)
        yield 'float("-inf")'
    elif isinstance(value, str) and "->" in value:
        yield from map(repr, _subscripts(value))


def _subscripts(value: str) -> Iterator[str]:
    """Two letters of an einsum exchanged in its result or in one operand, or one replaced."""
    operands, result = value.replace(" ", "").split("->", 1)
    letters = sorted(set(operands) - {",", "."})
    parts = [*operands.split(","), result]
    for place, part in enumerate(parts):
        options = [
            _with(part, {i: part[j], j: part[i]}) for i, j in combinations(range(len(part)), 2)
        ]
        options += [_with(part, {i: letter}) for i in range(len(part)) for letter in letters]
        for option in options:
            if option != part:
                joined = [*parts[:place], option, *parts[place + 1 :]]
                yield ",".join(joined[:-1]) + "->" + joined[-1]


def _with(word: str, letters: dict[int, str]) -> str:
    return "".join(letters.get(place, letter) for place, letter in enumerate(word))


def _binary(node: ast.BinOp) -> Iterator[str]:
    for operator in _OPERATORS:
        if not isinstance(node.op, operator):
            yield _text(ast.BinOp(node.left, operator(), node.right))
    yield _text(ast.BinOp(node.right, node.op, node.left))
    yield from (_text(node.left), _text(node.right))


def _comparison(node: ast.Compare) -> Iterator[str]:
    op, right = node.ops[0], node.comparators[0]
    if isinstance(op, ast.Is | ast.IsNot):
        flipped = ast.IsNot() if isinstance(op, ast.Is) else ast.Is()
        yield _text(ast.Compare(node.left, [flipped], [right]))
        return
    for other in _COMPARISONS:
        if not isinstance(op, other):
            yield _text(ast.Compare(node.left, [other()], [right]))
    yield _text(ast.Compare(right, [op], [node.left]))


def _attribute(node: ast.Attribute, scope: Scope) -> Iterator[str]:
    own = _text(node)
    if own.startswith("self."):
        yield from (other for other in scope.attributes if other != own)
    elif node.attr == "shape":
        yield from (f"{own}[-1]", f"{own}[-2]")
    if node.attr in ("T", "mT"):
        yield _text(node.value)
        yield f"{_text(node.value)}.swapaxes(-1, -2)"


def _call(node: ast.Call, scope: Scope) -> Iterator[str]:
    yield from _named(node)
    for first, second in combinations(range(len(node.args)), 2):
        arguments = list(node.args)
        arguments[first], arguments[second] = arguments[second], arguments[first]
        yield _text(ast.Call(node.func, arguments, node.keywords))
    for keywords in _without(node.keywords):
        yield _text(ast.Call(node.func, node.args, keywords))
    for arguments in _without(node.args):
        yield _text(ast.Call(node.func, arguments, node.keywords))
    if node.args:
        yield _text(node.args[0])
    if isinstance(node.func, ast.Attribute):
        yield _text(node.func.value)
    own = _text(node)
    comma = ", " if node.args or node.keywords else ""
    yield from (f"{own[:-1]}{comma}{keyword})" for keyword in _KEYWORDS)
    for atom in (*scope.atoms, "-1", "1", "0.0", "None"):
        for place in range(len(node.args) + 1):
            extra = ast.parse(atom, mode="eval").body
            arguments = [*node.args[:place], extra, *node.args[place:]]
            yield _text(ast.Call(node.func, arguments, node.keywords))


def _named(node: ast.Call) -> Iterator[str]:
    if not isinstance(node.func, ast.Attribute):
        return
    for group in _NEAR:
        if node.func.attr in group:
            for other in group:
                if other != node.func.attr:
                    function = ast.Attribute(node.func.value, other, ast.Load())
                    yield _text(ast.Call(function, node.args, node.keywords))


def _without(items: Sequence[_T]) -> Iterator[list[_T]]:
    return ([*items[:place], *items[place + 1 :]] for place in range(len(items)))


def _subscript(node: ast.Subscript) -> Iterator[str]:
    yield _text(node.value)
    if isinstance(node.slice, ast.Tuple):
        for other in _exchanged(node.slice):
            yield _text(ast.Subscript(node.value, other, node.ctx))
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for place, part in enumerate(parts):
        if isinstance(part, ast.Slice):
            for other_slice in _slices(part):
                changed_parts = [*parts[:place], other_slice, *parts[place + 1 :]]
                index = (
                    changed_parts[0] if len(parts) == 1 else ast.Tuple(changed_parts, ast.Load())
                )
                yield _text(ast.Subscript(node.value, index, node.ctx))


def _slices(part: ast.Slice) -> Iterator[ast.Slice]:
    if part.lower is not None:
        yield ast.Slice(None, part.upper, part.step)
    if part.upper is not None:
        yield ast.Slice(part.lower, None, part.step)
        for sign in (ast.Add(), ast.Sub()):
            yield ast.Slice(part.lower, ast.BinOp(part.upper, sign, ast.Constant(1)), part.step)


def _exchanged(node: ast.Tuple) -> Iterator[ast.Tuple]:
    for first, second in combinations(range(len(node.elts)), 2):
        elements = list(node.elts)
        elements[first], elements[second] = elements[second], elements[first]
        yield ast.Tuple(elements, node.ctx)
