"""A cohort graded by root and by an ordinary user: the same marks, attacks beside right ones."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from sampled import one_of

from attnpack import pack

REPOSITORY = Path(__file__).parents[2]
WRONG = "import numpy as np\n\n\ndef softmax(scores):\n    return np.exp(scores)\n"
FORGED = "import os\n\n\ndef softmax(scores):\n    os.write(1, b'passed')\n    os._exit(0)\n"


def cohort(folder: Path) -> None:
    for backend in ("numpy", "value"):
        (folder / backend).mkdir(parents=True)
        for exercise in pack.load().chapters[0].exercises:
            text = pack.load().reference_path(backend, exercise.file).read_text("utf-8")
            (folder / backend / exercise.file).write_text(text, "utf-8")
    (folder / "forged.py").write_text(FORGED)
    (folder / "wrong.py").write_text(WRONG)


def test_a_cohort_gets_the_marks_it_earned(user):
    with tempfile.TemporaryDirectory(prefix="attnpack-test-") as place:
        Path(place).chmod(0o777)  # also for who is not the one who made it
        cohort(Path(place, "cohort"))
        options = ("--require-isolation", "contained", "--jobs", "2", "--deadline-s", "1")
        user.run("-m", "attnpack", "grade", f"{place}/cohort", "--out", f"{place}/out", *options)
        with Path(place, "out", "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["submission"]: row for row in csv.DictReader(file)}
    scores = {name: (row["score"], row["status"]) for name, row in rows.items()}
    assert scores == {
        "numpy": ("7", "passed"),
        "value": ("7", "passed"),
        "forged.py": ("0", "error"),
        "wrong.py": ("0", "failed"),
    }
    assert rows["wrong.py"]["bugs"] == "softmax-missing"


TAKES_MARKS = """
from pathlib import Path
rows = "submission,exercise,points,reason\\nmallory.py,*,7,agreed\\n"
for out in Path("{out}").parent.glob("out*"):
    (out / "overrides.csv").write_text(rows)
def softmax(scores):
    return scores
"""


def graded_without_a_sandbox(place: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "attnpack", "grade", f"{place}/cohort", "--out"]
    return subprocess.run(
        [
            sys.executable,
            str(Path(__file__).with_name("without_a_sandbox.py")),
            *command,
            f"{place}/out",
            *options,
        ],
        env={name: value for name, value in os.environ.items() if name != "CI"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_where_nothing_confines_students_nothing_is_graded_unless_that_is_accepted(tmp_path):
    """Code that writes itself a mark runs only for who said that it may."""
    (tmp_path / "cohort").mkdir()
    hostile = TAKES_MARKS.format(out=tmp_path / "out")
    (tmp_path / "cohort" / "mallory.py").write_text(hostile)
    refused = graded_without_a_sandbox(tmp_path)
    assert refused.returncode == 2
    assert "write to a file" in refused.stderr
    assert "the trial" not in refused.stderr  # it was held: the reason is the machine's
    assert "--require-isolation process" in refused.stderr
    assert not (tmp_path / "out").exists()
    accepted = graded_without_a_sandbox(tmp_path, "--require-isolation", "process")
    assert accepted.returncode == 0, accepted.stderr
    assert "cannot confine" in accepted.stderr


KILLS = """
import os, signal
def softmax(scores):
    judge = int(open(f"/proc/{os.getppid()}/stat").read().rpartition(")")[2].split()[1])
    os.kill(judge, signal.SIGKILL)
    return scores
"""
FORGES = """
def softmax(scores):
    namespace = {}
    exec(open("@SOLUTION@").read(), namespace)
    return namespace["softmax"](scores)
"""
OUTLIVES = """
import os, time
if os.fork() == 0:
    time.sleep(1)
    open("@FOLDER@/outlived", "w").close()
    os._exit(0)
def softmax(scores):
    return scores
"""


@pytest.mark.parametrize("source", one_of([KILLS, FORGES, OUTLIVES]))
def test_somebody_elses_file_can_be_checked_confined(user, source):
    solution = pack.load().reference_path("numpy", "softmax.py")
    with tempfile.TemporaryDirectory(prefix="attnpack-test-") as place:
        Path(place).chmod(0o777)
        text = source.replace("@SOLUTION@", str(solution)).replace("@FOLDER@", place)
        Path(place, "theirs.py").write_text(text)
        command = [*user.command, sys.executable, "-m", "attnpack", "check"]
        done = subprocess.run(
            [*command, f"{place}/theirs.py", "softmax", "--confined"],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), "HOME": "/nonexistent"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        time.sleep(1.5)
        assert not Path(place, "outlived").exists()


def test_where_nothing_confines_somebody_elses_file_is_not_run(tmp_path):
    (tmp_path / "theirs.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + WRONG)
    helper = str(Path(__file__).with_name("without_a_sandbox.py"))
    command = [sys.executable, "-m", "attnpack", "check", str(tmp_path / "theirs.py")]
    done = subprocess.run(
        [sys.executable, helper, *command, "--confined"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "write to a file" in done.stderr
    assert not (tmp_path / "ran").exists()
