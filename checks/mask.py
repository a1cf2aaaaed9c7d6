"""Stage `mask`: the mask is applied before softmax.

Masked keys get weight 0, and the rest is a softmax over the visible keys. The second half
is judged against the learner's own unmasked weights, renormalised over the visible keys:
that is true of a right mask whatever else is wrong with the scores.

Mask-then-renormalise gives the same numbers until it underflows; there it is noted, never
failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Outcome
from attnpack.terms import Backend

from . import half_precision, oracle, stages
from .probe import Asked, Inputs, Probe, Tag, usable
from .reach import matrices_within_reach, scores_within_reach, within_reach
from .readings import Reading, reading_probe, readings
from .verdicts import describe_call, failed, first_not_returned, passed, spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.pack.kinds import Verdict

    from .draw import Draw
    from .oracle import Array

STAGE = stages.MASK
CLOSED = -1e9
CLOSES_UNDER_1E4 = -2.01e4
"""an additive mask at or below this keeps a score of 1e4 out of a row at -1e4: noted only"""
SEEN = 1e-3
"""visible keys with less than this share of the unmasked weights say little about each other"""
LOST = 1e-6
"""how far a row may be from nothing at all, or from even shares, to be one that underflowed"""
UNDERFLOW_RAISES = ("ZeroDivisionError", "FloatingPointError", "OverflowError", "ValueError")


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage."""
    if exercise == "causal_mask":
        return [
            Probe(f"mask/T={length}", exercise, STAGE, ({"seq_len": length},))
            for length in (3, 4, 8)
        ]
    if exercise == "scaled_dot_product_attention":
        stacked = _stacked(draw) if draw.stacked else []
        return [*_flat(draw), *_ladders(draw), *stacked, *for_notes(draw)]
    return _classes(exercise, draw)


def for_notes(draw: Draw) -> list[Probe]:
    """What is only noted, never judged (torch)."""
    if draw.backend is not Backend.TORCH:
        return []
    return [*half_precision.ask(draw), _strided(draw)]


def _pair(name: str, arrays: Inputs, mask: Array, *tags: Tag) -> Probe:
    """The same queries, keys and values without and with the mask."""
    calls = ({**arrays, "mask": None}, {**arrays, "mask": mask})
    return Probe(f"mask/{name}", "scaled_dot_product_attention", STAGE, calls, frozenset(tags))


def _ordinary(name: str, arrays: Inputs, mask: Array) -> Probe:
    """A pair whose visible keys count for something without the mask too."""
    return _pair(name, within_reach(arrays, mask), mask)


def _qkv(draw: Draw, lead: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int) -> Inputs:
    return {
        "Q": 1.5 * draw.normal(*lead, queries, d_k),
        "K": draw.normal(*lead, keys, d_k),
        "V": draw.normal(*lead, keys, d_v),
    }


def additive(keep: Array, closed: float = CLOSED) -> Array:
    """0 where visible, `closed` where not."""
    return np.where(keep, 0.0, closed)


def scattered(draw: Draw, *shape: int) -> Array:
    """Booleans with at least one visible and one masked key in every row."""
    keep = draw.rng.random(shape) < 0.5
    order = draw.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    both: Array = (keep | (order == 0)) & (order != 1)
    return both


def padding(lengths: Sequence[int], keys: int) -> Array:
    """(B, 1, T_k): the first `lengths[b]` keys of sample b are real."""
    return (np.arange(keys)[None, :] < np.array(lengths)[:, None])[:, None, :]


def _flat(draw: Draw) -> Iterator[Probe]:
    keep = scattered(draw, 4, 5)
    yield _ordinary("boolean", _qkv(draw, (), 4, 5, 3, 2), keep)
    yield _ordinary("additive", _qkv(draw, (), 4, 5, 3, 2), additive(keep))
    yield _ordinary("additive -inf", _qkv(draw, (), 4, 5, 3, 2), additive(keep, -np.inf))
    square = oracle.causal_visible(4)
    yield _ordinary("causal boolean", _qkv(draw, (), 4, 4, 3, 2), square)
    yield _ordinary("causal additive", _qkv(draw, (), 4, 4, 3, 2), additive(square))
    yield _ordinary("square boolean", _qkv(draw, (), 3, 3, 3, 3), scattered(draw, 3, 3))
    yield _ordinary("square additive", _qkv(draw, (), 3, 3, 3, 3), additive(scattered(draw, 3, 3)))
    yield _ordinary("boolean one query", _qkv(draw, (), 1, 4, 3, 2), scattered(draw, 1, 4))


