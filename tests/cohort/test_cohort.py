"""Every mark of a made cohort is the right one, in every packing, by every route."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from making import EXERCISES, PLATFORMS, TROUBLES, Student, roster, students
from sampled import one_of

from attnpack.grade.commands import Options, grade, merge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FULL = 52
"""students of each of six platforms: every trouble in each, more than 300 in all"""
EARNS_NOTHING = {"unreadable", "not_started"}


class Cohort:
    """The hand-ins of one platform, laid out."""

    def __init__(self, folder: Path, platform: str, made: list[Student]) -> None:
        self.folder = folder
        self.submissions = folder / "submissions"
        self.submissions.mkdir()
        self.students = {PLATFORMS[platform](self.submissions, s): s for s in made}
        self.roster = folder / "roster.csv"
        self.roster.write_text(roster(made))
        self.secret = folder / "secret"
        self.secret.write_text("0123456789abcdef" * 4)

    def options(self, out: Path, **more: object) -> Options:
        """To grade it into a folder."""
        given = {"jobs": 2, "roster": self.roster, "seed_secret_file": self.secret, **more}
        return Options(self.submissions, out, **given)  # type: ignore[arg-type]

    def disagreements(self, out: Path) -> list[str]:
        """What is not as the truth has it."""
        rows = {row["submission"]: row for row in csv.DictReader(_lines(out / "grades.csv"))}
        reports = (json.loads(path.read_text()) for path in (out / "reports").iterdir())
        found = {report["submission"]: report for report in reports}
        wrong = [f"{name}: one row each" for name in rows.keys() ^ self.students.keys()]
        for name in rows.keys() & self.students.keys():
            student, row = self.students[name], rows[name]
            statuses = {e["name"]: e["status"] for e in found[name]["exercises"]}
            if row["student"] != student.name:
                wrong.append(f"{name}: of {row['student']}, not of {student.name}")
            if _differs(student.truth, row, statuses):
                wrong.append(f"{name} ({student.kind}): {row['status']}, {statuses}")
        return wrong


def _lines(path: Path) -> io.StringIO:
    return io.StringIO(path.read_text("utf-8-sig"))


def _differs(
    truth: Mapping[str, str] | None, row: Mapping[str, str], statuses: Mapping[str, str]
) -> bool:
    if truth is None:
        return row["score"] != "0" or row["status"] not in EARNS_NOTHING
    right = sum(status == "passed" for status in truth.values())
    return dict(statuses) != dict(truth) or float(row["score"]) != right


def outputs(out: Path) -> dict[str, bytes]:
    """What must be the same by every route."""
    files = [out / "grades.csv", out / "cohort.html", out / "canvas.csv", out / "moodle.csv"]
    for folder in ("reports", "feedback"):
        files += sorted((out / folder).iterdir())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("platform", one_of(["canvas", "plain"]))
def test_a_small_cohort_has_the_right_marks(tmp_path: Path, platform: str) -> None:
    made = [s for at, s in enumerate(students(28)) if at % 2 == len(platform) % 2]
    cohort = Cohort(tmp_path, platform, made)
    assert grade(cohort.options(tmp_path / "out")) == 0
    assert cohort.disagreements(tmp_path / "out") == []


def test_the_full_cohort_has_every_trouble_and_more_than_300_students() -> None:
    kinds = {student.kind.partition(",")[0] for student in students(FULL)}
    assert kinds >= set(TROUBLES)
    assert len(kinds) >= 30
    assert FULL * len(PLATFORMS) > 300
    wrong = {
        name for s in students(FULL) for name, how in (s.truth or {}).items() if how != "passed"
    }
    assert wrong == set(EXERCISES)


@pytest.mark.exhaustive
@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_full_cohort_has_the_right_marks_by_every_route(tmp_path: Path, platform: str) -> None:
    cohort = Cohort(tmp_path, platform, list(students(FULL)))
    assert grade(cohort.options(tmp_path / "out")) == 0
    assert cohort.disagreements(tmp_path / "out") == []
    one = outputs(tmp_path / "out")

    shards = [tmp_path / f"shard-{index}" for index in (1, 2, 3)]
    for index, out in enumerate(shards, 1):
        grade(cohort.options(out, jobs=1, shard=f"{index}/3"))
    assert merge(shards, tmp_path / "merged") == 0
    assert outputs(tmp_path / "merged") == one

    _killed(cohort, tmp_path / "killed")
    assert grade(cohort.options(tmp_path / "killed", resume=True)) == 0
    assert outputs(tmp_path / "killed") == one


@pytest.mark.exhaustive
def test_a_cluster_gives_the_same_marks(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    cohort = Cohort(tmp_path, "canvas", list(students(FULL)))
    grade(cohort.options(tmp_path / "out"))
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        assert grade(cohort.options(tmp_path / "cluster", scheduler=address)) == 0
    assert outputs(tmp_path / "cluster") == outputs(tmp_path / "out")


def _killed(cohort: Cohort, out: Path) -> None:
    """A run that was killed once something was judged."""
    words = [
        *("grade", str(cohort.submissions), "--out", str(out), "--jobs", "2"),
        *("--roster", str(cohort.roster), "--seed-secret-file", str(cohort.secret)),
    ]
    run = subprocess.Popen(
        [sys.executable, "-m", "attnpack", *words], start_new_session=True, stderr=subprocess.PIPE
    )
    ledger = out / "ledger.jsonl"
    while run.poll() is None:
        if ledger.exists() and ledger.read_bytes().count(b'"kind":"judged"') >= 5:
            break
        time.sleep(0.05)
    if run.poll() is None:
        os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
