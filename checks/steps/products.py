"""Matrix products along the wrong axes, and results of the wrong form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

from .right import score, see_causal, swap

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")


def _scored(product: Callable[[Any, Any], Any]) -> Step:
    """Another product of Q (..., T_q, d_k) and K (..., T_k, d_k)."""

    def step(state: State) -> None:
        state["scores"] = product(state["Q"], state["K"])

    return step


def _mixed(product: Callable[[Any, Any], Any]) -> Step:
    """Another product of the weights (..., T_q, T_k) and V (..., T_k, d_v)."""

    def step(state: State) -> None:
        state["attended"] = product(state["weights"], state["V"])

    return step


full_transpose = _scored(lambda q, k: q @ k.T)  # K.T reverses every axis
keys_not_transposed = _scored(lambda q, k: q @ k)  # Q K: fits only where T_k = d_k
elementwise = _scored(lambda q, k: q * k)  # Q * K, number by number
elementwise_transposed = _scored(lambda q, k: q * swap(k))  # Q * Kᵀ, number by number
elementwise_summed = _scored(lambda q, k: (q * k).sum(axis=-1))
"""(Q * K).sum(-1): one score for each query."""
swapped = _scored(lambda q, k: k @ swap(q))  # K Qᵀ
queries_squared = _scored(lambda q, _k: q @ swap(q))  # Q Qᵀ
keys_squared = _scored(lambda _q, k: k @ swap(k))  # K Kᵀ
scores_between_samples = _scored(lambda q, k: np.dot(q, swap(k)))
"""np.dot, np.inner or tensordot of stacks: (..., T_q, ..., T_k)."""
dot_of_full_transpose = _scored(lambda q, k: np.dot(q, k.T))  # np.dot(Q, K.T)
keys_squeezed = _scored(lambda q, k: q @ swap(np.squeeze(k)))  # K squeezed before the product

batch_as_length_back = _mixed(lambda w, v: (w @ v).swapaxes(0, 1))  # And swapped back afterwards
weights_transposed = _mixed(lambda w, v: swap(w) @ v)  # weightsᵀ V
weights_fully_transposed = _mixed(lambda w, v: w.T @ v)  # weights.T V
weights_transposed_by_einsum = _mixed(lambda w, v: np.einsum("...ji,...jd->...id", w, v))
"""einsum("...ji,...jd->...id"): it stretches a lone query over all keys."""
dot_of_transposed_weights = _mixed(lambda w, v: np.dot(w.T, v))  # np.dot(weights.T, V)
everything_transposed = _mixed(lambda w, v: (v.T @ w.T).T)
"""(V.T weights.T).T: right for a matrix, not for a stack."""
mixed_between_samples = _mixed(lambda w, v: np.tensordot(w, v, (-1, -2)))
"""np.dot or tensordot of stacks."""
values_first = _mixed(lambda w, v: v @ w)  # V weights
never_filled = _mixed(lambda w, v: np.zeros((*w.shape[:-1], v.shape[-1])))
"""The output's buffer stays zero."""


def keys_reshaped(state: State) -> None:
    """K reshaped to (..., d_k, T_k) where a transpose is meant."""
    keys = state["K"]
    *lead, length, d_k = keys.shape
    state["scores"] = state["Q"] @ keys.reshape(*lead, d_k, length)


def first_keys_untransposed(state: State) -> None:
    """Q K over the first d_k keys, as loops that count to d_k make it."""
    width = state["Q"].shape[-1]
    if state["K"].shape[-2] < width:
        raise IndexError
    state["scores"] = state["Q"] @ state["K"][..., :width, :]


def batch_as_length(state: State) -> None:
    """Axes 0 and 1 swapped: samples attend to each other, position by position."""
    for name in "QKV":
        if state[name].ndim < 3:
            raise ValueError
        state[name] = state[name].swapaxes(0, 1)
    score(state)


