"""The arrays a right run goes through, and those a modelled wrong run goes through instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.diagnosis.lines import Entry, Library

from .steps.right import swap, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.diagnosis.models import Model, State

    from .probe import Probe
    from .steps.recorded import Array, Named

MAIN = ("Q", "K", "V", "scores", "keep", "masked", "shifted", "weights", "attended", "joined")
LAST = ("output", "closed")
_TOKEN_ARRAYS = ("Q", "K", "V", "attended", "joined", "output")
_HEADED = 4


def right_library(probe: Probe, index: int) -> Library:
    """Every array a right run may hold, in every layout that is still right."""
    named = probe.expected[index]
    allowed = _allowed(probe, index)
    entries = [Entry(n, a, allowed) for n, a in _right_arrays(probe, index, named)]
    return Library(laid_out(entries))


def _allowed(probe: Probe, index: int) -> float:
    named = probe.expected[index]
    name = "output" if "output" in named else next(iter(reversed(named)))
    return 4.0 * probe.tolerance(index, name)


def _right_arrays(probe: Probe, index: int, named: Named) -> Iterator[tuple[str, Array]]:
    call = probe.calls[index]
    yield from named.items()
    yield from ((name, call["matrices"][name]) for name in call.get("matrices") or ())
    if "Q" in named and "scores" in named:
        yield from _of_scores(named)
    elif "scores" in named and "weights" in named:
        yield from _of_softmax("", named["scores"])
    if call.get("mask") is not None:
        yield from _mask_forms(visible(call["mask"]))
    if "closed" in named:
        yield from _mask_forms(visible(named["closed"]))


def _of_scores(named: Named) -> Iterator[tuple[str, Array]]:
    root = np.sqrt(named["Q"].shape[-1])
    yield "queries / sqrt(d_k)", named["Q"] / root
    yield "keys / sqrt(d_k)", named["K"] / root
    yield "queries / d_k^(1/4)", named["Q"] / np.sqrt(root)
    yield "keys / d_k^(1/4)", named["K"] / np.sqrt(root)
    for name in ("Q", "K", "V"):
        if name in named:
            yield f"{name}ᵀ", swap(named[name])
    if "weights" not in named:
        return
    yield from _of_softmax("", named["masked scores"])
    yield from _of_softmax("unmasked ", named["scores"])
    keep = np.isfinite(named["masked scores"])
    yield from _mask_forms(keep)
    if "raw scores" in named:
        yield "raw scores, masked", np.where(keep, named["raw scores"], -np.inf)


def _of_softmax(kind: str, scores: Array) -> Iterator[tuple[str, Array]]:
    largest = scores.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        shifted = scores - largest
        exponentials = np.exp(shifted)
        total = exponentials.sum(axis=-1, keepdims=True)
        yield f"{kind}scores - max", shifted
        yield f"{kind}exponentials", exponentials
        yield f"{kind}weights", exponentials / total
    yield f"{kind}max", largest
    yield f"{kind}max", largest[..., 0]
    yield f"{kind}sum", total
    yield f"{kind}sum", total[..., 0]


def _mask_forms(keep: Array) -> Iterator[tuple[str, Array]]:
    yield "visible", keep.astype(np.float64)
    yield "hidden", (~keep).astype(np.float64)
    yield "additive mask", np.where(keep, 0.0, -np.inf)


def laid_out(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Each array as it is, and where it has heads also token-major and head-first."""
    for entry in entries:
        yield entry
        array = entry.array
        if array.ndim == _HEADED:
            yield Entry(entry.name, np.swapaxes(array, 0, 1), entry.allowed)
            if entry.name in _TOKEN_ARRAYS:
                yield Entry(entry.name, np.swapaxes(array, 1, 2), entry.allowed)
        elif array.ndim == _HEADED - 1 and entry.name in _TOKEN_ARRAYS:
            yield Entry(entry.name, np.swapaxes(array, 0, 1), entry.allowed)


@dataclass(frozen=True)
class Landmark:
    """One array of a modelled wrong run that is not the right one of its name."""

    step: int
    """the pipeline step after which it stands"""
    entry: Entry
    known_as: str | None
    """the right array that it equals, where a step was left out or misdirected"""


def wrong_landmarks(
    probe: Probe, index: int, models: Sequence[Model], right: Library
) -> list[Landmark]:
    """What a run with these models holds that a right run does not, in pipeline order."""
    pipeline = probe.exercise.pipeline
    replaced = {name: step for model in models for name, step in model.replaces.items()}
    state: State = dict(probe.calls[index])
    good: State = dict(probe.calls[index])
    allowed = _allowed(probe, index)
    found: list[Landmark] = []
    with np.errstate(all="ignore"):
        for place, (name, step) in enumerate(pipeline.steps):
            before, right_before = dict(state), dict(good)
            try:
                replaced.get(name, step)(state)
            except Exception:  # noqa: BLE001  a model that cannot run leaves no landmark
                break
            step(good)
            for main in (*MAIN, *LAST):
                touched = _touched(main, before, state) or _touched(main, right_before, good)
                array = state.get(main)
                if touched and array is not None and _differs(array, good.get(main), allowed):
                    found.extend(_landmarks(place, main, array, allowed, right))
    return found


def _touched(main: str, before: Mapping[str, Any], after: State) -> bool:
    return after.get(main) is not before.get(main)


def _differs(array: Array, good: Array | None, allowed: float) -> bool:
    if good is None or array.shape != good.shape:
        return True
    numbers, right = (np.asarray(a, dtype=np.float64) for a in (array, good))
    same = (numbers == right) | (np.isnan(numbers) & np.isnan(right))
    return not bool(((np.abs(numbers - right) <= allowed) | same).all())


def _landmarks(
    place: int, main: str, array: Array, allowed: float, right: Library
) -> Iterator[Landmark]:
    for name, form in _forms(main, array):
        entry = Entry(main, form, allowed)
        known = None if name == "exponentials" else _whole(form, right)
        for each in laid_out([entry]):
            yield Landmark(place, each, known)


def _forms(main: str, array: Array) -> Iterator[tuple[str, Array]]:
    numbers = np.asarray(array, dtype=np.float64)
    if main == "keep":
        for name, form in _mask_forms(np.asarray(array, dtype=np.bool_)):
            yield name, np.asarray(form)
        return
    yield main, numbers
    if main == "shifted":
        yield "exponentials", np.exp(numbers)


def _whole(array: Array, right: Library) -> str | None:
    """The right array of another name that this one equals as a whole."""
    for entry in right.entries:
        if entry.array.shape == array.shape and not _differs(array, entry.array, entry.allowed):
            return entry.name
    return None
