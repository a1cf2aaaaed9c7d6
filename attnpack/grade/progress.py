"""How far a run is: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EVERY_S = 10.0


@contextmanager
def progress(total: int, stream: TextIO = sys.stderr) -> Iterator[Callable[[], None]]:
    """Gives a function to call after each submission."""
    if stream.isatty():
        with _bar(total, stream) as step:
            yield step
    else:
        lines = _Lines(total, stream)
        yield lines.step
        lines.last()


@contextmanager
def _bar(total: int, stream: TextIO) -> Iterator[Callable[[], None]]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    from attnpack.report.screen import Screen

    columns = (
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeLeft(),
        TextColumn("left"),
    )
    with Progress(*columns, console=Screen(file=stream)) as bar:
        task = bar.add_task("", total=total, rate="")
        start = time.monotonic()
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            bar.update(task, advance=1, rate=_rate(done, time.monotonic() - start))

        yield step


class _Lines:
    def __init__(self, total: int, stream: TextIO) -> None:
        self._total = total
        self._stream = stream
        self._start = self._said = time.monotonic()
        self._done = 0

    def step(self) -> None:
        self._done += 1
        now = time.monotonic()
        if now - self._said >= _EVERY_S:
            self._said = now
            self._say(now - self._start)

    def last(self) -> None:
        if self._done:
            self._say(time.monotonic() - self._start)

    def _say(self, seconds: float) -> None:
        left = (self._total - self._done) * seconds / self._done
        self._stream.write(
            f"{self._done} of {self._total} submissions, {_rate(self._done, seconds)}, "
            f"{left:.0f} s left\n"
        )
        self._stream.flush()


def _rate(done: int, seconds: float) -> str:
    return f"{done / seconds:.1f} a second" if seconds > 0 else ""
