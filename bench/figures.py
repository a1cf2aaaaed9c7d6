"""The figures of the table, group by group; each beside what was measured in the same run."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench import diagnosis, grade, loop, model, start
from bench.alternatives import Standing, cpu, ready
from bench.measured import in_turns, interleaved, seconds
from bench.peers import PEERS
from bench.peers.with_pytest import pytest_command
from bench.table import Absent, Row, Unit, at_least, at_most

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bench.peers.environment import Environment

CASES: Final = Path(__file__).parents[1] / "tests" / "cases"
ALL_WRONG: Final = Path(__file__).parent / "all_wrong.py"
RIGHT: Final = "all right"
WRONG: Final = "all wrong"
ENDS: Final = {RIGHT: 0, WRONG: 1}
"""exit codes, of attnpack and of the peers that a learner would start"""
IN_A_CHECK: Final = ("pytest", "check50")
PYTEST_ONE: Final = "pytest, one assertion"


@dataclass(frozen=True)
class Effort:
    """How much is measured."""

    times: int
    """repetitions of a process that takes about a second"""
    peer_times: int
    """repetitions of a peer that grades one submission"""
    marginal: tuple[int, int]
    """the two sizes between which the cost of one more submission lies"""
    cohort: int
    """for the throughput"""
    sizes: tuple[int, ...]
    """of cohorts, for the growth"""


FULL: Final = Effort(7, 5, (50, 200), 200, (10, 40, 160))
QUICK: Final = Effort(3, 1, (10, 60), 40, (5, 10, 20))


def start_up(place: Path, effort: Effort) -> list[Row]:
    """The command line beside what it is made with."""
    took = interleaved({"typer": start.TYPER, "help": start.HELP}, effort.times, place)
    other = "import typer, rich.console"
    return [Row("start-up", "attnpack --help", took["help"], other, took["typer"], at_most(1.2))]


def check(place: Path, effort: Effort, standings: Mapping[str, Standing]) -> list[Row]:
    """All exercises right, and all wrong, beside peers on the same."""
    place.mkdir()
    (place / "test_one.py").write_text(start.ASSERTION, encoding="utf-8")
    commands = {
        "numpy": start.NUMPY,
        RIGHT: start.check_command(place, "numpy"),
        WRONG: [sys.executable, "-m", "attnpack", "check", str(ALL_WRONG), "--keep-going"],
    }
    runs = {
        name: partial(seconds, words, place, exit_code=ENDS.get(name, 0))
        for name, words in commands.items()
    }
    took = in_turns({**runs, **_peers_checks(place, standings)}, effort.times)
    numpy, right = took["numpy"], took[RIGHT]
    rows = [Row("check", RIGHT, right, "import numpy", numpy, at_most(3))]
    asked = [peer for peer in IN_A_CHECK if peer in standings]
    if "pytest" in asked:
        one = _taken(took, standings["pytest"], PYTEST_ONE)
        rows.append(Row("check", RIGHT, right, PYTEST_ONE, one, at_most(1)))
    for what in (RIGHT, WRONG):
        for peer in asked:
            theirs = _taken(took, standings[peer], f"{peer}, {what}")
            rows.append(Row("check", what, took[what], f"{peer}, the same", theirs))
    return rows


def _taken(took: Mapping[str, float], standing: Standing, run: str) -> float | Absent:
    return standing if isinstance(standing, Absent) else took[run]


def _peers_checks(place: Path, standings: Mapping[str, Standing]) -> dict[str, Callable[[], float]]:
    """What times each peer once, by the peer and the submission."""
    runs: dict[str, Callable[[], float]] = {}
    texts = {RIGHT: grade.reference(), WRONG: ALL_WRONG.read_text(encoding="utf-8")}
    for peer in IN_A_CHECK:
        environment = ready(standings, peer)
        if environment is None:
            continue
        for what, text in texts.items():
            work = PEERS[peer].work(environment, place / peer / what, [text])
            runs[f"{peer}, {what}"] = partial(
                seconds, work.command, work.cwd, work.environ, ENDS[what]
            )
    pytest = ready(standings, "pytest")
    if pytest is not None:
        runs[PYTEST_ONE] = _one_assertion(pytest, place)
    return runs


def _one_assertion(environment: Environment, place: Path) -> Callable[[], float]:
    words = pytest_command(environment, "test_one.py")
    return partial(seconds, words, place, environment.activated)


def diagnoses(effort: Effort) -> list[Row]:
    """Naming one failing exercise."""
    numpy, taken = diagnosis.times(effort.times)
    titles = ("one bug", "two bugs", "no known bug")
    return [
        Row("diagnosis", what, took, "import numpy", numpy, at_most(diagnosis.MOST))
        for what, took in zip(titles, taken.values(), strict=True)
    ]


def watch(effort: Effort) -> list[Row]:
    """A save under `attnpack watch`."""
    took = loop.medians(effort.times, {loop.CHECK: loop.COMMANDS[loop.CHECK]})
    return [
        Row("watch", loop.SAVE, took[loop.SAVE], loop.CHECK, took[loop.CHECK], at_most(0.5)),
        Row("watch", loop.MEND, took[loop.MEND], loop.SAVE, took[loop.SAVE], at_most(1.5)),
    ]


def heatmap(place: Path, effort: Effort) -> list[Row]:
    """The picture, from the command to the file."""
    took = interleaved({"ours": model.HEATMAP, "pyplot": model.PYPLOT}, effort.times, place)
    other, most = "import matplotlib.pyplot", at_most(model.MOST)
    return [Row("heatmap", "attnpack heatmap", took["ours"], other, took["pyplot"], most)]


def grading(place: Path, effort: Effort, standings: Mapping[str, Standing]) -> list[Row]:
    """CPU per submission, beside every peer; throughput. Nothing where CPU cannot be read."""
    if not hasattr(os, "wait4"):
        return []
    reference, failing = grade.reference(), grade.wrong(CASES)
    right_s = grade.marginal(place / "right", [reference], *effort.marginal)
    failing_s = grade.marginal(place / "failing", failing, *effort.marginal)
    right = "CPU, a right one"
    rows = [
        _limited(right, right_s, "cpu_ms_right"),
        _limited("CPU, a failing one", failing_s, "cpu_ms_failing"),
    ]
    for name, standing in standings.items():
        theirs = cpu(name, standing, place / "peers" / name, reference, effort.peer_times)
        fewer = at_most(1 / grade.LIMITS["pytest_times_slower"][1]) if name == "pytest" else None
        rows.append(Row("grade", right, right_s, f"{name}, the same", theirs, fewer))
    return [*rows, _throughput(place, [reference, *failing], effort)]


def _limited(what: str, took: float, name: str) -> Row:
    """A figure beside the most that it may be."""
    most = grade.LIMITS[name][1] / 1e3
    return Row("grade", what, took, "the most it may be", most, at_most(1))


def _throughput(place: Path, texts: list[str], effort: Effort) -> Row:
    one, two = (
        effort.cohort / grade.scaled(place / f"jobs{jobs}", texts, effort.cohort, jobs)
        for jobs in (1, 2)
    )
    # In a short run, starting is most of it, and nothing is promised.
    promised = effort.cohort >= FULL.cohort
    least = at_least(grade.LIMITS["scaling_1_to_2"][1]) if promised else None
    return Row("grade", "two workers", two, "one worker", one, least, Unit.PER_SECOND)
