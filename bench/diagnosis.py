"""Diagnosis measured on the labelled submissions, backend by backend and chapter by chapter.

    python -m bench.diagnosis [--backend numpy] [--seeds 1]

Right ones that fail, wrong ones that pass, how often the first name is acceptable, pairs fully
named, lines; and the time that naming one failing exercise takes, as a ratio to `import numpy`
measured in the same run. Targets are shown; the exit code is always 0.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attnpack.pack.checks.bugs import catalogue
from attnpack.pack.checks.enacting import enact

from attnpack import pack
from attnpack.diagnosis.models import Model
from attnpack.host.pool import open_pool
from attnpack.terms import UNRECOGNISED, Backend, Status
from bench import labelled
from bench.measured import Share, in_turns, seconds, shown
from bench.start import NUMPY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.report.model import NamedBug
    from bench.labelled import Expected

REPETITIONS = 5
TIMED = "MultiHeadAttention"
MOST = 1.5
"""of a diagnosis, times `import numpy`"""


@dataclass
class Found:
    """What the checks said of every labelled exercise of one backend and chapter."""

    alarms: list[str] = field(default_factory=list)
    """right exercises that did not pass"""
    missed: list[str] = field(default_factory=list)
    misnamed: list[str] = field(default_factory=list)
    half_named: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    """lines outside the faulty definition"""
    beside: list[str] = field(default_factory=list)
    """lines that are not among the label's"""
    unplaced: int = 0
    right: int = 0
    wrong: int = 0
    pairs: int = 0
    seconds: list[float] = field(default_factory=list)
    """each diagnosis, without the tracing"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", type=Backend, choices=list(Backend))
    parser.add_argument("--seeds", type=int, default=1, help="how many")
    arguments = parser.parse_args()
    for backend in [arguments.backend] if arguments.backend else _installed():
        for chapter, found in _measure(backend, arguments.seeds).items():
            _print(f"{backend}, chapter {chapter}", found)
    _print_times()


def _installed() -> list[Backend]:
    lacking = importlib.util.find_spec("torch") is None
    return [backend for backend in Backend if not (lacking and backend is Backend.TORCH)]


def _measure(backend: Backend, seeds: int) -> dict[str, Found]:
    """By chapter; chapters without a labelled exercise are left out."""
    found = {chapter.name: Found() for chapter in pack.load().chapters}
    with _timed(found), open_pool(backend) as pool:
        for seed in range(labelled.SEED, labelled.SEED + seeds):
            for case in labelled.cases(backend):
                report = labelled.check(case, pool, seed)
                exercises = {exercise.name: exercise for exercise in report.exercises}
                for expected in case.expected:
                    chapter = pack.load().chapter_of(expected.exercise).name
                    _score(found[chapter], expected, exercises[expected.exercise])
    return {name: each for name, each in found.items() if each.right + each.wrong}


@contextmanager
def _timed(found: dict[str, Found]) -> Iterator[None]:
    """While it is open, every diagnosis adds its seconds to its chapter's."""
    kind: Any = type(pack.load())
    diagnose = kind.diagnose

    def timing(known: Any, plan: Any, *arguments: Any) -> Any:
        start = time.perf_counter()
        suspects = diagnose(known, plan, *arguments)
        taken = time.perf_counter() - start
        found[pack.load().chapter_of(plan.exercise).name].seconds.append(taken)
        return suspects

    kind.diagnose = timing
    try:
        yield
    finally:
        kind.diagnose = diagnose


def _score(found: Found, expected: Expected, exercise: Any) -> None:
    name = str(expected)
    if not expected.wrong:
        found.right += 1
        if exercise.status is not Status.PASSED:
            found.alarms.append(name)
        return
    found.wrong += 1
    if exercise.status is Status.PASSED:
        found.missed.append(name)
        return
    bugs = labelled.first_failing(exercise).bugs
    if not bugs or bugs[0].id not in expected.bugs:
        found.misnamed.append(f"{name}: {bugs[0].id if bugs else 'nothing'}")
    if expected.together:
        found.pairs += 1
        if labelled.named_together(bugs) != set(expected.together):
            found.half_named.append(name)
    _score_line(found, expected, bugs)


