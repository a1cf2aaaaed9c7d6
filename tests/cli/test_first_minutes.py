"""What a newcomer types first, and commands that find out by themselves which exercise is meant."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

import pytest
from commands import BROKEN_SOFTMAX, attnpack, flat, solve

if TYPE_CHECKING:
    from pathlib import Path


def test_cd_is_written_so_that_a_shell_takes_it(nowhere: Path) -> None:
    assert "cd 'my attention', then" in attnpack("init", "my attention").output
    assert "cd attention, then" in attnpack("init", "attention").output


@pytest.mark.parametrize("backend", ["torch", "numpy"])
def test_init_tells_of_torch_at_once_where_it_is_needed_and_not_there(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, backend: str
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if name == "torch" else find(name)
    )
    result = attnpack("init", "work", "--backend", backend)
    assert result.exit_code == 0
    assert ("--index-url https://download.pytorch.org/whl/cpu" in result.output) is (
        backend == "torch"
    )


@pytest.fixture
def failing(here: Path) -> Path:
    """The third of the exercises was checked, and failed."""
    solve(here)
    (here / "apply_attention.py").write_text(
        "def apply_attention(weights, V):\n    return 2 * (weights @ V)\n"
    )
    attnpack("check")
    return here


def test_trace_takes_the_exercise_that_fails(failing: Path) -> None:
    assert "apply_attention.py" in attnpack("trace").output


def test_repro_takes_the_exercise_that_fails_and_tells_what_was_expected(failing: Path) -> None:
    output = attnpack("repro").output
    assert "repro_apply_attention.py" in output
    assert "# expected, shape" in output


def test_debug_takes_the_exercise_that_fails(failing: Path) -> None:
    assert "repro_apply_attention.py" in attnpack("debug").output


def test_solution_takes_the_exercise_that_fails(failing: Path) -> None:
    assert "apply_attention has not passed here yet" in flat(attnpack("solution").output)


def test_before_anything_was_checked_the_first_is_meant(here: Path) -> None:
    assert "softmax has not passed here yet" in flat(attnpack("solution").output)


def test_trace_takes_the_only_exercise_of_a_file(nowhere: Path) -> None:
    (nowhere / "mine.py").write_text(BROKEN_SOFTMAX)
    assert "departs here" in attnpack("trace", "mine.py").output
