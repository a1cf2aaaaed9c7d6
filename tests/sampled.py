"""Which of many alike are asked without `--exhaustive`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet


def one_of(values: Iterable[object]) -> list[ParameterSet]:
    """For `parametrize`: the first, and the others where the tests are exhaustive."""
    first, *others = values
    return [pytest.param(first), *(pytest.param(v, marks=pytest.mark.exhaustive) for v in others)]
