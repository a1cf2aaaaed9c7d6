"""Stage `gradients`: torch and Value only.

The gradient of every input and weight agrees with central differences of the oracle,
nothing is detached, every matrix is among the module's parameters, and the gradient of a
position with respect to any later token is zero.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.guest.nested import leaves, replaced
from attnpack.pack.kinds import Verdict
from attnpack.terms import Status

from . import stages
from .agreement import gradient_tolerance
from .draft import Tag
from .probe import Answered, Probe, bound
from .verdicts import describe_call, failed, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.calls import Answer

    from .draft import Inputs
    from .draw import Draw
    from .exercise import Exercise
    from .steps.recorded import Array

STAGE = stages.GRADIENTS
STEP = 1e-4

Forward: TypeAlias = "Callable[[Inputs], Mapping[str, Array]]"


def ask(exercise: Exercise, draw: Draw) -> list[Probe]:
    """What the exercise asks, with cotangents for every result; none where it has no such stage."""
    drafts = exercise.ask(STAGE, draw) if STAGE in exercise.stages_on(draw.backend) else []
    return [_with_cotangents(bound(each, exercise, STAGE, draw), draw) for each in drafts]


def _with_cotangents(probe: Probe, draw: Draw) -> Probe:
    if probe.cotangents:
        return probe
    drawn = tuple(
        tuple(draw.normal(*array.shape) for array in results) for results in probe.expected_results
    )
    return replace(probe, cotangents=drawn)


def expected_gradients(probe: Probe) -> dict[str, Array]:
    """Central differences of sum(cotangent * result) of a right run.

    By the argument's or matrix's name; by a path (`weights/W_q`) inside nested arguments.
    """
    return dict(central_differences(probe, probe.exercise.right))


def central_differences(probe: Probe, forward: Forward) -> Iterator[tuple[str, Array]]:
    """The same of any forward pass, one argument or matrix after the other."""
    targets = dict(_targets(probe))
    widest = max(array.ndim for array in targets.values())
    for path, array in targets.items():
        yield path, _central(probe, forward, path, array, widest)


def _targets(probe: Probe) -> Iterator[tuple[str, Array]]:
    """Every array of floats in the first call that a gradient can be asked for."""
    call = probe.calls[0]
    for name in probe.exercise.arguments(call):
        for path, value in leaves(call[name], name):
            if name != "mask" and isinstance(value, np.ndarray) and value.dtype.kind == "f":
                yield path, value
    if probe.is_class:
        yield from call["matrices"].items()


def _central(probe: Probe, forward: Forward, path: str, array: Array, widest: int) -> Array:
    """All steps at once, the stack's axis in front; (n, 1, ...) broadcasts over samples."""
    steps = STEP * np.eye(array.size)  # (n, n)
    stack = (array.size, *(1,) * (widest - array.ndim), *array.shape)
    flat = array.reshape(-1)
    upper = _objective(probe, forward, path, (flat + steps).reshape(stack))  # (n,)
    lower = _objective(probe, forward, path, (flat - steps).reshape(stack))  # (n,)
    return ((upper - lower) / (2 * STEP)).reshape(array.shape)


def _objective(probe: Probe, forward: Forward, path: str, stack: Array) -> Array:
    call = probe.calls[0]
    of_object = probe.is_class and path in call["matrices"]
    named = forward(replaced(call, ("matrices/" if of_object else "") + path, stack))
    total = np.zeros(len(stack))
    for cotangent, name in zip(probe.cotangents[0], probe.exercise.results, strict=True):
        if cotangent is not None:
            # A result that does not depend on this argument comes without the stack's axis.
            products = np.broadcast_to(cotangent * named[name], (len(stack), *cotangent.shape))
            total = total + products.reshape(len(stack), -1).sum(axis=1)  # (n,)
    return total


def cut_behind_a_result(answered: Answered) -> bool:
    """Gradients flow back from one of two results only: the other is detached on its way."""
    cotangents = answered.probe.cotangents[0]
    if len(cotangents) != 2:
        return False
    first, second = cotangents
    if first is None or second is None:
        return False
    return any(
        _gives(answered, replace(answered.probe, cotangents=(kept,)))
        for kept in ((first, None), (None, second))
    )


