"""How often the diagnosis is right on submissions it was not written against.

    python bench/unseen.py [BACKEND] [--kind mistakes | --kind wild] [--seed N] [--match TEXT]
                           [--only-faulty] [--lines]

Prints each miss with what was said, then the shares; for `wild` also the right ones that fail.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "unseen"))

from asking import Said, ask
from fragments import Kind, Unseen, unseen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("backend", nargs="?", choices=("numpy", "torch", "value"))
    parser.add_argument("--kind", type=Kind, choices=list(Kind), default=Kind.CASES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--match", default="", help="only cases whose name holds this text")
    parser.add_argument("--lines", action="store_true", help="the bug's line too")
    parser.add_argument("--only-faulty", action="store_true", help="leave the right exercises out")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    cases = [c for c in unseen(asked.backend, asked.kind) if c.harmless and asked.match in c.name]
    said: dict[str, tuple[Unseen, Said]] = {}
    right: list[Said] = []
    for case in cases:
        started = time.perf_counter()
        answer = ask(case, seed=asked.seed, only_faulty=asked.only_faulty, traced=asked.lines)
        took = time.perf_counter() - started
        if not case.faulty:
            right.append(answer)
            if answer.failing:
                print(miss(case, answer, took), flush=True)
            continue
        said[f"{case.backend}/{case.name}"] = (case, answer)
        if not answer.right(case):
            print(miss(case, answer, took), flush=True)
        elif asked.lines and not answer.line(case):
            print(f"{case.backend}/{case.name}: {lines(case, answer)}", flush=True)
    if right:
        alarms = sum(bool(answer.failing) for answer in right)
        print(f"right ones failing:             {alarms} of {len(right)}")
    with contextlib.suppress(ZeroDivisionError):
        if asked.lines:
            located = sum(s.line(c) for c, s in said.values())
            print(f"line acceptable: {located} ({100 * located / len(said):.1f} %)")
        summary(list(said.values()))


def miss(case: Unseen, said: Said, took: float) -> str:
    """One line for a case that is not right."""
    failing = {name: (str(v.stage), v.status.value) for name, v in said.failing.items()}
    got = [f"{s.id} {s.match}{' together' if s.together else ''}" for s in said.suspects]
    both = " and ".join("|".join(names) for names in case.together)
    wanted = both or " or ".join(case.ids) or "nothing: it is right"
    if case.exercise not in failing:
        text = f"PASSES although {wanted}; failing: {failing}"
    elif list(failing) != [case.exercise]:
        text = f"fails elsewhere: {failing}"
    else:
        text = f"{'/'.join(failing[case.exercise])}: wanted {wanted}; said {got}"
    return f"{case.backend}/{case.name} ({case.exercise}, {took:.1f} s) {text}"


def lines(case: Unseen, said: Said) -> str:
    """The line that was said and those that would have been right."""
    source = case.source.splitlines()
    came = said.suspects[0].line
    text = "nothing" if came is None else f"{came}: {source[came - 1].strip()}"
    wanted = "; ".join(source[line - 1].strip() for line in case.lines)
    return f"{said.suspects[0].id} at {text} - wanted {wanted}"


def summary(said: list[tuple[Unseen, Said]]) -> None:
    """The shares of all cases."""
    singles = [(c, s) for c, s in said if not c.pair]
    pairs = [(c, s) for c, s in said if c.pair]
    passed = sum(c.exercise not in s.failing for c, s in said)
    elsewhere = sum(bool(set(s.failing) - {c.exercise}) for c, s in said)
    first = sum(bool(s.suspects) and s.suspects[0].id in c.ids for c, s in said)
    print(f"cases {len(said)}: {len(singles)} with one bug, {len(pairs)} with two")
    print(f"missed (passed although wrong): {passed}")
    print(f"a right exercise failing:       {elsewhere}")
    print(f"first name acceptable:          {first} ({100 * first / len(said):.1f} %)")
    false = sum(
        any(x.match == "exact" and x.id not in c.ids for x in s.suspects[:1]) for c, s in said
    )
    print(f"first name exact and wrong:     {false}")
    both = sum(s.named(c) for c, s in pairs)
    print(f"pairs fully named:              {both} ({100 * both / len(pairs):.1f} %)")


if __name__ == "__main__":
    main()
