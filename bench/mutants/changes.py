"""What is changed: for one node of the syntax tree, the nodes that stand in for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OTHER_OPERATORS: dict[type[cst.BaseBinaryOp], Sequence[type[cst.BaseBinaryOp]]] = {
    cst.Add: (cst.Subtract,),
    cst.Subtract: (cst.Add,),
    cst.Multiply: (cst.Divide, cst.Add),
    cst.Divide: (cst.Multiply, cst.FloorDivide),
    cst.FloorDivide: (cst.Divide, cst.Multiply),
    cst.Modulo: (cst.FloorDivide,),
    cst.MatrixMultiply: (cst.Multiply,),
    cst.Power: (cst.Multiply,),
}
COMPARISONS = (
    *(cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual),
    *(cst.Equal, cst.NotEqual),
)
NEAR_NAMES = (("Q", "K", "V"), ("W_q", "W_k", "W_v", "W_o"), ("query", "key"), ("T", "h", "d_k"))
"""names that are easily taken for each other"""


def changes(node: cst.CSTNode) -> Iterator[tuple[str, cst.CSTNode]]:
    """Kinds of change and what they make of a node."""
    if isinstance(node, cst.Integer):
        yield from (("constant", number) for number in _integers(int(node.value)))
    elif isinstance(node, cst.Float):
        value = float(node.value)
        others = dict.fromkeys((-value, 10 * value, value / 10, value + 1.0, 0.0, 1.0))
        yield from (("constant", _number(other)) for other in others if other != value)
    elif isinstance(node, cst.UnaryOperation):
        yield from _unary(node)
    elif isinstance(node, cst.BinaryOperation):
        yield from _binary(node)
    elif isinstance(node, cst.Comparison):
        yield from _comparison(node)
    elif isinstance(node, cst.BooleanOperation):
        yield "condition", node.left
        yield "condition", node.right
    elif isinstance(node, cst.Name):
        yield from _name(node)
    elif isinstance(node, cst.Call):
        yield from _call(node)
    elif isinstance(node, cst.Slice):
        yield from _slice(node)
    elif isinstance(node, cst.Subscript):
        yield from _subscript(node)
    elif isinstance(node, cst.IfExp):
        yield "condition", node.body
        yield "condition", node.orelse
        yield "condition", node.with_changes(body=node.orelse, orelse=node.body)
    elif isinstance(node, cst.If):
        yield "condition", node.with_changes(test=cst.Name("True"))
        yield "condition", node.with_changes(test=cst.Name("False"))
    elif isinstance(node, cst.Tuple):
        yield from _swapped(node)


def dropped(statement: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
    """`pass` for a statement."""
    return statement.with_changes(body=[cst.Pass()])


def _integers(value: int) -> Iterator[cst.BaseExpression]:
    for other in dict.fromkeys((value + 1, value - 1, -value, 0)):
        if other != value:
            yield _number(other)


def _number(value: float) -> cst.BaseExpression:
    made = cst.parse_expression(repr(value))
    if value >= 0:
        return made
    return made.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _unary(node: cst.UnaryOperation) -> Iterator[tuple[str, cst.CSTNode]]:
    yield "operator", node.expression
    if isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer):
        value = -int(node.expression.value)
        yield from (("axis", _number(other)) for other in (value - 1, 0) if other != value)


def _binary(node: cst.BinaryOperation) -> Iterator[tuple[str, cst.CSTNode]]:
    for operator in OTHER_OPERATORS.get(type(node.operator), ()):
        yield "operator", node.with_changes(operator=operator())
    yield "operand dropped", node.left
    yield "operand dropped", node.right
    yield "operands swapped", node.with_changes(left=node.right, right=node.left)


def _comparison(node: cst.Comparison) -> Iterator[tuple[str, cst.CSTNode]]:
    target = node.comparisons[0]
    if isinstance(target.operator, COMPARISONS):
        others: Sequence[type[cst.BaseCompOp]] = COMPARISONS
    else:
        others = (cst.Is, cst.IsNot)
    for operator in others:
        if not isinstance(target.operator, operator):
            changed = target.with_changes(operator=operator())
            yield "comparison", node.with_changes(comparisons=[changed])


def _name(node: cst.Name) -> Iterator[tuple[str, cst.CSTNode]]:
    opposite = {"True": "False", "False": "True"}.get(node.value)
    if opposite:
        yield "constant", cst.Name(opposite)
    for group in NEAR_NAMES:
        if node.value in group:
            yield from (("name", cst.Name(other)) for other in group if other != node.value)


def _call(node: cst.Call) -> Iterator[tuple[str, cst.CSTNode]]:
    positional = [a for a in node.args if a.keyword is None and not a.star]
    if positional:
        yield "call dropped", positional[0].value
    if isinstance(node.func, cst.Attribute):
        yield "call dropped", node.func.value
    for place in range(len(positional) - 1):
        yield "arguments swapped", node.with_changes(args=_exchanged(node.args, place))
    for place in range(len(node.args)):
        kept = [argument for index, argument in enumerate(node.args) if index != place]
        yield "argument dropped", node.with_changes(args=kept)


def _exchanged(arguments: Sequence[cst.Arg], place: int) -> list[cst.Arg]:
    values = [argument.value for argument in arguments]
    values[place], values[place + 1] = values[place + 1], values[place]
    return [argument.with_changes(value=v) for argument, v in zip(arguments, values, strict=True)]


def _slice(node: cst.Slice) -> Iterator[tuple[str, cst.CSTNode]]:
    if node.lower is not None:
        yield "slice", node.with_changes(lower=None)
    if node.upper is not None:
        yield "slice", node.with_changes(upper=None)
    if node.lower is None and node.upper is None:
        yield "slice", node.with_changes(lower=cst.Integer("1"))
        yield "slice", node.with_changes(upper=_number(-1))


def _subscript(node: cst.Subscript) -> Iterator[tuple[str, cst.CSTNode]]:
    yield "slice", node.value
    for place in range(len(node.slice) - 1):
        parts = [element.slice for element in node.slice]
        parts[place], parts[place + 1] = parts[place + 1], parts[place]
        changed = [e.with_changes(slice=p) for e, p in zip(node.slice, parts, strict=True)]
        yield "slice", node.with_changes(slice=changed)


def _swapped(node: cst.Tuple) -> Iterator[tuple[str, cst.CSTNode]]:
    for place in range(len(node.elements) - 1):
        values = [element.value for element in node.elements]
        values[place], values[place + 1] = values[place + 1], values[place]
        pairs = zip(node.elements, values, strict=True)
        elements = [element.with_changes(value=value) for element, value in pairs]
        yield "elements swapped", node.with_changes(elements=elements)