def ladder_scores(draw: Draw) -> Array:
    """(4, 4): every score near -1.2e4, so that a fill of -1e4 towers above what is visible."""
    return -1.2e4 + draw.normal(4, 4)


def cliff_scores(draw: Draw, keep: Array) -> Array:
    """(T_q, T_k): masked keys score 1.2e4, visible ones near 0: renormalising underflows."""
    return np.where(keep, draw.normal(*keep.shape), 1.2e4)


def _ladders(draw: Draw) -> Iterator[Probe]:
    keep = scattered(draw, 4, 4)
    for name, mask in (("boolean", keep), ("additive", additive(keep))):
        queries, keys = draw.with_scores(ladder_scores(draw), 5)
        arrays = {"Q": queries, "K": keys, "V": draw.normal(4, 3)}
        yield _pair(f"ladder {name}", arrays, mask)
        queries, keys = draw.with_scores(cliff_scores(draw, keep), 5)
        arrays = {"Q": queries, "K": keys, "V": draw.normal(4, 3)}
        yield _pair(f"cliff {name}", arrays, mask, Tag.UNDERFLOW)


def _stacked(draw: Draw) -> Iterator[Probe]:
    flat = scattered(draw, 4, 5)
    yield _ordinary("boolean over a batch", _qkv(draw, (2,), 4, 5, 3, 2), flat)
    yield _ordinary("additive over heads", _qkv(draw, (2, 3), 4, 5, 3, 2), additive(flat))
    yield _ordinary("boolean over heads", _qkv(draw, (2, 3), 4, 5, 3, 2), flat)
    for name, form in (("boolean", lambda keep: keep), ("additive", additive)):
        yield from _padded(draw, name, form)
        yield from _per_sample(draw, name, form)


def _strided(draw: Draw) -> Probe:
    """Heads as a transpose leaves them: `view` refuses such arguments."""
    call = {**_qkv(draw, (2, 3), 4, 5, 3, 2), "mask": None}
    tags = frozenset({Tag.STRIDED})
    return Probe("mask/strided", "scaled_dot_product_attention", STAGE, (call,), tags)


def refuses_views(asked: Sequence[Asked]) -> bool:
    """Arguments that are transposed views were refused."""
    raised = (one.answers[0].raised for one in asked if Tag.STRIDED in one.probe.tags)
    return any(error is not None and "view size" in error.message for error in raised)


def _padded(draw: Draw, name: str, form) -> Iterator[Probe]:  # type: ignore[no-untyped-def]
    two, three = padding((2, 4), 5), padding((1, 3, 2), 3)
    yield _ordinary(f"padding {name}", _qkv(draw, (2,), 4, 5, 3, 2), form(two))
    yield _ordinary(f"padding {name}, B = T", _qkv(draw, (3,), 3, 3, 4, 2), form(three))
    one = padding((3,), 5)
    yield _ordinary(f"padding {name}, one sample", _qkv(draw, (1,), 4, 5, 3, 2), form(one))
    heads = two[:, None]  # (B, 1, 1, T_k)
    yield _ordinary(f"padding {name} over heads", _qkv(draw, (2, 3), 4, 5, 3, 2), form(heads))
    square = padding((1, 3, 2), 3)[:, None]
    yield _ordinary(f"padding {name}, B = h", _qkv(draw, (3, 3), 4, 3, 2, 2), form(square))
    tall = padding((2, 4), 5)[:, None]
    yield _ordinary(f"padding {name}, B = T_q", _qkv(draw, (2, 3), 2, 5, 3, 2), form(tall))


def _per_sample(draw: Draw, name: str, form) -> Iterator[Probe]:  # type: ignore[no-untyped-def]
    yield _ordinary(
        f"per sample {name}", _qkv(draw, (2,), 4, 5, 3, 2), form(scattered(draw, 2, 4, 5))
    )
    both = oracle.causal_visible(4) & padding((2, 3), 4)  # (B, T, T)
    yield _ordinary(f"causal and padding {name}", _qkv(draw, (2,), 4, 4, 3, 2), form(both))
    rows = scattered(draw, 2, 1, 4, 5)
    yield _ordinary(f"per sample {name} over heads", _qkv(draw, (2, 3), 4, 5, 3, 2), form(rows))
    cube = scattered(draw, 3, 1, 4, 5)
    yield _ordinary(f"per sample {name}, B = h", _qkv(draw, (3, 3), 4, 5, 3, 2), form(cube))
    joined = (oracle.causal_visible(4) & padding((2, 3), 4))[:, None]  # (B, 1, T, T)
    yield _ordinary(
        f"causal and padding {name} over heads", _qkv(draw, (2, 3), 4, 4, 3, 2), form(joined)
    )


