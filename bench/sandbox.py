"""What the sandbox costs: a fork of the warm process, and the fork with full confinement.

    python bench/sandbox.py [--rounds N] [--torch]

Prints milliseconds per guest: the median of wall time, which depends on what else runs, and the
mean of CPU time.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import resource
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TARGET_MS = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--torch", action="store_true", help="with torch imported")
    asked = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    importlib.import_module("numpy")
    if asked.torch:
        importlib.import_module("torch")
    from attnpack.guest.confine import Policy, confine, prepare

    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    fresh = (time.perf_counter() - started) * 1e3
    policy = Policy()
    prepare()
    gc.freeze()
    plain = measure(asked.rounds, lambda: None)
    confined = measure(asked.rounds, lambda: confine(policy))

    print(f"{'':34}{'wall ms':>9}{'CPU ms':>9}")
    print(f"{'fork of the warm process':34}{plain[0]:9.2f}{plain[1]:9.2f}")
    print(f"{'fork and full confinement':34}{confined[0]:9.2f}{confined[1]:9.2f}")
    print(f"{'a fresh python with numpy':34}{fresh:9.2f}")
    met = "met" if confined[1] <= TARGET_MS else "missed"
    print(f"target: at most {TARGET_MS:.0f} ms of CPU time for fork and confinement: {met}")


def measure(rounds: int, act: Callable[[], object]) -> tuple[float, float]:
    """Median wall time from the fork to the end of `act` in the child; mean CPU of all of it."""
    walls = []
    before = cpu_seconds()
    for _ in range(rounds):
        started = time.perf_counter()
        ready, tell = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(tell, 1)
            act()
            os.write(1, b"x")
            os._exit(0)
        os.close(tell)
        if os.read(ready, 1) != b"x":
            raise SystemExit("the confined child did not get through")
        walls.append(time.perf_counter() - started)
        os.waitpid(child, 0)
        os.close(ready)
    return statistics.median(walls) * 1e3, (cpu_seconds() - before) / rounds * 1e3


def cpu_seconds() -> float:
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    main()
