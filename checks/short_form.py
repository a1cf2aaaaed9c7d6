"""The short form: few questions, each dense, that only right code answers rightly.

Grading asks it first. Who passes it passes; for everyone else it says nothing, and the whole
plan decides. So it may be short as long as no known bug gets through: what fails the plan must
fail the short form (tests/checks/test_short_form.py, bench/short_form). What it asks stands in each
exercise, beside what the stages ask.

Beside it one random piece of the whole plan is asked, another one for each submission, so that
nobody can write code for the short form alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.pack.kinds import Plan

from . import gradients, judging, stages
from .draft import FOR_NOTES
from .draw import Draw
from .exercises import exercise as exercise_of
from .probe import Probe, bound

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from attnpack.terms import Backend

    from .exercise import Exercise


def ask(exercise: Exercise, draw: Draw) -> list[Probe]:
    """The probes of one exercise, with all of its gradients.

    Of stage `shapes`, which asks for the form of every answer; `values` asks for the rest.
    """
    short = [bound(each, exercise, stages.SHAPES, draw) for each in exercise.short_form(draw)]
    return [*short, *gradients.ask(exercise, draw)]


def plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """Fresh probes of the short form; its keys are unlike those of other exercises."""
    asked = ask(exercise_of(exercise), Draw(rng, backend))
    return _plan(exercise, backend, "short", asked)


def pieces(exercise: str, backend: Backend, rng: np.random.Generator) -> list[Plan]:
    """The whole plan in pieces: a probe each, or those whose answers are held together.

    Without the gradients, which the short form asks for, and without what is only noted.
    """
    together: dict[str, list[Probe]] = {}
    for probe in judging.plan(exercise, backend, rng).probes:
        if probe.stage != stages.GRADIENTS and not probe.tags & FOR_NOTES:
            name = f"{probe.stage}/{probe.beside}" if probe.beside else probe.key
            together.setdefault(name, []).append(probe)
    return [_plan(exercise, backend, "piece", probes) for probes in together.values()]


def _plan(exercise: str, backend: Backend, which: str, asked: Iterable[Probe]) -> Plan:
    """These probes, with keys that are unlike those of other exercises."""
    probes = tuple(replace(probe, key=f"{exercise}/{which}/{probe.key}") for probe in asked)
    questions = tuple(question for probe in probes for question in probe.questions())
    return Plan(exercise, backend, questions, probes)
