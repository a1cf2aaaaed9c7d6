"""A check that is right but for an earlier one: every page and table says what its mark says."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

RUBRIC = (
    "partial_credit = true\n[exercises.SelfAttention.stages]\nscaling = 1\ncausal = 3\nvalues = 4\n"
)
FAILED = "# fake: SelfAttention failed scaling scale-missing\n"
FILES = {
    "ada.py": f"{FAILED}# after: right\n",
    "bob.py": f"{FAILED}# after: wrong\n",
    "cid.py": f"{FAILED}# after: right\n# another\n",
}


@pytest.fixture
def out(graded: Callable[..., Path], tmp_path: Path) -> Path:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(RUBRIC)
    return graded(FILES, rubric=rubric)


def test_the_mark_and_the_table_agree(out: Path) -> None:
    text = (out / "grades.csv").read_text("utf-8-sig")
    rows = {row["submission"]: row for row in csv.DictReader(io.StringIO(text))}
    ada, bob = rows["ada.py"], rows["bob.py"]
    assert float(ada["SelfAttention"]) > float(bob["SelfAttention"])
    assert ada["would_pass"] == "SelfAttention: causal, values"
    assert bob["would_pass"] == ""


def test_the_page_of_the_student_says_it(out: Path) -> None:
    ada, bob = ((out / "feedback" / f"{name}.html").read_text() for name in ("ada", "bob"))
    assert "would pass: causal, values" in ada
    assert "not reached" not in ada
    assert "not reached: causal, values" in bob
    assert "would pass" not in bob


def test_the_page_of_the_cohort_counts_it(out: Path) -> None:
    text = (out / "cohort.html").read_text()
    assert text.count(">2 would pass<") == text.count(">1 not reached<") == 2


def test_the_platforms_say_it(out: Path) -> None:
    tests = json.loads((out / "gradescope" / "ada.json").read_text())["tests"]
    [shown] = [test["output"] for test in tests if test["name"] == "SelfAttention"]
    assert "values: would pass" in shown
    assert "values: not reached" in (out / "github" / "bob.txt").read_text()
    junit = (out / "junit.xml").read_text()
    assert junit.count('message="would pass"') == 4
    assert junit.count('message="not reached"') == 2
