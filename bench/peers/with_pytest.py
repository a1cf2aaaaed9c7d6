"""pytest on the hand-written test file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.grade import TESTS
from bench.peers.assertions import MODULE
from bench.peers.environment import PeerError
from bench.peers.work import Work

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.peers.environment import Environment

SOME_FAILED = 1


class Pytest:
    name = "pytest"
    packages = ("pytest>=8,<10",)
    together = False

    def work(self, environment: Environment, place: Path, texts: Sequence[str]) -> Work:
        (text,) = texts
        place.mkdir(parents=True)
        (place / f"{MODULE}.py").write_text(text, encoding="utf-8")
        (place / f"test_{MODULE}.py").write_text(TESTS, encoding="utf-8")
        return Work(pytest_command(environment), place, environment.activated, _passed)


def pytest_command(environment: Environment, *options: str) -> tuple[str, ...]:
    """pytest as a user types it, without a cache left behind."""
    return (environment.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)


def _passed(exit_code: int) -> bool:
    if exit_code not in (0, SOME_FAILED):
        raise PeerError("broken", f"ended with exit code {exit_code}")
    return exit_code == 0
