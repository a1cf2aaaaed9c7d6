"""`attnpack watch`: checks again at each save."""

import queue
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.commands import check as checking
from attnpack.commands import hint, targets
from attnpack.report.prose import say, wrapped

if TYPE_CHECKING:
    from rich.console import Console

    from attnpack.host.pool import GuestPool
    from attnpack.report.model import Report
    from attnpack.terms import Backend
    from attnpack.watch.events import Event

NO_KEYBOARD = "Watching. There is no keyboard here: Ctrl-C ends it."


def watch(
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="A workspace, folder or file.")
    ] = None,
    backend: checking.BackendOption = None,
    pack: targets.PackOption = None,
) -> None:
    """Check again at each save; keys for help, and for the next exercise."""
    from attnpack import submission as submissions
    from attnpack.host.pool import open_pool
    from attnpack.report import terminal
    from attnpack.watch.files import FileWatch
    from attnpack.watch.keys import keys
    from attnpack.watch.session import Going, Session

    target = targets.read([path] if path else [], Path.cwd(), pack)
    events: queue.Queue[Event] = queue.Queue()
    named = [target.pack.exercise(name) for name in target.exercises]
    first = named[0] if named else hint.current(target.workspace, target.pack)
    chosen = backend or checking.backend_of(target, submissions.own(target.path, target.pack))
    with (
        open_pool(chosen) as guests,
        keys(events.put) as keyboard,
        FileWatch(target.path, events.put),
    ):
        session = Session(target, Desk(target, chosen, guests, terminal.console()), first)
        try:
            session.start()
            say("Nothing happens after a save? c checks now." if keyboard else NO_KEYBOARD)
            while session.handle(events.get()) is Going.ON:
                pass
        finally:
            say(f"\nTo go on where you are: attnpack watch {path or ''}".rstrip())


@dataclass
class Desk:
    """Checks a target and shows the verdict where the last one stood."""

    target: targets.Target
    backend: "Backend"
    guests: "GuestPool"
    """warm: what a check pays for is its own work"""
    console: "Console"

    def check(self, exercises: Sequence[str]) -> "Report":
        """The verdict on some exercises. What stood on the screen can be scrolled back to."""
        began = time.perf_counter()
        target = self.target.asking(exercises)
        submission, report = checking.run(
            target, self.backend, None, keep_going=True, pool=self.guests
        )
        took = time.perf_counter() - began
        self._fresh_screen()
        say(
            f"{time.strftime('%H:%M:%S')}  checked {', '.join(exercises)} in {took * 1000:.0f} ms\n"
        )
        checking.show(report, submission, ())
        checking.remember(target, report, submission)
        return report

    def say(self, text: str) -> None:
        """A few words under the verdict."""
        say(f"\n{wrapped(text)}")

    def _fresh_screen(self) -> None:
        """Push what is shown up and out of sight, without erasing it."""
        if self.console.is_terminal:
            self.console.file.write("\n" * self.console.height + "\x1b[H")
