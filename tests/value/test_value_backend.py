"""What the guest does with lists of Values: in, out, fill, gradients, where the graph ends."""

from __future__ import annotations

import numpy as np
import pytest

from attnpack.guest import backends
from attnpack.guest.backends import Built, Filled
from attnpack.value import Value

D = 3


def keeping(made):
    """An object that is asked to keep the four matrices."""
    biases = {"b_q": "W_q", "b_k": "W_k", "b_v": "W_v", "b_o": "W_o"}
    return Built(made, dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (D, D)), biases)


@pytest.fixture
def backend():
    return backends.get("value")


@pytest.fixture
def numbers():
    return np.arange(float(D * D)).reshape(D, D) / 7.0


class Matrix:
    """A built object with one matrix of Values."""

    def __init__(self, rows=None):
        self.W_q = rows or [[Value(0.0) for _ in range(D)] for _ in range(D)]


def test_floats_become_lists_of_lists_of_values(backend, numbers):
    rows = backend.lift(numbers, "float64", True)
    assert isinstance(rows, list)
    assert isinstance(rows[0], list)
    assert all(type(cell) is Value for row in rows for cell in row)
    np.testing.assert_array_equal(backend.lower(rows).array, numbers)


def test_boolean_masks_are_lists_of_bools_and_additive_ones_of_floats(backend):
    boolean = backend.lift(np.array([[True, False]]), "float64", True)
    additive = backend.lift(np.array([[0.0, -1e9]]), "float64", True)
    infinite = backend.lift(np.array([[0.0, -np.inf]]), "float64", True)
    assert boolean[0][0] is True
    assert boolean[0][1] is False
    assert [type(cell) for cell in additive[0] + infinite[0]] == [float] * 4


def test_scores_of_zero_are_values_and_no_mask(backend):
    assert type(backend.lift(np.zeros((1, 2)), "float64", True)[0][0]) is Value


def test_scalars_stay_what_they_are(backend):
    assert backend.lift(4, "float64", True) == 4
    assert type(backend.lift(np.int64(4), "float64", True)) is int
    assert backend.lift(True, "float64", True) is True


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ([[Value(1.0), 1.0], [1, Value(1)]], "list"),
        ([(Value(1.0), Value(1.0)), [1.0, 1.0]], "list"),
        (np.array([[Value(1.0), 1.0], [1.0, 1.0]], dtype=object), "array"),
        (np.ones((2, 2)), "array"),
    ],
)
def test_values_and_floats_may_be_mixed_in_a_result(backend, value, kind):
    lowered = backend.lower(value)
    np.testing.assert_array_equal(lowered.array.astype(float), np.ones((2, 2)))
    assert lowered.kind == kind


@pytest.mark.parametrize("value", [None, "text", object(), [[Value(1.0)], []], [["a"]]])
def test_what_holds_no_numbers_is_lowered_to_none(backend, value):
    assert backend.lower(value).array is None


def test_a_subclass_of_value_cannot_answer_for_itself(backend):
    class Liar(Value):
        data = property(lambda _: 2.0, lambda _, __: None)

    liar = Liar.__new__(Liar)
    Value.__init__(liar, 1.0)
    Value.__dict__["data"].__set__(liar, 1.0)
    np.testing.assert_array_equal(backend.lower([[liar]]).array, [[1.0]])


def test_numbers_are_filled_into_the_values_that_are_there(backend, numbers):
    built = Matrix()
    first = built.W_q[0][0]
    assert backend.fill(keeping(built), "W_q", numbers) is Filled.IN_PLACE
    assert built.W_q[0][0] is first
    np.testing.assert_array_equal(backend.matrix(keeping(built), "W_q"), numbers)


def test_a_list_made_at_each_look_from_the_same_values_is_filled_in_place(backend, numbers):
    class Property:
        cells = [Value(0.0) for _ in range(D * D)]  # noqa: RUF012
        W_q = property(lambda s: [s.cells[i * D : (i + 1) * D] for i in range(D)])

    assert backend.fill(keeping(Property()), "W_q", numbers) is Filled.IN_PLACE