def samples_in_one_row(state: State) -> None:
    """All samples' tokens as one long sequence."""
    state["lead"] = state["Q"].shape[:-2]
    for name in "QKV":
        state[name] = state[name].reshape(-1, state[name].shape[-1])
    score(state)


def samples_in_one_row_back(state: State) -> None:
    """Cut back into samples."""
    attended = state["weights"] @ state["V"]
    state["attended"] = attended.reshape(*state["lead"], -1, attended.shape[-1])


def see_causal_of_row(state: State) -> None:
    """The triangle over the one long sequence."""
    see_causal(state)
    if state["keep"] is not None:
        state["keep"] = np.tri(state["scores"].shape[-1], dtype=np.bool_)


def keys_with_query_length(state: State) -> None:
    """K and V reshaped with the query's length."""
    for name in "KV":
        *lead, _, width = state[name].shape
        state[name] = state[name].reshape(*lead, state["Q"].shape[-2], width)
    score(state)


def keys_cut_to_queries(state: State) -> None:
    """Only the first T_q keys and values."""
    length = state["Q"].shape[-2]
    for name in "KV":
        state[name] = state[name][..., :length, :]
    score(state)


def scores_in_square_buffer(state: State) -> None:
    """Scores written into a (T_q, T_q) buffer."""
    score(state)
    length = state["Q"].shape[-2]
    buffer = np.zeros((*state["scores"].shape[:-1], length))
    buffer[...] = state["scores"]
    state["scores"] = buffer


def keys_as_long_as_queries(state: State) -> None:
    """A loop of T_q over the keys: raises where there are fewer, leaves out the rest."""
    length = state["Q"].shape[-2]
    if state["K"].shape[-2] < length:
        raise IndexError
    state["K"] = state["K"][..., :length, :]
    score(state)


def scores_of_one_row(state: State) -> None:
    """All samples' queries against all samples' keys: (B*T_q, B*T_k)."""
    queries, keys = (state[name].reshape(-1, state[name].shape[-1]) for name in "QK")
    state["scores"] = queries @ keys.T


def batch_as_length_of_stacks(state: State) -> None:
    """Axes 0 and 1 swapped where there are three."""
    if state["Q"].ndim == 3:
        batch_as_length(state)
    else:
        score(state)


def batch_as_length_of_stacks_back(state: State) -> None:
    """And swapped back."""
    state["attended"] = state["weights"] @ state["V"]
    if state["attended"].ndim == 3:
        state["attended"] = state["attended"].swapaxes(0, 1)


def scores_as_weights(state: State) -> None:
    """The masked scores mix V, though the weights are returned."""
    state["attended"] = state["masked"] @ state["V"]


def into_buffer_like(name: str) -> Step:
    """The output written into a buffer with the shape of Q or K."""

    def step(state: State) -> None:
        buffer = np.zeros((*state["weights"].shape[:-1], state[name].shape[-1]))
        buffer[...] = state["weights"] @ state["V"]
        state["attended"] = buffer

    return step


def reshaped_like_queries(state: State) -> None:
    """The output reshaped to Q's shape."""
    state["attended"] = (state["weights"] @ state["V"]).reshape(state["Q"].shape)


def keys_as_values(state: State) -> None:
    """weights K."""
    state["attended"] = state["weights"] @ state["K"]


def queries_as_values(state: State) -> None:
    """weights Q."""
    state["attended"] = state["weights"] @ state["Q"]


def weights_never_filled(state: State) -> None:
    """The weights' buffer stays zero."""
    state["weights"] = np.zeros_like(state["masked"])


def output_never_filled(state: State) -> None:
    """A class's result stays zero."""
    state["output"] = np.zeros_like(state["x"], dtype=np.float64)


def joined_never_filled(state: State) -> None:
    """The heads' buffer stays zero."""
    state["joined"] = np.zeros_like(state["x"], dtype=np.float64)


