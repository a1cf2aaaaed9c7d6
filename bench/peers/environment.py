"""A virtual environment for each peer, made once and kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFAULT: Final = Path(tempfile.gettempdir()) / "attnpack-bench-environments"
MAKE: Final = (sys.executable, "-m", "venv", "--clear")
INSTALL_S: Final = 600.0
PROGRAMS: Final = "Scripts" if os.name == "nt" else "bin"


class PeerError(Exception):
    """A peer cannot be measured: `word` for its cells, and the reason."""

    def __init__(self, word: str, reason: str) -> None:
        super().__init__(reason)
        self.word = word


@dataclass(frozen=True)
class Environment:
    """Where a peer and numpy are installed."""

    folder: Path

    @property
    def python(self) -> str:
        return self.program("python")

    def program(self, name: str) -> str:
        """A command that is installed there."""
        return str(self.folder / PROGRAMS / name)

    @property
    def activated(self) -> dict[str, str]:
        """Variables as after activating it: some programs look for others of theirs on the path."""
        own = str(self.folder / PROGRAMS)
        path = os.pathsep.join([own, os.environ.get("PATH", "")])
        return {**os.environ, "VIRTUAL_ENV": str(self.folder), "PATH": path, "NO_COLOR": "1"}


def make(envs: Path, name: str, packages: Sequence[str]) -> Environment:
    """The environment of a peer under `envs`, installed if it is not yet. Raises PeerError."""
    _claim(envs)
    wanted = [*packages, f"numpy=={version('numpy')}"]
    made = Environment(envs / f"{name}-{sys.version_info.major}.{sys.version_info.minor}")
    mark = made.folder / "installed.txt"
    if mark.is_file() and mark.read_text(encoding="utf-8").split() == wanted:
        return made
    _run([*MAKE, str(made.folder)])
    _run([made.python, "-m", "pip", "install", "--quiet", "--no-input", *wanted])
    mark.write_text("\n".join(wanted), encoding="utf-8")
    return made


def _claim(envs: Path) -> None:
    """The folder, ours: what somebody else could write there would be run."""
    envs.mkdir(parents=True, exist_ok=True, mode=0o700)
    if os.name == "posix" and envs.stat().st_uid != os.getuid():
        raise PeerError("absent", f"{envs} belongs to somebody else: name another with --envs")


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=INSTALL_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PeerError("absent", f"could not be installed: {error}") from error
    if done.returncode:
        reason = last_words(done.stderr or done.stdout)
        raise PeerError("absent", f"could not be installed: {reason}")


def last_words(output: str) -> str:
    """The line of a program's output that says most about its failure."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["it said nothing"])[-1]
