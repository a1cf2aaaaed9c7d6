"""Causes that an answer says outright, and those that its symptom makes likely."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.calls import Outcome, Transcript
from attnpack.pack.kinds import Suspect, Verdict
from attnpack.terms import Match, Status

from . import chance, stages, stale
from .agreement import FLOAT32_EPSILON, ORDERINGS, agree
from .bugs import catalogue
from .cut_paths import cut_edges
from .draft import OWN_RULES, Tag
from .gradients import answered_gradients, cut_behind_a_result, expected_gradients
from .mask import CLOSES_UNDER_1E4, is_binary
from .probe import Answered, usable
from .traits import Trait
from .verdicts import raised_by

if TYPE_CHECKING:
    from .explaining import Evidence
    from .steps.recorded import Array

HALF_EPSILON = float(np.finfo(np.float16).eps)
HALVES = ("float16", "half", "bfloat16")

_REVERSED_KEYS = re.compile(r"\b(?:self\.)?[kK]\w*\.T\b|\btranspose\([kK]\w*\)")
"""`K.T`, `keys.T`, `transpose(k)`"""

Recogniser = Callable[[Sequence[Answered], Transcript, Verdict], Suspect | None]


def outright(
    all_answered: Sequence[Answered], transcript: Transcript, verdict: Verdict
) -> list[Suspect]:
    """What needs no model: the first that is recognised."""
    return _first_of(_OUTRIGHT, all_answered, transcript, verdict)


def likely(
    all_answered: Sequence[Answered], transcript: Transcript, verdict: Verdict
) -> list[Suspect]:
    """What the symptom fits where no model does."""
    return _first_of(_LIKELY, all_answered, transcript, verdict)


def raised(
    all_answered: Sequence[Answered], transcript: Transcript, verdict: Verdict
) -> list[Suspect]:
    """What an exception says where nothing else says more."""
    return _first_of(_RAISED, all_answered, transcript, verdict)


def _first_of(
    recognisers: Sequence[Recogniser],
    all_answered: Sequence[Answered],
    transcript: Transcript,
    verdict: Verdict,
) -> list[Suspect]:
    for recognise in recognisers:
        suspect = recognise(all_answered, transcript, verdict)
        if suspect is not None:
            return [suspect]
    return []


def _exact(bug: str) -> Suspect:
    return Suspect(bug, Match.EXACT)


def _ended(_: Sequence[Answered], transcript: Transcript, verdict: Verdict) -> Suspect | None:
    answer = verdict.answer or transcript.loaded
    if answer.outcome is Outcome.TIMED_OUT:
        return _exact("never-returns")
    left = answer.raised is not None and answer.raised.type in ("SystemExit", "KeyboardInterrupt")
    if answer.outcome is Outcome.ENDED or left:
        return _exact("ends-process")
    return None


def _not_loaded(_: Sequence[Answered], transcript: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    return _exact("raises") if transcript.loaded.outcome is Outcome.RAISED else None


def _ready_made(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    if verdict.stage != stages.SHAPES or verdict.status is not Status.FAILED:
        return None
    called = any(
        answer.facts.get("called") for answered in all_answered for answer in answered.answers
    )
    return _exact("uses-built-in-attention") if called else None


def _wrong_form(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    if (
        not all_answered[0].probe.exercise.has(Trait.RETURNS_MASK)
        or verdict.status is not Status.FAILED
    ):
        return None
    masks = [answered.arrays(0)[0] for answered in all_answered if usable(answered.answers[0])]
    large = [mask for mask in masks if mask is not None and mask.shape[-1:] > (1,)]
    if large and all(is_binary(mask) and mask.any() for mask in large):
        return _exact("mask-wrong-form")
    if large and all(_right_but_for_axes(mask) for mask in large):
        return _exact("mask-wrong-form")
    return None


def _right_but_for_axes(mask: Array) -> bool:
    """(1, ..., T, T): the right mask, ready for a stack."""
    length = mask.shape[-1]
    if mask.ndim <= 2 or mask.shape != (*(1,) * (mask.ndim - 2), length, length):
        return False
    closed = mask.reshape(length, length) <= CLOSES_UNDER_1E4
    return bool((closed == ~np.tri(length, dtype=np.bool_)).all())


def _mutated(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    for answered in all_answered:
        for index, answer in enumerate(answered.answers):
            for path in answer.changed:
                is_mask = answered.probe.argument(index, path) == "mask"
                return _exact("mask-argument-overwritten" if is_mask else "input-mutated")
    return None


def _shared_matrices(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    for answered in all_answered:
        if answered.build is None:
            continue
        if answered.build.facts.get("same"):
            return _exact("projection-shared")
        width, heads = answered.probe.calls[0]["d_model"], answered.probe.calls[0]["num_heads"]
        small = ([width // heads, width // heads], [width, width // heads])
        sizes = answered.build.facts.get("matrices", {}).values()
        if verdict.stage == stages.SHAPES and heads > 1 and any(list(s) in small for s in sizes):
            return _exact("heads-projection-shared")
    return None


def _not_dividing(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    for answered in all_answered:
        if Tag.REFUSED in answered.probe.tags and verdict.probe == answered.probe.key:
            return _exact("heads-not-dividing")
    return None


def _never_kept(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """A constructor without matrices, and a forward pass that makes them."""
    for answered in all_answered:
        missing = answered.build is not None and answered.build.facts.get("missing")
        if missing and verdict.stage == stages.SHAPES and chance.makes_a_layer(answered):
            return _exact(chance.LAYER)
    return None


def _dropped(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    del verdict
    bug = chance.dropped(all_answered)
    return None if bug is None else _exact(bug)


def _again(
    all_answered: Sequence[Answered], transcript: Transcript, verdict: Verdict
) -> Suspect | None:
    """The same call twice gave two answers."""
    del transcript, verdict
    for answered in all_answered:
        if Tag.REPEAT not in answered.probe.tags or not answered.returned:
            continue
        pairs = list(zip(answered.arrays(0), answered.arrays(1), strict=False))
        if not all(_same(first, second) for first, second in pairs):
            return _exact(chance.why_again(answered))
    return None


def _same(first: Array | None, second: Array | None) -> bool:
    if first is None or second is None:
        return first is second
    return np.array_equal(first, second, equal_nan=first.dtype.kind == "f")


def _in_train_mode(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """Wrong in train mode alone, where dropout met scores that a mask had closed."""
    for answered in all_answered:
        if Tag.TRAIN in answered.probe.tags and verdict.probe == answered.probe.call_key(0):
            on_masked = answered.answers[0].facts.get("dropout_on_masked")
            return _exact(chance.DROPOUT_ON_MASKED) if on_masked else None
    return None


def _says_so(_: Sequence[Answered], __: Transcript, verdict: Verdict) -> Suspect | None:
    """The exception's message says it."""
    raised = raised_by(verdict)
    if raised is None:
        return None
    said = (b.id for b in catalogue().values() if any(text in raised.message for text in b.says))
    bug = next(said, None)
    return None if bug is None else Suspect(bug, Match.LIKELY)


