"""What a cohort misunderstood: pure counts over its results."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from attnpack.grade.results import diagnosis
from attnpack.report.words import outcome
from attnpack.terms import UNRECOGNISED, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.grade.results import Cohort, Result
    from attnpack.report.model import CheckReport, NamedBug

_NOT_BUGS = frozenset({UNRECOGNISED, "raises", "never-returns", "ends-process"})
_PLACE = re.compile(r"\s*\([^()\n]{0,200}\bline \d{1,9}[^()\n]{0,200}\)")
"""where it happened, which differs from student to student"""
BINS = 10


@dataclass(frozen=True)
class Marks:
    """The distribution of marks."""

    mean: float
    median: float
    bins: tuple[int, ...]
    """how many have 0 to 10 %, 10 to 20 %, ...; the last one includes 100 %"""


@dataclass(frozen=True)
class PassRate:
    """How many passed an exercise, or one stage of it."""

    passed: int
    asked: int


@dataclass(frozen=True)
class Shared:
    """A bug, or an unexplained failure, and who has it."""

    id: str
    exercises: tuple[str, ...]
    results: tuple[Result, ...]
    line: str = ""
    """one learner's line, without a name"""


@dataclass(frozen=True)
class Problem:
    """What keeps students from passing: a bug, an exception, a failure that nobody explains."""

    id: str
    """of a bug, or `unrecognised`"""
    said: str
    """what came, without what differs from student to student"""
    exercises: tuple[str, ...]
    results: tuple[Result, ...]
    line: str = ""
    """one learner's line, without a name"""


@dataclass(frozen=True)
class Together:
    """Two bugs that the same submissions have."""

    first: str
    second: str
    count: int


def marks(cohort: Cohort) -> Marks | None:
    """None where nobody has a mark."""
    percents = [r.mark.percent for r in cohort.results if r.mark.percent is not None]
    if not percents:
        return None
    counts = Counter(min(int(percent * BINS / 100), BINS - 1) for percent in percents)
    bins = tuple(counts[at] for at in range(BINS))
    return Marks(statistics.fmean(percents), statistics.median(percents), bins)


def pass_rates(cohort: Cohort) -> dict[str, dict[str, PassRate]]:
    """Exercise -> "" for the whole, or a stage -> how many passed."""
    passed: Counter[tuple[str, str]] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    for result in cohort.results:
        for exercise in result.report.exercises if result.report else ():
            asked[exercise.name, ""] += 1
            passed[exercise.name, ""] += exercise.status is Status.PASSED
            for check in exercise.checks:
                if check.status is Status.SKIPPED:
                    continue
                asked[exercise.name, check.stage] += 1
                passed[exercise.name, check.stage] += check.status is Status.PASSED
    return {
        name: {
            stage: PassRate(passed[name, stage], asked[name, stage])
            for stage in ("", *cohort.rubric.worth)
            if asked[name, stage]
        }
        for name in cohort.rubric.points
    }


def bugs(cohort: Cohort) -> list[Shared]:
    """The bugs, the one most submissions made first."""
    found: dict[str, list[tuple[Result, str, NamedBug]]] = {}
    for result, exercise, bug in _diagnoses(cohort):
        if bug.id not in _NOT_BUGS:
            found.setdefault(bug.id, []).append((result, exercise, bug))
    shared = [_shared(bug_id, cases) for bug_id, cases in found.items()]
    return sorted(shared, key=lambda bug: (-len(bug.results), bug.id))


def together(cohort: Cohort) -> list[Together]:
    """Pairs of bugs that at least two submissions have both of."""
    pairs: Counter[tuple[str, str]] = Counter()
    for result in cohort.results:
        named = sorted(bug for bug in set(result.bugs) if bug not in _NOT_BUGS)
        pairs.update(combinations(named, 2))
    common = [Together(*pair, count) for pair, count in pairs.items() if count > 1]
    return sorted(common, key=lambda pair: (-pair.count, pair.first, pair.second))


def waiting(cohort: Cohort) -> dict[tuple[str, str], Counter[str]]:
    """Exercise and stage -> how many an earlier check stopped, by what is known of them.

    In the words of the pages: they would pass, or were not reached.
    """
    found: dict[tuple[str, str], Counter[str]] = {}
    for result in cohort.results:
        for exercise in result.report.exercises if result.report else ():
            for check in exercise.checks:
                if check.status is Status.SKIPPED and exercise.status is not Status.NOT_STARTED:
                    counts = found.setdefault((exercise.name, check.stage), Counter())
                    counts[outcome(check)] += 1
    return found


def problems(cohort: Cohort) -> list[Problem]:
    """All that went wrong, what most have first: equal bugs, exceptions, unexplained lines."""
    found: dict[tuple[str, str, str], list[tuple[Result, str, NamedBug | None]]] = {}
    for result in cohort.results:
        for exercise in result.report.exercises if result.report else ():
            failing = exercise.failing
            if failing is None or exercise.status is Status.NOT_STARTED:
                continue
            named: list[NamedBug | None] = [*diagnosis(failing.bugs)]
            for bug in named or [None]:
                key = _kind(result, exercise.name, failing, bug)
                found.setdefault(key, []).append((result, exercise.name, bug))
    listed = [
        Problem(
            id=kind,
            said=said,
            exercises=tuple(dict.fromkeys(exercise for _, exercise, _ in cases)),
            results=tuple({result.submission: result for result, _, _ in cases}.values()),
            line=_commonest([_line_of(result, bug) for result, _, bug in cases]),
        )
        for (kind, said, _), cases in found.items()
    ]
    return sorted(listed, key=lambda problem: (-len(problem.results), problem.id, problem.said))


def _kind(
    result: Result, exercise: str, failing: CheckReport, bug: NamedBug | None
) -> tuple[str, str, str]:
    """What makes two failures one problem: a bug, an exception, or else equal wrong numbers."""
    if bug is not None and bug.id not in _NOT_BUGS:
        return bug.id, "", ""
    said = _PLACE.sub("", failing.message)
    if failing.status is Status.ERROR:
        return (bug.id if bug else "raises"), said, ""
    numbers = result.clusters.get(exercise, _line_of(result, bug))
    return UNRECOGNISED, f"{exercise}: {said}", numbers


def _line_of(result: Result, bug: NamedBug | None) -> str:
    return result.lines.get(f"{bug.file}:{bug.line}", "") if bug else ""


def _diagnoses(cohort: Cohort) -> Iterator[tuple[Result, str, NamedBug]]:
    for result in cohort.results:
        for exercise in result.report.exercises if result.report else ():
            for bug in diagnosis(exercise.failing.bugs if exercise.failing else ()):
                yield result, exercise.name, bug


def _shared(bug_id: str, cases: Sequence[tuple[Result, str, NamedBug]]) -> Shared:
    results = tuple({result.submission: result for result, _, _ in cases}.values())
    exercises = tuple(dict.fromkeys(exercise for _, exercise, _ in cases))
    lines = [result.lines.get(f"{bug.file}:{bug.line}", "") for result, _, bug in cases]
    return Shared(bug_id, exercises, results, _commonest(lines))


def _commonest(lines: Sequence[str]) -> str:
    """The line most of them wrote; of equally common ones the shortest."""
    counts = Counter(line for line in lines if line)
    return min(counts, key=lambda line: (-counts[line], len(line), line), default="")
