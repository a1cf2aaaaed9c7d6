"""Matrix products along the wrong axes, and results of the wrong form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

from .right import score, see_causal, swap

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")


def keys_reshaped(state: State) -> None:
    """K reshaped to (..., d_k, T_k) where a transpose is meant."""
    keys = state["K"]
    *lead, length, d_k = keys.shape
    state["scores"] = state["Q"] @ keys.reshape(*lead, d_k, length)


def full_transpose(state: State) -> None:
    """K.T reverses every axis."""
    state["scores"] = state["Q"] @ state["K"].T


def keys_not_transposed(state: State) -> None:
    """Q K: fits only where T_k = d_k."""
    state["scores"] = state["Q"] @ state["K"]


def first_keys_untransposed(state: State) -> None:
    """Q K over the first d_k keys, as loops that count to d_k make it."""
    width = state["Q"].shape[-1]
    if state["K"].shape[-2] < width:
        raise IndexError
    state["scores"] = state["Q"] @ state["K"][..., :width, :]


def elementwise(state: State) -> None:
    """Q * K, number by number."""
    state["scores"] = state["Q"] * state["K"]


def elementwise_transposed(state: State) -> None:
    """Q * Kᵀ, number by number."""
    state["scores"] = state["Q"] * swap(state["K"])


def elementwise_summed(state: State) -> None:
    """(Q * K).sum(-1): one score for each query."""
    state["scores"] = (state["Q"] * state["K"]).sum(axis=-1)


def swapped(state: State) -> None:
    """K Qᵀ."""
    state["scores"] = state["K"] @ swap(state["Q"])


def queries_squared(state: State) -> None:
    """Q Qᵀ."""
    state["scores"] = state["Q"] @ swap(state["Q"])


def keys_squared(state: State) -> None:
    """K Kᵀ."""
    state["scores"] = state["K"] @ swap(state["K"])


def batch_as_length(state: State) -> None:
    """Axes 0 and 1 swapped: samples attend to each other, position by position."""
    for name in "QKV":
        if state[name].ndim < 3:
            raise ValueError
        state[name] = state[name].swapaxes(0, 1)
    score(state)


def batch_as_length_back(state: State) -> None:
    """And swapped back afterwards."""
    state["attended"] = (state["weights"] @ state["V"]).swapaxes(0, 1)


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


def scores_between_samples(state: State) -> None:
    """np.dot, np.inner or tensordot of stacks: (..., T_q, ..., T_k)."""
    state["scores"] = np.dot(state["Q"], swap(state["K"]))


def dot_of_full_transpose(state: State) -> None:
    """np.dot(Q, K.T)."""
    state["scores"] = np.dot(state["Q"], state["K"].T)


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


def weights_transposed(state: State) -> None:
    """weightsᵀ V."""
    state["attended"] = swap(state["weights"]) @ state["V"]


def weights_fully_transposed(state: State) -> None:
    """weights.T V."""
    state["attended"] = state["weights"].T @ state["V"]


def weights_transposed_by_einsum(state: State) -> None:
    """einsum("...ji,...jd->...id"): it stretches a lone query over all keys."""
    state["attended"] = np.einsum("...ji,...jd->...id", state["weights"], state["V"])


def dot_of_transposed_weights(state: State) -> None:
    """np.dot(weights.T, V)."""
    state["attended"] = np.dot(state["weights"].T, state["V"])


def everything_transposed(state: State) -> None:
    """(V.T weights.T).T: right for a matrix, not for a stack."""
    state["attended"] = (state["V"].T @ state["weights"].T).T


def mixed_between_samples(state: State) -> None:
    """np.dot or tensordot of stacks."""
    state["attended"] = np.dot(state["weights"], state["V"])


def scores_as_weights(state: State) -> None:
    """The masked scores mix V, though the weights are returned."""
    state["attended"] = state["masked"] @ state["V"]


def values_first(state: State) -> None:
    """V weights."""
    state["attended"] = state["V"] @ state["weights"]


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


def never_filled(state: State) -> None:
    """The output's buffer stays zero."""
    state["attended"] = np.zeros((*state["weights"].shape[:-1], state["V"].shape[-1]))


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
    if "output" in state:
        return [("output", state["output"])]
    if "seq_len" in state:
        return [("closed", state["closed"])]
    if "attended" in state and "weights" in state and "Q" in state:
        return [("attended", state["attended"]), ("weights", state["weights"])]
    name = next(n for n in ("attended", "weights", "scores") if n in state)
    return [(name, state[name])]


def keys_squeezed(state: State) -> None:
    """K squeezed before the product."""
    state["scores"] = state["Q"] @ swap(np.squeeze(state["K"]))


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