def _score_line(found: Found, expected: Expected, bugs: Sequence[NamedBug]) -> None:
    line = bugs[0].line if bugs else None
    if line is None:
        found.unplaced += 1
        return
    if line in expected.lines:
        return
    found.beside.append(f"{expected}: line {line}, not {expected.lines}")
    if line not in labelled.faulty_lines(expected):
        found.outside.append(f"{expected}: line {line}")


def _print(title: str, found: Found) -> None:
    placed = found.wrong - len(found.missed) - found.unplaced
    print(f"\n{title}: {found.right} right exercises, {found.wrong} wrong ones")
    shares = [
        Share("right ones failing", len(found.alarms), found.right, most=0.0),
        Share("wrong ones missed", len(found.missed), found.wrong, most=0.0),
        Share("first name acceptable", found.wrong - len(found.misnamed), found.wrong, least=0.95),
        Share("pairs fully named", found.pairs - len(found.half_named), found.pairs, least=0.9),
        Share("a line is named", placed, found.wrong),
        Share("line in the faulty function", placed - len(found.outside), placed, least=1.0),
        Share("line among the label's", placed - len(found.beside), placed, least=0.85),
    ]
    for share in shares:
        print(f"  {share}")
    for what, names in (
        ("failing though right", found.alarms),
        ("missed", found.missed),
        ("misnamed", found.misnamed),
        ("half named", found.half_named),
        ("outside", found.outside),
        ("beside", found.beside),
    ):
        for name in names:
            print(f"    {what}: {name}")
    if found.seconds:
        middle, longest = statistics.median(found.seconds), max(found.seconds)
        print(f"  a diagnosis takes {middle * 1e3:.0f} ms, at most {longest * 1e3:.0f} ms")


def _print_times() -> None:
    """One failing exercise, all singles and pairs, beside `import numpy`; interleaved."""
    print(f"\none diagnosis of {TIMED} / import numpy, medians of {REPETITIONS}")
    reference, taken = times(REPETITIONS)
    for title, middle in taken.items():
        print(f"  {shown(title, middle / reference, most=MOST)}")


def times(repetitions: int) -> tuple[float, dict[str, float]]:
    """Median seconds of importing numpy, and of each learner's diagnosis by its title."""
    runs = {title: partial(_diagnosis, title, models) for title, models in _learners()}
    medians = in_turns({"": partial(seconds, NUMPY, Path.cwd()), **runs}, repetitions)
    return medians.pop(""), medians


def _learners() -> Iterator[tuple[str, tuple[Model, ...]]]:
    """One bug, two, and one that no model explains: every single and every pair is tried."""
    scale = catalogue()["scale-missing"].models[0]
    output = catalogue()["output-projection-missing"].models[0]
    yield "scale-missing", (scale,)
    yield "scale-missing with output-projection-missing", (scale, output)
    yield UNRECOGNISED, (Model("", {"clamp": _sine_of_scores}),)


def _sine_of_scores(state: dict[str, Any]) -> None:
    state["scores"] = np.sin(state["scores"])


def _diagnosis(title: str, models: tuple[Model, ...]) -> float:
    asked = pack.load().plan(TIMED, Backend.NUMPY, np.random.default_rng(labelled.SEED))
    transcript = enact(asked, models)
    verdicts = pack.load().judge(asked, transcript).verdicts
    verdict = next(v for v in verdicts if v.status is not Status.PASSED)
    start = time.perf_counter()
    suspects = pack.load().diagnose(asked, transcript, verdict)
    taken = time.perf_counter() - start
    if suspects[0].id not in title:
        print(f"    {title} was diagnosed as {suspects[0].id}")
    return taken


if __name__ == "__main__":
    main()
