"""Worker processes: killed, stuck, interrupted; and a real Dask cluster that loses one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from grade_fakes import FAKE_JUDGE

from attnpack.grade import schedule
from attnpack.grade.jobs import Job, Settings
from attnpack.grade.ledger import FILE_NAME, read_ledger
from attnpack.grade.schedule import Finished, Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

SETTINGS = Settings(FAKE_JUDGE)
RIGHT = "def softmax(scores): return scores\n"
SLOW = "# judge: sleeps\n" + RIGHT
GRADE = """
import sys
from pathlib import Path
from attnpack.grade.commands import Options, grade
folder, out, secret, resume = sys.argv[1:]
options = Options(Path(folder), Path(out), 2, judge="grade_fakes:open_judge",
                  seed_secret_file=Path(secret), resume=resume == "resume")
if __name__ == "__main__":
    try:
        sys.exit(grade(options))
    except KeyboardInterrupt:
        sys.exit(130)
"""


def job(name: str, text: str = RIGHT) -> Job:
    return Job(name, {"attention.py": text.encode()}, "numpy", 1, 2, 3)


def alive(pid: int) -> bool:
    """Whether it runs: an ended process that nobody has waited for does not."""
    found = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return not found.stdout.strip().startswith("Z") and bool(found.stdout.strip())


def workers_of(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False)
    return [int(word) for word in found.stdout.split()]


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    pytest.fail("it did not happen within 30 seconds")


def judged(out: Path) -> list[str]:
    entries = read_ledger(out / FILE_NAME).entries
    return [entry["key"][0] for entry in entries if entry["kind"] == "judged"]


def kill_when(pid: int, holds: Callable[[], bool]) -> None:
    wait_until(holds)
    os.kill(pid, signal.SIGKILL)


def test_every_job_is_judged_once_by_however_many_workers() -> None:
    for count in (1, 3):
        finished = list(Workers(count, SETTINGS).run(job(str(at)) for at in range(10)))
        assert sorted(one.job.submission for one in finished) == [str(at) for at in range(10)]
        assert all(one.judged and one.attempts == 1 for one in finished)


def test_a_stuck_worker_is_ended_and_its_job_tried_again() -> None:
    [finished] = Workers(1, SETTINGS, backstop_s=0.05).run([job("a", SLOW)])
    assert finished.judged is None
    assert finished.attempts == 3


def test_jobs_are_drawn_only_as_fast_as_they_are_judged() -> None:
    drawn = []

    def jobs() -> object:
        for at in range(50):
            drawn.append(at)
            yield job(str(at))

    results = Workers(2, SETTINGS).run(jobs())  # type: ignore[arg-type]
    next(results)
    assert len(drawn) <= 5
    results.close()  # type: ignore[attr-defined]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_run_resumes_without_losing_or_repeating(
    lay: Callable[[Mapping[str, str]], Path],
    tmp_path: Path,
    secret: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, out = tmp_path / "judged.log", tmp_path / "out"
    monkeypatch.setenv("FAKE_JUDGE_LOG", str(log))
    folder = lay({f"s{at:02}.py": f"{SLOW}# {at}\n" for at in range(16)})
    script = tmp_path / "run.py"
    script.write_text(GRADE)
    command = [sys.executable, str(script), str(folder), str(out), str(secret)]

    with subprocess.Popen([*command, "fresh"]) as process:
        wait_until(lambda: len(judged(out)) >= 5)
        workers = workers_of(process.pid)
        process.kill()
    assert workers
    wait_until(lambda: not any(alive(pid) for pid in workers))
    before = judged(out)
    assert len(before) < 16
    subprocess.run([*command, "resume"], check=True)
    assert len(judged(out)) == len(set(judged(out))) == 16
    assert judged(out)[: len(before)] == before
    assert len(set(log.read_text().split())) == 16
    assert log.read_text().count("\n") <= 16 + 2


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_cleanly_and_says_how_to_resume(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path, secret: Path
) -> None:
    out = tmp_path / "out"
    folder = lay({f"s{at:02}.py": f"{SLOW}# {at}\n" for at in range(16)})
    script = tmp_path / "run.py"
    script.write_text(GRADE)
    command = [sys.executable, str(script), str(folder), str(out), str(secret), "fresh"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: len(read_ledger(out / FILE_NAME).entries) > 6)
        workers = workers_of(process.pid)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "--resume" in said
    assert "Traceback" not in said
    assert read_ledger(out / FILE_NAME).damaged == ()
    assert not any(alive(pid) for pid in workers)


def test_a_cluster_that_loses_a_worker_loses_nothing_and_repeats_nothing(
    graded: Callable[..., Path], tmp_path: Path
) -> None:
    distributed = pytest.importorskip("distributed")
    out = tmp_path / "out"
    files = {f"{at:02}.py": f"{SLOW}# {at}\n" for at in range(24)}
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        killer = threading.Thread(target=kill_when, args=(victim, lambda: len(judged(out)) >= 4))
        killer.start()
        graded(files, scheduler=cluster.scheduler_address)
        killer.join()
        assert not alive(victim)
    assert len(judged(out)) == len(set(judged(out))) == 24


def finished(settings: Settings) -> list[Finished]:
    """What comes of one job; fails where nothing ever comes."""
    came: list[Finished] = []
    run = threading.Thread(
        target=lambda: came.extend(Workers(1, settings).run([job("a")])), daemon=True
    )
    run.start()
    run.join(60)
    assert not run.is_alive(), "the run waits for ever"
    return came


@pytest.mark.parametrize("line", ['{"report": nu', "[1]\n", '{"report": {"schema": 1}}\n', "{}\n"])
def test_an_answer_that_is_cut_short_is_a_fault_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setattr(schedule._Seat, "_ask", lambda *_: line)
    [one] = finished(SETTINGS)
    assert one.judged is None
    assert "answer" in one.fault


def test_a_worker_that_cannot_be_started_is_a_fault_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(schedule.subprocess, "Popen", refused)
    [one] = finished(SETTINGS)
    assert one.judged is None
    assert "temporarily unavailable" in one.fault
