"""Running Python as root and as an ordinary user; the tests of the sandbox do both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent

if not sys.platform.startswith("linux"):
    collect_ignore_glob = ["test_*.py"]


@dataclass(frozen=True)
class User:
    """Someone who runs Python."""

    name: str
    command: tuple[str, ...]

    def run(self, *arguments: str, timeout: float = 1800) -> subprocess.CompletedProcess[str]:
        """Python with these arguments, from the repository; it must succeed."""
        done = subprocess.run(
            [*self.command, sys.executable, *arguments],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "HOME": "/nonexistent"},
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def python(self, code: str) -> Any:
        """What the code prints, as JSON."""
        return json.loads(self.run("-c", code).stdout)

    @property
    def may_enter_namespaces(self) -> bool:
        """Asked of the kernel without attnpack."""
        flags = ["--net", "--pid", "--ipc", "--uts", "--mount"]
        if self.name != "root":
            flags.append("--user")
        command = [*self.command, "unshare", *flags, "true"]
        return subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.fixture(params=[pytest.param("root", marks=pytest.mark.exhaustive), "ordinary user"])
def user(request: pytest.FixtureRequest) -> User:
    """An ordinary user, and root where the tests are exhaustive."""
    is_root = os.getuid() == 0
    if request.param == "root":
        if not is_root:
            pytest.skip("these tests were not started by root")
        return User("root", ())
    return _ordinary_user()


@pytest.fixture
def ordinary_user() -> User:
    """Who may change nothing of the machine's."""
    return _ordinary_user()


def _ordinary_user() -> User:
    drop = (sys.executable, str(HERE / "ordinary_user.py")) if os.getuid() == 0 else ()
    return User("ordinary user", drop)
