"""The witness of a selftest: its canary is one run's own, whatever runs before or beside it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from attnpack.grade.corpus import Targets
from attnpack.grade.ground import PLACE, PREFIX
from attnpack.grade.witness import Witness

KILLED = """
import os, signal, sys
from pathlib import Path
from attnpack.grade.witness import Witness
with Witness() as seen:
    Path(seen.targets.canary, "l").symlink_to("/etc/passwd")
    Path("/tmp", seen.targets.owned).write_text("left")
    print(seen.targets.canary, seen.targets.owned, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def left_by_a_killed_run() -> list[Path]:
    """Its canary, which an attack had changed, and a file that an attack had left."""
    command = [sys.executable, "-c", KILLED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    canary, owned = done.stdout.split()
    left = [Path(canary).parent, PLACE / owned]
    assert all(path.exists() for path in left), done.stderr
    return left


def test_what_a_killed_run_left_is_no_complaint_and_is_taken_away(left_by_a_killed_run):
    with Witness() as seen:
        assert seen.complaints(seen.look()) == []
        assert not any(path.exists() for path in left_by_a_killed_run)


def test_what_a_killed_run_left_hides_nothing(left_by_a_killed_run):
    with Witness() as seen:
        before = seen.look()
        Path(seen.targets.canary, "l").symlink_to("/etc/passwd")
        assert seen.complaints(before) == [f"{seen.targets.canary} was changed"]


def test_a_run_takes_its_folder_with_it():
    with Witness() as seen:
        assert Path(seen.targets.canary, "bird").read_text() == "alive\n"
        assert seen.submissions.is_dir()
    assert not Path(seen.targets.canary).parent.exists()


def test_a_canary_that_was_deleted_is_seen():
    with Witness() as seen:
        before = seen.look()
        shutil.rmtree(seen.targets.canary)
        assert seen.complaints(before) == [f"{seen.targets.canary} was changed"]


def test_a_neighbours_run_is_left_alone():
    with Witness() as one:
        before = one.look()
        with Witness():
            pass
        assert one.complaints(before) == []


def test_what_a_neighbours_attacks_get_is_not_our_complaint():
    with Witness() as one, Witness() as other:
        before, others = one.look(), other.look()
        shutil.rmtree(other.targets.canary)
        note = PLACE / other.targets.owned
        note.write_text("left")
        with socket.create_connection(("127.0.0.1", other.targets.port)):
            assert one.complaints(before) == []
            assert other.complaints(others) == [
                f"{other.targets.canary} was changed",
                f"left a file: {note}",
                "opened a connection",
            ]
        note.unlink()


def test_a_folder_of_another_user_is_not_ours_to_clean(monkeypatch):
    theirs = PLACE / f"{PREFIX}another-users"
    theirs.mkdir()
    try:
        with monkeypatch.context() as as_another:
            as_another.setattr("os.getuid", lambda: theirs.stat().st_uid + 1)
            with Witness():
                assert theirs.exists()
    finally:
        theirs.rmdir()


def test_attacks_are_aimed_at_the_targets_of_their_run():
    own = Targets("/tmp/attnpack-canary-x", "attnpack-owned-x", 5)
    written = "rm /tmp/attnpack-canary/l; touch attnpack-owned.py; connect(47613)"
    assert own.put_into(written) == (
        "rm /tmp/attnpack-canary-x/l; touch attnpack-owned-x.py; connect(5)"
    )


def test_the_orphans_it_adopted_do_not_stay_behind():
    leaves_one = "import subprocess; print(subprocess.Popen(['true'], stdout=-3).pid)"
    with Witness():
        done = subprocess.run(
            [sys.executable, "-c", leaves_one], capture_output=True, text=True, check=True
        )
        time.sleep(0.2)
    state = Path("/proc", done.stdout.strip(), "stat")
    assert not state.exists() or f" {os.getpid()} " not in state.read_text()
