"""Whatever a submission is, it is its own problem: the run ends, and others have their marks."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from attnpack import pack
from attnpack.grade import commands, intake
from attnpack.grade.results import Unjudged
from attnpack.terms import Status

if sys.platform == "win32":
    pytest.skip("its folders and pipes are those of Unix", allow_module_level=True)

DEPTH = 1500


def right(folder: Path) -> None:
    folder.mkdir()
    for exercise in pack.load().chapters[0].exercises:
        text = pack.load().reference_path("numpy", exercise.file).read_text("utf-8")
        (folder / exercise.file).write_text(text, "utf-8")


def deep_folders(place: Path) -> None:
    place.mkdir()
    (place / "softmax.py").write_text("x = 1\n")
    before = Path.cwd()
    os.chdir(place)
    try:
        for _ in range(DEPTH):
            Path("a").mkdir()
            os.chdir("a")
    finally:
        os.chdir(before)


def taken_apart(place: Path) -> None:
    """Remove deep folders from above: `rmtree`, with which pytest tidies up, is recursive."""
    inner, outer = place / "a", place / "outer"
    while inner.exists():
        inner.rename(outer)
        if (outer / "a").exists():
            (outer / "a").rename(inner)
        outer.rmdir()


def closed_folder(place: Path) -> None:
    (place / "inside").mkdir(parents=True)
    (place / "softmax.py").write_text("x = 1\n")
    (place / "inside").chmod(0)


def pipe(place: Path) -> None:
    os.mkfifo(place.with_suffix(".py"))


def pipe_inside(place: Path) -> None:
    place.mkdir()
    os.mkfifo(place / "softmax.py")


def notebook(place: Path, *sources: str) -> None:
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    place.with_suffix(".ipynb").write_text(text)


def spaces(place: Path) -> None:
    notebook(place, " " * 1_000_000 + "x", "a" + " " * 1_000_000 + "=" * 9, "[" * 500_000)


def commas(place: Path) -> None:
    place.with_suffix(".py").write_text("def softmax(scores): return (" + "a," * (7 << 19) + ")\n")


def one_long_line(place: Path) -> None:
    place.with_suffix(".py").write_text("softmax = " + "-" * 100_000 + "1\n")


def surrogate_name(place: Path) -> None:
    place.mkdir()
    Path(os.fsdecode(os.fsencode(place) + b"/\xff\xfe.py")).write_text("x = 1\n")


KINDS = (
    deep_folders, closed_folder, pipe, pipe_inside, spaces, commas, one_long_line, surrogate_name,
)  # fmt: skip


@pytest.fixture
def cohort(tmp_path):
    """One submission of each kind."""
    place = tmp_path / "cohort"
    place.mkdir()
    for make in KINDS:
        make(place / make.__name__)
    yield place
    taken_apart(place / "deep_folders")
    (place / "closed_folder" / "inside").chmod(0o700)


def test_no_submission_ends_the_run_or_costs_a_neighbour_its_mark(cohort, tmp_path):
    right(cohort / "a_right")
    right(cohort / "z_right")
    (cohort / "z_right" / "softmax.py").write_text(
        (cohort / "z_right" / "softmax.py").read_text() + "\n# another\n"
    )
    results = graded(cohort, tmp_path / "out")
    assert results.pop("a_right").status == results.pop("z_right").status == Status.PASSED
    assert {name.split(".")[0] for name in results} == {make.__name__ for make in KINDS}
    for name, result in results.items():
        assert result.mark.score == 0, name


def test_a_failure_of_our_own_while_reading_costs_that_submission_only(tmp_path, monkeypatch):
    def faulty(hand_in):
        if hand_in.submission == "b":
            raise RecursionError("too deep")
        return ordinary(hand_in)

    ordinary = intake.read
    monkeypatch.setattr(intake, "read", faulty)
    (tmp_path / "cohort").mkdir()
    for name in "ab":
        right(tmp_path / "cohort" / name)
    results = graded(tmp_path / "cohort", tmp_path / "out")
    assert results["a"].status == Status.PASSED
    assert results["b"].status == Unjudged.UNREADABLE
    assert "please report it" in results["b"].problem


def graded(cohort: Path, out: Path):
    """The results by submission."""
    commands.grade(commands.Options(cohort, out, jobs=1, require_isolation="process"))
    from attnpack.grade.copies import Given
    from attnpack.grade.ledger import read_ledger
    from attnpack.grade.overrides import read_overrides
    from attnpack.grade.results import cohort_of

    entries = read_ledger(out / "ledger.jsonl").entries
    found = cohort_of([entries], read_overrides([], []), Given({}))
    return {result.submission: result for result in found.results}
