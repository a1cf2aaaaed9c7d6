"""Any shapes, numbers, masks, dtypes and layouts: oracle and solutions within the one tolerance."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Any

import numpy as np
from effort import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from solutions import solutions

from checks.agreement import agree, tolerance
from checks.exercises import exercise as exercise_of
from checks.steps import right

if TYPE_CHECKING:
    from collections.abc import Callable

Array = Any
IN_NUMPY = solutions("numpy")
IN_TORCH = solutions("torch") if importlib.util.find_spec("torch") else None

sizes = st.integers(1, 6)
leads = st.lists(st.integers(1, 3), max_size=2).map(tuple)
dtypes = st.sampled_from([np.float64, np.float32, np.int64])


def numbers(largest: float) -> st.SearchStrategy[float]:
    """Also equal ones, whole ones, zeros of both signs and very small ones."""
    usual = st.floats(-largest, largest, width=32)
    return usual | st.sampled_from([0.0, -0.0, 1.0, -1.0, largest, -largest, 1e-30, 0.5])


LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "as it is": lambda array: array,
    "columns first": np.asfortranarray,
    "a transposed view": lambda array: np.swapaxes(np.swapaxes(array, -1, -2).copy(), -1, -2),
    "backwards in memory": lambda array: array[..., ::-1].copy()[..., ::-1],
    "every second": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "read-only": lambda array: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape),
}
layouts = st.sampled_from(sorted(LAYOUTS))


@st.composite
def drawn(draw: st.DrawFn, shape: tuple[int, ...], largest: float = 30.0) -> Array:
    """An array of any dtype and layout."""
    dtype = draw(dtypes)
    array = draw(arrays(np.float64, shape, elements=numbers(largest), fill=st.nothing()))
    return LAYOUTS[draw(layouts)](array.astype(dtype))


@st.composite
def masks(draw: st.DrawFn, lead: tuple[int, ...], t_q: int, t_k: int) -> Array | None:
    """A mask of any form that leaves every query a key to see; None for none."""
    form = draw(st.sampled_from(["none", "boolean", "additive", "infinite"]))
    if form == "none":
        return None
    front = draw(st.sampled_from([(), tuple(1 for _ in lead), lead]))
    shape = (*front, draw(st.sampled_from([1, t_q])), t_k)
    keep = draw(arrays(np.bool_, shape))
    assume(keep.any(axis=-1).all())
    return keep if form == "boolean" else np.where(keep, 0.0, {"additive": -1e9}.get(form, -np.inf))


def held(exercise: str, name: str, named: dict[str, Array], came: Array) -> None:
    """`came` is the oracle's result of that name, as far as two right answers agree."""
    allowed = tolerance(exercise_of(exercise), name, named)
    came = np.asarray(came)
    assert agree(named[name], came, allowed), (name, allowed, named[name], came)


def to_torch(array: Array | None) -> Any:
    """As a tensor; whole numbers as the numbers they are."""
    import torch

    if array is None:
        return None
    array = np.array(array)
    return torch.tensor(array.astype(np.float64) if array.dtype.kind == "i" else array)


def in_one_dtype(*given: Array) -> list[Any]:
    """torch multiplies only what is of one dtype."""
    import torch

    tensors = [to_torch(array) for array in given]
    widest = max((tensor.dtype for tensor in tensors), key=lambda dtype: torch.finfo(dtype).bits)
    return [tensor.to(widest) for tensor in tensors]


@examples(100)
@given(st.data(), leads, sizes, sizes, sizes, sizes)
def test_attention_of_any_arrays_is_one_and_the_same(
    data: st.DataObject, lead: tuple[int, ...], t_q: int, t_k: int, d_k: int, d_v: int
) -> None:
    Q = data.draw(drawn((*lead, t_q, d_k)))
    K = data.draw(drawn((*lead, t_k, d_k)))
    V = data.draw(drawn((*lead, t_k, d_v), 100.0))
    mask = data.draw(masks(lead, t_q, t_k))
    exercise = "scaled_dot_product_attention"
    named = exercise_of(exercise).right({"Q": Q, "K": K, "V": V, "mask": mask})
    before = [array.copy() for array in (Q, K, V)]
    output, weights = IN_NUMPY.scaled_dot_product_attention(Q, K, V, mask)
    held(exercise, "attended", named, output)
    held(exercise, "weights", named, weights)
    for array, copy in zip((Q, K, V), before, strict=True):
        np.testing.assert_array_equal(array, copy)
    if IN_TORCH:
        output, weights = IN_TORCH.scaled_dot_product_attention(
            *in_one_dtype(Q, K, V), to_torch(mask)
        )
        held(exercise, "attended", named, output)
        held(exercise, "weights", named, weights)


