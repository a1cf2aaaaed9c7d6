"""The scalar engine, number by number."""

from __future__ import annotations

import math

import pytest

from attnpack.value import Value


def test_a_plain_number_becomes_a_leaf_with_gradient_zero():
    value = Value(3)
    assert value.data == 3.0
    assert isinstance(value.data, float)
    assert value.grad == 0.0
    assert value.parents == ()


@pytest.mark.parametrize(
    ("compute", "expected"),
    [
        (lambda v: v + 2, 5.0),
        (lambda v: 2 + v, 5.0),
        (lambda v: v - 2, 1.0),
        (lambda v: 2 - v, -1.0),
        (lambda v: v * 2, 6.0),
        (lambda v: 2 * v, 6.0),
        (lambda v: v / 2, 1.5),
        (lambda v: 2 / v, 2 / 3),
        (lambda v: v**2, 9.0),
        (lambda v: 2**v, 8.0),
        (lambda v: -v, -3.0),
        (lambda v: v.exp(), math.exp(3)),
        (lambda v: v.log(), math.log(3)),
        (lambda v: v.tanh(), math.tanh(3)),
        (lambda v: v.relu(), 3.0),
        (lambda v: (-v).relu(), 0.0),
        (lambda v: v + Value(1), 4.0),
        (lambda v: v ** Value(2), 9.0),
    ],
)
def test_every_operation_gives_the_number_that_floats_give(compute, expected):
    result = compute(Value(3.0))
    assert isinstance(result, Value)
    assert result.data == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    ("compute", "slope"),
    [
        (lambda v: v + 2, 1.0),
        (lambda v: 2 - v, -1.0),
        (lambda v: v * 2, 2.0),
        (lambda v: v / 2, 0.5),
        (lambda v: 2 / v, -2 / 9),
        (lambda v: v**3, 27.0),
        (lambda v: v**0, 0.0),
        (lambda v: v**-1, -1 / 9),
        (lambda v: 2**v, 8 * math.log(2)),
        (lambda v: v**v, 27 * (math.log(3) + 1)),
        (lambda v: v.tanh(), 1 - math.tanh(3) ** 2),
        (lambda v: (-v).relu(), 0.0),
        (lambda v: v * v, 6.0),
        (lambda v: v + v, 2.0),
        (lambda v: v - v, 0.0),
    ],
)
def test_every_operation_knows_its_derivative(compute, slope):
    value = Value(3.0)
    compute(value).backward()
    assert value.grad == pytest.approx(slope, rel=1e-14, abs=1e-300)


def test_a_value_used_twice_collects_both_gradients():
    a, b = Value(2.0), Value(5.0)
    shared = a * b
    (shared * shared + shared).backward()
    assert shared.grad == 21.0
    assert a.grad == 105.0
    assert b.grad == 42.0


def test_a_diamond_of_many_levels_takes_linear_time_and_gives_a_power_of_two():
    value = top = Value(1.0)
    for _ in range(200):
        top = top + top
    top.backward()
    assert value.grad == 2.0**200


def test_a_chain_of_a_hundred_thousand_values_needs_no_recursion():
    value = Value(1.0)
    total = Value(0.0)
    for _ in range(100_000):
        total = total + value
    total.backward()
    assert value.grad == 100_000.0
    del total
    assert value.grad == 100_000.0


def test_a_second_backward_adds_to_the_leaves_once():
    a, b = Value(2.0), Value(5.0)
    result = (a * b) * 3.0
    result.backward()
    result.backward()
    assert (a.grad, b.grad) == (30.0, 12.0)


def test_two_results_that_share_a_value_in_between_add_up_in_the_leaves():
    a = Value(2.0)
    shared = a * 4.0
    (shared * 1.0).backward()
    (shared * 10.0).backward()
    assert a.grad == 44.0


def test_zero_grad_clears_the_whole_graph():
    a = Value(2.0)
    between = a * 3.0
    result = between.exp()
    result.backward()
    result.zero_grad()
    assert (a.grad, between.grad, result.grad) == (0.0, 0.0, 0.0)


