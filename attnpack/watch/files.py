"""Notices saves, by content: what editors do with swap files, renames and empty files in between
does not count, and neither does a save that changes nothing.

Events of the file system, where there are any, only make it faster. The files are looked at
every second all the same, so that a file system without events (WSL, network, an exhausted
inotify limit) is found out and polled instead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from attnpack.watch.events import NowPolling, Saved

if TYPE_CHECKING:
    from pathlib import Path

Snapshot: TypeAlias = Mapping[str, bytes]
"""file name -> content"""

POLL_S: Final = 0.1
LOOK_ANYWAY_S: Final = 1.0
SETTLE_S: Final = 0.03
SETTLE_TRIES: Final = 30


def snapshot(target: Path) -> Snapshot:
    """The Python files of a folder, or the one file; files that cannot be read are missing."""
    paths = sorted(target.glob("[!.]*.py")) if target.is_dir() else [target]
    contents = {}
    for path in paths:
        try:
            contents[path.name] = path.read_bytes()
        except OSError:
            continue
    return contents


def changed(before: Snapshot, after: Snapshot) -> frozenset[str]:
    """The names of the files that differ."""
    return frozenset(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))


class FileWatch:
    """A thread that posts `Saved` for every change under a folder, or of one file."""

    def __init__(self, target: Path, post: Callable[[Saved | NowPolling], None]) -> None:
        self._target = target
        self._post = post
        self._known = snapshot(target)
        self._announced = threading.Event()
        self._stop = threading.Event()
        self._interval = LOOK_ANYWAY_S
        self._threads = [
            threading.Thread(target=self._listen, daemon=True),
            threading.Thread(target=self._look, daemon=True),
        ]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._announced.set()
        for thread in self._threads:
            thread.join(timeout=2)

    def _listen(self) -> None:
        """Pass the announcements of the file system on, if it makes any."""
        folder = self._target if self._target.is_dir() else self._target.parent
        try:
            import watchfiles
        except ImportError:
            self._poll("watchfiles is not installed: pip install 'attnpack[watch]'")
            return
        try:
            announced = watchfiles.watch(
                folder,
                watch_filter=None,
                debounce=20,
                step=10,
                stop_event=self._stop,
                rust_timeout=500,
                raise_interrupt=False,
                recursive=False,
            )
            for _ in announced:
                self._announced.set()
        except (OSError, RuntimeError) as error:
            self._poll(f"the file system refuses to announce changes ({error})")

    def _look(self) -> None:
        """Compare the files with what they were, when announced and every so often."""
        while not self._stop.is_set():
            announced = self._announced.wait(self._interval)
            self._announced.clear()
            if self._stop.is_set() or snapshot(self._target) == self._known:
                continue
            now = self._settled()
            names, self._known = changed(self._known, now), now
            if not names:
                continue
            if not announced and self._interval == LOOK_ANYWAY_S and not self._announced.is_set():
                self._poll("the file system announces no changes")
            self._post(Saved(names))

    def _settled(self) -> Snapshot:
        """The files once two looks in a row agree: an editor may still be writing."""
        seen = snapshot(self._target)
        for _ in range(SETTLE_TRIES):
            time.sleep(SETTLE_S)
            now = snapshot(self._target)
            if now == seen:
                break
            seen = now
        return seen

    def _poll(self, reason: str) -> None:
        self._interval = POLL_S
        self._announced.set()
        self._post(NowPolling(reason))
