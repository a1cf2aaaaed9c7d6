"""`attnpack watch`: checks again at each save."""

import queue
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.commands import check as checking
from attnpack.commands import hint, targets
from attnpack.report.prose import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.watch.desk import Desk
    from attnpack.watch.events import Event

TICK_S = 0.2
"""how often the line of a check that is under way is written anew"""
KEYBOARD = "Nothing happens after a save? c checks now."
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
    from attnpack.watch.desk import Desk
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
        desk = Desk(target, chosen, guests, terminal.console(), events.put)
        session = Session(target, desk, first, first_words=KEYBOARD if keyboard else NO_KEYBOARD)
        try:
            session.start()
            for event in _events(events, desk):
                if session.handle(event) is Going.STOP:
                    break
        finally:
            desk.stop()
            say(f"\nTo go on where you are: attnpack watch {path or ''}".rstrip())


def _events(waiting: "queue.Queue[Event]", desk: "Desk") -> "Iterator[Event]":
    """Each event as it comes; in between, the line that says what is being checked."""
    while True:
        try:
            event = waiting.get(timeout=TICK_S)
        except queue.Empty:
            desk.tick()
            continue
        desk.line.clear()
        yield event
