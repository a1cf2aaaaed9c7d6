"""Guests reach nothing of attnpack's, and nothing of them is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.calls import Call, Outcome, Task
from attnpack.guest.confine.policy import Policy
from attnpack.host.launch import LaunchError
from attnpack.host.launchers import launcher_for
from attnpack.host.pool import GuestPool, open_pool
from attnpack.host.spawn import SpawnLauncher

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.host.launch import Launcher

    Build = Callable[..., Task]

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def said(pool: GuestPool, task: Task) -> str:
    ran = pool.run(task)
    assert ran.answers["call"].outcome is Outcome.RETURNED, ran
    return ran.output.strip()


@pytest.mark.parametrize(
    "module",
    [
        "attnpack.checks",
        "attnpack.pack",
        "attnpack.pack.checks.exercises",
        "attnpack.pack.reference.numpy.softmax",
        "attnpack.reference",
        "attnpack.calls",
        "attnpack.host",
        "attnpack.submission",
        "checks.exercises",
        "reference.numpy.softmax",
    ],
)
def test_oracle_checks_and_solutions_cannot_be_imported(
    pool: GuestPool, softmax_task: Build, module: str
) -> None:
    source = f"""
        import importlib
        try:
            importlib.import_module({module!r})
            print("imported")
        except ImportError:
            print("denied")
        def softmax(scores): return scores
    """
    assert said(pool, softmax_task(source)) == "denied"


def test_the_value_engine_and_installed_packages_can_be_imported(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import numpy, pytest
        from attnpack.value import Value
        def softmax(scores):
            print(Value.__name__)
            return scores
    """
    assert said(pool, softmax_task(source)) == "Value"


def test_the_environment_and_the_arguments_of_the_host_stay_with_it(
    pool: GuestPool, softmax_task: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATTNPACK_TEST_SECRET", "secret")
    source = """
        import os
        def softmax(scores):
            print("ATTNPACK_TEST_SECRET" in os.environ, os.environ["OMP_NUM_THREADS"])
            return scores
    """
    assert said(pool, softmax_task(source)) == "False 1"


def test_tasks_share_no_state(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import numpy as np
        print(getattr(np, "marked", "fresh"))
        np.marked = "used"
        def softmax(scores): return scores
    """
    assert said(pool, softmax_task(source)) == "fresh"
    assert said(pool, softmax_task(source)) == "fresh"


def test_several_tasks_can_be_under_way_at_once(pool: GuestPool, softmax_task: Build) -> None:
    tasks = [softmax_task(f"def softmax(scores): return scores + {i}") for i in range(4)]
    running = [pool.begin(task) for task in tasks]
    for i, one in reversed(list(enumerate(running))):
        result = one.finish().answers["call"].arrays[0]
        assert result is not None
        assert result[0, 0] == -1.0 + i


def test_large_questions_and_answers_do_not_block_each_other(
    pool: GuestPool, softmax_task: Build
) -> None:
    large = np.ones((500, 1000))
    calls = [Call(str(i), "softmax", (large,)) for i in range(8)]
    ran = pool.run(softmax_task("def softmax(scores): return scores", *calls))
    assert {answer.outcome for answer in ran.answers.values()} == {Outcome.RETURNED}


@LINUX
@pytest.mark.parametrize("ending", ["return scores", "os._exit(1)", "os.abort()"])
def test_no_process_and_no_descriptor_is_left_behind(softmax_task: Build, ending: str) -> None:
    before = _descriptors(), _children()
    with open_pool("numpy") as pool:
        for _ in range(3):
            pool.run(softmax_task(f"import os\ndef softmax(scores):\n    {ending}\n"))
        pool.begin(softmax_task("def softmax(scores): return scores"))
    assert (_descriptors(), _children()) == before


@LINUX
def test_a_process_that_the_learner_started_ends_with_the_guest(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import subprocess, sys
        def softmax(scores):
            print(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]).pid)
            return scores
    """
    pid = said(pool, softmax_task(source))
    for _ in range(500):
        if b"time.sleep(60)" not in _command(pid):
            return
        time.sleep(0.01)
    pytest.fail("it is still there")


def _descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


def _command(pid: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def test_starting_a_pool_imports_no_numpy_here() -> None:
    script = """
import sys
from attnpack.host.pool import open_pool
with open_pool("numpy"):
    print("numpy" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


class Unstartable:
    confined = False

    def start(self) -> None:
        raise LaunchError("no more processes")

    def open(self) -> None:
        raise LaunchError("no more processes")

    def close(self) -> None:
        pass


def test_a_guest_that_cannot_be_started_is_a_fault_and_not_the_learners(
    softmax_task: Build,
) -> None:
    ran = GuestPool(Unstartable()).run(softmax_task("def softmax(scores): return scores"))
    assert ran.fault == "no more processes"
    assert ran.answers["call"].outcome is Outcome.NOT_REACHED


@pytest.mark.parametrize("kind", [SpawnLauncher, launcher_for])
def test_a_guest_whose_library_is_missing_says_which(
    softmax_task: Build, kind: Callable[[str], Launcher]
) -> None:
    with GuestPool(kind("tensorflow")) as pool:
        ran = pool.run(softmax_task("def softmax(scores): return scores"))
    assert ran.fault is not None
    assert "ModuleNotFoundError" in ran.fault
    assert "tensorflow" in ran.fault
    assert ran.loaded.outcome is Outcome.NOT_REACHED


@LINUX
def test_a_learner_who_kills_the_warm_process_harms_no_later_task(softmax_task: Build) -> None:
    with open_pool("numpy") as pool:
        source = "import os\ndef softmax(scores):\n    os.kill(os.getppid(), 9)\n"
        assert pool.run(softmax_task(source)).answers["call"].outcome is not Outcome.RAISED
        ran = pool.run(softmax_task("def softmax(scores): return scores"))
        assert ran.answers["call"].outcome is Outcome.RETURNED


@LINUX
def test_a_warm_process_that_was_killed_is_started_again(softmax_task: Build) -> None:
    with open_pool("numpy") as pool:
        task = softmax_task("import os\ndef softmax(scores):\n    print(os.getppid())\n")
        parent = int(pool.run(task).output)
        os.kill(parent, 9)
        ran = pool.run(softmax_task("def softmax(scores): return scores"))
        assert ran.fault is None
        assert ran.answers["call"].outcome is Outcome.RETURNED


@LINUX
def test_a_pool_with_a_policy_confines_its_guests_or_says_that_it_could_not(
    softmax_task: Build, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    source = f"def softmax(scores):\n    return open({str(secret)!r}).read()\n"
    with open_pool("numpy", Policy().to_json()) as pool:
        ran = pool.run(softmax_task(source))
    if ran.fault is None:
        raised = ran.answers["call"].raised
        assert raised is not None
        assert raised.type in {"PermissionError", "FileNotFoundError"}
    else:
        assert "isolation" in ran.fault
