"""`attnpack watch` as a process: in a terminal, in a pipe, and how it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import pytest

from attnpack import pack
from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONG = 60
"""seconds after which nothing more will come"""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scaffolding.init(tmp_path, Backend.NUMPY)
    return tmp_path


class Watched:
    """A running watch; what it writes is collected in the background."""

    def __init__(self, process: subprocess.Popen[bytes], written: BinaryIO) -> None:
        self.process = process
        self._text = ""
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, args=(written,), daemon=True)
        self._reader.start()

    def _read(self, written: BinaryIO) -> None:
        while True:
            try:
                part = os.read(written.fileno(), 4096)
            except (OSError, ValueError):  # closed, by either side
                part = b""
            with self._more:
                self._text += part.decode(errors="replace")
                self._more.notify_all()
            if not part:
                return

    def waits_for(self, text: str) -> str:
        """What was written before the text."""
        with self._more:
            assert self._more.wait_for(lambda: text in self._text, timeout=LONG), self._text
            before, self._text = self._text.split(text, 1)
            return before

    def ends(self) -> int:
        return self.process.wait(timeout=LONG)


@contextmanager
def in_a_pipe(folder: Path) -> Iterator[Watched]:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "attnpack", "watch"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    with process, process.stdout as written:
        try:
            yield Watched(process, written)
        finally:
            process.kill()


@contextmanager
def in_a_terminal(folder: Path) -> Iterator[tuple[Watched, int]]:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "attnpack", "watch"],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    with process, os.fdopen(ours, "rb", buffering=0) as written:
        try:
            yield Watched(process, written), ours
        finally:
            process.kill()


def solution(file: str) -> str:
    return pack.load().reference_path("numpy", file).read_text(encoding="utf-8")


def test_in_a_pipe_it_checks_at_each_save_and_says_how_to_end_it(folder: Path) -> None:
    with in_a_pipe(folder) as watched:
        watched.waits_for("· not started")
        watched.waits_for("Ctrl-C ends it")
        (folder / "softmax.py").write_text(solution("softmax.py"))
        watched.waits_for("softmax passes. n: the next one.")
        (folder / "softmax.py").write_text("def softmax(scores:\n")
        watched.waits_for("SyntaxError")


@POSIX
def test_ctrl_c_ends_it_with_130_and_says_how_to_go_on(folder: Path) -> None:
    with in_a_pipe(folder) as watched:
        watched.waits_for("Ctrl-C ends it")
        watched.process.send_signal(signal.SIGINT)
        watched.waits_for("attnpack watch")
        assert watched.ends() == 130


@POSIX
def test_in_a_terminal_keys_work_and_q_ends_it(folder: Path) -> None:
    (folder / "softmax.py").write_text(solution("softmax.py"))
    with in_a_terminal(folder) as (watched, keyboard):
        watched.waits_for("c checks now")
        os.write(keyboard, b"n")
        watched.waits_for("At attention_scores.")
        os.write(keyboard, b"\x1b[A")
        os.write(keyboard, b"h")
        watched.waits_for("attention_scores, hint 1 of 3")
        os.write(keyboard, b"q")
        assert watched.ends() == 0


@POSIX
def test_the_terminal_is_as_it_was_after_the_end(folder: Path) -> None:
    import termios

    with in_a_terminal(folder) as (watched, keyboard):
        before = termios.tcgetattr(keyboard)
        watched.waits_for("c checks now")
        assert not termios.tcgetattr(keyboard)[3] & termios.ICANON
        os.write(keyboard, b"\x04")
        assert watched.ends() == 0
        assert termios.tcgetattr(keyboard)[3] == before[3]


@POSIX
def test_a_save_ends_the_check_of_an_endless_loop_and_meanwhile_the_old_verdict_is_called_old(
    folder: Path,
) -> None:
    with in_a_terminal(folder) as (watched, keyboard):
        watched.waits_for("c checks now")
        (folder / "softmax.py").write_text("def softmax(scores):\n    while True:\n        pass\n")
        watched.waits_for("above is old; checking softmax: 0 s, limit 5 s a call")
        os.write(keyboard, b"h")
        watched.waits_for("softmax, hint 1 of 3")
        (folder / "softmax.py").write_text(solution("softmax.py"))
        assert "did not end" not in watched.waits_for("softmax passes.")
