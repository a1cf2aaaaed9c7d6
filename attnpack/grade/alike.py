"""Submissions that share much of their code, found through an index of their fingerprints."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

THRESHOLD = 0.6
"""the likeness from which two are named: their shared fingerprints by those of the smaller set"""
FEWEST = 60
"""fingerprints that are a submission's own; with fewer it is too short to say anything"""
COMMON_SHARE, COMMON = 0.1, 5
"""what more than this share of a cohort has, and more than so many, is everybody's"""


@dataclass(frozen=True)
class Group:
    """Submissions that are linked by likeness; not each is like each."""

    members: tuple[str, ...]
    least: float
    """of the linked pairs"""
    most: float


def alike(
    prints: Mapping[str, Collection[int]],
    given: Collection[int] = (),
    copies: Iterable[Sequence[str]] = (),
) -> list[Group]:
    """The groups of a cohort, from the fingerprints of each submission.

    `given` is what reference and stubs have; it is taken off first. Of submissions that are
    equal, `copies`, one stands for all: they are not named for being like each other.
    """
    equal = {group[0]: tuple(group) for group in copies}
    skipped = {one for group in equal.values() for one in group[1:]}
    own = {one: set(found).difference(given) for one, found in prints.items() if one not in skipped}
    likeness = _likeness(_without_common(own))
    groups = _linked(likeness)
    return [
        Group(
            tuple(sorted(each for one in members for each in equal.get(one, (one,)))),
            min(likeness[pair] for pair in likeness if pair[0] in members),
            max(likeness[pair] for pair in likeness if pair[0] in members),
        )
        for members in groups
    ]


def _without_common(own: Mapping[str, set[int]]) -> dict[str, set[int]]:
    counts = Counter(print_ for found in own.values() for print_ in found)
    most = max(COMMON, COMMON_SHARE * len(own))
    return {one: {p for p in found if counts[p] <= most} for one, found in own.items()}


def _likeness(own: Mapping[str, set[int]]) -> dict[tuple[str, str], float]:
    """Pairs whose likeness reaches the threshold. Only those that share something are met."""
    index: dict[int, list[str]] = {}
    for one in sorted(own):
        if len(own[one]) >= FEWEST:
            for each in own[one]:
                index.setdefault(each, []).append(one)
    shared: Counter[tuple[str, str]] = Counter()
    for having in index.values():
        shared.update(combinations(having, 2))
    found = {pair: count / min(len(own[one]) for one in pair) for pair, count in shared.items()}
    return {pair: share for pair, share in found.items() if share >= THRESHOLD}


def _linked(pairs: Iterable[tuple[str, str]]) -> list[set[str]]:
    """The connected parts, in order of their first members."""
    part: dict[str, set[str]] = {}
    for first, second in pairs:
        joined = part.get(first, {first}) | part.get(second, {second})
        for each in joined:
            part[each] = joined
    return sorted({id(each): each for each in part.values()}.values(), key=min)
