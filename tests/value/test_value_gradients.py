"""Random expressions: the engine against torch and against central differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnpack.value import Value

torch = pytest.importorskip("torch")

Expression = Callable[..., Any]

LEAVES = 4
STEP = 1e-6

UNARY: dict[str, Expression] = {
    "negate": lambda v: -v,
    "squash": lambda v: v.tanh(),
    "exp of a squashed": lambda v: v.tanh().exp(),
    "log of a positive": lambda v: (v * v + 1.0).log(),
    "cube": lambda v: v**3,
    "root of a positive": lambda v: (v * v + 1.0) ** 0.5,
    "relu": lambda v: v.relu(),
    "half": lambda v: v / 2,
    "reciprocal of a positive": lambda v: 1.0 / (v * v + 0.5),
    "power of two": lambda v: 2.0 ** v.tanh(),
    "from one": lambda v: 1 - v,
}
BINARY: dict[str, Expression] = {
    "sum": lambda v, w: v + w,
    "difference": lambda v, w: v - w,
    "product": lambda v, w: v * w,
    "quotient": lambda v, w: v / (w * w + 1.0),
    "power": lambda v, w: (v * v + 1.0) ** w.tanh(),
}


def leaf(index: int) -> Expression:
    return lambda *leaves: leaves[index]


def unary(name: str, inner: Expression) -> Expression:
    return lambda *leaves: UNARY[name](inner(*leaves).tanh())


def binary(name: str, left: Expression, right: Expression) -> Expression:
    return lambda *leaves: BINARY[name](left(*leaves), right(*leaves))


expressions = st.recursive(
    st.builds(leaf, st.integers(0, LEAVES - 1)),
    lambda inner: (
        st.builds(unary, st.sampled_from(sorted(UNARY)), inner)
        | st.builds(binary, st.sampled_from(sorted(BINARY)), inner, inner)
    ),
    max_leaves=12,
)
numbers = st.lists(
    st.floats(-2.0, 2.0).map(lambda x: round(x, 3)), min_size=LEAVES, max_size=LEAVES
)


def run(expression: Expression, point: list[float]) -> tuple[float, list[float]]:
    leaves = [Value(x) for x in point]
    result = expression(*leaves) * 1.0
    result.backward()
    return result.data, [v.grad for v in leaves]


def run_in_torch(expression: Expression, point: list[float]) -> tuple[float, list[float]]:
    leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in point]
    result = expression(*leaves) * 1.0
    result.backward()
    return result.item(), [0.0 if t.grad is None else t.grad.item() for t in leaves]


@settings(deadline=None, max_examples=150)
@given(expressions, numbers)
def test_any_expression_agrees_with_torch(expression, point):
    data, gradients = run(expression, point)
    torch_data, torch_gradients = run_in_torch(expression, point)
    assert data == pytest.approx(torch_data, rel=1e-12, abs=1e-12)
    assert gradients == pytest.approx(torch_gradients, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", sorted(UNARY))
@pytest.mark.parametrize("x", [-1.3, -0.2, 0.4, 1.7])
def test_every_operation_of_one_value_agrees_with_central_differences(name, x):
    value = Value(x)
    UNARY[name](value).backward()
    rise = UNARY[name](Value(x + STEP)).data - UNARY[name](Value(x - STEP)).data
    assert value.grad == pytest.approx(rise / (2 * STEP), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("name", sorted(BINARY))
@pytest.mark.parametrize(("x", "y"), [(0.7, -1.1), (-0.3, 0.9), (1.9, 1.2)])
def test_every_operation_of_two_values_agrees_with_central_differences(name, x, y):
    compute = BINARY[name]
    left, right = Value(x), Value(y)
    compute(left, right).backward()
    rise_left = compute(Value(x + STEP), Value(y)).data - compute(Value(x - STEP), Value(y)).data
    rise_right = compute(Value(x), Value(y + STEP)).data - compute(Value(x), Value(y - STEP)).data
    assert left.grad == pytest.approx(rise_left / (2 * STEP), rel=1e-6, abs=1e-8)
    assert right.grad == pytest.approx(rise_right / (2 * STEP), rel=1e-6, abs=1e-8)
