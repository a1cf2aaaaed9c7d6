"""The solutions of each backend."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from solutions import solutions

if TYPE_CHECKING:
    from types import SimpleNamespace


@pytest.fixture(scope="session")
def in_numpy() -> SimpleNamespace:
    return solutions("numpy")


@pytest.fixture(scope="session")
def in_torch() -> SimpleNamespace:
    pytest.importorskip("torch")
    return solutions("torch")


@pytest.fixture(scope="session")
def in_value() -> SimpleNamespace:
    return solutions("value")