def _gives(answered: Answered, probe: Probe) -> bool:
    """Whether each of the learner's gradients is that of either probe."""
    given, right = answered_gradients(answered), expected_gradients(answered.probe)
    for name, partial in expected_gradients(probe).items():
        array = given.get(name)
        allowed = gradient_tolerance(probe.exercise, probe.expected[0], right[name])
        if array is None or array.shape != partial.shape:
            return False
        gaps = (np.abs(array - wanted).max() for wanted in (partial, right[name]))
        if not any(gap <= allowed for gap in gaps):
            return False
    return True


def answered_gradients(answered: Answered) -> Mapping[str, Array | None]:
    """The learner's gradients under the oracle's names."""
    gradients = answered.answers[0].gradients
    return {answered.probe.argument(0, path): array for path, array in gradients.items()}


def judge(all_answered: Sequence[Answered]) -> Verdict:
    """Registered, attached, finite, right, and blind to the future."""
    broken = first_not_returned(STAGE, all_answered)
    if broken is not None:
        return broken
    for answered in all_answered:
        verdict = _backward(answered) or _unregistered(answered) or _gradients(answered)
        if verdict is not None:
            return verdict
    return passed(STAGE)


def _backward(answered: Answered) -> Verdict | None:
    for index, answer in enumerate(answered.answers):
        raised = answer.backward_raised
        if raised is None:
            continue
        call = describe_call(answered.probe, index)
        which = "the backward pass" if index == 0 else "a second backward pass on the same object"
        message = f"{call}: {which} raised {raised.type}: {raised.message}"
        key = answered.probe.call_key(index)
        return Verdict(STAGE, Status.ERROR, message, key, answer=answer)
    return None


def _unregistered(answered: Answered) -> Verdict | None:
    build = answered.build
    if build is None or "parameters" not in build.facts:
        return None
    registered = build.facts["parameters"]
    absent = [name for name in build.facts["matrices"] if name not in registered]
    if not absent:
        return None
    message = f"parameters() does not give {', '.join(absent)}: an optimiser would never move them"
    return Verdict(STAGE, Status.FAILED, message, answered.probe.key, answer=build)


def _gradients(answered: Answered) -> Verdict | None:
    expected, given = expected_gradients(answered.probe), answered_gradients(answered)
    call = describe_call(answered.probe, 0)
    for name, wanted in expected.items():
        fault = _fault(answered, name, wanted, given.get(name))
        if fault:
            return failed(STAGE, f"{call}: {fault}", answered)
    return _future(answered, given.get("x"))


def _fault(answered: Answered, name: str, wanted: Array, given: Array | None) -> str:
    allowed = gradient_tolerance(answered.probe.exercise, answered.probe.expected[0], wanted)
    matters = np.abs(wanted).max() > allowed
    if given is None:
        return f"no gradient reaches {name}: the graph is broken on the way" if matters else ""
    if given.shape != wanted.shape:
        return f"the gradient of {name} has shape {given.shape}; {wanted.shape} was expected"
    if not np.isfinite(given).all():
        return f"the gradient of {name} holds NaN or infinity though the result is finite"
    wrong = np.abs(given - wanted) > allowed
    if not wrong.any():
        return ""
    if not given.any():
        return f"no gradient reaches {name}: it is zero everywhere"
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"the gradient of {name} is wrong at {index}: {wanted[index]:.6g} expected from central "
        f"differences, {given[index]:.6g} came"
    )


def _future(answered: Answered, given: Array | None) -> Verdict | None:
    if given is None or Tag.ONE_POSITION not in answered.probe.tags:
        return None
    later = given[..., 2:, :]
    allowed = gradient_tolerance(
        answered.probe.exercise, answered.probe.expected[0], np.zeros_like(later)
    )
    if np.abs(later).max() <= allowed:
        return None
    largest = np.abs(later).max()
    message = f"the gradient of position 1 with respect to a later token is {largest:.4g}, not 0"
    return failed(STAGE, message, answered)


def blocked_row_is_nan(all_answered: Sequence[Answered]) -> Answer | None:
    """The answer whose gradients are NaN because of a row with every key masked, or None."""
    for answered in all_answered:
        if Tag.BLOCKED_ROW not in answered.probe.tags:
            continue
        answer = answered.answers[0]
        gradients = [g for g in answer.gradients.values() if g is not None]
        if any(not np.isfinite(g).all() for g in gradients):
            return answer
    return None
