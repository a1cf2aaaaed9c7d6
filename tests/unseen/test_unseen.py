"""Bugs in styles that the models were not written against."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from asking import ask, passes_short_form
from fragments import WILD, Kind, Unseen, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest.mark import ParameterSet


def each_case() -> Iterator[ParameterSet]:
    """Every case; the first of each bug is asked for by every run."""
    known = set()
    for case in unseen():
        if case.harmless:
            marks = pytest.mark.exhaustive if case.ids[0] in known else ()
            known.add(case.ids[0])
            yield pytest.param(case, id=f"{case.backend}-{case.name}", marks=marks)


@pytest.mark.parametrize("case", list(each_case()))
def test_an_unseen_bug_fails_its_exercise_under_its_name(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True)

    assert list(said.failing) == [case.exercise]
    assert not passes_short_form(case)
    assert said.named(case), f"wanted {case.ids}, was told {[s.id for s in said.suspects]}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.backend}-{case.name}")
        for case in unseen(kind=Kind.MISTAKES)
        if case.ids == ("heads-not-dividing",)
    ],
)
def test_sizes_that_a_later_line_happens_to_refuse_were_accepted(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True, traced=True)

    assert said.right(case)
    assert said.line(case)
    assert not passes_short_form(case)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.backend}-{case.name}")
        for case in unseen(kind=Kind.WILD)
        if not case.faulty
    ],
)
def test_what_was_doubted_in_public_and_is_right_passes(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True)

    assert not said.failing


@pytest.mark.parametrize("path", sorted(WILD.glob("*/*/*.py")), ids=lambda path: path.stem)
def test_a_public_case_names_its_thread(path: Path) -> None:
    _, second, third = path.read_text(encoding="utf-8").splitlines()[:3]

    assert second.startswith(("# bugs: ", "# pair: ", "# right: "))
    assert re.fullmatch(r"# source: [\w.-]+/[\w.-]+#\d+", third)


def test_every_public_bug_marks_its_line() -> None:
    assert [case.name for case in unseen(kind=Kind.WILD) if case.faulty and not case.lines] == []