def _classes(exercise: str, draw: Draw) -> list[Probe]:
    heads = 1 if exercise == "SelfAttention" else 2
    keep = oracle.causal_visible(3)
    tables = {
        "moderate": [scores_within_reach(1.5 * draw.normal(3, 3), keep) for _ in range(heads)],
        "ladder": [ladder_scores(draw)[:3, :3] for _ in range(heads)],
        "cliff": [cliff_scores(draw, keep) for _ in range(heads)],
    }
    probes = []
    for name, scores in tables.items():
        x = draw.tokens(3, 3 * heads)
        matrices = draw.matrices_with_scores(x, np.stack(scores))
        tags = frozenset({Tag.UNDERFLOW}) if name == "cliff" else frozenset()
        probes += _causal_pair(exercise, f"mask/{name}", x, matrices, heads, draw, tags)
    if draw.stacked:
        x = draw.tokens(6, 6 if heads == 2 else 8).reshape(2, 3, -1)
        matrices = matrices_within_reach(draw, x, heads)
        probes += _causal_pair(exercise, "mask/batch", x, matrices, heads, draw, frozenset())
    return probes


def _causal_pair(
    exercise: str,
    key: str,
    x: Array,
    matrices: dict[str, Array],
    heads: int,
    draw: Draw,
    tags: frozenset[Tag],
) -> list[Probe]:
    """Open and causal: one object for SelfAttention, two for MultiHeadAttention."""
    if exercise == "MultiHeadAttention" and draw.stacked and x.ndim == 2:
        x = x[None]  # (1, T, D)
    call = {"d_model": x.shape[-1], "num_heads": heads, "x": x, "matrices": matrices}
    opened, closed = {**call, "causal": False}, {**call, "causal": True}
    groups: list[tuple[str, tuple[Inputs, ...]]]
    if exercise == "SelfAttention":
        groups = [(key, (opened, closed))]
    else:
        groups = [(f"{key}/open", (opened,)), (f"{key}/causal", (closed,))]
    return [
        reading_probe(Probe(name, exercise, STAGE, calls, tags, draw.precision), draw)
        for name, calls in groups
    ]


def judge(asked: Sequence[Asked]) -> Verdict:
    """No weight on masked keys; the visible ones share as they would without the others."""
    if asked and asked[0].probe.exercise == "causal_mask":
        return _judge_causal_mask(asked)
    broken = first_not_returned(STAGE, [one for one in asked if not underflow_raised(one)])
    if broken is not None:
        return broken
    for opened, closed in _reading_pairs(asked):
        message = _fault(opened, closed)
        if message:
            return failed(STAGE, message, closed.one, closed.index)
    return passed(STAGE)


def underflow_raised(one: Asked) -> bool:
    """A division by the zero that renormalising underflows to: noted, not failed."""
    if Tag.UNDERFLOW not in one.probe.tags:
        return False
    bad = [a for a in one.answers if a.outcome is not Outcome.RETURNED]
    return bool(bad) and all(
        a.raised is not None and a.raised.type in UNDERFLOW_RAISES for a in bad
    )


def _reading_pairs(asked: Sequence[Asked]) -> Iterator[tuple[Reading | None, Reading]]:
    """Each masked reading with the unmasked one of the same numbers, where it could be read."""
    found: dict[str, list[Reading]] = {}
    for one in asked:
        name = one.probe.key.removesuffix("/open").removesuffix("/causal")
        found.setdefault(name, []).extend(readings(one))
    for group in found.values():
        opened = next((r for r in group if r.visible is None), None)
        for closed in group:
            if closed.visible is not None:
                yield opened, closed


def _fault(opened: Reading | None, closed: Reading) -> str:
    weights, keep = closed.weights, closed.visible
    assert keep is not None
    call = describe_call(closed.one.probe, closed.index)
    rows = np.ones(weights.shape[:-1], dtype=bool)
    if Tag.UNDERFLOW in closed.one.probe.tags:
        rows = ~underflowed_rows(weights, keep)
    leaked = ~keep & rows[..., None] & ~(np.abs(weights) <= closed.allowed)
    if leaked.any():
        index = tuple(int(i) for i in np.argwhere(leaked)[0])
        came = weights[index]
        return (
            f"{call}: key {index[-1]} is masked for query {spoken(index[:-1])}, "
            f"yet has weight {came:.6g}"
        )
    if opened is None or Tag.UNDERFLOW in closed.one.probe.tags:
        return ""
    with np.errstate(invalid="ignore", divide="ignore"):
        open_visible = np.where(keep, opened.weights, 0.0)  # (..., T_q, T_k)
        mass = open_visible.sum(axis=-1, keepdims=True)  # (..., T_q, 1)
        expected = open_visible / mass  # (..., T_q, T_k)
    allowed = closed.allowed * weights.shape[-1] / np.maximum(mass, SEEN)
    wrong = (mass > SEEN) & ~(np.abs(weights - expected) <= allowed)
    if not wrong.any():
        return ""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{call}: among the visible keys the weights are not the softmax over those keys: "
        f"weight {index} is {weights[index]:.6g}, and {expected[index]:.6g} was expected from "
        "your own unmasked weights"
    )


