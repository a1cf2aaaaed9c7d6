"""Stage `values`: every number agrees with the oracle, and nothing else changes.

Fresh random numbers, every probe of the earlier stages once more, inputs untouched, the
same call again gives the same answer, other numbers of the same shape another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.pack.kinds import Verdict
from attnpack.terms import Backend, Status

from . import stages, train_mode
from .agreement import agree, compare, differs
from .mask import causal_mask_fault, underflow_raised, underflowed_rows
from .probe import FUNCTION_ARGUMENTS, OWN_RULES, RESULT_NAMES, Asked, Inputs, Probe, Tag
from .reach import tokens_within_reach
from .readings import readings
from .shapes import class_inputs, wrong_form
from .verdicts import describe_call, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.calls import Answer
    from attnpack.pack.kinds import Comparison

    from .draw import Draw
    from .oracle import Array

STAGE = stages.VALUES
LARGE = 1.5e4
EVERYTHING: Array = np.array(True)


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage."""
    if exercise in ("SelfAttention", "MultiHeadAttention"):
        return _classes(exercise, draw)
    probes = [_one(exercise, name, call) for name, call in _function_calls(exercise, draw)]
    probes.append(_repeated(exercise, draw))
    if draw.backend is Backend.NUMPY and exercise in (
        "attention_scores",
        "scaled_dot_product_attention",
    ):
        probes.append(_integer(exercise, draw))
    return probes


def _one(exercise: str, name: str, call: Inputs, *tags: Tag) -> Probe:
    return Probe(f"values/{name}", exercise, STAGE, (call,), frozenset(tags))


def _function_calls(exercise: str, draw: Draw) -> list[tuple[str, Inputs]]:
    if exercise == "softmax":
        shapes: list[tuple[int, ...]] = [(6, 6), (3, 5)]
        shapes += [(3, 5, 7), (2, 3, 4, 5)] if draw.stacked else []
        return [(str(shape), {"scores": 3.0 * draw.normal(*shape)}) for shape in shapes]
    if exercise == "causal_mask":
        return [(f"T={length}", {"seq_len": length}) for length in (1, 2, 6, 33)]
    leads: list[tuple[int, ...]] = [()] + ([(2,), (2, 3)] if draw.stacked else [])
    calls = [(f"random {lead}", _qkv(exercise, draw, lead, 5, 4, 3, 6)) for lead in leads]
    calls.append(("square", _qkv(exercise, draw, (), 4, 4, 4, 4)))
    calls.append(("square weights", _qkv(exercise, draw, (), 4, 4, 3, 2)))
    calls.append(("one query", _qkv(exercise, draw, (), 1, 4, 3, 2)))
    if draw.stacked:
        calls.append(("cube", _qkv(exercise, draw, (4,), 4, 4, 4, 4)))
    if exercise == "attention_scores":
        large = _qkv(exercise, draw, (), 3, 4, 3, 3)
        calls.append(("large", {**large, "Q": np.sqrt(LARGE) * large["Q"] * 8.0}))
    return calls


def _qkv(
    exercise: str, draw: Draw, lead: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int
) -> Inputs:
    if exercise == "apply_attention":
        return {"weights": draw.weights(*lead, queries, keys), "V": draw.normal(*lead, keys, d_v)}
    arrays = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
    if exercise == "attention_scores":
        return {**arrays, "d_k": d_k}
    return {**arrays, "V": draw.normal(*lead, keys, d_v), "mask": None}


def _integer(exercise: str, draw: Draw) -> Probe:
    call: dict[str, object] = {"Q": draw.integers(4, 3), "K": draw.integers(5, 3)}
    if exercise == "attention_scores":
        call["d_k"] = 3
    else:
        call |= {"V": draw.integers(5, 2), "mask": None}
    return _one(exercise, "integers", call, Tag.INTEGER)


