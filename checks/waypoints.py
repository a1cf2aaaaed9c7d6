"""The values that a right run of a call goes through, step by step, and what they go by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.diagnosis.places.waypoints import Waypoint

from .steps.right import swap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.diagnosis.models import Model, State

    from .probe import Probe
    from .steps.recorded import Array

SERIES = (
    ("Q", "K", "V"),
    ("heads of Q", "heads of K", "heads of V"),
    ("W_q", "W_k", "W_v"),
    ("W_q", "W_k", "W_v", "W_o"),
)
"""made one after another by one helper or one line"""
_ON_THE_WAY = {
    **dict.fromkeys(("Kᵀ", "sqrt(d_k)", "1 / sqrt(d_k)", "max", "row maxima"), -0.4),
    **dict.fromkeys(("sum", "row sums"), -0.2),
    "exponentials": 0.3,
}
"""what is made before or after the value of its step"""
_FORMS_OF_A_MASK = ("mask", "visible", "hidden", "additive mask", "closed")


def waypoints(probe: Probe, index: int, models: Sequence[Model] = ()) -> list[Waypoint]:
    """Of one call, in order; with models, of a run that is right but for them. One of each name."""
    found: dict[str, Waypoint] = {}
    for each in waypoints_of(probe, index, models):
        found.setdefault(each.name, each)
    return list(found.values())


def waypoints_of(probe: Probe, index: int, models: Sequence[Model] = ()) -> Iterator[Waypoint]:
    """The same, also what a later step makes of a value under its name."""
    allowed = 4.0 * max(probe.tolerance(index, name) for name in probe.exercise.results)
    last: dict[str, Array] = {}
    for name, array, position in _in_order(probe, index, models):
        given, made = not name.startswith("("), np.asarray(array)
        if name in last and np.array_equal(last[name], made):
            continue
        last[name] = made
        yield Waypoint(name, made, position, allowed, given=given, form_of=_form_of(name, made))


def _in_order(
    probe: Probe, index: int, models: Sequence[Model]
) -> Iterator[tuple[str, Any, float]]:
    call = probe.calls[index]
    pipeline = probe.exercise.pipeline
    replaced = {name: step for model in models for name, step in model.replaces.items()}
    state: State = {"mask": None, **call, "kept": {}}
    yield from ((name, array, -1) for name, array in _inputs(state))
    with np.errstate(all="ignore"):
        for position, (name, step) in enumerate(pipeline.steps):
            before = dict(state)
            replaced.get(name, step)(state)
            made = {n: a for n, a in state.items() if a is not before.get(n) and n != "results"}
            for each in made:
                for found, array in _forms(each, name, state):
                    yield found, array, position + _ON_THE_WAY.get(found, 0.0)


def _form_of(name: str, array: Array) -> str:
    """A mask says which cells are closed, in whatever sense; a size is a number."""
    if name.removesuffix(", spread") in _FORMS_OF_A_MASK:
        return "mask"
    return "size" if array.ndim == 0 and array.dtype.kind in "if" else ""


def _inputs(state: State) -> Iterator[tuple[str, Any]]:
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            yield name, value
    yield from (state.get("matrices") or {}).items()
    yield from _sizes(state)
    arrays = [value for value in state.values() if isinstance(value, np.ndarray)]
    seen = {size for array in arrays for size in (*array.shape, array.ndim)}
    yield from ((f"({size})", size) for size in sorted(seen))
    mask = state.get("mask")
    masked = bool(state.get("causal")) or mask is not None
    yield "it is masked", np.asarray(masked)
    yield "it is not masked", np.asarray(not masked)
    yield "the mask is boolean", np.asarray(mask is not None and mask.dtype == np.bool_)
    yield "the mask is additive", np.asarray(mask is not None and mask.dtype != np.bool_)


def _sizes(state: State) -> Iterator[tuple[str, Any]]:
    if "x" in state and state["x"].ndim > 1:
        *_, length, width = state["x"].shape
        heads = state.get("num_heads") or 1
        yield from (("T", length), ("D", width), ("h", heads), ("d_k", width // heads))
        yield from _numbered(length)
        if width % heads:
            yield "D % h", width % heads
        yield "h divides D", np.asarray(width % heads == 0)
        yield "h does not divide D", np.asarray(width % heads != 0)
    elif "seq_len" in state:
        yield "T", state["seq_len"]
        yield from _numbered(state["seq_len"])
    else:
        scored = next((state[name] for name in ("Q", "scores", "weights") if name in state), None)
        if scored is None:
            return
        yield "d_k" if "Q" in state else "T_k", scored.shape[-1]
        yield "T_q", scored.shape[-2]
        if "K" in state:
            yield "T_k", state["K"].shape[-2]


def _numbered(length: int) -> Iterator[tuple[str, Any]]:
    positions = np.arange(length)
    yield from (
        ("positions", positions),
        ("queries", positions[:, None]),
        ("keys", positions[None]),
    )


def _forms(name: str, step: str, state: State) -> Iterator[tuple[str, Any]]:
    """A value under the name it goes by after this step, and what is made on the way to it."""
    array = state[name]
    if array is None:
        return
    match name, step:
        case "keep", _:
            yield from _mask_forms(array)
            if "scores" in state:
                yield from _spread(array, state["scores"])
            yield "minus infinity", np.asarray(-np.inf)
        case (("Q" | "K" | "V"), "split"):
            yield f"heads of {name}", array
            yield f"heads of {name}ᵀ", swap(array)
        case (("Q" | "K" | "V"), _):
            yield name, array
        case "scores", "score":
            yield from _of_products(state)
            yield "raw scores", array
        case "scores", "scale":
            root = np.sqrt(float(state["Q"].shape[-1]))
            yield from (("scores", array), ("sqrt(d_k)", root), ("1 / sqrt(d_k)", 1.0 / root))
        case "masked", _:
            yield "masked scores", array
            if "scores" in state:
                yield from _of_softmax_without_mask(state["scores"])
        case "shifted", _:
            yield from _of_shift(state)
        case "weights", "normalise":
            exponentials = np.exp(state["shifted"])
            total = exponentials.sum(axis=-1, keepdims=True)
            yield "exponentials", exponentials
            yield "sum", total
            yield "row sums", total[..., 0]
            yield "weights", array
        case "joined", "join":
            yield "joined", array
        case _ if isinstance(array, np.ndarray):
            yield name, array


def _of_products(state: State) -> Iterator[tuple[str, Any]]:
    d_k = state["Q"].shape[-1]
    root = np.sqrt(float(d_k))
    yield "Kᵀ", swap(state["K"])
    yield from ((f"({name} / sqrt(d_k))", state[name] / root) for name in ("Q", "K"))
    yield from ((f"({name} / d_k^(1/4))", state[name] / np.sqrt(root)) for name in ("Q", "K"))


def _of_softmax_without_mask(scores: Array) -> Iterator[tuple[str, Any]]:
    """What is right but for the mask, which may still come."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exponentials = np.exp(shifted)
    yield "(unmasked scores - max)", shifted
    yield "(unmasked exponentials)", exponentials
    yield "(unmasked weights)", exponentials / exponentials.sum(axis=-1, keepdims=True)


def _of_shift(state: State) -> Iterator[tuple[str, Any]]:
    largest = state["masked"].max(axis=-1, keepdims=True)
    yield "max", largest
    yield "row maxima", largest[..., 0]
    yield "scores - max", state["shifted"]
    yield "exponentials", np.exp(state["shifted"])


def _spread(keep: Array, scores: Array) -> Iterator[tuple[str, Any]]:
    """The mask with a cell for every score."""
    whole = np.broadcast_to(keep, scores.shape)
    yield from ((f"{name}, spread", array) for name, array in _mask_forms(whole))


def _mask_forms(keep: Array) -> Iterator[tuple[str, Any]]:
    yield "visible", keep
    yield "hidden", ~keep
    yield "additive mask", np.where(keep, 0.0, -np.inf)
