"""Stage `causal`: position i does not move when any token after it is flipped.

And it does move when a token at or before it is, as far as the oracle moves. Judged at
several lengths on one object, the shortest first and last, so that a mask kept from another
length shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from . import stages
from .probe import is_left_out
from .reach import LEAST_SHARE, SHORTER, past_share
from .shapes import wrong_form
from .verdicts import failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.pack.kinds import Verdict

    from .draft import Inputs
    from .probe import Answered, Probe
    from .steps.recorded import Array

STAGE = stages.CAUSAL
STILL = 1e-6
"""a position that moves less than this share of how far the oracle moves it stands still"""


def flipped(call: Inputs, name: str, start: int, stop: int) -> Inputs:
    """The call with tokens `start` to `stop` of one argument (..., T, d) negated."""
    changed = call[name].copy()
    changed[..., start:stop, :] *= -1.0
    return {**call, name: changed, "flipped": (start, stop)}


def flipped_calls(base: Inputs, name: str = "x") -> list[Inputs]:
    """The call, then with all tokens after some position flipped, last with the first flipped.

    Tokens of a class are so short that in every one of the calls the past of each counts for
    something.
    """
    calls = [base, *_flips(base, name)]
    while name == "x" and any(_loses_its_past(call) for call in calls):
        base = {**base, "x": SHORTER * base["x"]}
        calls = [base, *_flips(base, name)]
    return calls


def _loses_its_past(call: Inputs) -> bool:
    return past_share(call["x"], call["matrices"], call["num_heads"]) < LEAST_SHARE


def _flips(base: Inputs, name: str) -> Iterator[Inputs]:
    length = base[name].shape[-2]
    lasts = range(length - 1) if length < 8 else (0, 6, length // 2, length - 2)
    for last in lasts:
        yield flipped(base, name, last + 1, length)
    if length > 1:
        yield flipped(base, name, 0, 1)


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """Compare each flipped call with the unflipped one before it."""
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        base = 0
        for index, call in enumerate(answered.probe.calls):
            if call["flipped"] is None:
                base = index
                continue
            message = _fault(answered, base, index)
            if message:
                return failed(STAGE, message, answered, index)
    return passed(STAGE)


def _fault(answered: Answered, base: int, index: int) -> str:
    call = answered.probe.calls[index]
    for each in (base, index):
        message = wrong_form(answered, each)
        if message:
            return message
    before, after = answered.arrays(base)[0], answered.arrays(index)[0]
    assert before is not None
    assert after is not None
    expected = answered.probe.expected_results[base][0]
    moved = _movement(before, after)  # (T,)
    oracle_moved = _movement(expected, answered.probe.expected_results[index][0])  # (T,)
    allowed = answered.probe.tolerance(base, answered.probe.exercise.results[0])
    start = call["flipped"][0]
    length = len(moved)
    if _is_causal(answered.probe, call):
        for position in range(start):
            if moved[position] > allowed:
                return _moves(call, position, moved[position], length)
    for position in range(length):
        far = oracle_moved[position] > 100 * allowed
        if far and moved[position] < STILL * oracle_moved[position]:
            return _stands_still(answered.probe, call, position, length)
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
    how = " and causal left out, which means True" if is_left_out(call, "causal") else ""
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
