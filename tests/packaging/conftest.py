"""One build of each kind for all tests of this folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import built
import pytest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this checkout as it is now: it may be edited while the tests run."""
    return built.copied_checkout(built.ROOT, tmp_path_factory.mktemp("clone") / "checkout")


@pytest.fixture(scope="session")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout."""
    return built.build("wheel", checkout, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, built from the checkout."""
    return built.build("sdist", checkout, tmp_path_factory.mktemp("sdist"))
