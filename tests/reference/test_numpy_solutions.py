"""The numpy solutions: the fine print of the contract, and no warnings (they are errors here)."""

from __future__ import annotations

import numpy as np
import pytest

B, H, T_Q, T_K, D_K, D_V = 2, 3, 5, 7, 11, 13


@pytest.fixture
def rng():
    return np.random.default_rng(20170612)


@pytest.mark.parametrize("lead", [(), (B,), (B, H)])
def test_softmax_rows_sum_to_one_for_any_number_of_leading_axes(in_numpy, rng, lead):
    weights = in_numpy.softmax(rng.normal(size=(*lead, T_Q, T_K)))
    assert weights.shape == (*lead, T_Q, T_K)
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-14)


@pytest.mark.parametrize("offset", [-1e4, 0.0, 1e4, 1e300])
def test_softmax_does_not_care_where_the_scores_lie(in_numpy, offset):
    scores = np.array([[0.0, 1.0, 2.0], [5.0, 5.0, 5.0]])
    rounded = (scores + offset) - offset
    np.testing.assert_allclose(
        in_numpy.softmax(scores + offset), in_numpy.softmax(rounded), atol=1e-15
    )


def test_softmax_keeps_rows_apart_however_far_they_lie_from_each_other(in_numpy):
    weights = in_numpy.softmax(np.array([[1e4, 1e4 + 1], [-1e4, -1e4 + 1]]))
    np.testing.assert_allclose(weights[0], weights[1], rtol=1e-12)


def test_softmax_of_integers_is_a_softmax_of_floats(in_numpy):
    scores = np.array([[1, 2, 3], [-4, 0, 4]])
    weights = in_numpy.softmax(scores)
    assert weights.dtype == np.float64
    np.testing.assert_array_equal(weights, in_numpy.softmax(scores.astype(float)))


def test_softmax_gives_minus_infinity_no_weight_and_warns_of_nothing(in_numpy):
    weights = in_numpy.softmax(np.array([[0.0, -np.inf, 0.0], [-np.inf, -np.inf, -np.inf]]))
    np.testing.assert_array_equal(weights[0], [0.5, 0.0, 0.5])


def test_scores_are_scaled_dot_products_of_every_pair(in_numpy, rng):
    Q, K = rng.normal(size=(B, T_Q, D_K)), rng.normal(size=(B, T_K, D_K))
    scores = in_numpy.attention_scores(Q, K, D_K)
    by_hand = np.einsum("bqd,bkd->bqk", Q, K) / D_K**0.5
    np.testing.assert_allclose(scores, by_hand, rtol=1e-12)


@pytest.mark.parametrize("seq_len", [1, 2, 9])
def test_the_causal_mask_closes_exactly_the_future(in_numpy, seq_len):
    mask = in_numpy.causal_mask(seq_len)
    assert mask.shape == (seq_len, seq_len)
    for i in range(seq_len):
        for j in range(seq_len):
            assert mask[i, j] == (0.0 if j <= i else -1e9)


def test_attention_leaves_its_arguments_alone(in_numpy, rng):
    arguments = [rng.normal(size=(4, 6)) for _ in range(3)] + [rng.random((4, 4)) > 0.5]
    before = [argument.copy() for argument in arguments]
    in_numpy.scaled_dot_product_attention(*arguments)
    for argument, copy in zip(arguments, before, strict=True):
        np.testing.assert_array_equal(argument, copy)


@pytest.mark.parametrize("closed", [-1e9, -np.inf])
@pytest.mark.parametrize(
    ("lead", "mask_shape"),
    [
        ((), (T_Q, T_K)),
        ((B,), (T_Q, T_K)),
        ((B, H), (T_Q, T_K)),
        ((B,), (B, 1, T_K)),
        ((B,), (B, T_Q, T_K)),
        ((B, H), (B, 1, 1, T_K)),
        ((B, H), (B, 1, T_Q, T_K)),
    ],
)
def test_every_form_of_mask_hides_keys_and_leaves_a_softmax_over_the_rest(
    in_numpy, rng, lead, mask_shape, closed
):
    Q = rng.normal(size=(*lead, T_Q, D_K))
    K = rng.normal(size=(*lead, T_K, D_K))
    V = rng.normal(size=(*lead, T_K, D_V))
    keep = rng.random(mask_shape) > 0.4
    keep[..., 0] = True
    additive = np.where(keep, 0.0, closed)
    output, weights = in_numpy.scaled_dot_product_attention(Q, K, V, keep)
    same_output, same_weights = in_numpy.scaled_dot_product_attention(Q, K, V, additive)
    exps = np.exp(in_numpy.attention_scores(Q, K, D_K)) * keep
    np.testing.assert_allclose(weights, exps / exps.sum(axis=-1, keepdims=True), rtol=1e-10)
    np.testing.assert_allclose(output, weights @ V, rtol=1e-12)
    np.testing.assert_allclose(same_weights, weights, rtol=1e-12)
    np.testing.assert_allclose(same_output, output, rtol=1e-12)


