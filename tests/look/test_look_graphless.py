from __future__ import annotations

import math
import operator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnpack.guest.backends.graphless import Number
from attnpack.value import Value

finite = st.floats(-50, 50)
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv, max, min]


@given(a=finite, b=finite.filter(lambda b: abs(b) > 1e-6))
@pytest.mark.parametrize("operation", BINARY)
def test_two_numbers_give_what_two_values_give(operation, a, b):
    expected = operation(Value(a), Value(b)).data
    for left, right in ((Number(a), Number(b)), (Number(a), Value(b)), (Value(a), Number(b))):
        assert operation(left, right).data == expected


@given(a=finite, b=finite.filter(lambda b: abs(b) > 1e-6))
@pytest.mark.parametrize("operation", BINARY[:4])
def test_a_plain_float_may_stand_on_either_side(operation, a, b):
    assert operation(Number(a), b).data == operation(Value(a), b).data
    assert operation(a, Number(b)).data == operation(a, Value(b)).data


@given(a=st.floats(0.1, 20))
@pytest.mark.parametrize(
    "compute",
    [
        lambda v: v.exp(),
        lambda v: v.log(),
        lambda v: v.tanh(),
        lambda v: v.relu(),
        lambda v: -v,
        lambda v: v**0.5,
        lambda v: v**-1,
        lambda v: 2**v,
        lambda v: v ** Value(1.5),
        lambda v: sum([v, v, v]),
    ],
)
def test_every_operation_is_that_of_a_value(compute, a):
    assert compute(Number(a)).data == compute(Value(a)).data


def test_no_graph_is_kept():
    result = (Number(2.0) * Value(3.0) + Value(1.0)).exp() / 2.0
    assert type(result) is Number
    assert result.parents == ()


def test_exp_overflows_as_math_does():
    with pytest.raises(OverflowError):
        Number(1e4).exp()
    with pytest.raises(OverflowError):
        math.exp(1e4)
