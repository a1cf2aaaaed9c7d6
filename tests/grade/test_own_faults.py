"""Where attnpack fails on one exercise, that is an error, we are told, and the rest is judged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attnpack import pack
from attnpack.grade import details, judging, loading
from attnpack.grade.jobs import InfrastructureFaultError, Job, Judged, Settings
from attnpack.grade.judge import open_judge
from attnpack.grade.judging import judge_job
from attnpack.grade.worker_limits import TooSlowError, cpu_limit
from attnpack.report.model import Report
from attnpack.submission import Submission
from attnpack.terms import Status

WRONG = b"def softmax(scores):\n    return scores * 0 + 0.5\n"


@pytest.fixture
def judge():
    opened = open_judge(Settings("", None, deadline_s=1.0))
    yield opened
    opened.close()


def judged(judge, **files: bytes):
    job = Job("s", {f"{name}.py": text for name, text in files.items()}, "numpy", 1, 2, 3)
    return judge_job(judge, job).report


def failing(*_: object) -> None:
    raise IndexError("list index out of range")


def test_an_exercise_that_cannot_be_judged_is_an_error_and_its_neighbours_are_judged(
    judge, monkeypatch, capfd
):
    known = type(pack.load())
    ordinary = known.judge

    def faulty(self, plan, transcript):
        return failing() if plan.exercise == "softmax" else ordinary(self, plan, transcript)

    monkeypatch.setattr(known, "judge", faulty)
    path = pack.load().reference_path("numpy", "causal_mask.py")
    report = judged(judge, softmax=WRONG, causal_mask=path.read_bytes())
    status = {exercise.name: exercise.status for exercise in report.exercises}
    assert (status["softmax"], status["causal_mask"]) == (Status.ERROR, Status.PASSED)
    assert "please report it" in report.exercises[0].failing.message
    assert "IndexError" in capfd.readouterr().err


@pytest.mark.parametrize("part", ["diagnose", "locate"])
def test_a_diagnosis_that_fails_leaves_the_verdict(judge, monkeypatch, capfd, part):
    monkeypatch.setattr(type(pack.load()), part, failing)
    report = judged(judge, softmax=WRONG)
    assert report.exercises[0].status == Status.FAILED
    assert "IndexError" in capfd.readouterr().err


def test_a_failure_around_the_exercises_costs_that_submission_and_is_told(
    judge, monkeypatch, capfd
):
    monkeypatch.setattr(judging, "_with_own_names", failing)
    job = Job("s", {"softmax.py": WRONG}, "numpy", 1, 2, 3)
    result = judge_job(judge, job)
    assert result.report is None
    assert "please report it" in result.problem
    assert "IndexError" in capfd.readouterr().err


@pytest.mark.parametrize("error", [IndexError("list index out of range"), OSError(36, "too long")])
@pytest.mark.parametrize(
    ("place", "part"),
    [
        (judging, "_named_lines"),
        (judging, "_clusters"),
        (judging, "shapes_of"),
        (details, "details"),
        (Submission, "remarks"),
    ],
)
def test_what_no_mark_hangs_on_fails_alone(judge, monkeypatch, capfd, place, part, error):
    def failing(*_: object) -> None:
        raise error

    monkeypatch.setattr(place, part, property(failing) if place is Submission else failing)
    assert judged(judge, softmax=WRONG).exercises[0].status == Status.FAILED
    assert type(error).__name__ in capfd.readouterr().err


def test_looking_for_what_is_ready_made_fails_alone(monkeypatch, capfd):
    monkeypatch.setattr(judging, "hints", failing)
    chosen = loading.load_with_names({"softmax.py": WRONG})
    report = Report("0.1.0", "sha256:pack", "contained", "s", "torch", 1, ())
    named = judging._with_own_names(Judged(report), chosen)
    assert named.report is not None
    assert named.hints == ()
    assert "IndexError" in capfd.readouterr().err


def test_a_failing_call_of_the_system_is_no_second_try_once_answers_came(judge, monkeypatch, capfd):
    def closed(*_: object) -> None:
        raise OSError(36, "File name too long")

    for part in ("_steady", "withheld", "_with_own_names"):
        with monkeypatch.context() as only:
            only.setattr(judging, part, closed)
            result = judge_job(judge, Job("s", {"softmax.py": WRONG}, "numpy", 1, 2, 3))
        assert result.report is None
        assert "please report it" in result.problem
    capfd.readouterr()


def test_what_cannot_be_asked_is_worth_a_second_try(judge, monkeypatch):
    from attnpack.checking import runner

    def closed(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(runner, "check", closed)
    with pytest.raises(InfrastructureFaultError, match="temporarily unavailable"):
        judge_job(judge, Job("s", {"softmax.py": WRONG}, "numpy", 1, 2, 3))


def test_reading_that_fails_for_our_fault_is_told_and_costs_that_submission(
    judge, monkeypatch, capfd
):
    monkeypatch.setattr(loading, "choose", failing)
    result = judge_job(judge, Job("s", {"softmax.py": WRONG}, "numpy", 1, 2, 3))
    assert result.report is None
    assert "please report it" in result.problem
    assert "IndexError" in capfd.readouterr().err


def test_reading_has_a_limit_of_processor_time():
    def compute_for_ever():
        with cpu_limit(0.2):
            while True:
                pass

    with pytest.raises(TooSlowError):
        compute_for_ever()
    with cpu_limit(0.2):
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="needs the death signal of Linux")
def test_a_worker_does_not_outlive_who_started_it(tmp_path):
    told = tmp_path / "pid"
    inner = (
        "import os, time, pathlib; from attnpack.grade.worker_limits import die_with_parent;"
        f"die_with_parent(); pathlib.Path({str(told)!r}).write_text(str(os.getpid()));"
        "time.sleep(60)"
    )
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    parent = subprocess.Popen([sys.executable, "-c", outer])
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    worker = int(told.read_text())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(worker)


def _runs(pid: int) -> bool:
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