def _unregistered(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    if verdict.stage != stages.GRADIENTS:
        return None
    for answered in all_answered:
        if answered.build is not None and "parameters" in answered.build.facts:
            facts = answered.build.facts
            missing = [name for name in facts["matrices"] if name not in facts["parameters"]]
            if missing:
                plain = all(name in facts.get("bare", ()) for name in missing)
                return _exact("parameters-plain" if plain else "parameters-unregistered")
    return None


def _kept_graph(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """The first backward pass on an object went through, a later one raised."""
    answer = verdict.answer
    if verdict.stage != stages.GRADIENTS or answer is None or answer.backward_raised is None:
        return None
    for answered in all_answered:
        if answer in answered.answers[1:] and answered.answers[0].backward_raised is None:
            return Suspect("cache-in-graph", Match.LIKELY)
    return None


def _gradient(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    if verdict.stage != stages.GRADIENTS or verdict.status is not Status.FAILED:
        return None
    failing = next((a for a in all_answered if a.probe.call_key(0) == verdict.probe), None)
    if failing is None:
        return None
    given = answered_gradients(failing)
    expected = expected_gradients(failing.probe)
    missing = [name for name in expected if _detached(given.get(name), expected[name])]
    if missing or cut_behind_a_result(failing):
        return _exact("graph-detached")
    lost = any(array is not None and not np.isfinite(array).all() for array in given.values())
    return _exact("gradient-nan" if lost else "gradient-wrong")


def of_derivative(suspect: Suspect, evidence: Evidence, verdict: Verdict) -> Suspect:
    """A wrong gradient by what makes it: a derivative by hand, or else a path that is cut.

    Both can give the same numbers, so the source is asked first.
    """
    if suspect.id != "gradient-wrong" or evidence.code is None:
        return suspect
    if evidence.shown(suspect.id) is not None:
        return suspect
    failing = next((a for a in evidence.all_answered if a.probe.call_key(0) == verdict.probe), None)
    if failing is not None and cut_edges(failing):
        return _exact("graph-detached")
    if failing is not None and failing.answers[0].facts.get("detached"):
        return Suspect("graph-detached", Match.LIKELY)
    return replace(suspect, match=Match.LIKELY)


def _detached(given: Array | None, wanted: Array) -> bool:
    matters = bool((np.abs(wanted) > 1e-6).any())
    return matters and (given is None or not given.any())


def _half(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Half precision: the result's own dtype says so."""
    if verdict.status is not Status.FAILED:
        return None
    plain = [answered for answered in all_answered if answered.probe.precision != "float16"]
    results = [r for answered in plain for answer in answered.answers for r in answer.results]
    if any(result.dtype.removeprefix("torch.") in HALVES for result in results):
        return _exact("precision-lost") if _errors_are_small(plain) else None
    return None


def _small_errors(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """Every number is right to about three digits and no further."""
    if verdict.status is not Status.FAILED or not _errors_are_small(all_answered):
        return None
    return Suspect("precision-lost", Match.LIKELY)


def _left_over(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    """An earlier call is still there in a later one's answer."""
    if all_answered[0].probe.exercise.has(Trait.RETURNS_MASK):
        kept = stale.mask_of_first_length(all_answered)
        return Suspect("causal-length-frozen", Match.LIKELY) if kept else None
    if verdict.status is not Status.FAILED:
        return None
    kept = stale.answer_of_earlier_call(all_answered) or stale.only_later_calls_wrong(all_answered)
    return Suspect(chance.ANOTHER_ANSWER, Match.LIKELY) if kept else None


def _errors_are_small(all_answered: Sequence[Answered]) -> bool:
    shown = False
    for answered, index, position, given in _numbers(all_answered):
        expected = answered.probe.expected_results[index][position]
        if given.shape != expected.shape:
            return False
        usual = answered.probe.tolerance(index, answered.probe.exercise.results[position])
        allowed = usual * HALF_EPSILON / FLOAT32_EPSILON / ORDERINGS
        if allowed > 1.0:
            continue
        gap = np.abs(given - expected)
        if not (gap <= allowed).all():
            return False
        shown = shown or bool((gap > usual).any())
    return shown


def _numbers(all_answered: Sequence[Answered]) -> Iterator[tuple[Answered, int, int, Array]]:
    for answered in all_answered:
        if answered.probe.tags & OWN_RULES:
            continue
        for index, answer in enumerate(answered.answers):
            if not usable(answer) or len(answer.results) != len(
                answered.probe.expected_results[index]
            ):
                continue
            for position, array in enumerate(answer.arrays):
                if array is not None:
                    yield answered, index, position, np.asarray(array, dtype=np.float64)


def _only_integers(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """Right for floats, wrong for integers."""
    probe = next(
        (
            answered.probe
            for answered in all_answered
            if verdict.probe == answered.probe.call_key(0)
        ),
        None,
    )
    if probe is None or Tag.INTEGER not in probe.tags:
        return None
    given = probe.exercise.has(Trait.GIVEN_SCORES)
    bug = "softmax-integer-buffer" if given else "integer-scores-buffer"
    return Suspect(bug, Match.LIKELY)


def _cancelled(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    """Wrong where large numbers are taken from each other, and nowhere else."""
    del verdict
    wrong = {
        Tag.CANCELLING in answered.probe.tags
        for answered, index, position, given in _numbers(all_answered)
        if not _is_right(answered, index, position, given)
    }
    return Suspect("norm-cancellation", Match.LIKELY) if wrong == {True} else None


def _is_right(answered: Answered, index: int, position: int, given: Array) -> bool:
    expected = answered.probe.expected_results[index][position]
    name = answered.probe.exercise.results[position]
    return agree(expected, given, answered.probe.tolerance(index, name))


def _keys_reversed(
    all_answered: Sequence[Answered], _: Transcript, verdict: Verdict
) -> Suspect | None:
    """Shapes do not fit in a line that takes `.T` of the keys: it reverses every axis."""
    del all_answered
    given = raised_by(verdict)
    if given is None or not given.frames or not given.type.endswith(("ValueError", "RuntimeError")):
        return None
    reverses = _REVERSED_KEYS.search(given.frames[-1].text)
    return Suspect("full-transpose", Match.LIKELY) if reverses else None


def _raises(all_answered: Sequence[Answered], _: Transcript, verdict: Verdict) -> Suspect | None:
    del all_answered
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
    _kept_graph,
    _says_so,
    _half,
    _unregistered,
    _gradient,
)
_LIKELY: tuple[Recogniser, ...] = (_cancelled, _only_integers, _left_over, _small_errors)
_RAISED: tuple[Recogniser, ...] = (_keys_reversed, _raises)
