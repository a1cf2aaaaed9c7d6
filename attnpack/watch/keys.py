"""Single keys from the terminal, without waiting for Enter; none where there is no terminal."""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from attnpack.watch.events import Closed, Key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOOK_S: Final = 0.2
_ARROWS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?")
"""arrows, function keys, Alt with a key: no commands"""


@contextmanager
def keys(post: Callable[[Key | Closed], None]) -> Iterator[bool]:
    """Post every key while the block runs; yields whether there is a keyboard."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        yield False
        return
    stop = threading.Event()
    if sys.platform == "win32":
        thread = threading.Thread(target=_windows, args=(post, stop), daemon=True)
        thread.start()
        yield True
        stop.set()
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    thread = threading.Thread(target=_posix, args=(post, stop), daemon=True)
    thread.start()
    try:
        yield True
    finally:
        stop.set()
        thread.join(timeout=2)
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _posix(post: Callable[[Key | Closed], None], stop: threading.Event) -> None:
    import os
    import select

    while not stop.is_set():
        ready, _, _ = select.select([sys.stdin], [], [], LOOK_S)
        if not ready:
            continue
        typed = os.read(sys.stdin.fileno(), 1024).decode(errors="ignore")
        if not typed or "\x04" in typed:
            post(Closed())
            return
        for character in _ARROWS.sub("", typed):
            post(Key(character.lower()))


def _windows(post: Callable[[Key | Closed], None], stop: threading.Event) -> None:
    if sys.platform == "win32":
        import msvcrt

        while not stop.is_set():
            if msvcrt.kbhit():
                post(Key(msvcrt.getwch().lower()))
            else:
                time.sleep(LOOK_S / 4)
