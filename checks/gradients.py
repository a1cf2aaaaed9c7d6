"""Stage `gradients`: torch and Value only.

The gradient of every input and weight agrees with central differences of the oracle,
nothing is detached, every matrix is among the module's parameters, and the gradient of a
position with respect to any later token is zero.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.pack.kinds import Verdict
from attnpack.terms import Backend, Status

from . import oracle, stages
from .agreement import gradient_tolerance
from .probe import FUNCTION_ARGUMENTS, Asked, Inputs, Probe, Tag, intermediates, results
from .reach import within_reach
from .shapes import class_inputs
from .verdicts import describe_call, failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.calls import Answer

    from .draw import Draw
    from .oracle import Array

STAGE = stages.GRADIENTS
STEP = 1e-4


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage; numpy has none."""
    if draw.backend is Backend.NUMPY or exercise == "causal_mask":
        return []
    if exercise in ("SelfAttention", "MultiHeadAttention"):
        return _classes(exercise, draw)
    probes = [
        _with_cotangents(f"gradients/{n}", exercise, c, draw) for n, c in _calls(exercise, draw)
    ]
    if exercise == "scaled_dot_product_attention" and draw.backend is Backend.TORCH:
        probes.append(_blocked(draw))
    return probes


def _calls(exercise: str, draw: Draw) -> list[tuple[str, Inputs]]:
    if exercise == "softmax":
        return [("random", {"scores": draw.normal(3, 4)})]
    if exercise == "attention_scores":
        return [("random", {"Q": draw.normal(3, 2), "K": draw.normal(4, 2), "d_k": 2})]
    if exercise == "apply_attention":
        return [("random", {"weights": draw.weights(3, 4), "V": draw.normal(4, 2)})]
    keep = oracle.causal_visible(4)
    plain = {"Q": draw.normal(3, 2), "K": draw.normal(4, 2), "V": draw.normal(4, 2), "mask": None}
    square = within_reach({name: draw.normal(4, 2) for name in "QKV"}, keep)
    return [
        ("open", plain),
        ("boolean mask", {**square, "mask": keep}),
        ("additive mask", {**square, "mask": np.where(keep, 0.0, -1e9)}),
    ]


def _with_cotangents(
    key: str, exercise: str, call: Inputs, draw: Draw, *tags: Tag, precision: str = "float64"
) -> Probe:
    probe = Probe(key, exercise, STAGE, (call,), frozenset(tags), precision)
    drawn = tuple(draw.normal(*array.shape) for array in probe.expected_results[0])
    return replace(probe, cotangents=(drawn,))


def _blocked(draw: Draw) -> Probe:
    """One query with every key masked: anything is right in that row, and it may be noted."""
    keep = np.ones((3, 4), dtype=bool)
    keep[1] = False
    call = {"Q": draw.normal(3, 2), "K": draw.normal(4, 2), "V": draw.normal(4, 2), "mask": keep}
    probe = Probe("gradients/blocked row", "scaled_dot_product_attention", STAGE, (call,))
    weightless = np.ones((3, 2))
    weightless[1] = 0.0
    tags = frozenset({Tag.BLOCKED_ROW})
    return replace(probe, tags=tags, cotangents=((weightless, None),))


def _classes(exercise: str, draw: Draw) -> list[Probe]:
    heads, width = (2, 4) if exercise == "MultiHeadAttention" else (1, 3)
    shape = (1, 4, width) if draw.stacked else (4, width)
    call = class_inputs(draw, draw.normal(*shape), heads)
    key = "gradients/causal"
    probe = _with_cotangents(key, exercise, call, draw, precision=draw.precision)
    early = np.zeros(shape)
    early[..., 1, :] = 1.0 + np.abs(draw.normal(width))
    only = replace(probe, key="gradients/position 1 alone", cotangents=((early,),))
    return [probe, only]


def expected_gradients(probe: Probe) -> dict[str, Array]:
    """Central differences of sum(cotangent * result) of the oracle, by argument or matrix."""
    call = probe.calls[0]
    if probe.is_class:
        targets: dict[str, Array] = {"x": call["x"], **call["matrices"]}
    else:
        names = FUNCTION_ARGUMENTS[probe.exercise]
        targets = {n: call[n] for n in names if n != "mask" and isinstance(call[n], np.ndarray)}
    return {name: _central(probe, call, name, array) for name, array in targets.items()}


def _central(probe: Probe, call: Inputs, name: str, array: Array) -> Array:
    lead = 1 if name == "x" or not probe.is_class else call["x"].ndim - 1
    steps = STEP * np.eye(array.size).reshape(array.size, *array.shape)  # (n, ...)
    upper = _objective(probe, call, name, _spread(array + steps, array.ndim, lead))  # (n,)
    lower = _objective(probe, call, name, _spread(array - steps, array.ndim, lead))  # (n,)
    return ((upper - lower) / (2 * STEP)).reshape(array.shape)


def _spread(stack: Array, ndim: int, lead: int) -> Array:
    """(n, ...) with axes of length 1 put in, so that it broadcasts over tokens and samples."""
    extra = lead - (ndim - 1)
    return stack.reshape(stack.shape[0], *(1,) * max(0, extra), *stack.shape[1:])


