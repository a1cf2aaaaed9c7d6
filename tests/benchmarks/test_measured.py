"""How the bench takes its figures: in turns, and only of commands that end as they should."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from bench.measured import in_turns, seconds

if TYPE_CHECKING:
    from pathlib import Path

ENDS = [sys.executable, "-c", "import sys; sys.exit('it broke') if sys.argv[1:] else None"]


def test_runs_take_turns_and_the_first_turn_does_not_count() -> None:
    order: list[str] = []

    def run(name: str, figures: list[float]) -> float:
        order.append(name)
        return figures.pop(0)

    one, two = [100.0, 1.0, 9.0, 2.0], [0.0, 5.0, 6.0, 7.0]
    medians = in_turns({"one": lambda: run("one", one), "two": lambda: run("two", two)}, 3)
    assert medians == {"one": 2.0, "two": 6.0}
    assert order == ["one", "two"] * 4


def test_a_command_that_ends_otherwise_than_it_should_is_not_a_figure(tmp_path: Path) -> None:
    assert seconds(ENDS, tmp_path) > 0
    assert seconds([*ENDS, "fail"], tmp_path, exit_code=1) > 0
    with pytest.raises(RuntimeError, match=r"exit code 1: (.|\n)*it broke"):
        seconds([*ENDS, "fail"], tmp_path)
    with pytest.raises(RuntimeError, match="exit code 0"):
        seconds(ENDS, tmp_path, exit_code=1)
