"""Stage `causal`: position i does not move when any token after it is flipped.

And it does move when a token at or before it is, as far as the oracle moves. Judged at
several lengths on one object, the shortest first and last, so that a mask kept from another
length shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.terms import Backend

from . import oracle, stages
from .probe import RESULT_NAMES, Asked, Inputs, Probe, Tag
from .reach import LEAST_SHARE, SHORTER, past_share, within_reach
from .shapes import wrong_form
from .verdicts import failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.pack.kinds import Verdict

    from .draw import Draw
    from .oracle import Array

STAGE = stages.CAUSAL
STILL = 1e-6
"""a position that moves less than this share of how far the oracle moves it stands still"""


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage."""
    if exercise == "scaled_dot_product_attention":
        return [_functions(draw, "boolean"), _functions(draw, "additive")]
    short, long = (4, 5) if draw.backend is Backend.VALUE else (5, 33)
    return [
        _class(exercise, draw, "grows", (1, short), by_default=True),
        _class(exercise, draw, "long", (short, long, short)),
        *_open(exercise, draw),
    ]


def _functions(draw: Draw, form: str) -> Probe:
    """The values of later tokens are flipped: whatever the scores are, their weight must be 0."""
    keep = oracle.causal_visible(4)
    mask = keep if form == "boolean" else np.where(keep, 0.0, -1e9)
    drawn = {"Q": draw.normal(4, 3), "K": draw.normal(4, 3), "V": draw.normal(4, 2)}
    base: Inputs = {**within_reach(drawn, mask), "mask": mask, "flipped": None}
    calls = [base]
    for last in (0, 1, 2):
        after = slice(last + 1, None)
        calls.append({**base, "V": _flipped(base["V"], after), "flipped": (last + 1, 4)})
    calls.append({**base, "V": _flipped(base["V"], slice(0, 1)), "flipped": (0, 1)})
    return Probe(
        f"causal/{form}",
        "scaled_dot_product_attention",
        STAGE,
        tuple(calls),
        frozenset({Tag.FLIP}),
    )


def _flipped(tokens: Array, where: slice) -> Array:
    """The tokens (..., T, d) with those in `where` negated."""
    changed = tokens.copy()
    changed[..., where, :] *= -1.0
    return changed


def _class(
    exercise: str,
    draw: Draw,
    name: str,
    lengths: tuple[int, ...],
    *,
    by_default: bool = False,
) -> Probe:
    """One object at several lengths; `by_default` leaves the flag out, which means True."""
    width, heads = (6, 2) if exercise == "MultiHeadAttention" else (4, 1)
    matrices = draw.matrices(width)
    calls: list[Inputs] = []
    for length in lengths:
        shape = (1, length, width) if draw.stacked else (length, width)
        base = {
            "d_model": width,
            "num_heads": heads,
            "causal": True,
            "by_default": by_default,
            "x": 0.7 * draw.normal(*shape),
            "matrices": matrices,
            "flipped": None,
        }
        calls.extend(_base_and_flips(base, length))
    tags = frozenset({Tag.FLIP})
    return Probe(f"causal/{name}", exercise, STAGE, tuple(calls), tags, draw.precision)


def _base_and_flips(base: Inputs, length: int) -> list[Inputs]:
    """Tokens so short that in every one of the calls the past of each counts for something."""
    calls = [base, *_flips(base, length)]
    while any(
        past_share(call["x"], call["matrices"], call["num_heads"]) < LEAST_SHARE for call in calls
    ):
        base = {**base, "x": SHORTER * base["x"]}
        calls = [base, *_flips(base, length)]
    return calls