def test_plain_floats_are_replaced_by_values(backend, numbers):
    built = Matrix([[0.0] * D for _ in range(D)])
    assert backend.fill(keeping(built), "W_q", numbers) is Filled.ASSIGNED
    assert type(built.W_q[0][0]) is Value


def test_a_matrix_of_another_size_is_refused_and_a_missing_one_absent(backend):
    assert backend.fill(keeping(Matrix()), "W_q", np.ones((D, D + 1))) is Filled.REFUSED
    assert backend.fill(keeping(Matrix()), "W_k", np.ones((D, D))) is Filled.ABSENT


def test_matrices_made_of_the_same_values_have_one_identity(backend):
    built = Matrix()
    built.W_k = [row[:] for row in built.W_q]
    built.W_v = Matrix().W_q
    assert backend.identity(keeping(built), "W_q") == backend.identity(keeping(built), "W_k")
    assert backend.identity(keeping(built), "W_q") != backend.identity(keeping(built), "W_v")
    assert backend.identity(keeping(built), "W_o") is None


def test_gradients_reach_inputs_and_matrices(backend, numbers):
    built = Matrix()
    backend.fill(keeping(built), "W_q", numbers)
    x, cotangent = np.array([[1.0, -2.0, 0.5]]), np.array([[3.0, 1.0, -1.0]])
    rows = backend.lift(x, "float64", True)
    columns = list(zip(*built.W_q, strict=True))
    result = [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in rows]
    for _ in range(2):
        came = backend.gradients([result], [cotangent], {"0": rows}, keeping(built))
        np.testing.assert_allclose(came["0"], cotangent @ numbers.T, rtol=1e-12)
        np.testing.assert_allclose(came["W_q"], x.T @ cotangent, rtol=1e-12)


def test_a_gradient_of_zero_is_told_from_none_at_all(backend):
    x, y, z = (backend.lift(np.array([[1.0]]), "float64", True) for _ in range(3))
    result = [[x[0][0] * 2.0 + y[0][0] * 0.0]]
    came = backend.gradients([result], [np.ones((1, 1))], {"0": x, "1": y, "2": z}, None)
    np.testing.assert_array_equal(came["0"], [[2.0]])
    np.testing.assert_array_equal(came["1"], [[0.0]])
    assert came["2"] is None


def test_a_result_of_plain_floats_has_no_gradient(backend):
    x = backend.lift(np.array([[1.0]]), "float64", True)
    came = backend.gradients([[[x[0][0].data]]], [np.ones((1, 1))], {"0": x}, None)
    assert came == {"0": None}


def test_a_result_of_another_shape_has_no_gradient(backend):
    x = backend.lift(np.array([[1.0]]), "float64", True)
    came = backend.gradients([x], [np.ones((2, 2))], {"0": x}, None)
    assert came == {"0": None}


def test_a_mask_has_no_gradient(backend):
    mask = backend.lift(np.array([[0.0, -1e9]]), "float64", True)
    x = backend.lift(np.array([[1.0, 2.0]]), "float64", True)
    result = [[cell + m for cell, m in zip(x[0], mask[0], strict=True)]]
    came = backend.gradients([result], [np.ones((1, 2))], {"0": x, "3": mask}, None)
    assert came["3"] is None


def test_only_what_leads_back_to_an_input_or_a_matrix_is_attached(backend, numbers):
    built = Matrix()
    backend.matrix(keeping(built), "W_q")
    cell = backend.lift(numbers, "float64", True)[0][0]
    assert backend.attached([[cell]])
    assert backend.attached([[(cell * 2).exp(), 1.0]])
    assert backend.attached(list(zip(*built.W_q, strict=True)))
    assert not backend.attached([[Value(cell.data)]])
    assert not backend.attached([[Value(cell.data) * 2.0]])
    assert not backend.attached([[cell.data]])
    assert not backend.attached(None)