def _objective(probe: Probe, call: Inputs, name: str, stack: Array) -> Array:
    if probe.is_class and name != "x":
        varied: Inputs = {**call, "matrices": {**call["matrices"], name: stack}}
    else:
        varied = {**call, name: stack}
    outcome = results(probe.exercise, intermediates(probe.exercise, varied))
    total = np.zeros(len(stack))
    for cotangent, result in zip(probe.cotangents[0], outcome, strict=True):
        if cotangent is not None:
            # A result that does not depend on this argument comes without the stack's axis.
            products = np.broadcast_to(cotangent * result, (len(stack), *cotangent.shape))
            total = total + products.reshape(len(stack), -1).sum(axis=1)  # (n,)
    return total


def cut_behind_a_result(one: Asked) -> bool:
    """Gradients flow back from one of two results only: the other is detached on its way."""
    cotangents = one.probe.cotangents[0]
    if len(cotangents) != 2:
        return False
    first, second = cotangents
    if first is None or second is None:
        return False
    return any(
        _gives(one, replace(one.probe, cotangents=(kept,)))
        for kept in ((first, None), (None, second))
    )


def _gives(one: Asked, probe: Probe) -> bool:
    """Whether each of the learner's gradients is that of either probe."""
    came, right = answered_gradients(one), expected_gradients(one.probe)
    for name, partial in expected_gradients(probe).items():
        array = came.get(name)
        allowed = gradient_tolerance(probe.exercise, probe.expected[0], right[name])
        if array is None or array.shape != partial.shape:
            return False
        gaps = (np.abs(array - wanted).max() for wanted in (partial, right[name]))
        if not any(gap <= allowed for gap in gaps):
            return False
    return True


def answered_gradients(one: Asked) -> Mapping[str, Array | None]:
    """The learner's gradients under the oracle's names."""
    answer = one.answers[0]
    names = ("x",) if one.probe.is_class else FUNCTION_ARGUMENTS[one.probe.exercise]
    positions = {str(index): name for index, name in enumerate(names)}
    return {positions.get(key, key): array for key, array in answer.gradients.items()}


def judge(asked: Sequence[Asked]) -> Verdict:
    """Registered, attached, finite, right, and blind to the future."""
    broken = first_not_returned(STAGE, asked)
    if broken is not None:
        return broken
    for one in asked:
        verdict = _backward(one) or _unregistered(one) or _gradients(one)
        if verdict is not None:
            return verdict
    return passed(STAGE)


def _backward(one: Asked) -> Verdict | None:
    raised = one.answers[0].backward_raised
    if raised is None:
        return None
    call = describe_call(one.probe, 0)
    message = f"{call}: the backward pass raised {raised.type}: {raised.message}"
    key = one.probe.call_key(0)
    return Verdict(STAGE, Status.ERROR, message, key, answer=one.answers[0])


def _unregistered(one: Asked) -> Verdict | None:
    build = one.build
    if build is None or "parameters" not in build.facts:
        return None
    registered = build.facts["parameters"]
    absent = [name for name in ("W_q", "W_k", "W_v", "W_o") if name not in registered]
    if not absent:
        return None
    message = f"parameters() does not give {', '.join(absent)}: an optimiser would never move them"
    return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=build)


def _gradients(one: Asked) -> Verdict | None:
    expected, came = expected_gradients(one.probe), answered_gradients(one)
    call = describe_call(one.probe, 0)
    for name, wanted in expected.items():
        fault = _fault(one, name, wanted, came.get(name))
        if fault:
            return failed(STAGE, f"{call}: {fault}", one)
    return _future(one, came.get("x"))


def _fault(one: Asked, name: str, wanted: Array, came: Array | None) -> str:
    allowed = gradient_tolerance(one.probe.exercise, one.probe.expected[0], wanted)
    matters = np.abs(wanted).max() > allowed
    if came is None:
        return f"no gradient reaches {name}: the graph is broken on the way" if matters else ""
    if came.shape != wanted.shape:
        return f"the gradient of {name} has shape {came.shape}; {wanted.shape} was expected"
    if not np.isfinite(came).all():
        return f"the gradient of {name} holds NaN or infinity though the result is finite"
    wrong = np.abs(came - wanted) > allowed
    if not wrong.any():
        return ""
    if not came.any():
        return f"no gradient reaches {name}: it is zero everywhere"
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"the gradient of {name} is wrong at {index}: {wanted[index]:.6g} expected from central "
        f"differences, {came[index]:.6g} came"
    )


def _future(one: Asked, came: Array | None) -> Verdict | None:
    if came is None or not one.probe.key.endswith("alone"):
        return None
    later = came[..., 2:, :]
    allowed = gradient_tolerance(one.probe.exercise, one.probe.expected[0], np.zeros_like(later))
    if np.abs(later).max() <= allowed:
        return None
    largest = np.abs(later).max()
    message = f"the gradient of position 1 with respect to a later token is {largest:.4g}, not 0"
    return failed(STAGE, message, one)


def blocked_row_is_nan(asked: Sequence[Asked]) -> Answer | None:
    """The answer whose gradients are NaN because of a row with every key masked, or None."""
    for one in asked:
        if Tag.BLOCKED_ROW not in one.probe.tags:
            continue
        answer = one.answers[0]
        gradients = [g for g in answer.gradients.values() if g is not None]
        if any(not np.isfinite(g).all() for g in gradients):
            return answer
    return None
