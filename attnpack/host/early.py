"""A guest that warms up while the command line is still being imported.

Half of what `attnpack check` takes is starting two interpreters with numpy. This starts the
guest's first, with the backend that the files seem to want; whoever opens a pool takes it over.
"""

from __future__ import annotations

import atexit
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.confine.policy import Policy
from attnpack.host import launchers
from attnpack.host.launch import Launcher, LaunchError

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFINED = "--confined"
"""the word that says that the file is somebody else's"""
_waiting: dict[tuple[str, str | None], Launcher] = {}
_READ_BYTES = 1 << 16
_SUFFIXES = (".py", ".ipynb")


def start(words: Sequence[str]) -> None:
    """Begin, for the words of a command that checks a path. Never raises."""
    backend = _backend(words)
    policy = Policy().to_json() if CONFINED in words else None
    launcher = launchers.launcher_for(backend, policy)
    try:
        launcher.start()
    except (LaunchError, OSError):
        return
    _waiting[backend, policy] = launcher
    atexit.register(_end_the_rest)


def take(backend: str, policy: str | None = None) -> Launcher | None:
    """The launcher that was started for a backend under this policy, once."""
    return _waiting.pop((backend, policy), None)


def _end_the_rest() -> None:
    while _waiting:
        _waiting.popitem()[1].close()


def _backend(words: Sequence[str]) -> str:
    """A guess: what is said, or what the first file to be found imports."""
    for word, following in zip(words, (*words[1:], ""), strict=False):
        if word == "--backend":
            return following
        if word.startswith("--backend="):
            return word.partition("=")[2]
    text = _text(words)
    if "import torch" in text or "from torch" in text:
        return "torch"
    return "value" if "attnpack.value" in text else "numpy"


def _text(words: Sequence[str]) -> str:
    paths = [Path(word) for word in words if not word.startswith("-")]
    place = next((path for path in paths if path.exists()), Path())
    try:
        files = [place] if place.is_file() else sorted(place.glob("*.py"))
        chosen = next((file for file in files if file.suffix in _SUFFIXES), None)
        if chosen is None:
            return ""
        with chosen.open("rb") as opened:
            return opened.read(_READ_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
