"""The right way, step by step. An exercise puts these in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from attnpack.diagnosis.models import State, Step
from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np
else:
    np = LazyModule("numpy")

Steps: TypeAlias = tuple[tuple[str, Step], ...]


def swap(matrix: Any) -> Any:
    """(..., m, n) -> (..., n, m)."""
    return np.swapaxes(matrix, -1, -2)


def projected(state: State, letter: str, x: Any = None) -> Any:
    """x W + b with the matrix of one letter: (..., T, D)."""
    source = state["x"] if x is None else x  # (..., T, D)
    product = source @ state["matrices"][f"W_{letter}"]  # (..., T, D)
    bias = state["matrices"].get(f"b_{letter}")
    return product if bias is None else product + bias  # (..., T, D)


def project(state: State) -> None:
    """Q, K, V (..., T, D)."""
    for letter, name in zip("qkv", "QKV", strict=True):
        state[name] = projected(state, letter)


def split_heads(whole: Any, heads: int) -> Any:
    """(..., T, D) -> (..., h, T, d_k): head i owns columns i*d_k to (i+1)*d_k."""
    *lead, length, width = whole.shape
    return whole.reshape(*lead, length, heads, width // heads).swapaxes(-3, -2)


def split(state: State) -> None:
    """Q, K, V (..., h, T, d_k)."""
    for name in "QKV":
        state[name] = split_heads(state[name], state["num_heads"])


def score(state: State) -> None:
    """Q Kᵀ (..., T_q, T_k), unscaled."""
    state["scores"] = state["Q"] @ swap(state["K"])


def scale(state: State) -> None:
    """Divided by sqrt(d_k)."""
    state["scores"] = state["scores"] / state["Q"].shape[-1] ** 0.5


def nothing(state: State) -> None:
    """A place where only bugs do something."""


def see_mask(state: State) -> None:
    """Which keys the caller's mask lets through."""
    mask = state["mask"]
    state["keep"] = None if mask is None else visible(mask)


def visible(mask: Any) -> Any:
    """Booleans say it; additive masks by being near zero."""
    return mask if mask.dtype == np.bool_ else mask > -0.5


def see_causal(state: State) -> None:
    """Key j is visible to query i where j <= i, if the flag says so."""
    length = state["x"].shape[-2]
    state["keep"] = np.tri(length, dtype=np.bool_) if state["causal"] else None


def block(state: State) -> None:
    """Masked keys score -inf."""
    keep = state["keep"]
    scores = state["scores"]
    state["masked"] = scores if keep is None else np.where(keep, scores, -np.inf)


def take_scores(state: State) -> None:
    """softmax alone: nothing is masked."""
    state["masked"] = state["scores"]


def shift(state: State) -> None:
    """Scores minus their row's maximum."""
    masked = state["masked"]
    state["shifted"] = masked - masked.max(axis=-1, keepdims=True)


def normalise(state: State) -> None:
    """Exponentials over their row's sum."""
    exponentials = np.exp(state["shifted"])
    state["weights"] = exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax(scores: Any) -> Any:
    """Scores as weights, over the last axis."""
    state = {"masked": scores}
    shift(state)
    normalise(state)
    return state["weights"]


def weights_of(queries: Any, keys: Any) -> Any:
    """Unmasked weights of Q (..., T_q, d_k) and K (..., T_k, d_k)."""
    state = {"Q": queries, "K": keys}
    score(state)
    scale(state)
    return softmax(state["scores"])


def apply(state: State) -> None:
    """weights V (..., T_q, d_v)."""
    state["attended"] = state["weights"] @ state["V"]


def join_heads(attended: Any) -> Any:
    """(..., h, T, d_k) -> (..., T, D)."""
    moved = attended.swapaxes(-3, -2)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def join(state: State) -> None:
    """Heads side by side, in order."""
    state["joined"] = join_heads(state["attended"])


def one_head(state: State) -> None:
    """SelfAttention has nothing to join."""
    state["joined"] = state["attended"]


def project_out(state: State) -> None:
    """joined W_o + b_o (..., T, D)."""
    state["output"] = projected(state, "o", state["joined"])


def build_causal_mask(state: State) -> None:
    """(T, T): which keys are visible, before it becomes additive."""
    state["keep"] = np.tri(state["seq_len"], dtype=np.bool_)


def close_causal_mask(state: State) -> None:
    """0 where visible, minus infinity (any number low enough to close) where not."""
    state["closed"] = np.where(state["keep"], 0.0, -np.inf)


SCORE: Steps = (("score", score), ("scale", scale), ("clamp", nothing))
SOFTMAX: Steps = (("clip", nothing), ("shift", shift), ("normalise", normalise))
BLOCK_AND_APPLY: Steps = (("block", block), *SOFTMAX, ("after", nothing), ("apply", apply))
ATTEND_CAUSALLY: Steps = (*SCORE, ("see", see_causal), *BLOCK_AND_APPLY)
PROJECT_OUT: Steps = (("add", nothing), ("out", project_out), ("end", nothing))
