"""One run of a peer over submissions, and what it said of them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from bench.peers.environment import PeerError, last_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from bench.peers.environment import Environment

RUN_S = 300.0
JUPYTER = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
"""where Jupyter would otherwise write into the user's home"""


@dataclass(frozen=True)
class Work:
    """A command that judges submissions."""

    command: tuple[str, ...]
    cwd: Path
    environ: Mapping[str, str]
    passed: Callable[[int], bool]
    """given the exit code, whether every submission passed every assertion; raises PeerError where
    nothing was judged"""


class Peer(Protocol):
    """What a user would take instead."""

    @property
    def name(self) -> str: ...

    @property
    def packages(self) -> tuple[str, ...]:
        """What pip installs."""

    @property
    def together(self) -> bool:
        """Whether one run judges many submissions."""

    def work(self, environment: Environment, place: Path, texts: Sequence[str]) -> Work:
        """Lay out in a new folder what is needed to judge these submissions: one, or `together`
        any number."""


def judge(work: Work) -> bool:
    """Run it: whether every submission passed. Raises PeerError where it does not run."""
    done = run(work.command, work.cwd, work.environ)
    try:
        return work.passed(done.returncode)
    except PeerError as error:
        raise PeerError(error.word, f"{error}: {last_words(done.stderr or done.stdout)}") from error


def in_folder(environment: Environment, place: Path) -> dict[str, str]:
    """The activated environment's variables, with what Jupyter writes below `place`."""
    own = {name: str(place / "jupyter" / name.lower()) for name in JUPYTER}
    return {**environment.activated, **own}


def run(
    command: Sequence[str], cwd: Path, environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command of a peer to its end, whatever that is. Raises PeerError where it has none."""
    try:
        return subprocess.run(
            command,
            cwd=cwd,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=RUN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerError("broken", f"does not run: {error}") from error


def prepared(command: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
    """Run a command that has to succeed before anything is judged."""
    done = run(command, cwd, environ)
    if done.returncode:
        raise PeerError("broken", f"does not run: {last_words(done.stderr or done.stdout)}")


def prove(peer: Peer, environment: Environment, place: Path, right: str, wrong: str) -> None:
    """Raises PeerError unless the peer passes what is right and does not pass what is wrong."""
    for name, text, expected in (("right", right, True), ("wrong", wrong, False)):
        if judge(peer.work(environment, place / name, [text])) is not expected:
            said = "fails the reference" if expected else "passes what is wrong"
            raise PeerError("broken", f"does not judge: it {said}")
