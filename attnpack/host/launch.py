"""The seam between the host and the ways a guest process comes to be."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import attnpack.guest

if TYPE_CHECKING:
    from attnpack.terms import Backend

BOOTSTRAP = str(Path(attnpack.guest.__file__).with_name("bootstrap.py"))
_SITE_FOLDERS = ("site-packages", "dist-packages")
_PASSED_ON = ("SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LD_LIBRARY_PATH")


class LaunchError(Exception):
    """A guest could not be started: a fault of attnpack's or of the machine."""


@dataclass(frozen=True)
class Ended:
    """How a guest process was found when it was put to an end."""

    words: str
    """ "exit code 3", "signal SIGSEGV" ..."""
    by_host: bool
    """it was still running and had to be killed"""


class Guest(Protocol):
    """One process that serves one task."""

    @property
    def pid(self) -> int:
        """Its process id, or that of the process that waits for it."""
        ...

    @property
    def heard(self) -> int:
        """How many bytes it has said and printed so far, as far as the host has taken them."""
        ...

    def send(self, data: bytes) -> None:
        """Send all the bytes. Raises LaunchError where the guest does not take them."""
        ...

    def receive(self, timeout_s: float) -> bytes | None:
        """The next bytes of its replies; b"" once it is gone; None where none arrive in time."""
        ...

    def end(self) -> Ended:
        """Kill and reap the process and free its descriptors; the same answer when repeated."""
        ...

    def output(self) -> str:
        """What it printed, capped. Complete after `end`."""
        ...


class Launcher(Protocol):
    """A way to start guests."""

    confined: bool

    def start(self) -> None:
        """Begin warming up, without waiting. Raises LaunchError."""
        ...

    def open(self) -> Guest:
        """A fresh guest. Raises LaunchError."""
        ...

    def close(self) -> None:
        """End everything that was started."""
        ...


def command(
    backend: Backend | str, policy: str | None = None, control: int | None = None
) -> list[str]:
    """The command line of a guest process. Raises LaunchError where numpy is missing."""
    settings = {
        "path": import_path(),
        "backend": str(backend),
        "policy": policy,
        "control": control,
    }
    python = [sys.executable, "-I", "-S", "-X", "utf8"]
    return [*python, BOOTSTRAP, json.dumps(settings)]


def last_line(output: str) -> str:
    """ ": ModuleNotFoundError: ..." of a traceback; empty where nothing was printed."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return f": {lines[-1][:300]}" if lines else ""


def environment(inherited: dict[str, str]) -> dict[str, str]:
    """Next to nothing of the host's; one thread for each linear algebra library."""
    kept = {name: inherited[name] for name in _PASSED_ON if name in inherited}
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return {**kept, **dict.fromkeys(threads, "1")}


def import_path() -> list[str]:
    """Where a guest finds numpy and what else is installed; imports nothing.

    The folders that hold attnpack's own checkout stay out. Raises LaunchError where there is no
    numpy.
    """
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        raise LaunchError("numpy is not installed here: python -m pip install numpy")
    folders = [str(Path(spec.origin).parent.parent)]
    folders += [entry for entry in sys.path if Path(entry).name in _SITE_FOLDERS]
    return list(dict.fromkeys(folders))