def test_a_masked_key_stays_masked_however_large_its_score(in_numpy):
    Q, K = np.array([[1.0]]), np.array([[-1.2e4], [1.2e4]])
    _, weights = in_numpy.scaled_dot_product_attention(Q, K, np.eye(2), np.array([[True, False]]))
    np.testing.assert_array_equal(weights, [[1.0, 0.0]])


def test_attention_of_integers_is_attention_of_floats(in_numpy, rng):
    Q, K = rng.integers(-3, 4, size=(T_Q, D_K)), rng.integers(-3, 4, size=(T_K, D_K))
    V = rng.normal(size=(T_K, D_V))
    output, _ = in_numpy.scaled_dot_product_attention(Q, K, V)
    expected, _ = in_numpy.scaled_dot_product_attention(Q.astype(float), K.astype(float), V)
    np.testing.assert_array_equal(output, expected)


@pytest.mark.parametrize("shape", [(1, 6), (5, 6), (2, 5, 6), (2, 3, 5, 6)])
def test_one_head_keeps_the_shape_of_its_input(in_numpy, rng, shape):
    attention = in_numpy.SelfAttention(6)
    assert attention.forward(rng.normal(size=shape)).shape == shape


def test_an_even_look_at_the_past_is_a_running_mean(in_numpy):
    attention = in_numpy.SelfAttention(2)
    attention.W_q = np.zeros((2, 2))
    attention.W_v = attention.W_o = np.eye(2)
    x = np.array([[2.0, 0.0], [4.0, 0.0], [9.0, 3.0]])
    np.testing.assert_allclose(attention.forward(x), [[2, 0], [3, 0], [5, 1]])
    np.testing.assert_allclose(attention.forward(x, causal=False), [[5, 1]] * 3)


def test_many_heads_are_single_heads_on_their_own_columns(in_numpy, rng):
    d_model, heads = 12, 3
    d_k = d_model // heads
    attention = in_numpy.MultiHeadAttention(d_model, heads)
    x = rng.normal(size=(2, 5, d_model))
    mask = in_numpy.causal_mask(5)
    joined = []
    for i in range(heads):
        columns = slice(i * d_k, (i + 1) * d_k)
        Q, K, V = (
            x @ W[:, columns] for W in (attention.W_q, attention.W_k, attention.W_v)
        )  # (B, T, d_k)
        joined.append(in_numpy.scaled_dot_product_attention(Q, K, V, mask)[0])
    expected = np.concatenate(joined, axis=-1) @ attention.W_o
    np.testing.assert_allclose(attention.forward(x), expected, rtol=1e-12)


def test_one_head_of_many_is_self_attention(in_numpy, rng):
    many, one = in_numpy.MultiHeadAttention(6, 1), in_numpy.SelfAttention(6)
    one.W_q, one.W_k, one.W_v, one.W_o = many.W_q, many.W_k, many.W_v, many.W_o
    x = rng.normal(size=(2, 5, 6))
    np.testing.assert_allclose(many.forward(x), one.forward(x), rtol=1e-12)


@pytest.mark.parametrize("name", ["SelfAttention", "MultiHeadAttention"])
def test_no_token_moves_a_result_before_it(in_numpy, rng, name):
    sizes = (6,) if name == "SelfAttention" else (6, 2)
    attention = getattr(in_numpy, name)(*sizes)
    x = rng.normal(size=(1, 8, 6))
    changed = x.copy()
    changed[:, 5:] = rng.normal(size=(1, 3, 6))
    before, after = attention.forward(x), attention.forward(changed)
    np.testing.assert_array_equal(before[:, :5], after[:, :5])
    assert not np.allclose(before[:, 5:], after[:, 5:])
