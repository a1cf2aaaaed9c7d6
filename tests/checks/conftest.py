"""The probes of every exercise."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from attnpack import pack
from attnpack.terms import Backend
from checks.draft import Tag

WITHOUT_ANSWER = {Tag.REFUSED, Tag.BLOCKED_ROW, Tag.HALF}


@pytest.fixture(scope="session")
def planned():
    """A plan by exercise, backend and seed, as the runner draws it."""

    def plan(exercise, backend=Backend.NUMPY, seed=7291):
        rng = np.random.default_rng([seed, zlib.crc32(exercise.encode())])
        return pack.load().plan(exercise, backend, rng)

    return plan


@pytest.fixture(scope="session")
def answerable(planned):
    """The calls of an exercise's probes that the oracle answers: (probe, index) pairs."""

    def calls(exercise, backend=Backend.NUMPY, seed=7291):
        return [
            (probe, index)
            for probe in planned(exercise, backend, seed).probes
            if not probe.tags & WITHOUT_ANSWER
            for index in range(len(probe.calls))
        ]

    return calls
