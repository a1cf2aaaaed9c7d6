"""The campaign's figures: killed, survived, equivalent, named.

    python -m bench.mutants [--backend numpy] [--exercise softmax] [--seeds 20] [--list]

Every mutant is judged in its own exercise. A survivor is listed unless it is known to be
equivalent (by_hand.py), which is proved again here on fresh numbers of so many seeds. The numpy
solutions are the ones decided by hand.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from attnpack.terms import Backend
from bench.measured import Share
from bench.mutants.by_hand import EQUIVALENT, NO_ENTRY
from bench.mutants.campaign import Fate, Outcome, campaign, survives

if TYPE_CHECKING:
    from collections.abc import Mapping


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", type=Backend, choices=list(Backend), default=Backend.NUMPY)
    parser.add_argument("--seeds", type=int, default=20, help="that prove an equivalent one equal")
    parser.add_argument("--list", action="store_true", help="every mutant with its fate")
    parser.add_argument("--exercise", action="append", default=[], help="alone; again for more")
    arguments = parser.parse_args()
    outcomes = []
    for one in campaign(arguments.backend, names=arguments.exercise):
        outcomes.append(one)
        if arguments.list:
            print(f"{one.fate:10} {_line(one)}")
    _print(arguments.backend, outcomes, arguments.seeds)


def _print(backend: Backend, outcomes: list[Outcome], seeds: int) -> None:
    fates = Counter(one.fate for one in outcomes)
    survived = [one for one in outcomes if one.fate is Fate.SURVIVED]
    equivalent = [one for one in survived if _reason(EQUIVALENT, one)]
    unproved = [one for one in equivalent if not survives(backend, one, seeds)]
    unknown = [one for one in survived if one not in equivalent]
    print(f"\n{backend}: {len(outcomes)} mutants of the solutions")
    print("  " + ", ".join(f"{count} {fate}" for fate, count in fates.most_common()))
    different = len(outcomes) - len(equivalent)
    print(f"  {Share('killed', len(outcomes) - len(survived), different, least=1.0)}")
    print(f"  equivalent, by hand: {len(equivalent)}, equal on {seeds} more seeds each")
    killed = [one for one in outcomes if one.fate is not Fate.SURVIVED]
    slipped = [one for one in killed if one.passes_short_form]
    share = Share(
        "killed by the short form too", len(killed) - len(slipped), len(killed), least=1.0
    )
    print(f"  {share}")
    _print_list("killed by the plan alone", slipped)
    _print_list("equivalent by hand, yet killed by another seed", unproved)
    _print_list("survived", unknown)
    _print_named(outcomes)


def _print_named(outcomes: list[Outcome]) -> None:
    """Of the killed ones with numbers to go by, those that an entry of the catalogue describes."""
    without = [one for one in outcomes if one.fate in (Fate.NAMELESS, Fate.LIKELY)]
    undescribed = [one for one in without if _reason(NO_ENTRY, one)]
    missed = [one for one in without if one not in undescribed]
    named = sum(one.fate is Fate.NAMED for one in outcomes)
    described = named + len(missed)
    print(f"  {Share('named, of those with an entry', named, described, least=0.95)}")
    print(f"  {len(undescribed)} that no entry describes, by hand")
    _print_list("not named", missed)


def _reason(by_hand: Mapping[str, Mapping[str, str]], one: Outcome) -> str:
    return by_hand.get(one.exercise, {}).get(one.mutant.change, "")


def _print_list(title: str, outcomes: list[Outcome]) -> None:
    for one in outcomes:
        print(f"    {title}: {_line(one)}")


def _line(one: Outcome) -> str:
    bugs = f"  ({', '.join(one.bugs)})" if one.bugs else ""
    return f"{one.exercise}: {one.mutant.change}{bugs}"


if __name__ == "__main__":
    main()