def scores_never_filled(state: State) -> None:
    """The scores' buffer stays zero."""
    score(state)
    state["scores"] = np.zeros_like(state["scores"])


def finished(*names: str) -> Step:
    """Results in another order, or fewer."""

    def step(state: State) -> None:
        state["results"] = tuple(state[name] for name in names)

    return step


def squeezed(*names: str) -> Step:
    """Results without their axes of length 1."""

    def step(state: State) -> None:
        everything = _results_of(state)
        state["results"] = tuple(
            np.squeeze(array) if name in names else array for name, array in everything
        )

    return step


def _results_of(state: State) -> list[tuple[str, Any]]:
    return [(name, state[name]) for name in state["returned"]]


def scores_squeezed(state: State) -> None:
    """Scores squeezed after the product."""
    score(state)
    state["scores"] = np.squeeze(state["scores"])


def keys_alone_with_query_length(state: State) -> None:
    """K reshaped with the query's length."""
    *lead, _, width = state["K"].shape
    state["K"] = state["K"].reshape(*lead, state["Q"].shape[-2], width)
    score(state)


def values_with_query_length(state: State) -> None:
    """V reshaped with the query's length."""
    *lead, _, width = state["V"].shape
    length = state["weights"].shape[-2]
    state["attended"] = state["weights"] @ state["V"].reshape(*lead, length, width)


def values_cut_to_queries(state: State) -> None:
    """Only the first T_q values."""
    length = state["weights"].shape[-2]
    state["attended"] = state["weights"][..., :length] @ state["V"][..., :length, :]


def values_as_long_as_queries(state: State) -> None:
    """A loop of T_q over the values: raises where there are fewer, leaves out the rest."""
    if state["V"].shape[-2] < state["weights"].shape[-2]:
        raise IndexError
    values_cut_to_queries(state)


def rows_into_buffer_like_values(state: State) -> None:
    """T_q rows written into a buffer with the shape of V."""
    attended = state["weights"] @ state["V"]
    queries = attended.shape[-2]
    if queries > state["V"].shape[-2]:
        raise IndexError
    buffer = np.zeros(state["V"].shape)
    buffer[..., :queries, :] = attended
    state["attended"] = buffer


def values_with_query_width(state: State) -> None:
    """V reshaped to the width of Q."""
    *lead, length, _ = state["V"].shape
    state["attended"] = state["weights"] @ state["V"].reshape(*lead, length, state["Q"].shape[-1])


def first_columns_of_values(state: State) -> None:
    """Only the first d_k columns of V."""
    state["attended"] = state["weights"] @ state["V"][..., : state["Q"].shape[-1]]


def as_many_columns_as_values(state: State) -> None:
    """A loop of T_k over the columns of V: raises where there are fewer."""
    attended = state["weights"] @ state["V"]
    length = state["V"].shape[-2]
    if length > attended.shape[-1]:
        raise IndexError
    state["attended"] = attended[..., :length]


def into_square_buffer(state: State) -> None:
    """The output written into a buffer with the shape of the weights."""
    buffer = np.zeros_like(state["weights"])
    buffer[...] = state["weights"] @ state["V"]
    state["attended"] = buffer


def squeezed_in_front(fewest: int) -> Step:
    """Axis 0 of the first result dropped where its length is 1 and there are axes enough."""

    def step(state: State) -> None:
        everything = [array for _, array in _results_of(state)]
        first = everything[0]
        dropped = first[0] if first.shape[0] == 1 and first.ndim >= fewest else first
        state["results"] = (dropped, *everything[1:])

    return step


def softmax_applied(state: State) -> None:
    """softmax(weights) V."""
    powers = np.exp(state["weights"])
    state["attended"] = powers / powers.sum(axis=-1, keepdims=True) @ state["V"]


def attended_rounded(decimals: int) -> Step:
    """weights V, rounded."""

    def step(state: State) -> None:
        state["attended"] = np.round(state["weights"] @ state["V"], decimals)

    return step
