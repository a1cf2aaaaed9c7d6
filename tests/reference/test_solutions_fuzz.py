"""Any shapes, any masks: the oracle, the numpy solution and torch say the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.exercises import exercise
from checks.steps import right

torch = pytest.importorskip("torch")
F = torch.nn.functional

CLOSE = {"rtol": 1e-9, "atol": 1e-12}
sizes = st.integers(1, 7)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)
seeds = st.integers(0, 2**32 - 1)
anything = settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def mask_of(rng, lead, t_q, t_k, form, per_sample):
    """A mask that leaves every query a key to see."""
    front = (lead[0], *(1,) * (len(lead) - 1)) if per_sample and lead else ()
    keep = rng.random((*front, t_q, t_k)) > 0.5
    keep[..., rng.integers(t_k)] = True
    if form == "boolean":
        return keep
    return np.where(keep, 0.0, -1e9 if form == "additive" else -np.inf)


@anything
@given(
    leads, sizes, sizes, sizes, sizes, st.sampled_from(["boolean", "additive", "infinite", None]),
    st.booleans(), st.sampled_from([1e-3, 1.0, 30.0]), seeds,
)  # fmt: skip
def test_attention_is_one_and_the_same(
    in_numpy, lead, t_q, t_k, d_k, d_v, form, per_sample, spread, seed
):
    rng = np.random.default_rng(seed)
    Q = spread * rng.normal(size=(*lead, t_q, d_k))
    K = rng.normal(size=(*lead, t_k, d_k))
    V = rng.normal(size=(*lead, t_k, d_v))
    mask = None if form is None else mask_of(rng, lead, t_q, t_k, form, per_sample)
    output, weights = in_numpy.scaled_dot_product_attention(Q, K, V, mask)
    named = exercise("scaled_dot_product_attention").right({"Q": Q, "K": K, "V": V, "mask": mask})
    torchs = F.scaled_dot_product_attention(
        *map(torch.tensor, (Q, K, V)), attn_mask=None if mask is None else torch.tensor(mask)
    )
    np.testing.assert_allclose(output, named["attended"], **CLOSE)
    np.testing.assert_allclose(weights, named["weights"], **CLOSE)
    np.testing.assert_allclose(output, torchs.numpy(), **CLOSE)


@anything
@given(st.integers(1, 3), sizes, st.integers(1, 4), st.integers(1, 4), st.booleans(), seeds)
def test_many_heads_are_one_and_the_same(
    in_numpy, in_torch, batch, length, heads, d_k, causal, seed
):
    rng = np.random.default_rng(seed)
    width = heads * d_k
    x = rng.normal(size=(batch, length, width))
    matrices = {name: rng.normal(size=(width, width)) for name in ("W_q", "W_k", "W_v", "W_o")}
    array = in_numpy.MultiHeadAttention(width, heads, causal)
    module = in_torch.MultiHeadAttention(width, heads, causal).double()
    for name, matrix in matrices.items():
        setattr(array, name, matrix)
        getattr(module, name).weight.data = torch.tensor(matrix.T)
    call = {"x": x, "matrices": matrices, "num_heads": heads, "causal": causal}
    expected = exercise("MultiHeadAttention").right(call)["output"]
    np.testing.assert_allclose(array.forward(x), expected, **CLOSE)
    np.testing.assert_allclose(module(torch.tensor(x)).detach().numpy(), expected, **CLOSE)
    if heads == 1:
        one = exercise("SelfAttention").right(call)["output"]
        np.testing.assert_allclose(expected, one, **CLOSE)


@anything
@given(leads, sizes, sizes, st.sampled_from([1.0, 1e2, 1e4]), st.floats(-1e4, 1e4), seeds)
def test_softmax_is_one_and_the_same_and_a_distribution(
    in_numpy, in_torch, lead, t_q, t_k, spread, offset, seed
):
    scores = spread * np.random.default_rng(seed).normal(size=(*lead, t_q, t_k)) + offset
    weights = in_numpy.softmax(scores)
    np.testing.assert_allclose(weights.sum(axis=-1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(weights, right.softmax(scores), **CLOSE)
    np.testing.assert_allclose(weights, in_torch.softmax(torch.tensor(scores)).numpy(), **CLOSE)
