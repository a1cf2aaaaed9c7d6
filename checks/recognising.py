"""Causes that an answer says outright, and those that its symptom makes likely."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Outcome, Raised, Transcript
from attnpack.pack.kinds import Suspect, Verdict
from attnpack.terms import Match, Status

from . import chance, stages, stale
from .agreement import FLOAT32_EPSILON, ORDERINGS
from .bugs import catalogue
from .gradients import answered_gradients, cut_behind_a_result, expected_gradients
from .mask import is_binary
from .probe import MATRICES, OWN_RULES, RESULT_NAMES, Asked, Tag, usable
from .values import argument_name

if TYPE_CHECKING:
    from .oracle import Array

HALF_EPSILON = float(np.finfo(np.float16).eps)
HALVES = ("float16", "half", "bfloat16")

_REVERSED_KEYS = re.compile(r"\b(?:self\.)?[kK]\w*\.T\b|\btranspose\([kK]\w*\)")
"""`K.T`, `keys.T`, `transpose(k)`"""

Recogniser = Callable[[Sequence[Asked], Transcript, Verdict], Suspect | None]


def outright(
    everything: Sequence[Asked], transcript: Transcript, verdict: Verdict
) -> list[Suspect]:
    """What needs no model: the first that is recognised."""
    return _first_of(_OUTRIGHT, everything, transcript, verdict)


def likely(everything: Sequence[Asked], transcript: Transcript, verdict: Verdict) -> list[Suspect]:
    """What the symptom fits where no model does."""
    return _first_of(_LIKELY, everything, transcript, verdict)


def raised(everything: Sequence[Asked], transcript: Transcript, verdict: Verdict) -> list[Suspect]:
    """What an exception says where nothing else says more."""
    return _first_of(_RAISED, everything, transcript, verdict)


def _first_of(
    recognisers: Sequence[Recogniser],
    everything: Sequence[Asked],
    transcript: Transcript,
    verdict: Verdict,
) -> list[Suspect]:
    for recognise in recognisers:
        suspect = recognise(everything, transcript, verdict)
        if suspect is not None:
            return [suspect]
    return []


def _exact(bug: str) -> Suspect:
    return Suspect(bug, Match.EXACT)


def _ended(_: Sequence[Asked], transcript: Transcript, verdict: Verdict) -> Suspect | None:
    answer = verdict.answer or transcript.loaded
    if answer.outcome is Outcome.TIMED_OUT:
        return _exact("never-returns")
    left = answer.raised is not None and answer.raised.type in ("SystemExit", "KeyboardInterrupt")
    if answer.outcome is Outcome.ENDED or left:
        return _exact("ends-process")
    return None


def _not_loaded(_: Sequence[Asked], transcript: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    return _exact("raises") if transcript.loaded.outcome is Outcome.RAISED else None


def _ready_made(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    if verdict.stage != stages.SHAPES or verdict.status is not Status.FAILED:
        return None
    called = any(answer.facts.get("called") for one in everything for answer in one.answers)
    return _exact("uses-built-in-attention") if called else None


def _wrong_form(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    if everything[0].probe.exercise != "causal_mask" or verdict.status is not Status.FAILED:
        return None
    masks = [one.arrays(0)[0] for one in everything if usable(one.answers[0])]
    large = [mask for mask in masks if mask is not None and mask.shape[-1:] > (1,)]
    if large and all(is_binary(mask) and mask.any() for mask in large):
        return _exact("mask-wrong-form")
    return None


def _mutated(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    for one in everything:
        for answer in one.answers:
            for position in answer.changed:
                is_mask = argument_name(one.probe, position) == "mask"
                return _exact("mask-argument-overwritten" if is_mask else "input-mutated")
    return None


def _shared_matrices(
    everything: Sequence[Asked], _: Transcript, verdict: Verdict
) -> Suspect | None:
    for one in everything:
        if one.build is None:
            continue
        if one.build.facts.get("same"):
            return _exact("projection-shared")
        width, heads = one.probe.calls[0]["d_model"], one.probe.calls[0]["num_heads"]
        small = [width // heads, width // heads]
        sizes = one.build.facts.get("matrices", {}).values()
        if verdict.stage == stages.SHAPES and heads > 1 and small in [list(s) for s in sizes]:
            return _exact("heads-projection-shared")
    return None


def _not_dividing(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    for one in everything:
        if Tag.NOT_DIVIDING in one.probe.tags and verdict.probe == one.probe.key:
            return _exact("heads-not-dividing")
    return None


def _never_kept(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """A constructor without matrices, and a forward pass that makes them."""
    for one in everything:
        missing = one.build is not None and one.build.facts.get("missing")
        if missing and verdict.stage == stages.SHAPES and chance.makes_a_layer(one):
            return _exact(chance.LAYER)
    return None


def _dropped(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    bug = chance.dropped(everything)
    return None if bug is None else _exact(bug)


def _again(everything: Sequence[Asked], transcript: Transcript, verdict: Verdict) -> Suspect | None:
    """The same call twice gave two answers."""
    del transcript, verdict
    for one in everything:
        if Tag.REPEAT not in one.probe.tags or not one.returned:
            continue
        pairs = list(zip(one.arrays(0), one.arrays(1), strict=False))
        if not all(_same(first, second) for first, second in pairs):
            return _exact(chance.why_again(one))
    return None


def _same(first: Array | None, second: Array | None) -> bool:
    if first is None or second is None:
        return first is second
    return np.array_equal(first, second, equal_nan=first.dtype.kind == "f")


def _in_train_mode(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Wrong in train mode alone, where dropout met scores that a mask had closed."""
    for one in everything:
        if Tag.TRAIN in one.probe.tags and verdict.probe == one.probe.call_key(0):
            on_masked = one.answers[0].facts.get("dropout_on_masked")
            return _exact(chance.DROPOUT_ON_MASKED) if on_masked else None
    return None


