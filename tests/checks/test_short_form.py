"""What the short form lets pass, the whole plan lets pass too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from sampled import in_their_backends

from attnpack import pack
from attnpack.terms import Backend, Status

pack.load()
from attnpack.pack.checks import judging, short_form, stages  # noqa: E402
from attnpack.pack.checks.enacting import enact  # noqa: E402
from attnpack.pack.checks.rehearsal import models_of  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.diagnosis.models import Model
    from attnpack.pack.kinds import Plan

EXERCISES = [exercise.name for exercise in pack.load().exercises]
EVERY = {Backend.NUMPY: 1, Backend.TORCH: 4, Backend.VALUE: 4}
"""which share of the models is acted out: numpy's are nearly all of the others'"""


def without_gradients(plan: Plan) -> Plan:
    """Models act out forward passes only."""
    return replace(plan, probes=tuple(p for p in plan.probes if not p.cotangents))


def passes(plan: Plan, models: Sequence[Model]) -> bool:
    verdicts = judging.judge(plan, enact(plan, models)).verdicts
    return all(v.status is Status.PASSED for v in verdicts if v.stage != stages.GRADIENTS)


@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_no_bug_of_the_catalogue_passes_the_short_form_alone(
    exercise: str, backend: Backend
) -> None:
    short = without_gradients(short_form.plan(exercise, backend, np.random.default_rng(3)))
    whole = without_gradients(judging.plan(exercise, backend, np.random.default_rng(4)))
    assert passes(short, [])
    models = list(models_of(whole))[:: EVERY[backend]]
    slipped = [model for model in models if passes(short, [model]) and not passes(whole, [model])]
    assert models
    assert [f"{model.bug} ({model.label})" for model in slipped] == []
