"""Projections: the wrong matrix, none, transposed, or something on top."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

from .right import projected

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")

Nonlinear = Callable[[Any], Any]


def with_matrices(letters: str) -> Step:
    """Q, K and V made with the matrices of these three letters: "qkv" is right."""

    def step(state: State) -> None:
        for name, letter in zip("QKV", letters, strict=True):
            state[name] = projected(state, letter)

    return step


def not_projected(names: str) -> Step:
    """Those of Q, K, V are x itself."""

    def step(state: State) -> None:
        for name in "QKV":
            raw = state["x"] * 1.0
            state[name] = raw if name in names else projected(state, name.lower())

    return step


def _transposed(state: State, letter: str, x: Any, *, bias: bool) -> Any:
    product = x @ state["matrices"][f"W_{letter}"].T
    added = state["matrices"].get(f"b_{letter}") if bias else None
    return product if added is None else product + added


def transposed(names: str, *, bias: bool = True) -> Step:
    """Those of Q, K, V are x Wᵀ."""

    def step(state: State) -> None:
        for name in "QKV":
            letter = name.lower()
            if name in names:
                state[name] = _transposed(state, letter, state["x"], bias=bias)
            else:
                state[name] = projected(state, letter)

    return step


def without_biases(names: str) -> Step:
    """Those of Q, K, V without what their layer adds."""

    def step(state: State) -> None:
        for name in "QKV":
            letter = name.lower()
            plain = state["x"] @ state["matrices"][f"W_{letter}"]
            state[name] = plain if name in names else projected(state, letter)

    return step


def output_without_bias(state: State) -> None:
    """joined W_o, without what the layer adds."""
    state["output"] = state["joined"] @ state["matrices"]["W_o"]


WITHOUT_BIASES: Mapping[str, Step] = {
    "project": without_biases("QKV"),
    "out": output_without_bias,
}


def activated(names: str, function: Nonlinear) -> Step:
    """A non-linearity on those of Q, K, V."""

    def step(state: State) -> None:
        for name in names:
            state[name] = function(state[name])

    return step


def relu(array: Any) -> Any:
    """max(0, a)."""
    return np.maximum(array, 0.0)


def tanh(array: Any) -> Any:
    """tanh a."""
    return np.tanh(array)


def sigmoid(array: Any) -> Any:
    """1 / (1 + exp(-a))."""
    return 1.0 / (1.0 + np.exp(-array))


def leaky_relu(array: Any) -> Any:
    """a, or a hundredth of it below zero."""
    return np.where(array > 0, array, 0.01 * array)


def gelu(array: Any) -> Any:
    """a Phi(a), by the exact error function."""
    from math import erf, sqrt

    phi = np.vectorize(lambda value: 0.5 * (1.0 + erf(value / sqrt(2.0))), otypes=[float])
    return array * phi(array)


def gelu_tanh(array: Any) -> Any:
    """a Phi(a), by the tanh approximation."""
    inner = 0.7978845608028654 * (array + 0.044715 * array**3)
    return 0.5 * array * (1.0 + np.tanh(inner))


def silu(array: Any) -> Any:
    """a / (1 + exp(-a))."""
    return array * sigmoid(array)


def elu(array: Any) -> Any:
    """a, or exp(a) - 1 below zero."""
    return np.where(array > 0, array, np.expm1(np.minimum(array, 0.0)))


def softplus(array: Any) -> Any:
    """log(1 + exp(a))."""
    return np.logaddexp(0.0, array)


def normalised(array: Any) -> Any:
    """Rows of length 1."""
    return array / np.linalg.norm(array, axis=-1, keepdims=True)


NONLINEAR: Mapping[str, Nonlinear] = {
    "relu": relu,
    "tanh": tanh,
    "sigmoid": sigmoid,
    "gelu": gelu,
    "gelu, tanh form": gelu_tanh,
    "leaky relu": leaky_relu,
    "silu": silu,
    "elu": elu,
    "softplus": softplus,
    "unit length": normalised,
}


def x_added_to_output(state: State) -> None:
    """output + x."""
    state["output"] = state["output"] + state["x"]


def x_added_to_joined(state: State) -> None:
    """joined + x, before W_o."""
    state["joined"] = state["joined"] + state["x"]


def added_to_attended(name: str) -> Step:
    """weights V plus the queries (or keys, values) themselves."""

    def step(state: State) -> None:
        state["attended"] = state["weights"] @ state["V"] + state[name]

    return step


def no_output_projection(state: State) -> None:
    """joined is the output."""
    state["output"] = state["joined"]


def output_transposed(*, bias: bool = True) -> Step:
    """joined W_oᵀ."""

    def step(state: State) -> None:
        state["output"] = _transposed(state, "o", state["joined"], bias=bias)

    return step


def output_with(letter: str) -> Step:
    """Another matrix in the place of W_o."""

    def step(state: State) -> None:
        state["output"] = projected(state, letter, state["joined"])

    return step


def output_per_head(state: State) -> None:
    """Each head through its own block of W_o."""
    heads, width = state["num_heads"], state["d_model"]
    d_k = width // heads
    joined, matrix = state["joined"], state["matrices"]["W_o"]
    parts = []
    for head in range(heads):
        own = slice(head * d_k, (head + 1) * d_k)
        parts.append(joined[..., own] @ matrix[own, own])
    output = np.concatenate(parts, axis=-1)
    bias = state["matrices"].get("b_o")
    state["output"] = output if bias is None else output + bias


def output_rows_per_head(state: State) -> None:
    """Each head through its own rows and the first d_k columns of W_o."""
    heads = state["num_heads"]
    d_k = state["d_model"] // heads
    joined, matrix = state["joined"], state["matrices"]["W_o"]
    slices = [slice(head * d_k, (head + 1) * d_k) for head in range(heads)]
    parts = [joined[..., own] @ matrix[own, :d_k] for own in slices]
    state["output"] = np.concatenate(parts, axis=-1)


def output_activated(function: Nonlinear) -> Step:
    """A non-linearity on what leaves W_o."""

    def step(state: State) -> None:
        state["output"] = function(projected(state, "o", state["joined"]))

    return step


def output_first_block_per_head(state: State) -> None:
    """Each head through the first (d_k, d_k) block of W_o."""
    heads = state["num_heads"]
    d_k = state["d_model"] // heads
    block = state["matrices"]["W_o"][:d_k, :d_k]
    joined = state["joined"]
    parts = [joined[..., i * d_k : (i + 1) * d_k] @ block for i in range(heads)]
    state["output"] = np.concatenate(parts, axis=-1)