def _repeated(exercise: str, draw: Draw) -> Probe:
    """The same call twice, then other numbers of the same shape."""
    if exercise == "causal_mask":
        calls: tuple[Inputs, ...] = ({"seq_len": 5}, {"seq_len": 5}, {"seq_len": 3}, {"seq_len": 5})
    elif exercise == "softmax":
        scores, others = draw.normal(4, 5), draw.normal(4, 5)
        calls = ({"scores": scores}, {"scores": scores}, {"scores": others})
    else:
        first, other = (_qkv(exercise, draw, (), 4, 5, 3, 2) for _ in range(2))
        calls = (first, first, other)
    return Probe("values/again", exercise, STAGE, calls, frozenset({Tag.REPEAT}))


def _classes(exercise: str, draw: Draw) -> list[Probe]:
    heads, width = (2, 6) if exercise == "MultiHeadAttention" else (1, 4)
    lead: tuple[int, ...] = (2,) if draw.stacked else ()
    cases: list[tuple[str, tuple[int, ...], int]] = [
        ("random", (*lead, 5, width), heads),
        ("two tokens", (*lead[:1], 2, width), heads),
    ]
    if draw.stacked:
        cases += [("cube", (4, 4, 4), 1 if heads == 1 else 4), ("one sample", (1, 5, width), heads)]
        if heads == 1:
            cases.append(("four axes", (2, 3, 4, 5), 1))
        else:
            cases += [
                ("B = T = h = d_k", (2, 2, 4), 2),
                ("B = h", (2, 3, 6), 2),
                ("T = h", (3, 2, 8), 2),
                ("T = d_k", (2, 3, 6), 2),
            ]
            cases.append(("three heads", (2, 5, 6), 3))
    probes = []
    for name, shape, count in cases:
        for causal in (True, False):
            call = class_inputs(draw, draw.normal(*shape), count, causal=causal)
            key = f"values/{name}, {'causal' if causal else 'open'}"
            probes.append(Probe(key, exercise, STAGE, (call,), precision=draw.precision))
    first = class_inputs(draw, draw.normal(*lead, 5, width), heads)
    x = tokens_within_reach(draw.normal(*lead, 5, width), first["matrices"], heads)
    other = {**first, "x": x}
    calls = (first, first, other)
    tags = frozenset({Tag.REPEAT})
    probes.append(Probe("values/again", exercise, STAGE, calls, tags, draw.precision))
    if draw.backend is Backend.TORCH:
        probes.append(train_mode.ask(exercise, draw))
    return probes


def judge(asked: Sequence[Asked]) -> Verdict:
    """All probes against the oracle, this stage's own first."""
    own = [one for one in asked if one.probe.stage == STAGE]
    in_train_mode = [one for one in own if Tag.TRAIN in one.probe.tags]
    compared = sorted(filter(_comparable, asked), key=lambda one: one.probe.stage != STAGE)
    broken = first_not_returned(STAGE, own)
    if broken is not None:
        return broken
    for one in compared:
        verdict = _state(one) if Tag.REPEAT in one.probe.tags else None
        verdict = verdict or _mutation(one) or _wrong(one)
        if verdict is not None:
            return verdict
    for one in in_train_mode:
        message = train_mode.fault(one)
        if message:
            return _verdict(one, 0, message)
    return passed(STAGE)


def _comparable(one: Asked) -> bool:
    return not one.probe.tags & OWN_RULES and not underflow_raised(one)


def _verdict(one: Asked, index: int, message: str, comparison: Comparison | None = None) -> Verdict:
    key, answer = one.probe.call_key(index), one.answers[index]
    return Verdict(STAGE, Status.FAILED, message, key, comparison, answer)


def _mutation(one: Asked) -> Verdict | None:
    for index, answer in enumerate(one.answers):
        for position in answer.changed:
            name = argument_name(one.probe, position)
            call = describe_call(one.probe, index)
            message = f"{call} changed its argument {name} in place; inputs must stay as they were"
            return _verdict(one, index, message)
    return None


def argument_name(probe: Probe, position: int) -> str:
    """What the contract calls the argument at a position."""
    if probe.is_class:
        return "x"
    return FUNCTION_ARGUMENTS[probe.exercise][position]


