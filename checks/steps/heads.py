"""Heads split, joined, shared or dropped in the wrong way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

from .right import normalise, projected, split_heads

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step
else:
    np = LazyModule("numpy")


def _each(state: State, change: Any, names: str = "QKV") -> None:
    for name in names:
        state[name] = change(state[name], state["num_heads"])


def _reshaped(whole: Any, heads: int) -> Any:
    *lead, length, width = whole.shape
    return whole.reshape(*lead, heads, length, width // heads)


def split_by_reshape(names: str = "QKV") -> Step:
    """(B, T, D) reshaped straight to (B, h, T, d_k)."""

    def step(state: State) -> None:
        for name in "QKV":
            cut = _reshaped if name in names else split_heads
            state[name] = cut(state[name], state["num_heads"])

    return step


def _interleaved(whole: Any, heads: int) -> Any:
    *lead, length, width = whole.shape
    return np.moveaxis(whole.reshape(*lead, length, width // heads, heads), -1, -3)


def split_interleaved(names: str = "QKV") -> Step:
    """Head i takes every h-th column."""

    def step(state: State) -> None:
        for name in "QKV":
            cut = _interleaved if name in names else split_heads
            state[name] = cut(state[name], state["num_heads"])

    return step


def not_moved(state: State) -> None:
    """(B, T, h, d_k): the head axis stays behind the tokens."""

    def cut(whole: Any, heads: int) -> Any:
        return whole.reshape(*whole.shape[:-1], heads, whole.shape[-1] // heads)

    _each(state, cut)


def not_split(state: State) -> None:
    """One head over the whole width."""
    _each(state, lambda whole, _: whole[..., None, :, :])


def split_d_k_first(state: State) -> None:
    """(B, T, d_k, h) moved to (B, d_k, T, h): as many heads as d_k."""

    def cut(whole: Any, heads: int) -> Any:
        *lead, length, width = whole.shape
        return whole.reshape(*lead, length, width // heads, heads).swapaxes(-3, -2)

    _each(state, cut)


def join_not_moved(state: State) -> None:
    """(B, T, h, d_k) flattened, as it was split."""
    attended = state["attended"]
    state["joined"] = attended.reshape(state["x"].shape)


def join_permuted(order: tuple[int, ...]) -> Step:
    """(B, h, T, d_k) with its axes in another order, then flattened."""

    def step(state: State) -> None:
        attended = state["attended"]
        if attended.ndim == 3:
            attended = attended[None]
        state["joined"] = attended.transpose(order).reshape(state["x"].shape)

    return step


def join_reversed(state: State) -> None:
    """The last head first."""
    moved = state["attended"].swapaxes(-3, -2)[..., ::-1, :]
    state["joined"] = moved.reshape(state["x"].shape)


def join_rolled(by: int) -> Step:
    """Every head moved by so many places; what leaves at one end comes in at the other."""

    def step(state: State) -> None:
        moved = np.roll(state["attended"], by, axis=-3).swapaxes(-3, -2)
        state["joined"] = moved.reshape(state["x"].shape)

    return step


def _tiled(state: State, one: Any) -> Any:
    return np.tile(one, (1,) * (one.ndim - 1) + (state["num_heads"],))


def averaged_and_tiled(state: State) -> None:
    """The mean of the heads, repeated to the full width."""
    state["joined"] = _tiled(state, state["attended"].mean(axis=-3))


def averaged_and_repeated(state: State) -> None:
    """The mean of the heads, each number repeated h times."""
    mean = state["attended"].mean(axis=-3)
    state["joined"] = np.repeat(mean, state["num_heads"], axis=-1)


def summed_and_tiled(state: State) -> None:
    """The sum of the heads, repeated to the full width."""
    state["joined"] = _tiled(state, state["attended"].sum(axis=-3))


def reduced_through_first_rows(how: str) -> dict[str, Step]:
    """Mean, sum, first or last head (B, T, d_k), through the first d_k rows of W_o."""

    def join(state: State) -> None:
        attended = state["attended"]
        reduced = {
            "mean": lambda: attended.mean(axis=-3),
            "sum": lambda: attended.sum(axis=-3),
            "first": lambda: attended[..., 0, :, :],
            "last": lambda: attended[..., -1, :, :],
        }[how]()
        state["joined"] = reduced

    def out(state: State) -> None:
        joined, bias = state["joined"], state["matrices"].get("b_o")
        output = joined @ state["matrices"]["W_o"][: joined.shape[-1]]
        state["output"] = output if bias is None else output + bias

    return {"join": join, "out": out}


def only_head(index: int, *, padded: bool) -> Step:
    """One head in its place and zeros elsewhere, or repeated to the full width."""

    def step(state: State) -> None:
        attended = state["attended"]
        chosen = attended[..., index, :, :]
        if not padded:
            state["joined"] = _tiled(state, chosen)
            return
        d_k = chosen.shape[-1]
        start = index % state["num_heads"] * d_k
        joined = np.zeros(state["x"].shape)
        joined[..., start : start + d_k] = chosen
        state["joined"] = joined

    return step


def head_in_front(index: int) -> Step:
    """One head in the first columns and zeros elsewhere."""

    def step(state: State) -> None:
        chosen = state["attended"][..., index, :, :]
        joined = np.zeros(state["x"].shape)
        joined[..., : chosen.shape[-1]] = chosen
        state["joined"] = joined

    return step


def one_block_for_all(block: int, names: str = "QKV") -> Step:
    """Every head projected with the same d_k columns of W."""

    def step(state: State) -> None:
        heads = state["num_heads"]
        d_k = state["d_model"] // heads
        start = block % heads * d_k
        for name in "QKV":
            whole = projected(state, name.lower())  # (..., T, D)
            if name in names:
                whole = _tiled(state, whole[..., start : start + d_k])
            state[name] = whole

    return step


def one_square_for_all(state: State) -> None:
    """Each head's own slice of x through the first (d_k, d_k) block of W."""
    heads = state["num_heads"]
    d_k = state["d_model"] // heads
    for name in "QKV":
        letter = name.lower()
        square = state["matrices"][f"W_{letter}"][:d_k, :d_k]
        slices = [state["x"][..., i * d_k : (i + 1) * d_k] @ square for i in range(heads)]
        whole = np.concatenate(slices, axis=-1)
        bias = state["matrices"].get(f"b_{letter}")
        state[name] = whole if bias is None else whole + _tiled(state, bias[:d_k])


