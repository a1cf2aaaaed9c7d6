"""Facts of the source that tell bugs apart which give the same numbers. Imports no numpy."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from .code import called

if TYPE_CHECKING:
    from attnpack.diagnosis.source_lines import Place

    from .code import Code

_KEPT = ("masked_fill", "where", "add", "subtract", "multiply", "triu", "tril")
"""functions that give back a new array and leave their arguments as they were"""
_ROUNDING = ("round", "around", "rint", "floor", "ceil", "trunc", "int")
TINY = 1e-3


def result_dropped(code: Code) -> Place | None:
    """A call that gives back a new array, and stands alone on its line."""
    return code.find(lambda node: isinstance(node, ast.Expr) and _is_dropped(node.value))


def _is_dropped(call: ast.expr) -> bool:
    """Nothing keeps what comes back, unless by `out=` or `inplace=`."""
    keywords = {keyword.arg for keyword in getattr(call, "keywords", [])}
    return called(call) in _KEPT and not keywords & {"out", "inplace"}


def tiny_literal(code: Code) -> Place | None:
    """A number near zero is written out: 1e-9, -1e-12."""
    return code.find(_is_tiny)


def _is_tiny(node: ast.AST) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, float) and 0.0 < value < TINY


def inverts_bits(code: Code) -> Place | None:
    """`~` of what was made whole numbers of: of booleans it is the right way to negate."""
    return code.find(_inverts_numbers)


_TO_NUMBERS = frozenset({"astype", "int", "long", "to", "type"})


def _inverts_numbers(node: ast.AST) -> bool:
    if not (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)):
        return False
    calls = (part.func for part in ast.walk(node.operand) if isinstance(part, ast.Call))
    return any(isinstance(each, ast.Attribute) and each.attr in _TO_NUMBERS for each in calls)


def binds_tighter(code: Code) -> Place | None:
    """`d_k ** 1/2`, `d_k / 2` or `//`."""
    return code.find(_binds_tighter)


def _binds_tighter(node: ast.AST) -> bool:
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.FloorDiv):
        return True
    return isinstance(node.op, ast.Div) and _has_whole_power(node.left)


def _has_whole_power(node: ast.expr) -> bool:
    """Ends in `x ** 1`: what stands behind it was meant for the exponent."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.Mult):
        return _has_whole_power(node.right)
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    exponent = node.right if isinstance(node, ast.BinOp) and power else None
    if isinstance(exponent, ast.UnaryOp):
        exponent = exponent.operand
    return isinstance(exponent, ast.Constant) and exponent.value == 1


def rounds(code: Code) -> Place | None:
    """`round(...)`, `int(...)`, `floor(...)`."""
    return code.find(lambda node: called(node) in _ROUNDING)


def turns_every_axis(code: Code) -> Place | None:
    """`.T`, or `.t()`."""
    return code.find(
        lambda node: (isinstance(node, ast.Attribute) and node.attr == "T") or called(node) == "t"
    )


def names_the_width(code: Code) -> Place | None:
    """`d_model`, under that name."""
    return code.find(lambda node: "d_model" in (getattr(node, "id", ""), getattr(node, "attr", "")))


def hand_written_backward(code: Code) -> Place | None:
    """A `backward` of the learner's own, or a derivative made by hand."""
    for statement in (code.node, *code.beside):
        for node in ast.walk(statement) if statement is not None else ():
            name = getattr(node, "name", "") or getattr(node, "attr", "")
            if name in ("backward", "_backward", "grad_fn", "register_hook"):
                return code.at(getattr(node, "lineno", 1))
    return None


def cuts_a_matrix(code: Code) -> Place | None:
    """`W_q[:, ...]`: columns are cut out of a projection."""
    return code.find(_cuts_a_matrix)


def _cuts_a_matrix(node: ast.AST) -> bool:
    if not isinstance(node, ast.Subscript):
        return False
    name = getattr(node.value, "attr", "") or getattr(node.value, "id", "")
    return name in ("W_q", "W_k", "W_v", "weight")


def squeezes(code: Code) -> Place | None:
    """`squeeze`."""
    return code.find(lambda node: called(node) == "squeeze")
