"""Figures beside their targets, and commands timed in turns."""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


@dataclass(frozen=True)
class Share:
    """How many of how many, and what is aimed at."""

    title: str
    count: int
    of: int
    least: float | None = None
    most: float | None = None

    def __str__(self) -> str:
        if not self.of:
            return f"{self.title:32} none to measure"
        share = self.count / self.of
        counted = f"{self.count} of {self.of}"
        return f"{self.title:32} {counted:>12} {share:8.1%}  {_aim(share, self.least, self.most)}"


def shown(title: str, ratio: float, most: float | None = None, unit: str = "x") -> str:
    """A ratio, or another figure, beside its target."""
    return f"{title:52} {ratio:7.2f} {unit}  {_aim(ratio, None, most)}".rstrip()


def _aim(figure: float, least: float | None, most: float | None) -> str:
    if least is not None:
        return f"{'pass' if figure >= least else 'FAIL'} (at least {least:g})"
    if most is not None:
        return f"{'pass' if figure <= most else 'FAIL'} (at most {most:g})"
    return ""


def interleaved(commands: Mapping[str, Sequence[str]], times: int, cwd: Path) -> dict[str, float]:
    """The median seconds of each command, whole processes in turns."""
    runs = {name: partial(seconds, command, cwd) for name, command in commands.items()}
    return in_turns(runs, times)


def in_turns(runs: Mapping[str, Callable[[], float]], times: int) -> dict[str, float]:
    """The median of what each run gives, in turns so that a busy moment hits all alike."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(times + 1):
        for name, run in runs.items():
            figure = run()
            if turn:  # the first turn warms the caches of the file system
                taken[name].append(figure)
    return {name: statistics.median(figures) for name, figures in taken.items()}


def seconds(
    command: Sequence[str],
    cwd: Path,
    environ: Mapping[str, str] | None = None,
    exit_code: int = 0,
) -> float:
    """Wall time of a whole process. Raises RuntimeError where it ends otherwise than it should."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        done = subprocess.run(
            command, cwd=cwd, env=environ, stdout=subprocess.DEVNULL, stderr=said, check=False
        )
        taken = time.perf_counter() - start
        if done.returncode != exit_code:
            said.seek(0)
            raise RuntimeError(ended(done.returncode, command, said.read()))
    return taken


def ended(exit_code: int, command: Sequence[str], said: str) -> str:
    """What is said of a command that did not end as it should."""
    return f"exit code {exit_code}: {' '.join(command)}\n{said}"


def peak_memory(command: Sequence[str], cwd: Path) -> int:
    """The most bytes that a command and its children held at once. Linux only: reads /proc.

    Memory that processes share is divided among them (PSS), as it is there only once.
    """
    running = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL)
    peak = 0
    while running.poll() is None:
        family = [running.pid, *_descendants(running.pid)]
        peak = max(peak, sum(_proportional_bytes(pid) for pid in family))
        time.sleep(0.002)
    return peak


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text(encoding="ascii").split()):
                found += [child, *_descendants(child)]
    except OSError:
        return found
    return found


def _proportional_bytes(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    lines = (line.split() for line in text.splitlines() if line.startswith("Pss:"))
    return sum(int(words[1]) * 1024 for words in lines)