def own_square_per_head(state: State) -> None:
    """Each head's own slice of x through its own diagonal block of W."""
    heads = state["num_heads"]
    d_k = state["d_model"] // heads
    for name in "QKV":
        letter = name.lower()
        parts = []
        for head in range(heads):
            own = slice(head * d_k, (head + 1) * d_k)
            parts.append(state["x"][..., own] @ state["matrices"][f"W_{letter}"][own, own])
        whole = np.concatenate(parts, axis=-1)
        bias = state["matrices"].get(f"b_{letter}")
        state[name] = whole if bias is None else whole + bias


def weights_of_first_head(state: State) -> None:
    """Right weights, but every head gets those of the first."""
    normalise(state)
    weights = state["weights"]
    state["weights"] = np.broadcast_to(weights[..., :1, :, :], weights.shape)


def join_single(state: State) -> None:
    """The one head of `not_split`."""
    state["joined"] = state["attended"][..., 0, :, :]


def join_d_k_first(state: State) -> None:
    """The way back from `split_d_k_first`."""
    state["joined"] = state["attended"].swapaxes(-3, -2).reshape(state["x"].shape)


def averaged_in_front(state: State) -> None:
    """The mean of the heads in the first columns and zeros elsewhere."""
    mean = state["attended"].mean(axis=-3)
    joined = np.zeros(state["x"].shape)
    joined[..., : mean.shape[-1]] = mean
    state["joined"] = joined


def join_squeezed(state: State) -> None:
    """Axes of length 1 dropped before the heads are joined."""
    moved = np.squeeze(state["attended"].swapaxes(-3, -2))
    state["joined"] = moved.reshape(*moved.shape[:-2], -1)


def batch_for_length(state: State) -> None:
    """(B, T, D) split and moved so that samples attend to each other: (T, h, B, d_k)."""

    def cut(whole: Any, heads: int) -> Any:
        per_head = whole.reshape(*whole.shape[:-1], heads, whole.shape[-1] // heads)
        return per_head.transpose(1, 2, 0, 3)

    _each(state, cut)


def join_batch_for_length(state: State) -> None:
    """(T, h, B, d_k) back to (B, T, D)."""
    state["joined"] = state["attended"].transpose(2, 0, 1, 3).reshape(state["x"].shape)


def one_row(state: State) -> None:
    """All samples' tokens as one long sequence of heads (h, B*T, d_k)."""

    def cut(whole: Any, heads: int) -> Any:
        return split_heads(whole.reshape(-1, whole.shape[-1]), heads)

    _each(state, cut)


def join_one_row(state: State) -> None:
    """Cut back into samples."""
    state["joined"] = state["attended"].swapaxes(-3, -2).reshape(state["x"].shape)
