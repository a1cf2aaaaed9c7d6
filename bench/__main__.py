"""One table: what attnpack costs, beside what a user would take instead on the same work.

    python -m bench [--quick] [--peers pytest,check50,otter-grader,nbgrader] [--markdown]
                    [--json FILE] [--envs DIR]

All figures of a row are of one run on this machine. Targets are shown; the exit code is 0 also
where one is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack import __version__
from bench import figures, grade, growth, table
from bench.alternatives import stand
from bench.peers import PEERS
from bench.peers.environment import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.figures import Effort
    from bench.table import Row


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print."""
    asked = _parser().parse_args(words)
    effort = figures.QUICK if asked.quick else figures.FULL
    with tempfile.TemporaryDirectory(prefix="attnpack-bench-") as name:
        rows = measure(Path(name).resolve(), effort, asked.peers, asked.envs)
    machine = _machine(effort)
    sys.stdout.write(f"{machine}\n\n{(table.markdown if asked.markdown else table.plain)(rows)}")
    if asked.json:
        told = {"measured": machine, "rows": [row.as_json() for row in rows]}
        asked.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="fewer repetitions, small cohorts")
    parser.add_argument("--peers", type=_names, default=list(PEERS), help="all if not said")
    parser.add_argument("--markdown", action="store_true", help="the table for a page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the figures for a program")
    parser.add_argument(
        "--envs", type=Path, metavar="DIR", default=DEFAULT, help="where the peers are installed"
    )
    return parser


def _names(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    unknown = [name for name in names if name not in PEERS]
    if unknown:
        known = ", ".join(PEERS)
        raise argparse.ArgumentTypeError(f"no peer called {', '.join(unknown)}; there are {known}")
    return names


def measure(place: Path, effort: Effort, peers: Sequence[str], envs: Path) -> list[Row]:
    """Every row, in the order of the table; `place` is an empty folder."""
    right, wrong = grade.reference(), figures.ALL_WRONG.read_text(encoding="utf-8")
    standings = stand(peers, envs.resolve(), place / "proof", right, wrong, _say)
    cohorts = place / "growth"
    groups: dict[str, Callable[[], list[Row]]] = {
        "start-up": lambda: figures.start_up(place, effort),
        "check": lambda: figures.check(place / "check", effort, standings),
        "diagnosis": lambda: figures.diagnoses(effort),
        "watch": lambda: figures.watch(effort),
        "heatmap": lambda: figures.heatmap(place, effort),
        "grade": lambda: figures.grading(place / "grade", effort, standings),
        "growth, exercises": lambda: growth.with_exercises(place, effort.times),
        "growth, submissions": lambda: growth.with_submissions(cohorts, [right], effort.sizes),
        "growth, tokens": lambda: growth.with_tokens(place, effort.times),
    }
    rows: list[Row] = []
    for title, measured in groups.items():
        _say(title)
        rows += measured()
    return rows


def _say(text: str) -> None:
    """What is under way; a run takes minutes."""
    print(f"... {text}", file=sys.stderr, flush=True)


def _machine(effort: Effort) -> str:
    """Where and how often it was measured."""
    system = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    python = f"Python {platform.python_version()}"
    return f"attnpack {__version__}, {python}, {system}; medians of {effort.times}"


if __name__ == "__main__":
    main()
