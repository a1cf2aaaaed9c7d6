"""Places measured on mutants, of which it is known what was changed and where.

    python -m bench.places [--backend numpy] [--most 600] [--no-edits] [--list]

The solutions and the right variants of tests/right are changed by the operators of bench/mutants;
of each mutant that fails, name, line, place and one mending edit are asked for as `attnpack check`
does. It is met within the mutated statement where the line that is shown lies on its lines; a
statement that was dropped is met beside it, or by the two ends of a step left out. Targets are
shown; the exit code is always 0.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from attnpack import pack
from attnpack.calls import Task
from attnpack.checking.searching import searched
from attnpack.host.pool import open_pool
from attnpack.pack.kinds import Source
from attnpack.terms import Backend, Proof, Status
from bench.measured import Share, seconds, shown
from bench.mutants.mutate import Mutant, Whereabouts, mutants, whereabouts
from bench.start import NUMPY

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from typing import TypeVar

    from attnpack.calls import Question, Transcript
    from attnpack.host.pool import GuestPool
    from attnpack.pack.kinds import Ask, Change, Place, Suspect, Verdict

    Found = TypeVar("Found")

SEED = 7291
PATIENCE_S = 1.0
OF_EACH = 40
"""mutants of one text"""
LEAST = {Backend.NUMPY: 600, Backend.TORCH: 200, Backend.VALUE: 100}
VARIANTS = Path(__file__).parent.parent / "tests" / "right"


@dataclass(frozen=True)
class Written:
    """A right exercise, with the files around it."""

    exercise: str
    entry: str
    sources: Mapping[str, str]


@dataclass
class Tally:
    """What came of the mutants of one backend."""

    counts: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    """mutants of each kind"""
    met: Counter[str] = field(default_factory=Counter)
    """of these, places within the statement"""
    within: Counter[str] = field(default_factory=Counter)
    """of these, places within the expression or its parent"""
    proofs: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    not_mended: list[str] = field(default_factory=list)
    placing: list[float] = field(default_factory=list)
    """seconds for name and place"""
    editing: list[float] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", type=Backend, choices=list(Backend), default=Backend.NUMPY)
    parser.add_argument("--most", type=int, help="mutants that fail, after which no more are made")
    parser.add_argument("--no-edits", action="store_true")
    parser.add_argument("--list", action="store_true", help="those that were not met")
    arguments = parser.parse_args()
    most = arguments.most or LEAST[arguments.backend]
    with open_pool(arguments.backend) as pool:
        tally = _measure(arguments.backend, pool, most, edits=not arguments.no_edits)
    _print(arguments.backend, tally, listed=arguments.list)


def _measure(backend: Backend, pool: GuestPool, most: int, *, edits: bool) -> Tally:
    tally = Tally()
    for written, mutant in _drawn(backend):
        if tally.counts["failing"] == most:
            break
        _Mutated(backend, pool, written, mutant).score(tally, edits=edits)
    return tally


def _drawn(backend: Backend) -> Iterator[tuple[Written, Mutant]]:
    """Some mutants of each solution and variant, drawn the same way each time."""
    random = Random(SEED)
    for written in (*_solutions(backend), *_variants(backend)):
        every = list(mutants(written.sources[written.entry]))
        chosen = random.sample(every, min(OF_EACH, len(every)))
        yield from ((written, mutant) for mutant in chosen)


def _solutions(backend: Backend) -> Iterator[Written]:
    known = pack.load()
    exercises = [exercise for exercise in known.exercises if backend in exercise.backends]
    paths = {e.file: known.reference_path(backend, e.file) for e in exercises}
    texts = {file: path.read_text(encoding="utf-8") for file, path in paths.items()}
    yield from (Written(exercise.name, exercise.file, texts) for exercise in exercises)


def _variants(backend: Backend) -> Iterator[Written]:
    sys.path.insert(0, str(VARIANTS))
    from variants import each_once, exercises_in, submissions

    for exercise in exercises_in(backend.value):
        for one, _ in each_once(submissions(backend.value, Random(SEED)), [exercise]):
            if not one.is_lone_file:
                yield Written(exercise, one.entry(exercise), one.sources)


@dataclass
class _Mutated:
    backend: Backend
    pool: GuestPool
    written: Written
    mutant: Mutant

    def __post_init__(self) -> None:
        self.sources = {**self.written.sources, self.written.entry: self.mutant.source}
        files = {e.name: e.file for e in pack.load().exercises if e.file in self.sources}
        others = {name: file for name, file in files.items() if name != self.written.exercise}
        self.source = Source(self.sources, self.written.entry, others)

    def score(self, tally: Tally, *, edits: bool) -> None:
        """Ask for place and edit, and say what came of it."""
        known, rng = pack.load(), np.random.default_rng(SEED)
        plan = known.plan(self.written.exercise, self.backend, rng)
        transcript = self.pool.run(self._task(plan.questions))
        verdicts = known.judge(plan, transcript).verdicts
        verdict = next((v for v in verdicts if v.status is not Status.PASSED), None)
        if verdict is None or verdict.status is Status.NOT_STARTED:
            return
        tally.counts["failing"] += 1
        begun = time.perf_counter()
        suspects = known.diagnose(plan, transcript, verdict, self.source)
        questions = tuple(known.trace_plan(plan, transcript, verdict, suspects))
        traced = self.pool.run(self._task(questions)) if questions else transcript
        suspects = known.locate(plan, transcript, traced, verdict, suspects, self.source)
        suspects = self._searched(known.places(plan, transcript, verdict, suspects, self.source))
        tally.placing.append(time.perf_counter() - begun)
        place = suspects[0].place
        self._score_place(tally, suspects[0], verdict)
        if edits:
            begun = time.perf_counter()
            near = None if place is None else place.span
            change = self._searched(known.change(plan, transcript, verdict, self.source, near))
            tally.editing.append(time.perf_counter() - begun)
            self._score_change(tally, change)

    def _score_place(self, tally: Tally, suspect: Suspect, verdict: Verdict) -> None:
        place = suspect.place
        tally.proofs["none" if place is None else place.proof] += 1
        where = whereabouts(self.mutant)
        met = _in_statement(suspect, where, self)
        if self.mutant.kind == "statement dropped":
            within = met and place is not None
        else:
            within = place is not None and _in_parent(place, where, self)
        kind = self.mutant.kind
        tally.kinds[kind] += 1
        tally.met[kind] += met
        tally.within[kind] += within
        tally.counts["statement"] += met
        tally.counts["expression"] += within
        proven = place is not None and place.proof is Proof.REPLACED
        tally.counts["proven"] += proven
        tally.counts["proven and met"] += proven and met
        if not within:
            said = (
                f"{suspect.line} {suspect.id}"
                if place is None
                else f"{place.span.line}: {place.text}"
            )
            proof = "" if place is None else f", {place.proof}"
            miss = "" if met else ", another statement"
            tally.missed.append(f"{self._named} ({verdict.status}{proof}{miss}) -> {said}")

    def _score_change(self, tally: Tally, change: Change | None) -> None:
        tally.counts["mended"] += change is not None
        if change is None:
            tally.not_mended.append(self._named)

    @property
    def _named(self) -> str:
        return f"{self.written.exercise}, {self.mutant.kind}: {self.mutant.change}"

    def _searched(self, search: Generator[Ask, Transcript, Found]) -> Found:
        return searched(search, self._task(()), self.pool.run)

    def _task(self, questions: Sequence[Question]) -> Task:
        return Task(
            self.written.exercise,
            self.written.entry,
            self.sources,
            self.backend.value,
            tuple(questions),
            deadline_s=PATIENCE_S,
            total_s=6 * PATIENCE_S,
        )


def _in_statement(suspect: Suspect, where: Whereabouts, mutated: _Mutated) -> bool:
    if suspect.line is None or suspect.file != mutated.written.entry:
        return False
    first, last = where.statement.line, where.statement.end_line
    if mutated.mutant.kind != "statement dropped":
        return first <= suspect.line <= last
    used = None if suspect.place is None else suspect.place.used
    if used is not None and suspect.line <= first <= used.line:
        return True
    return first - 1 <= suspect.line <= last + 1


def _in_parent(place: Place, where: Whereabouts, mutated: _Mutated) -> bool:
    span, outer = place.span, where.parent
    begins = (outer.line, outer.column) <= (span.line, span.column)
    ends = (span.end_line, span.end_column) <= (outer.end_line, outer.end_column)
    return span.file == mutated.written.entry and begins and ends


def _print(backend: Backend, tally: Tally, *, listed: bool) -> None:
    counts, failing = tally.counts, tally.counts["failing"]
    print(f"\n{backend}: {failing} mutants that fail (at least {LEAST[backend]})")
    print("  proof: " + ", ".join(f"{count} {proof}" for proof, count in tally.proofs.items()))
    shares = [
        Share("line within the mutated statement", counts["statement"], failing, least=0.97),
        Share(
            "place within the expression or its parent", counts["expression"], failing, least=0.85
        ),
        Share(
            "of the proven ones within the statement", counts["proven and met"], counts["proven"]
        ),
    ]
    if tally.editing:
        shares.append(Share("mended by one edit", counts["mended"], failing, least=0.9))
    for share in shares:
        print(f"  {share}")
    for kind, count in tally.kinds.most_common():
        share = f"{tally.met[kind]} within the statement, {tally.within[kind]} the expression"
        print(f"    {kind}: {count}, {share}")
    numpy = statistics.median(seconds(NUMPY, Path.cwd()) for _ in range(3))
    middle = statistics.median(tally.placing)
    print(f"  {shown('name and place / import numpy, median', middle / numpy, most=2.0)}")
    if tally.editing:
        middle = statistics.median(tally.editing)
        print(f"  {shown('one edit / import numpy, median', middle / numpy, most=10.0)}")
    for title, names in (("missed", tally.missed), ("not mended", tally.not_mended)):
        for name in names if listed else ():
            print(f"    {title}: {name}")


if __name__ == "__main__":
    main()
