"""What tests are asked with: which of many alike, and which exercises in which backends."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest

from attnpack import pack
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet


def one_of(values: Iterable[object]) -> list[ParameterSet]:
    """For `parametrize`: the first, and the others where the tests are exhaustive."""
    first, *others = values
    return [pytest.param(first), *(pytest.param(v, marks=pytest.mark.exhaustive) for v in others)]


def in_their_backends() -> list[ParameterSet]:
    """For `parametrize(("backend", "exercise"), ...)`: each exercise, by name, in each it has."""
    lacking = importlib.util.find_spec("torch") is None
    needs_torch = pytest.mark.skipif(lacking, reason="torch is an extra")
    return [
        pytest.param(
            backend,
            exercise.name,
            id=f"{backend}-{exercise.name}",
            marks=[needs_torch] * (backend is Backend.TORCH),
        )
        for backend in Backend
        for exercise in pack.load().exercises
        if backend in exercise.backends
    ]
