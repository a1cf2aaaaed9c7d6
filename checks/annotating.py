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

from . import stages
from .draft import draft
from .draw import Draw
from .exercises import exercise as exercise_of
from .landmarks import right_library
from .probe import Probe, bound, with_answers

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np

    from attnpack.calls import Question, Transcript
    from attnpack.terms import Backend


def annotation_plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """One traced call of an exercise on sizes that are all different."""
    draw, known = Draw(rng, backend), exercise_of(exercise)
    traced = known.traced(draw)
    probe = bound(draft("trace", traced.call), known, stages.VALUES, draw)
    return Plan(exercise, backend, tuple(_traced(probe)), (probe,), {"sizes": traced.sizes})


def _traced(probe: Probe) -> Iterator[Question]:
    for question in probe.questions():
        if isinstance(question, Call | Forward):
            yield replace(question, trace=True)
        else:
            yield question


def annotate(plan: Plan, transcript: Transcript) -> tuple[Annotation, ...]:
    """One per line, name and shape, in the order of the run; a later value replaces an earlier."""
    probe = with_answers(plan.probes[0], transcript.answers).probe
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