@examples(80)
@given(st.data(), leads, sizes, sizes)
def test_softmax_of_any_arrays_is_one_and_the_same(
    data: st.DataObject, lead: tuple[int, ...], t_q: int, t_k: int
) -> None:
    scores = data.draw(drawn((*lead, t_q, t_k), 1e6))
    if scores.dtype.kind == "f" and data.draw(st.booleans()):
        hidden = data.draw(arrays(np.bool_, scores.shape))
        assume(not hidden.all(axis=-1).any())
        scores = np.where(hidden, scores.dtype.type(-np.inf), scores)
    named = exercise_of("softmax").right({"scores": np.asarray(scores)})
    held("softmax", "weights", named, IN_NUMPY.softmax(scores))
    if IN_TORCH:
        held("softmax", "weights", named, IN_TORCH.softmax(to_torch(scores)))


@examples(80)
@given(st.data(), leads, sizes, sizes, sizes, sizes)
def test_scores_and_values_of_any_arrays_are_one_and_the_same(
    data: st.DataObject, lead: tuple[int, ...], t_q: int, t_k: int, d_k: int, d_v: int
) -> None:
    Q = data.draw(drawn((*lead, t_q, d_k)))
    K = data.draw(drawn((*lead, t_k, d_k)))
    V = data.draw(drawn((*lead, t_k, d_v), 100.0))
    attention = exercise_of("scaled_dot_product_attention")
    named = attention.right({"Q": Q, "K": K, "V": V})
    held("attention_scores", "scores", named, IN_NUMPY.attention_scores(Q, K, d_k))
    weights = named["weights"]
    held("apply_attention", "attended", named, IN_NUMPY.apply_attention(weights, V))
    np.testing.assert_array_equal(right.visible(IN_NUMPY.causal_mask(t_q)), np.tri(t_q) > 0)
    if IN_TORCH:
        queries, keys, values, given_weights = in_one_dtype(Q, K, V, weights)
        held("attention_scores", "scores", named, IN_TORCH.attention_scores(queries, keys, d_k))
        held("apply_attention", "attended", named, IN_TORCH.apply_attention(given_weights, values))


@examples(60)
@given(st.data(), st.integers(1, 3), sizes, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_classes_on_any_arrays_are_one_and_the_same(
    data: st.DataObject, batch: int, length: int, heads: int, d_k: int, causal: bool
) -> None:
    width = heads * d_k
    x = data.draw(drawn((batch, length, width), 4.0))
    names = ("W_q", "W_k", "W_v", "W_o")
    matrices = {name: data.draw(drawn((width, width), 2.0)) for name in names}
    call = {"x": x, "matrices": matrices, "num_heads": heads, "causal": causal}
    named = exercise_of("MultiHeadAttention").right(call)
    array = IN_NUMPY.MultiHeadAttention(width, heads, causal)
    _filled(array, matrices)
    held("MultiHeadAttention", "output", named, array.forward(x))
    single = exercise_of("SelfAttention").right(call)
    one = IN_NUMPY.SelfAttention(width)
    _filled(one, matrices)
    held("SelfAttention", "output", single, one.forward(x, causal=causal))
    if IN_TORCH:
        held("MultiHeadAttention", "output", named, _in_torch(width, heads, causal, x, matrices))


def _filled(module: Any, matrices: dict[str, Array]) -> None:
    for name, matrix in matrices.items():
        setattr(module, name, matrix)


def _in_torch(width: int, heads: int, causal: bool, x: Array, matrices: dict[str, Array]) -> Array:
    import torch

    assert IN_TORCH
    module = IN_TORCH.MultiHeadAttention(width, heads, causal)
    with torch.no_grad():
        for name, matrix in matrices.items():
            getattr(module, name).weight.copy_(to_torch(matrix).T)
        return module(to_torch(x).float()).numpy()