def _flips(base: Inputs, length: int) -> Iterator[Inputs]:
    lasts = range(length - 1) if length < 8 else (0, 6, length // 2, length - 2)
    for last in lasts:
        x = _flipped(base["x"], slice(last + 1, None))
        yield {**base, "x": x, "flipped": (last + 1, length)}
    if length > 1:
        yield {**base, "x": _flipped(base["x"], slice(0, 1)), "flipped": (0, 1)}


def _open(exercise: str, draw: Draw) -> list[Probe]:
    """With causal=False every position looks at every token, the last one too."""
    width, heads = (6, 2) if exercise == "MultiHeadAttention" else (4, 1)
    shape = (1, 4, width) if draw.stacked else (4, width)
    base: Inputs = {
        "d_model": width,
        "num_heads": heads,
        "causal": False,
        "x": 0.7 * draw.normal(*shape),
        "matrices": draw.matrices(width),
        "flipped": None,
    }
    last = {**base, "x": _flipped(base["x"], slice(3, None)), "flipped": (3, 4)}
    tags = frozenset({Tag.FLIP})
    return [Probe("causal/open", exercise, STAGE, (base, last), tags, draw.precision)]


def judge(asked: Sequence[Asked]) -> Verdict:
    """Compare each flipped call with the unflipped one before it."""
    broken = first_not_returned(STAGE, asked)
    if broken is not None:
        return broken
    for one in asked:
        base = 0
        for index, call in enumerate(one.probe.calls):
            if call["flipped"] is None:
                base = index
                continue
            message = _fault(one, base, index)
            if message:
                return failed(STAGE, message, one, index)
    return passed(STAGE)


def _fault(one: Asked, base: int, index: int) -> str:
    call = one.probe.calls[index]
    for asked in (base, index):
        message = wrong_form(one, asked)
        if message:
            return message
    before, after = one.arrays(base)[0], one.arrays(index)[0]
    assert before is not None
    assert after is not None
    expected = one.probe.expected_results[base][0]
    moved = _movement(before, after)  # (T,)
    oracle_moved = _movement(expected, one.probe.expected_results[index][0])  # (T,)
    allowed = one.probe.tolerance(base, RESULT_NAMES[one.probe.exercise][0])
    start = call["flipped"][0]
    length = len(moved)
    if _is_causal(one.probe, call):
        for position in range(start):
            if moved[position] > allowed:
                return _moves(call, position, moved[position], length)
    for position in range(length):
        far = oracle_moved[position] > 100 * allowed
        if far and moved[position] < STILL * oracle_moved[position]:
            return _stands_still(one.probe, call, position, length)
    return ""


def _is_causal(probe: Probe, call: Inputs) -> bool:
    return not probe.is_class or bool(call["causal"])


def _movement(before: Array, after: Array) -> Array:
    """How far each position moved: (..., T, d) twice -> (T,); what is not finite moved."""
    with np.errstate(invalid="ignore"):
        gaps = np.abs(np.asarray(before, dtype=np.float64) - after)  # (..., T, d)
    gaps = np.where(np.isnan(gaps), np.where(np.isnan(before) & np.isnan(after), 0.0, np.inf), gaps)
    per_token = gaps.max(axis=-1)  # (..., T)
    furthest: Array = per_token.reshape(-1, per_token.shape[-1]).max(axis=0)  # (T,)
    return furthest


def _tokens(start: int, stop: int) -> str:
    return f"token {start} was" if stop == start + 1 else f"tokens {start} to {stop - 1} were"


def _moves(call: Inputs, position: int, moved: float, length: int) -> str:
    how = " and causal left out, which means True" if call.get("by_default") else ""
    return (
        f"with {length} tokens{how}, position {position} moved by {moved:.4g} when only "
        f"{_tokens(*call['flipped'])} flipped: it sees the future"
    )


def _stands_still(probe: Probe, call: Inputs, position: int, length: int) -> str:
    start, stop = call["flipped"]
    mode = "" if _is_causal(probe, call) else " (causal=False)"
    return (
        f"with {length} tokens{mode}, position {position} did not move when {_tokens(start, stop)} "
        "flipped: it must see that token"
    )
