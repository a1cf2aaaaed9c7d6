"""Whether anything passes the short form that fails the whole plan.

    python -m bench.short_form [KIND ...] [--every N] [--seed N] [--jobs N] [--exercise NAME]

Kinds are `labelled`, `unseen`, `mutant` and `branch`; all of them where none is named. `--every 10`
takes each tenth text. Prints what slipped, then the counts.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TYPE_CHECKING

from attnpack.terms import Backend
from bench.short_form.held import Fate, Forms, Text
from bench.short_form.texts import of_branches, of_cases, of_mutants, of_unseen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KINDS = ("labelled", "unseen", "mutant", "branch")
MUTANTS_OF_EACH = 4


def main() -> int:
    """Print what slipped and the counts; 1 where something slipped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", choices=[[], *KINDS])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=7291)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--exercise")
    asked = parser.parse_args()
    every = texts(asked.kinds or KINDS, asked.seed)
    wanted = [t for t in every if asked.exercise in (None, t.exercise)][:: asked.every]
    counts: Counter[tuple[str, Fate]] = Counter()
    with ProcessPoolExecutor(asked.jobs) as workers:
        seeds = [asked.seed] * len(wanted)
        for text, fate in zip(
            wanted, workers.map(fate_of, wanted, seeds, chunksize=20), strict=True
        ):
            counts[text.kind, fate] += 1
            if fate is Fate.SLIPPED:
                print(f"slipped: {text.backend} {text.exercise} {text.kind} {text.name}")
                sys.stdout.flush()
    print(table(counts))
    return 1 if any(fate is Fate.SLIPPED for _, fate in counts) else 0


def texts(kinds: Sequence[str], seed: int) -> Iterator[Text]:
    """Everything of these kinds, in the backends that are installed."""
    backends = [b for b in Backend if b is not Backend.TORCH or importlib.util.find_spec("torch")]
    for backend in backends:
        if "labelled" in kinds:
            yield from of_cases(backend)
        if "unseen" in kinds:
            yield from of_unseen(backend)
        if "mutant" in kinds:
            yield from of_mutants(backend, seed, MUTANTS_OF_EACH)
    if "branch" in kinds:
        yield from of_branches()


def fate_of(text: Text, seed: int) -> Fate:
    """What becomes of one text."""
    return _forms(seed).fate(text)


@cache
def _forms(seed: int) -> Forms:
    return Forms(seed)


def table(counts: Counter[tuple[str, Fate]]) -> str:
    """A row for each kind, and one for all."""
    kinds = [kind for kind in KINDS if any(counts[kind, fate] for fate in Fate)]
    rows = [f"{'':10}{'texts':>8}" + "".join(f"{fate:>10}" for fate in Fate)]
    for name, of in (*((kind, (kind,)) for kind in kinds), ("all", kinds)):
        numbers = [sum(counts[kind, fate] for kind in of) for fate in Fate]
        rows.append(f"{name:10}{sum(numbers):8}" + "".join(f"{number:10}" for number in numbers))
    return "\n".join(rows)


if __name__ == "__main__":
    raise SystemExit(main())
