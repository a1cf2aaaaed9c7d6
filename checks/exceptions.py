"""Names for exceptions: each by the operation that failed and what it was given.

The message alone names nothing. A proof is a message that only this operation gives, together
with that operation in the line that raised; without one the bug goes by `raises`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.diagnosis.source_lines import Place
from attnpack.pack.kinds import Suspect
from attnpack.terms import Match

from .code import Code, Function, called, heads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.calls import Raised

PAIR = "scaled_dot_product_attention"
"""the exercise that gives back two results"""
_PAIRS_OF_TORCH = ("max", "min", "sort", "topk", "median", "mode", "kthvalue")
_AXIS = ("axis", "dim")


@dataclass(frozen=True)
class Failing:
    """An exception with the code that raised it."""

    raised: Raised
    code: Code
    place: Place
    statement: ast.stmt | None

    def nodes(self) -> Iterator[ast.AST]:
        """The parts of the statement that raised."""
        return iter(()) if self.statement is None else heads(self.statement)


@dataclass(frozen=True)
class Named:
    """A bug that raises: what the exception says, and what the code must show."""

    bug: str
    message: re.Pattern[str]
    proof: Callable[[Failing], Place | None]


def named(raised: Raised | None, code: Code | None) -> list[Suspect]:
    """The bug behind an exception where its operation and operands prove one."""
    if raised is None or code is None or not raised.frames:
        return []
    last = raised.frames[-1]
    place = Place(last.file, last.line)
    failing = Failing(raised, code, place, code.statement(place))
    for one in _NAMED:
        if one.message.search(raised.message):
            found = one.proof(failing)
            if found is not None:
                return [Suspect(one.bug, Match.LIKELY, file=found.file, line=found.line)]
    return []


def _asks_for_truth(failing: Failing) -> Place | None:
    """`if mask:`, `mask == None`, `not mask`, `mask or ...` in the line that raised."""
    for node in failing.nodes():
        tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert) else []
        if isinstance(node, ast.BoolOp):
            tests = node.values
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            tests = [node.operand]
        if any(not _compares_numbers(test) for test in tests):
            return failing.place
    return None


def _compares_numbers(test: ast.expr) -> bool:
    """`scores > 0` and the like: a comparison, but not with None."""
    if not isinstance(test, ast.Compare):
        return False
    sides = [test.left, *test.comparators]
    return not any(isinstance(s, ast.Constant) and s.value is None for s in sides)


def _uncalled(failing: Failing) -> Place | None:
    """The line where a function's name stands for its result."""
    code = failing.code
    functions = code.functions_in_reach()
    nodes = list(code.own)
    used = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    used |= {id(d) for node in nodes if isinstance(node, Function) for d in node.decorator_list}
    for node in nodes:
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
            continue
        if node.id in functions and id(node) not in used:
            return code.at(node.lineno)
    return None


def _pair_taken_whole(failing: Failing) -> Place | None:
    """The line that gives a pair one name, or goes on with it at once."""
    code = failing.code
    nodes = list(code.own)
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    for node in nodes:
        if not isinstance(node, ast.Call) or not _gives_pair(node):
            continue
        parent = parents.get(node)
        if isinstance(parent, ast.Subscript | ast.Return | ast.Attribute | ast.Starred):
            continue
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple | ast.List):
            continue
        return code.at(node.lineno)
    return None


def _gives_pair(node: ast.Call) -> bool:
    if called(node) == PAIR:
        return True
    if called(node) not in _PAIRS_OF_TORCH:
        return False
    with_axis = any(keyword.arg in _AXIS for keyword in node.keywords)
    on_module = isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name)
    module = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "torch"
    return with_axis or len(node.args) > (1 if module and on_module else 0)


def _unpacked_backwards(failing: Failing) -> Place | None:
    """The line that takes the second of the pair for the first, where that then does not fit."""
    used = {n.id for n in failing.nodes() if isinstance(n, ast.Name)}
    for node in failing.code.own:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0], node.value
        if called(value) == PAIR and isinstance(target, ast.Tuple) and len(target.elts) == 2:
            second = target.elts[1]
        elif _is_second(value):
            second = target
        else:
            continue
        if isinstance(second, ast.Name) and second.id in used:
            return failing.code.at(node.lineno)
    return None


def _is_second(value: ast.expr) -> bool:
    """`scaled_dot_product_attention(...)[1]`."""
    index = value.slice if isinstance(value, ast.Subscript) else None
    return (
        isinstance(value, ast.Subscript)
        and called(value.value) == PAIR
        and isinstance(index, ast.Constant)
        and index.value == 1
    )


def _without_super(failing: Failing) -> Place | None:
    """A constructor that never calls the one it inherits."""
    constructor = failing.code.constructor
    if constructor is None:
        return None
    for node in ast.walk(constructor):
        if isinstance(node, ast.Call) and called(node) == "__init__":
            return None if node.lineno < failing.place.line else failing.place
    return failing.place


def _turns_every_axis(failing: Failing) -> Place | None:
    """`.T`, `.t()` or a transpose without axes, in the line that raised."""
    for node in failing.nodes():
        attribute = isinstance(node, ast.Attribute) and node.attr == "T"
        bare = isinstance(node, ast.Call) and called(node) in ("transpose", "t")
        if attribute or (bare and _names_no_axes(node)):
            return failing.place
    return None


def _names_no_axes(call: ast.AST) -> bool:
    assert isinstance(call, ast.Call)
    on_module = getattr(getattr(call.func, "value", None), "id", "") in ("np", "numpy", "torch")
    return len(call.args) + len(call.keywords) == (1 if on_module else 0)


def _leaves_the_graph(failing: Failing) -> Place | None:
    """`.numpy()` or an array function on a tensor that wants a gradient."""
    return failing.place


def _names_an_axis(failing: Failing) -> Place | None:
    """A reduction along an axis that is counted from the front."""
    for node in failing.nodes():
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            value = keyword.value
            axis = value.value if isinstance(value, ast.Constant) else None
            if keyword.arg in _AXIS and isinstance(axis, int) and axis > 0:
                return failing.place
    return None


_SHAPES = (
    r"mismatch in its core dimension|shapes cannot be multiplied|not aligned"
    r"|Expected size for first two dimensions|must match the size of tensor"
    r"|could not be broadcast|size mismatch|cannot reshape|invalid for input of size"
)
_NAMED = (
    Named(
        "truth-of-array",
        re.compile(r"truth value of an array|Boolean value of Tensor"),
        _asks_for_truth,
    ),
    Named("function-not-called", re.compile(r"'function'|not function|<function "), _uncalled),
    Named(
        "result-not-unpacked",
        re.compile(r"tuple|inhomogeneous|return_types|sequence"),
        _pair_taken_whole,
    ),
    Named("result-not-unpacked", re.compile(_SHAPES), _unpacked_backwards),
    Named(
        "super-missing",
        re.compile(
            r"before Module\.__init__\(\) call|no attribute '_(modules|parameters|buffers)'"
        ),
        _without_super,
    ),
    Named("full-transpose", re.compile(_SHAPES), _turns_every_axis),
    Named("full-transpose", re.compile(r"t\(\) expects a tensor"), _turns_every_axis),
    Named(
        "graph-detached", re.compile(r"call numpy\(\) on Tensor that requires"), _leaves_the_graph
    ),
    Named(
        "softmax-axis-hard-coded",
        re.compile(r"axis \d+ is out of bounds|Dimension out of range"),
        _names_an_axis,
    ),
)
