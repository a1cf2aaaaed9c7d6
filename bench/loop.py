"""The learner's loop: what starting costs, and how long a save takes to become a verdict.

    python -m bench.loop [--rounds N]

Everything is measured in turn within one run and given as ratios of medians of wall time; run it
on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from attnpack import pack
from attnpack.terms import Backend
from attnpack.workspace import scaffolding
from bench.measured import in_turns, seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

PYTHON = sys.executable
ATTNPACK = (PYTHON, "-m", "attnpack")
SAVE = "save to verdict"
MEND = "an endless loop mended"
LOOPING_S = 0.5
"""how long the loop is being checked when the mended file is saved"""
CHECK = "attnpack check softmax"
COMMANDS = {
    "python -c 'import typer, rich.console'": (
        PYTHON,
        "-c",
        "import typer, rich.console",
    ),
    "python -c 'import numpy'": (PYTHON, "-c", "import numpy"),
    "attnpack --help": (*ATTNPACK, "--help"),
    "attnpack list": (*ATTNPACK, "list"),
    "attnpack hint": (*ATTNPACK, "hint", "softmax"),
    "attnpack explain": (*ATTNPACK, "explain", "scale-missing"),
    "attnpack solution": (*ATTNPACK, "solution", "softmax", "--give-up"),
    "attnpack reset": (*ATTNPACK, "reset", "causal_mask"),
    CHECK: (*ATTNPACK, "check", "softmax"),
}


class Target(NamedTuple):
    """A ratio that is promised."""

    measured: str
    against: str
    at_most: float


TARGETS = (
    Target("attnpack --help", "python -c 'import typer, rich.console'", 1.2),
    *(
        Target(f"attnpack {name}", "attnpack --help", 1.3)
        for name in ("list", "hint", "explain", "solution", "reset")
    ),
    Target(SAVE, CHECK, 0.5),
    Target(MEND, SAVE, 1.5),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    took = medians(rounds, COMMANDS)
    for label, middle in took.items():
        print(f"{middle * 1000:7.0f} ms  {label}")
    print()
    for measured, against, at_most in TARGETS:
        ratio = took[measured] / took[against]
        met = "met" if ratio <= at_most else "MISSED"
        print(f"{ratio:5.2f} x {against:<40} {measured:<20} (at most {at_most}: {met})")


def medians(rounds: int, commands: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Seconds of each command in a watched workspace, of SAVE and of MEND."""
    with tempfile.TemporaryDirectory(prefix="attnpack-bench-") as name, watching(name) as saves:
        runs = {label: partial(seconds, words, Path(name)) for label, words in commands.items()}
        return in_turns({**runs, **saves}, rounds)


@contextmanager
def watching(name: str) -> Iterator[dict[str, Callable[[], float]]]:
    """Lay out a workspace and watch it; yields SAVE and MEND, which wait for the verdict."""
    folder = Path(name)
    scaffolding.init(folder, Backend.NUMPY)
    right = pack.load().reference_path(Backend.NUMPY, "softmax.py").read_text(encoding="utf-8")
    process = subprocess.Popen(
        [PYTHON, "-u", "-m", "attnpack", "watch"],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    said = process.stdout
    assert said is not None
    saves = 0

    def save() -> float:
        nonlocal saves
        saves += 1
        (folder / "softmax.py").write_text(f"{right}# {saves}\n", encoding="utf-8")
        began = time.perf_counter()
        wait_for("softmax passes.")
        return time.perf_counter() - began

    def mend() -> float:
        (folder / "softmax.py").write_text(f"{right}while True: pass\n", encoding="utf-8")
        time.sleep(LOOPING_S)
        return save()

    def wait_for(text: str) -> None:
        for line in said:
            if text in line:
                return
        raise SystemExit("watch ended before its verdict")

    try:
        wait_for("Watching.")
        save()
        yield {SAVE: save, MEND: mend}
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    main()
