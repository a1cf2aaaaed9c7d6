"""A right implementation never fails: every right variant, freshly combined for each seed.

    python bench/right_variants.py [--seeds N] [--first-seed N] [--backend B] [--jobs N]

Prints the number of variants of each exercise and each false alarm; exit code 1 where there
was one. A false alarm is a variant that is not passed, a note that it has not earned, and a
note that it has earned and is not given.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "right"))

import numpy as np
from variants import BACKENDS, EXERCISES, Combined, submissions, variants

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend, Status


@dataclass(frozen=True)
class Alarm:
    """What was said of a right variant."""

    backend: str
    seed: int
    exercise: str
    variant: str
    beside: str
    said: str

    def __str__(self) -> str:
        return (
            f"{self.backend} seed {self.seed} {self.exercise}\n"
            f"    variant: {self.variant}\n    beside:  {self.beside}\n    said:    {self.said}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--exercise", choices=EXERCISES, action="append")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    backends = asked.backend or list(BACKENDS)
    wanted = tuple(asked.exercise or EXERCISES)
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    _print_counts(backends)
    with ProcessPoolExecutor(asked.jobs) as workers:
        tasks = [(backend, seed, wanted) for seed in seeds for backend in backends]
        checked, alarms = 0, 0
        for backend, seed, number, found in workers.map(_of_seed, tasks):
            checked += number
            alarms += len(found)
            print(f"{backend} seed {seed}: {number} exercises checked, {len(found)} false alarms")
            for alarm in found:
                print(alarm)
            sys.stdout.flush()
    print(f"{checked} exercises checked over {len(seeds)} seeds: {alarms} false alarms")
    return 1 if alarms else 0


def _print_counts(backends: list[str]) -> None:
    total = 0
    print(f"{'right variants':32}" + "".join(f"{backend:>8}" for backend in backends))
    for exercise in EXERCISES:
        counts = [len(variants(backend, exercise)) for backend in backends]
        total += sum(counts)
        print(f"{exercise:32}" + "".join(f"{count:8}" for count in counts))
    print(f"{'all':32}{total:8}")


def _of_seed(task: tuple[str, int, tuple[str, ...]]) -> tuple[str, int, int, list[Alarm]]:
    backend, seed, wanted = task
    found: list[Alarm] = []
    number = 0
    for combined in submissions(backend, Random(seed)):
        found.extend(alarms(combined, backend, seed, wanted))
        number += len(wanted)
    return backend, seed, number, found


def alarms(
    combined: Combined, backend: str, seed: int, wanted: tuple[str, ...] = EXERCISES
) -> list[Alarm]:
    """Everything wrongly said of one right submission."""
    found: list[Alarm] = []
    for variant in combined.variants:
        if variant.exercise not in wanted:
            continue
        said = _said(combined, variant.exercise, backend, seed)
        beside = " | ".join(f"{s}: {combined.variant(s).name}" for s in variant.siblings)
        found.extend(
            Alarm(backend, seed, variant.exercise, variant.name, beside, each) for each in said
        )
    return found


def _said(combined: Combined, exercise: str, backend: str, seed: int) -> list[str]:
    """What a check says of one exercise beyond "passed" and its own notes."""
    rng = np.random.default_rng([seed, zlib.crc32(exercise.encode())])
    plan = pack.load().plan(exercise, Backend(backend), rng)
    task = Task(exercise, combined.entry(exercise), combined.sources, backend, plan.questions)
    transcript = run_in_process(task)
    judgement = pack.load().judge(plan, transcript)
    said = [
        f"{verdict.stage} {verdict.status}: {verdict.message}"
        for verdict in judgement.verdicts
        if verdict.status not in (Status.PASSED, Status.SKIPPED)
    ]
    noted = {note.id for note in judgement.notes}
    said += [f"noted: {id}" for id in noted - combined.allowed_notes(exercise)]
    return said + [f"not noted: {id}" for id in combined.expected_notes(exercise) - noted]


if __name__ == "__main__":
    raise SystemExit(main())
