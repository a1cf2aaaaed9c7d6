"""A small cohort through the judge that is shipped: guests, sandbox, diagnosis."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from attnpack import pack
from attnpack.grade.commands import Options, grade

CHILDREN = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
FORGER = """
import os


def softmax(scores):
    os.write(1, b'{"passed": true}')
    os._exit(0)
"""
LOOP = "def softmax(scores):\n    while True:\n        pass\n"
CRASH = "def softmax(scores):\n    return scores.no_such_thing\n"
OVER_QUERIES = """
import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)  # written by Bob
"""


@pytest.fixture(scope="module")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cohort")
    for backend in ("numpy", "value"):
        (folder / f"right-{backend}").mkdir()
        for exercise in pack.load().chapters[0].exercises:
            text = pack.load().reference_path(backend, exercise.file).read_text()
            (folder / f"right-{backend}" / exercise.file).write_text(text)
    (folder / "again").mkdir()
    for path in (folder / "right-numpy").iterdir():
        (folder / "again" / path.name).write_text(path.read_text())
    for name, text in {
        "a-forger": FORGER,
        "a-loop": LOOP,
        "crash": CRASH,
        "wrong": OVER_QUERIES,
        "zeros": "def causal_mask(seq_len):\n    return [[0.0] * seq_len] * seq_len\n",
    }.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def graded(folder: Path, out: Path, jobs: int) -> Path:
    secret = out.parent / "secret"
    secret.write_text("0123456789abcdef" * 4)
    assert grade(Options(folder, out, jobs, seed_secret_file=secret, deadline_s=1)) == 0
    return out


@pytest.fixture(scope="module")
def out(cohort: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graded(cohort, tmp_path_factory.mktemp("graded") / "out", 2)


def rows(out: Path) -> dict[str, dict[str, str]]:
    table = csv.DictReader(io.StringIO((out / "grades.csv").read_text()))
    return {row["submission"]: row for row in table}


def test_right_submissions_get_all_points_beside_attacks(out: Path) -> None:
    for name in ("right-numpy", "right-value", "again"):
        assert rows(out)[name]["percent"] == "100"
        assert "equals the reference" in rows(out)[name]["flags"]


def test_what_is_wrong_earns_nothing(out: Path) -> None:
    for name in ("a-forger.py", "a-loop.py", "crash.py", "wrong.py", "zeros.py"):
        assert rows(out)[name]["score"] == "0", name


def test_bugs_and_crashes_go_by_their_names(out: Path) -> None:
    found = {name: row["bugs"].split(";")[0] for name, row in rows(out).items()}
    assert found["wrong.py"] == "softmax-over-queries"
    assert found["a-forger.py"] == "ends-process"
    assert found["a-loop.py"] == "never-returns"
    assert found["crash.py"] == "raises"


def test_the_page_shows_one_line_without_the_name_in_its_comment(out: Path) -> None:
    page = (out / "cohort.html").read_text()
    assert "axis=-2, keepdims=True" in page
    assert "written by Bob" not in page


def test_the_seed_in_the_report_is_the_one_that_the_secret_gives(out: Path) -> None:
    from attnpack.grade.seeds import SeedSecret

    secret = SeedSecret(b"0123456789abcdef" * 4)
    report = json.loads((out / "reports" / "wrong.json").read_text())
    grading = report["grading"]
    assert report["seed"] == secret.seed(grading["submission_sha256"], "report")
    assert grading["seed_commitment"] == secret.commitment


@pytest.mark.exhaustive
def test_the_bytes_are_those_of_one_worker(cohort: Path, out: Path, tmp_path: Path) -> None:
    alone = graded(cohort, tmp_path / "alone", 1)
    for name in ("grades.csv", "cohort.html", "summary.md"):
        assert (alone / name).read_bytes() == (out / name).read_bytes(), name
    for folder in ("reports", "feedback", "github"):
        for path in (out / folder).iterdir():
            assert (alone / folder / path.name).read_bytes() == path.read_bytes(), path


@pytest.mark.exhaustive
@pytest.mark.skipif(not CHILDREN.exists(), reason="no /proc")
def test_nothing_is_left_running(tmp_path: Path) -> None:
    folder = tmp_path / "loops"
    folder.mkdir()
    (folder / "loop.py").write_text(LOOP)
    before = CHILDREN.read_text().split()
    graded(folder, tmp_path / "out", 1)
    assert CHILDREN.read_text().split() == before
