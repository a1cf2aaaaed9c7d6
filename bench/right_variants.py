"""A right implementation never fails: every right variant, freshly combined for each seed.

    python bench/right_variants.py [--seeds N] [--first-seed N] [--backend B] [--jobs N]

Prints the number of variants of each exercise (tests/right/texts/BACKEND) and each false
alarm; exit code 1 where there was one. A false alarm is a stage that does not pass, a note
that is not earned, and a note that is earned and not given.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "right"))

from alarms import Alarm, alarms
from variants import BACKENDS, EXERCISES, each_once, exercises_in, submissions, variants


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--backend", choices=BACKENDS, action="append")
    parser.add_argument("--exercise", choices=EXERCISES, action="append")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    backends = asked.backend or list(BACKENDS)
    exercises = tuple(asked.exercise or EXERCISES)
    seeds = range(asked.first_seed, asked.first_seed + asked.seeds)
    _print_counts(backends)
    tasks = [(backend, seed, exercises) for seed in seeds for backend in backends]
    checked, false = 0, 0
    with ProcessPoolExecutor(asked.jobs) as workers:
        for (backend, seed, _), (number, found) in zip(
            tasks, workers.map(_of_seed, tasks), strict=True
        ):
            checked += number
            false += len(found)
            print(f"{backend} seed {seed}: {number} exercises checked, {len(found)} false alarms")
            for alarm in found:
                print(alarm)
            sys.stdout.flush()
    print(f"{checked} exercises checked over {len(seeds)} seeds: {false} false alarms")
    return 1 if false else 0


def _print_counts(backends: list[str]) -> None:
    total = 0
    print(f"{'right variants':32}" + "".join(f"{backend:>8}" for backend in backends))
    for exercise in EXERCISES:
        counts = [
            len(variants(backend, exercise)) if exercise in exercises_in(backend) else 0
            for backend in backends
        ]
        total += sum(counts)
        print(f"{exercise:32}" + "".join(f"{count:8}" for count in counts))
    print(f"{'all':32}{total:8}")


def _of_seed(task: tuple[str, int, tuple[str, ...]]) -> tuple[int, list[Alarm]]:
    backend, seed, exercises = task
    pairs = each_once(submissions(backend, Random(seed)), exercises)
    found = [alarm for combined, exercise in pairs for alarm in alarms(combined, exercise, seed)]
    return len(pairs), found


if __name__ == "__main__":
    raise SystemExit(main())
