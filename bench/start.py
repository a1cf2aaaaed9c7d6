"""Start-up measured, as ratios of whole processes run in turns.

    python -m bench.start [--times 7]

`attnpack --help` beside importing what it is made with; `attnpack check` of right exercises
beside `import numpy` (or `import torch`) and beside pytest on a file with one numpy assertion;
memory of a check and its guests. Targets are shown; the exit code is always 0.
"""

from __future__ import annotations

import argparse
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

from attnpack import pack
from bench.measured import interleaved, peak_memory, shown

PYTHON = sys.executable
TYPER = [PYTHON, "-c", "import typer, rich.console"]
HELP = [PYTHON, "-m", "attnpack", "--help"]
NUMPY = [PYTHON, "-c", "import numpy"]
MEGABYTE = 1e6
ASSERTION = """\
import numpy as np


def test_one_numpy_assertion():
    np.testing.assert_allclose(np.ones(3), 1.0)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=7, help="repetitions of each command")
    times = parser.parse_args().times
    with tempfile.TemporaryDirectory(prefix="attnpack-bench-") as name:
        place = Path(name)
        (place / "test_one.py").write_text(ASSERTION, encoding="utf-8")
        _numpy(place, times)
        if importlib.util.find_spec("torch") is not None:
            _torch(place, times)


def _numpy(place: Path, times: int) -> None:
    check = check_command(place, "numpy")
    commands = {
        "typer": TYPER,
        "help": HELP,
        "numpy": NUMPY,
        "check": check,
        "pytest": [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_one.py"],
    }
    seconds = interleaved(commands, times, place)
    print(f"medians of {times}: " + ", ".join(f"{n} {s * 1e3:.0f} ms" for n, s in seconds.items()))
    for title, one, other, most in (
        ("attnpack --help / import typer, rich.console", "help", "typer", 1.2),
        ("check of all right / import numpy", "check", "numpy", 3.0),
        ("check of all right / pytest, one assertion", "check", "pytest", 1.0),
    ):
        print(shown(title, seconds[one] / seconds[other], most))
    if sys.platform == "linux":
        peak = peak_memory(check, place) / MEGABYTE
        print(shown("peak memory of the check and its guests", peak, 200, unit="MB"))


def _torch(place: Path, times: int) -> None:
    commands = {
        "import": [PYTHON, "-c", "import torch"],
        "check": check_command(place, "torch"),
    }
    seconds = interleaved(commands, times, place)
    ratio = seconds["check"] / seconds["import"]
    print(shown("torch: check of all right / import torch", ratio, 1.3))


def check_command(place: Path, backend: str) -> list[str]:
    """The command that checks the references of a backend, which are copied to `place`."""
    folder = place / backend
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(pack.ROOT / "reference" / backend, folder, ignore=ignored)
    return [PYTHON, "-m", "attnpack", "check", str(folder), "--backend", backend]


if __name__ == "__main__":
    main()
