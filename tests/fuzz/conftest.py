"""Tells the fuzz tests, which ask when they are imported, how long they may go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import effort

if TYPE_CHECKING:
    import pytest


def pytest_configure(config: pytest.Config) -> None:
    effort.exhaustive |= config.getoption("--exhaustive")
