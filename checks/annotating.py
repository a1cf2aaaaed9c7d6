"""What every line of a learner's exercise makes: its shape in symbols, and its name if it is right.

The sizes are all different, so that a size tells its symbol.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING

from attnpack.calls import Call, Forward
from attnpack.pack.kinds import Annotation, Plan
from attnpack.terms import Backend

from . import stages
from .draw import Draw
from .landmarks import right_library
from .probe import CLASSES, Inputs, Probe, asked
from .shapes import class_inputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

    from attnpack.calls import Question, Transcript

_ONE_SAMPLE = {"T_q": 5, "T_k": 7, "d_k": 3, "d_v": 4}
_HEADS = {"B": 2, "h": 3, "T_q": 5, "T_k": 7, "d_k": 4, "d_v": 6}
_SINGLE = {"B": 2, "T": 5, "D": 7}
_MULTI = {"B": 2, "T": 5, "h": 3, "d_k": 4, "D": 12}


def annotation_plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """One traced call of an exercise on sizes that are all different."""
    draw = Draw(rng, backend)
    precision = draw.precision if exercise in CLASSES else "float64"
    call = _call(exercise, draw)
    probe = Probe("trace", exercise, stages.VALUES, (call,), precision=precision)
    questions = tuple(_traced(probe))
    return Plan(exercise, backend, questions, (probe,), {"sizes": sizes_of(exercise, backend)})


def sizes_of(exercise: str, backend: Backend) -> Mapping[str, int]:
    """Symbol -> size of the traced call."""
    if exercise == "causal_mask":
        return {"T": 5}
    if exercise == "SelfAttention":
        sizes = _SINGLE
    elif exercise == "MultiHeadAttention":
        sizes = _MULTI
    else:
        return _ONE_SAMPLE if backend is Backend.VALUE else _HEADS
    return {n: s for n, s in sizes.items() if n != "B" or backend is not Backend.VALUE}


def _call(exercise: str, draw: Draw) -> Inputs:
    sizes = sizes_of(exercise, draw.backend)
    if exercise == "causal_mask":
        return {"seq_len": sizes["T"]}
    lead = tuple(sizes[name] for name in ("B", "h") if name in sizes)
    if exercise in CLASSES:
        samples = tuple(sizes[name] for name in ("B",) if name in sizes)
        x = draw.normal(*samples, sizes["T"], sizes["D"])
        return class_inputs(draw, x, sizes.get("h", 1))
    queries, keys, d_k, d_v = (sizes[name] for name in ("T_q", "T_k", "d_k", "d_v"))
    if exercise == "softmax":
        return {"scores": draw.normal(*lead, queries, keys)}
    if exercise == "apply_attention":
        return {"weights": draw.weights(*lead, queries, keys), "V": draw.normal(*lead, keys, d_v)}
    arrays = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
    if exercise == "attention_scores":
        return {**arrays, "d_k": d_k}
    keep = draw.rng.random((queries, keys)) < 0.7
    keep[:, 0] = True
    return {**arrays, "V": draw.normal(*lead, keys, d_v), "mask": keep}


def _traced(probe: Probe) -> Iterator[Question]:
    for question in probe.questions():
        if isinstance(question, Call | Forward):
            yield replace(question, trace=True)
        else:
            yield question


def annotate(plan: Plan, transcript: Transcript) -> tuple[Annotation, ...]:
    """One per line, name and shape, in the order of the run; a later value replaces an earlier."""
    probe = asked(plan.probes[0], transcript.answers).probe
    answer = transcript.answers.get(probe.call_key(0))
    if answer is None:
        return ()
    right = right_library(probe, 0)
    symbols = symbols_of(plan.extra["sizes"])
    found: dict[tuple[str, int, str, tuple[int, ...]], Annotation] = {}
    for event in answer.events:
        if event.array.ndim == 0 or event.name == "_":
            continue
        shape = ", ".join(symbols.get(size, str(size)) for size in event.array.shape)
        comma = "," if event.array.ndim == 1 else ""
        known = right.name_of(event.array)
        key = (event.file, event.line, event.name, event.array.shape)
        found[key] = Annotation(event.file, event.line, event.name, f"({shape}{comma})", known)
    return tuple(found.values())


def symbols_of(sizes: Mapping[str, int]) -> Mapping[int, str]:
    """Size -> symbol, products of two or three where axes are folded."""
    symbols = {size: name for name, size in sizes.items()} | {1: "1"}
    for count in (2, 3):
        for names in combinations(sizes, count):
            symbols.setdefault(prod(sizes[name] for name in names), "*".join(names))
    return symbols
