"""What CI installs is written down, and lies within what pyproject.toml allows."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCK = {
    requirement.name.lower().replace("_", "-"): requirement
    for line in (ROOT / ".ci" / "lock.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
    for requirement in [Requirement(line)]
}


def declared() -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return [Requirement(text) for group in (project["dependencies"], *extras) for text in group]


@pytest.mark.parametrize("requirement", declared(), ids=str)
def test_a_dependency_is_bounded_above_and_locked_within_its_bounds(
    requirement: Requirement,
) -> None:
    assert any(bound.operator in ("<", "<=", "==", "~=") for bound in requirement.specifier)
    (exact,) = LOCK[requirement.name.lower()].specifier
    assert exact.operator == "=="
    assert requirement.specifier.contains(exact.version)


def test_every_dependency_of_the_run_time_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    block = text.split("\ndependencies = [\n", 1)[1].split("\n]", 1)[0]
    assert all("#" in line for line in block.splitlines())