def test_a_leaf_is_its_own_gradient():
    value = Value(4.0)
    value.backward()
    assert value.grad == 1.0


def test_a_changed_leaf_gives_new_numbers_when_computed_again():
    value = Value(1.0)
    value.data = 3.0
    result = value * value
    result.backward()
    assert (result.data, value.grad) == (9.0, 6.0)


def test_max_min_sorted_and_sum_work_on_values_and_numbers_alike():
    small, middle, large = Value(-1.0), Value(0.5), Value(7.0)
    assert max([small, large, middle]) is large
    assert min(large, 0, small) is small
    assert sorted([large, small, middle])[1] is middle
    assert sum([small, middle, large]).data == 6.5
    assert small < 0 <= middle <= 0.5 < large
    assert large > 3
    assert large >= Value(7.0)


def test_values_compare_by_number_and_hash_by_identity():
    one, other = Value(1.0), Value(1.0)
    assert one == other
    assert one == 1.0
    assert one != 2
    assert one != "1.0"
    assert len({one, other}) == 2
    assert {one: "first", other: "second"}[one] == "first"


def test_the_representation_shows_number_and_gradient():
    value = Value(2.0)
    (value * -1.5).backward()
    assert repr(value) == "Value(data=2.0, grad=-1.5)"


def test_exp_overflows_as_math_does():
    with pytest.raises(OverflowError):
        Value(710.0).exp()
    assert Value(-1000.0).exp().data == 0.0


def test_log_and_division_refuse_what_floats_refuse():
    with pytest.raises(ValueError, match="math domain"):
        Value(0.0).log()
    with pytest.raises(ZeroDivisionError):
        Value(1.0) / Value(0.0)
    with pytest.raises(ZeroDivisionError):
        Value(0.0) ** -1


def test_a_fractional_power_of_a_negative_number_is_refused_in_words():
    with pytest.raises(ValueError, match="not a real number"):
        Value(-8.0) ** (1 / 3)


@pytest.mark.parametrize(
    ("base", "exponent", "slope"),
    [(0.0, 2, 0.0), (0.0, 1, 1.0), (0.0, 0, 0.0), (0.0, 0.5, math.inf), (1e-200, -1, -math.inf)],
)
def test_the_slope_of_a_power_at_the_edge_is_the_limit_and_raises_nothing(base, exponent, slope):
    value = Value(base)
    (value**exponent).backward()
    assert value.grad == slope


def test_a_value_in_the_exponent_has_the_slope_that_torch_gives_it():
    torch = pytest.importorskip("torch")
    for base, power in [(3.0, 2.0), (0.0, 2.0), (0.0, 0.0), (0.5, -1.5), (-2.0, 3.0)]:
        exponent = Value(power)
        result = Value(base) ** exponent
        result.backward()
        tensor = torch.tensor(power, dtype=torch.float64, requires_grad=True)
        expected = torch.tensor(base, dtype=torch.float64) ** tensor
        expected.backward()
        assert result.data == pytest.approx(expected.item(), rel=1e-15)
        assert exponent.grad == pytest.approx(tensor.grad.item(), rel=1e-14, nan_ok=True)


def test_infinity_passes_through_a_masked_score_without_touching_the_others():
    score = Value(2.0) + float("-inf")
    assert score.data == -math.inf
    assert score.exp().data == 0.0


@pytest.mark.parametrize("operand", [None, [1.0], Value])
def test_what_is_no_number_is_refused(operand):
    with pytest.raises(TypeError):
        Value(1.0) + operand


def test_a_value_of_a_value_is_refused_because_it_would_cut_the_gradient():
    with pytest.raises(TypeError):
        Value(Value(1.0))


def test_numpy_scalars_are_numbers():
    numpy = pytest.importorskip("numpy")
    value = Value(3.0)
    assert (value * numpy.float64(2.0)).data == 6.0
    assert (numpy.float64(2.0) * value).data == 6.0
    assert (value / numpy.int64(2)).data == 1.5


def test_a_value_has_no_room_for_stray_attributes():
    with pytest.raises(AttributeError):
        Value(1.0).gradient = 2.0
