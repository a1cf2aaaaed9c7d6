"""Where checks are made while watching: one at a time, in a thread, so that keys are heard."""

from __future__ import annotations

import secrets
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from attnpack import submission as submissions
from attnpack.checking import runner
from attnpack.commands import check as checking
from attnpack.errors import StoppedError
from attnpack.report.prose import say, wrapped
from attnpack.report.waiting import PassingLine
from attnpack.watch.events import Checked, Event, NotChecked, Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from attnpack.commands.targets import Target
    from attnpack.host.pool import GuestPool
    from attnpack.report.terminal import View
    from attnpack.terms import Backend

LIMIT_S: Final = runner.Limits().call_s


WHOLE: Final = "The whole report: f"
TAKEN: Final = 8
"""lines of the screen for what is said above and below a verdict"""


@dataclass
class Desk:
    """Checks a target and shows the verdict where the last one stood."""

    target: Target
    backend: Backend
    guests: GuestPool
    """warm: what a check pays for is its own work"""
    console: Console
    post: Callable[[Event], None]
    line: PassingLine = field(default_factory=lambda: PassingLine(sys.stdout))
    _number: int = 0
    _checking: threading.Thread | None = None
    _what: str = ""
    _began: float = 0.0
    _last: View | None = None
    _tracing: subprocess.Popen[bytes] | None = None

    @property
    def is_checking(self) -> bool:
        """Whether a check is under way."""
        return self._checking is not None and self._checking.is_alive()

    def begin(self, exercises: Sequence[str]) -> int:
        """Start a check, in place of one that is under way; its number comes with its verdict."""
        self.stop()
        self._number += 1
        others = f" and {len(exercises) - 1} more" if len(exercises) > 1 else ""
        self._what = f"{exercises[0]}{others}"
        self._began = time.monotonic()
        self._checking = threading.Thread(
            target=self._check, args=(self._number, tuple(exercises)), daemon=True
        )
        self._checking.start()
        return self._number

    def stop(self) -> None:
        """End what is under way, a check or a trace; nothing more is heard of it."""
        self._number += 1
        if self._tracing is not None and self._tracing.poll() is None:
            self._tracing.kill()
        if self._checking is not None:
            self.guests.stop()
            self._checking.join()
            self.guests.resume()
            self._checking = None

    def tick(self) -> None:
        """Show how long the check has been under way, and that the verdict above is old."""
        if self.is_checking:
            old = "above is old; " if self._last is not None else ""
            seconds = int(time.monotonic() - self._began)
            self.line.show(f"{old}checking {self._what}: {seconds} s, limit {LIMIT_S:g} s a call")

    def show(self, checked: Checked) -> None:
        """Show a verdict and remember it. What stood on the screen can be scrolled back to."""
        names = [exercise.name for exercise in checked.report.exercises]
        self._fresh_screen()
        said = f"checked {', '.join(names)} in {checked.took_s * 1000:.0f} ms"
        say(f"{time.strftime('%H:%M:%S')}  {said}\n")
        target = self.target.asking(names)
        news = checking.news_of(target, checked.report)
        self._last = checking.view_of(checked.report, checked.submission, (), news=news)
        checking.show(self._last, WHOLE, full=False, taken=TAKEN)
        checking.remember(target, checked.report, checked.submission)

    def show_whole(self) -> None:
        """Show the whole of the last report."""
        if self._last is not None:
            self._fresh_screen()
            checking.show(self._last, WHOLE, full=True)

    def trace(self, exercise: str) -> None:
        """Show the lines of an exercise with what they made; `Traced` comes at the end."""
        words = [sys.executable, "-m", "attnpack", "trace", str(self.target.path), exercise]
        self._tracing = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        threading.Thread(target=self._await_trace, args=(self._tracing,), daemon=True).start()

    def say(self, text: str) -> None:
        """A few words under the verdict."""
        say(f"\n{wrapped(text)}")

    def _check(self, number: int, exercises: tuple[str, ...]) -> None:
        """In the thread: judge what is saved now."""
        began = time.perf_counter()
        try:
            submission = submissions.own(self.target.path, self.target.pack)
            report = runner.check(
                submission,
                backend=self.backend,
                seed=secrets.randbelow(100_000),
                exercises=exercises,
                keep_going=True,
                pool=self.guests,
            )
        except StoppedError:
            return
        except Exception as error:  # noqa: BLE001  it is raised, or told, where events are handled
            self.post(NotChecked(number, error))
            return
        self.post(Checked(number, submission, report, time.perf_counter() - began))

    def _await_trace(self, process: subprocess.Popen[bytes]) -> None:
        if process.wait() >= 0:  # not killed
            self.post(Traced())

    def _fresh_screen(self) -> None:
        """Push what is shown up and out of sight, without erasing it."""
        if self.console.is_terminal:
            self.console.file.write("\n" * self.console.height + "\x1b[H")