def _state(one: Asked) -> Verdict | None:
    first, again, other = one.arrays(0), one.arrays(1), one.arrays(2)
    if not (first and again and other) or any(a is None for a in (*first, *again, *other)):
        return None
    call = describe_call(one.probe, 0)
    names = RESULT_NAMES[one.probe.exercise]
    allowed = max(one.probe.tolerance(0, name) for name in names)
    if not _alike(first, again, allowed):
        message = f"{call}, called twice with the same numbers, gave two different answers"
        return _verdict(one, 1, message)
    if one.probe.exercise != "causal_mask" and _alike(first, other, 0.0):
        message = f"{call} gave the same answer for other numbers of the same shape"
        return _verdict(one, 2, message)
    return None


def _alike(first: Sequence[Array | None], second: Sequence[Array | None], allowed: float) -> bool:
    """As many results, and none further apart than sums in another order may be."""
    if len(first) != len(second):
        return False
    return all(a is not None and agree(a, b, allowed) for a, b in zip(first, second, strict=True))


def _wrong(one: Asked) -> Verdict | None:
    for index, answer in enumerate(one.answers):
        message = wrong_form(one, index)
        if message:
            return _misshapen(one, index, answer, message)
        for position, array in enumerate(one.probe.expected_results[index]):
            verdict = _wrong_result(one, index, answer, position, array)
            if verdict is not None:
                return verdict
    return None


def _misshapen(one: Asked, index: int, answer: Answer, message: str) -> Verdict:
    expected, call = one.probe.expected_results[index], describe_call(one.probe, index)
    comparison = compare(call, expected[0], answer, 0, 0.0) if answer.results else None
    return _verdict(one, index, message, comparison)


def _wrong_result(
    one: Asked, index: int, answer: Answer, position: int, expected: Array
) -> Verdict | None:
    came = answer.results[position].array
    if one.probe.exercise == "causal_mask":
        assert came is not None
        message = causal_mask_fault(came, one.probe.calls[index]["seq_len"])
        return _verdict(one, index, message) if message else None
    name = RESULT_NAMES[one.probe.exercise][position]
    allowed = one.probe.tolerance(index, name)
    assert came is not None
    wrong = differs(expected, came, allowed) & counted(one, index, answer)
    if not wrong.any():
        return None
    call = describe_call(one.probe, index)
    comparison = compare(call, expected, answer, position, allowed)
    first = tuple(int(i) for i in np.argwhere(wrong)[0])
    message = (
        f"{call}: {int(wrong.sum())} of {wrong.size} numbers differ; the first is {first}: "
        f"{float(expected[first]):.6g} expected, {float(came[first]):.6g} came"
    )
    return _verdict(one, index, message, comparison)


def counted(one: Asked, index: int, answer: Answer) -> Array:
    """Which numbers of a result count, broadcastable to it: renormalising may underflow."""
    if Tag.UNDERFLOW not in one.probe.tags:
        return EVERYTHING
    if one.probe.is_class:
        output = answer.results[0].array
        assert output is not None
        lost = _lost_tokens(output) | _lost_rows(one, index)  # (..., T)
        return ~lost[..., None]  # (..., T, 1)
    weights = answer.results[1].array
    keep = np.isfinite(one.probe.expected[index]["masked scores"])
    if weights is None or weights.shape != keep.shape:
        return EVERYTHING
    return ~underflowed_rows(np.asarray(weights, dtype=np.float64), keep)[..., None]


def _lost_tokens(output: Array) -> Array:
    """(..., T): tokens that renormalising lost in some head.

    With W_o the identity (all underflow probes of classes) a lost head leaves its columns
    NaN or zero; that is only asked of the rows the contract lets go.
    """
    lost = np.isnan(output) | (np.abs(output) < 1e-6)
    return np.asarray(lost.any(axis=-1))


def _lost_rows(one: Asked, index: int) -> Array:
    """(..., T): tokens whose weights, read off this call's passes, renormalising lost."""
    lost: Array = ~EVERYTHING
    for reading in readings(one):
        if reading.visible is not None and index in reading.calls:
            rows = underflowed_rows(reading.weights, reading.visible)  # (..., h, T) or (..., T)
            heads = rows if one.probe.exercise == "SelfAttention" else rows.any(axis=-2)
            lost = lost | heads
    return lost
