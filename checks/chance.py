"""Why the same call gives another answer: dropout, a layer made anew, other chance.

torch says what was called. In numpy and value the source says it: a second call has already
given another answer then, so a line that draws random numbers is where that comes from.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .draft import Tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from attnpack.calls import Answer
    from attnpack.diagnosis.source_lines import Definition
    from attnpack.pack.kinds import Suspect

    from .probe import Answered

ANOTHER_ANSWER = "state-between-calls"
DROPOUT = "dropout-in-eval"
DROPOUT_ON_MASKED = "dropout-before-softmax"
LAYER = "layer-made-in-forward"

COIN = ("bernoulli", "binomial", "choice")
"""functions that draw zeros and ones: a dropout by hand"""
DRAWN = (
    *COIN,
    *("rand", "random", "random_sample", "uniform", "rand_like"),
    *("randn", "normal", "standard_normal", "gauss", "normalvariate", "randn_like"),
)
"""functions that draw random numbers, of numpy and of Python's random"""
BY_HAND = ("rand", "bernoulli")
"""how the names of torch's functions begin that a dropout by hand uses"""


def dropped(all_answered: Sequence[Answered]) -> str | None:
    """The name of a dropout that acted although no probe but the last was in train mode."""
    answers = [
        a
        for answered in all_answered
        if Tag.TRAIN not in answered.probe.tags
        for a in answered.answers
    ]
    if any(answer.facts.get("dropout_on_masked") for answer in answers):
        return DROPOUT_ON_MASKED
    return DROPOUT if any(answer.facts.get("dropout") for answer in answers) else None


def why_again(answered: Answered) -> str:
    """What the second of two equal calls drew, as far as the guest could see it."""
    if makes_a_layer(answered):
        return LAYER
    return DROPOUT if _by_hand(answered.answers[1]) else ANOTHER_ANSWER


def makes_a_layer(answered: Answered) -> bool:
    """Whether some call drew numbers in the shape of a layer."""
    width = answered.probe.calls[0].get("d_model")
    shapes = [
        shape for answer in answered.answers for shape in answer.facts.get("random_shapes", ())
    ]
    return width is not None and any(_is_of_a_layer(shape, width) for shape in shapes)


def _is_of_a_layer(shape: Sequence[int], width: int) -> bool:
    """(D, D), (D, d_k) or (3 D, D): no axis is the number of tokens, which divides no width."""
    return len(shape) == 2 and all(width % n == 0 or n % width == 0 for n in shape if n)


def _by_hand(answer: Answer) -> bool:
    names = [str(name).removeprefix("torch.") for name in answer.facts.get("random", ())]
    return any(name.startswith(BY_HAND) and not name.startswith("randn") for name in names)


def any_nan(answers: Iterable[Answer]) -> bool:
    """Whether any result holds NaN."""
    arrays = [array for answer in answers for array in answer.arrays if array is not None]
    return any(array.dtype.kind == "f" and bool(np.isnan(array).any()) for array in arrays)


def renamed(suspect: Suspect, spans: Definition, *, lost: bool) -> Suspect:
    """A second answer by the name and the line of what draws random numbers, where one does.

    `lost`: NaN came as well, as from a dropout on scores of minus infinity.
    """
    if suspect.id != ANOTHER_ANSWER or spans.node is None:
        return suspect
    for body in _while_computing(spans.node):
        for call, bug in _draws_in(body):
            named = DROPOUT_ON_MASKED if bug == DROPOUT and lost else bug
            return replace(suspect, id=named, file=spans.file, line=call.lineno)
    return suspect


def _while_computing(node: ast.stmt) -> list[ast.stmt]:
    """The function, or the methods of a class that are not there for its constructor alone."""
    if not isinstance(node, ast.ClassDef):
        return [node]
    methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
    others = [method for method in methods if method.name != "__init__"]
    constructing = _names_in([method for method in methods if method.name == "__init__"])
    computing = _names_in(others) | {"forward", "__call__"}
    return [m for m in others if m.name in computing or m.name not in constructing]


def _names_in(methods: Sequence[ast.FunctionDef]) -> set[str]:
    nodes = [node for method in methods for node in ast.walk(method)]
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def _draws_in(body: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """Calls that draw random numbers, each with the bug that it makes."""
    parents = {child: node for node in ast.walk(body) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and _name(node) in DRAWN:
            yield node, _bug(node, parents)


def _bug(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> str:
    if _name(call) in COIN or isinstance(parents.get(call), ast.Compare):
        return DROPOUT
    is_matrix = _is_square(call) or _nested(call, parents) >= 2
    return LAYER if is_matrix and not _is_added(call, parents) else ANOTHER_ANSWER


def _is_square(call: ast.Call) -> bool:
    """Whether it draws (n, n): `randn(d, d)`, `normal(size=(d, d))`."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    sizes = next((node.elts for node in given if isinstance(node, ast.Tuple)), given)
    last = [ast.dump(size) for size in sizes[-2:]]
    return len(last) == 2 and last[0] == last[1]


def _is_added(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether it is a term of a sum: noise on something else."""
    node = parents.get(call)
    while isinstance(node, ast.BinOp | ast.UnaryOp):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            return True
        node = parents.get(node)
    return isinstance(node, ast.AugAssign)


def _nested(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> int:
    """In how many comprehensions or loops it stands: two make a matrix."""
    count, node = 0, parents.get(call)
    while node is not None:
        count += isinstance(node, ast.ListComp | ast.GeneratorExp | ast.For)
        node = parents.get(node)
    return count


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
