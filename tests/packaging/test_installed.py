"""The main job, run from a wheel in an empty environment, an editable install and a clone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import built
import pytest
from built import Environment

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.exhaustive

WHERE = "from attnpack import pack; print(pack.ROOT)"
WRONG = built.ROOT / "tests" / "cases" / "B01.py"


@pytest.fixture(scope="session")
def package_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skips where pip can download nothing."""
    place = tmp_path_factory.mktemp("download")
    asked = ["-m", "pip", "download", "-q", "--no-deps", "-d", str(place), "markdown-it-py"]
    done = subprocess.run([sys.executable, *asked], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"pip reaches no package index: {done.stderr.strip()[-200:]}")


@pytest.fixture(scope="session")
def installed(
    wheel: Path, package_index: None, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """The wheel and what it depends on, in an environment that was empty."""
    environment = built.empty_environment(tmp_path_factory.mktemp("environment") / "venv")
    environment.pip_install(str(wheel))
    return environment


def verdicts(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The status of each exercise in what `check --json` printed."""
    report = json.loads(done.stdout)
    return {exercise["name"]: exercise["status"] for exercise in report["exercises"]}


def test_the_wheel_runs_the_main_job_in_an_empty_environment(
    installed: Environment, tmp_path: Path
) -> None:
    made = installed.attnpack("init", "attention", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    stubs = installed.attnpack("check", "--json", cwd=tmp_path / "attention")
    assert stubs.returncode == 1, stubs.stderr
    assert set(verdicts(stubs).values()) == {"not_started"}

    right = built.right_folder(tmp_path / "right")
    passed = installed.attnpack("check", "--json", str(right), cwd=tmp_path)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert set(verdicts(passed).values()) == {"passed"}

    failed = installed.attnpack("check", str(WRONG), cwd=tmp_path)
    assert failed.returncode == 1, failed.stderr
    assert "softmax-over-queries" in failed.stdout


def test_the_demo_runs_from_the_wheel(installed: Environment, tmp_path: Path) -> None:
    done = installed.attnpack("demo", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "All 7 exercises passed" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_an_installation_without_torch_says_how_to_get_it(
    installed: Environment, tmp_path: Path
) -> None:
    done = installed.attnpack("check", str(WRONG), "--backend", "torch", cwd=tmp_path)
    assert done.returncode == 2
    assert "attnpack[torch]" in done.stderr


def test_an_editable_install_uses_the_folders_of_the_checkout(
    checkout: Path, tmp_path: Path
) -> None:
    environment = built.with_dependencies(built.empty_environment(tmp_path / "venv"))
    environment.pip_install("--no-index", "--no-deps", "--no-build-isolation", "-e", str(checkout))
    python = str(environment.python)
    assert built.run(python, "-c", WHERE, cwd=tmp_path).strip() == str(checkout)
    right = built.right_folder(tmp_path / "right")
    done = environment.attnpack("check", str(right), cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_plain_clone_runs_without_being_installed(checkout: Path, tmp_path: Path) -> None:
    right = built.right_folder(tmp_path / "right")
    assert built.run(sys.executable, "-c", WHERE, cwd=checkout).strip() == str(checkout)
    built.run(sys.executable, "-m", "attnpack", "check", str(right), cwd=checkout)