def _raised_by(verdict: Verdict) -> Raised | None:
    answer = verdict.answer
    return None if answer is None else answer.raised or answer.backward_raised


def _says_so(_: Sequence[Asked], __: Transcript, verdict: Verdict) -> Suspect | None:
    """The exception's message says it."""
    raised = _raised_by(verdict)
    if raised is None:
        return None
    said = (b.id for b in catalogue().values() if any(text in raised.message for text in b.says))
    bug = next(said, None)
    return None if bug is None else _exact(bug)


def _unregistered(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    if verdict.stage != stages.GRADIENTS:
        return None
    for one in everything:
        if one.build is not None and "parameters" in one.build.facts:
            registered = one.build.facts["parameters"]
            if any(name not in registered for name in MATRICES):
                return _exact("parameters-unregistered")
    return None


def _gradient(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    if verdict.stage != stages.GRADIENTS or verdict.status is not Status.FAILED:
        return None
    one = next((one for one in everything if one.probe.call_key(0) == verdict.probe), None)
    if one is None:
        return None
    came = answered_gradients(one)
    expected = expected_gradients(one.probe)
    missing = [name for name in expected if _detached(came.get(name), expected[name])]
    if missing or cut_behind_a_result(one):
        return _exact("graph-detached")
    lost = any(array is not None and not np.isfinite(array).all() for array in came.values())
    return _exact("gradient-nan" if lost else "gradient-wrong")


def _detached(came: Array | None, wanted: Array) -> bool:
    matters = bool((np.abs(wanted) > 1e-6).any())
    return matters and (came is None or not came.any())


def _half(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Half precision: the result's own dtype says so."""
    if verdict.status is not Status.FAILED:
        return None
    plain = [one for one in everything if one.probe.precision != "float16"]
    results = [r for one in plain for answer in one.answers for r in answer.results]
    if any(result.dtype.removeprefix("torch.") in HALVES for result in results):
        return _exact("precision-lost") if _errors_are_small(plain) else None
    return None


def _small_errors(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Every number is right to about three digits and no further."""
    if verdict.status is not Status.FAILED or not _errors_are_small(everything):
        return None
    return Suspect("precision-lost", Match.LIKELY)


def _left_over(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """An earlier call is still there in a later one's answer."""
    exercise = everything[0].probe.exercise
    if exercise == "causal_mask":
        kept = stale.mask_of_first_length(everything)
        return Suspect("causal-length-frozen", Match.LIKELY) if kept else None
    if verdict.status is not Status.FAILED:
        return None
    kept = stale.answer_of_earlier_call(everything) or stale.only_later_calls_wrong(everything)
    return Suspect(chance.ANOTHER_ANSWER, Match.LIKELY) if kept else None


def _errors_are_small(everything: Sequence[Asked]) -> bool:
    shown = False
    for one, index, position, came in _numbers(everything):
        expected = one.probe.expected_results[index][position]
        if came.shape != expected.shape:
            return False
        usual = one.probe.tolerance(index, RESULT_NAMES[one.probe.exercise][position])
        allowed = usual * HALF_EPSILON / FLOAT32_EPSILON / ORDERINGS
        if allowed > 1.0:
            continue
        gap = np.abs(came - expected)
        if not (gap <= allowed).all():
            return False
        shown = shown or bool((gap > usual).any())
    return shown


def _numbers(everything: Sequence[Asked]) -> Iterator[tuple[Asked, int, int, Array]]:
    for one in everything:
        if one.probe.tags & OWN_RULES:
            continue
        for index, answer in enumerate(one.answers):
            if not usable(answer) or len(answer.results) != len(one.probe.expected_results[index]):
                continue
            for position, array in enumerate(answer.arrays):
                if array is not None:
                    yield one, index, position, np.asarray(array, dtype=np.float64)


def _only_integers(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Right for floats, wrong for integers."""
    probe = next((one.probe for one in everything if verdict.probe == one.probe.call_key(0)), None)
    if probe is None or Tag.INTEGER not in probe.tags:
        return None
    softmax = probe.exercise == "softmax"
    bug = "softmax-integer-buffer" if softmax else "integer-scores-buffer"
    return Suspect(bug, Match.LIKELY)


def _keys_reversed(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Shapes do not fit in a line that takes `.T` of the keys: it reverses every axis."""
    del everything
    came = _raised_by(verdict)
    if came is None or not came.frames or not came.type.endswith(("ValueError", "RuntimeError")):
        return None
    reverses = _REVERSED_KEYS.search(came.frames[-1].text)
    return Suspect("full-transpose", Match.LIKELY) if reverses else None


def _raises(everything: Sequence[Asked], _: Transcript, verdict: Verdict) -> Suspect | None:
    del everything
    return _exact("raises") if verdict.status is Status.ERROR else None


_OUTRIGHT: tuple[Recogniser, ...] = (
    _ended,
    _not_loaded,
    _ready_made,
    _wrong_form,
    _mutated,
    _shared_matrices,
    _not_dividing,
    _never_kept,
    _in_train_mode,
    _dropped,
    _again,
    _says_so,
    _half,
    _unregistered,
    _gradient,
)
_LIKELY: tuple[Recogniser, ...] = (_only_integers, _left_over, _small_errors)
_RAISED: tuple[Recogniser, ...] = (_keys_reversed, _raises)
