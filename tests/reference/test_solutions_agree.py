"""Three ways of writing the same attention, and torch's own, forward and backward."""

from __future__ import annotations

import numpy as np
import pytest

from attnpack.value import Value

torch = pytest.importorskip("torch")

T_Q, T_K, D_K, D_V = 3, 4, 5, 2
CLOSE = {"rtol": 1e-10, "atol": 1e-12}


@pytest.fixture
def rng():
    return np.random.default_rng(1409)


def leaf(array):
    return torch.tensor(array, requires_grad=True)


def values(array):
    return [[Value(number) for number in row] for row in array.tolist()]


def numbers(rows):
    return np.array([[cell.data if isinstance(cell, Value) else cell for cell in r] for r in rows])


def grads(rows):
    return np.array([[cell.grad for cell in row] for row in rows])


def total(rows, cotangent):
    cells = zip(rows, cotangent.tolist(), strict=True)
    return sum(cell * weight for row, ws in cells for cell, weight in zip(row, ws, strict=True))


MASKS = {
    "no mask": None,
    "causal": np.tril(np.ones((T_Q, T_K))) == 1,
    "padding": np.array([[True, True, False, True]] * T_Q),
    "additive": np.where(np.tril(np.ones((T_Q, T_K))) == 1, 0.0, -1e9),
    "minus infinity": np.where(np.tril(np.ones((T_Q, T_K))) == 1, 0.0, -np.inf),
}


@pytest.mark.parametrize("mask", MASKS.values(), ids=MASKS.keys())
def test_attention_agrees_in_numpy_torch_and_value(in_numpy, in_torch, in_value, rng, mask):
    Q, K, V = (rng.normal(size=s) for s in ((T_Q, D_K), (T_K, D_K), (T_K, D_V)))
    cotangent = rng.normal(size=(T_Q, D_V))
    output, weights = in_numpy.scaled_dot_product_attention(Q, K, V, mask)

    tensors = [leaf(Q), leaf(K), leaf(V)]
    torch_mask = None if mask is None else torch.tensor(mask)
    torch_output, torch_weights = in_torch.scaled_dot_product_attention(*tensors, torch_mask)
    (torch_output * torch.tensor(cotangent)).sum().backward()
    np.testing.assert_allclose(torch_output.detach().numpy(), output, **CLOSE)
    np.testing.assert_allclose(torch_weights.detach().numpy(), weights, **CLOSE)

    matrices = [values(Q), values(K), values(V)]
    value_mask = None if mask is None else mask.tolist()
    value_output, value_weights = in_value.scaled_dot_product_attention(*matrices, value_mask)
    total(value_output, cotangent).backward()
    np.testing.assert_allclose(numbers(value_output), output, **CLOSE)
    np.testing.assert_allclose(numbers(value_weights), weights, **CLOSE)
    for matrix, tensor in zip(matrices, tensors, strict=True):
        np.testing.assert_allclose(grads(matrix), tensor.grad.numpy(), **CLOSE)


@pytest.mark.parametrize("seq_len", [1, 2, 6])
def test_causal_masks_agree_in_numpy_torch_and_value(in_numpy, in_torch, in_value, seq_len):
    mask = in_numpy.causal_mask(seq_len)
    np.testing.assert_array_equal(in_torch.causal_mask(seq_len).double().numpy(), mask)
    np.testing.assert_array_equal(np.array(in_value.causal_mask(seq_len)), mask)


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_softmax_agrees_in_numpy_torch_and_value(in_numpy, in_torch, in_value, rng, scale):
    scores = scale * rng.normal(size=(T_Q, T_K))
    weights = in_numpy.softmax(scores)
    np.testing.assert_allclose(in_torch.softmax(torch.tensor(scores)).numpy(), weights, **CLOSE)
    np.testing.assert_allclose(numbers(in_value.softmax(values(scores))), weights, **CLOSE)


def filled(built, backend, matrices):
    """The matrices W_q ... of an object of any backend, set so that they act as x @ W."""
    for name, matrix in matrices.items():
        if backend == "numpy":
            setattr(built, name, matrix)
        elif backend == "torch":
            getattr(built, name).weight.data = torch.tensor(matrix.T)
        else:
            setattr(built, name, values(matrix))
    return built


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("name", ["SelfAttention", "MultiHeadAttention"])
def test_both_classes_agree_in_numpy_torch_and_value(
    in_numpy, in_torch, in_value, rng, name, causal
):
    D, T, h = 6, 4, 3
    matrices = {w: rng.normal(size=(D, D)) for w in ("W_q", "W_k", "W_v", "W_o")}
    x, cotangent = rng.normal(size=(T, D)), rng.normal(size=(T, D))

    def build(solutions):
        if name == "SelfAttention":
            return solutions.SelfAttention(D)
        return solutions.MultiHeadAttention(D, h, causal)

    how = {"causal": causal} if name == "SelfAttention" else {}
    expected = filled(build(in_numpy), "numpy", matrices).forward(x[np.newaxis], **how)[0]

    module = filled(build(in_torch), "torch", matrices)
    tensor = leaf(x)
    came = module(tensor[None], **how)[0]
    (came * torch.tensor(cotangent)).sum().backward()
    np.testing.assert_allclose(came.detach().numpy(), expected, **CLOSE)

    scalar = filled(build(in_value), "value", matrices)
    rows = values(x)
    result = scalar.forward(rows, **how)
    total(result, cotangent).backward()
    np.testing.assert_allclose(numbers(result), expected, **CLOSE)
    np.testing.assert_allclose(grads(rows), tensor.grad.numpy(), **CLOSE)
    for w in matrices:
        gradient = getattr(module, w).weight.grad.numpy().T
        np.testing.assert_allclose(grads(getattr(scalar, w)), gradient, **CLOSE)


@pytest.mark.parametrize("backend", ["numpy", "torch", "value"])
def test_heads_that_do_not_divide_the_width_are_refused(in_numpy, in_torch, in_value, backend):
    solutions = {"numpy": in_numpy, "torch": in_torch, "value": in_value}[backend]
    with pytest.raises(ValueError, match="3 heads do not divide a width of 8"):
        solutions.MultiHeadAttention(8, 3)