def underflowed_rows(weights: Array, keep: Array) -> Array:
    """Rows (..., T_q) that renormalising lost: NaN, zeros, or even shares put in their place."""
    lost = np.isnan(weights).all(axis=-1) | (np.abs(weights) < LOST).all(axis=-1)
    lost |= _is_even(weights, np.ones_like(keep)) | _is_even(weights, keep)
    return lost & ~keep.all(axis=-1)


def _is_even(weights: Array, keys: Array) -> Array:
    """Rows (..., T_q) that share alike over two of these keys or more, and leave the rest out."""
    count = keys.sum(axis=-1, keepdims=True)  # (..., T_q, 1)
    shares = keys / np.maximum(count, 1)  # (..., T_q, T_k)
    with np.errstate(invalid="ignore"):
        alike = (np.abs(weights - shares) < LOST).all(axis=-1)
    even: Array = alike & (count[..., 0] > 1)
    return even


def renormalised(asked: Sequence[Asked]) -> bool:
    """Whether any underflow probe shows the trace of mask-then-renormalise."""
    for one in asked:
        if Tag.UNDERFLOW not in one.probe.tags:
            continue
        if underflow_raised(one):
            return True
        for reading in readings(one):
            if reading.visible is not None:
                lost = underflowed_rows(reading.weights, reading.visible)
                if lost.any():
                    return True
    return False


def _judge_causal_mask(asked: Sequence[Asked]) -> Verdict:
    broken = first_not_returned(STAGE, asked)
    if broken is not None:
        return broken
    for one in asked:
        if not usable(one.answers[0]):
            continue
        mask = one.arrays(0)[0]
        assert mask is not None
        message = causal_mask_fault(mask, one.probe.calls[0]["seq_len"])
        if message:
            return failed(STAGE, message, one)
    return passed(STAGE)


def causal_mask_fault(mask: Array, length: int) -> str:
    """What is wrong with an additive causal mask (T, T), or nothing."""
    keep = oracle.causal_visible(length)
    if mask.shape != keep.shape:
        return f"causal_mask({length}) has shape {mask.shape}; {keep.shape} was expected"
    if is_binary(mask):
        if length == 1 and mask.dtype != np.bool_ and mask[0, 0] == 0:
            return ""
        return (
            f"causal_mask({length}) returned {_form(mask)}; an additive mask was expected: 0.0 "
            "where a key is visible and -1e9 (or lower) where it is not"
        )
    numbers = np.asarray(mask, dtype=np.float64)
    wrong = np.where(keep, numbers != 0, ~(numbers <= CLOSES_UNDER_1E4))
    if not wrong.any():
        return ""
    row, column = (int(i) for i in np.argwhere(wrong)[0])
    wanted = "0.0" if keep[row, column] else "-1e9 or lower"
    side = "is at or before" if keep[row, column] else "comes after"
    return (
        f"causal_mask({length})[{row}, {column}] is {float(mask[row, column]):.6g}; key {column} "
        f"{side} query {row}, so {wanted} was expected"
    )


def is_binary(mask: Array) -> bool:
    """Booleans, or nothing but ones and zeros."""
    return mask.dtype == np.bool_ or bool(((mask == 0) | (mask == 1)).all())


def _form(mask: Array) -> str:
    return "booleans" if mask.dtype == np.bool_ else "ones and zeros"


def weakly_closed(asked: Sequence[Asked]) -> bool:
    """Some closed cell of `causal_mask` lies above -1e9, though low enough to close."""
    for one in asked:
        if one.probe.exercise != "causal_mask" or not usable(one.answers[0]):
            continue
        mask = one.arrays(0)[0]
        length = one.probe.calls[0]["seq_len"]
        if mask is None or mask.shape != (length, length) or mask.dtype == np.bool_:
            continue
        closed = np.asarray(mask, dtype=np.float64)[~oracle.causal_visible(length)]
        if closed.size and (closed > CLOSED).any():
            return True
    return False
