"""Which replacements to try, and which of those that mend everything shows the guilty expression.

> An expression is guilty if giving it its right value, and changing nothing else, makes every
> answer right, and what it was made from was right already.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING

from attnpack.diagnosis.places.waypoints import Array, Rule, Waypoint, alike, loose_rules, rules
from attnpack.guest.seeing.sites import Kind, Site, Span, Whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.calls import SeenValue
    from attnpack.diagnosis.places.sites import Sites

MOST_TRIED = 500


@dataclass
class Evaluated:
    """All evaluations of one site in one run."""

    site: Site
    part: int
    """which element of a tuple; -1: the value itself"""
    order: int
    """of its first evaluation"""
    depth: int
    in_constructor: bool
    values: list[Array] = field(default_factory=list)

    @property
    def is_condition(self) -> bool:
        """Whether it says yes or no."""
        return self.values[0].ndim == 0 and self.values[0].dtype.kind == "b"


def evaluated(
    built: Sequence[SeenValue], called: Sequence[SeenValue], sites: Sites
) -> list[Evaluated]:
    """By site, in the order of their first evaluations: in a constructor, then in a call."""
    found: dict[tuple[int, int], Evaluated] = {}
    for order, value in enumerate((*built, *called)):
        site = sites[value.site]
        if site is None:
            continue
        new = Evaluated(site, value.part, order, value.depth, order < len(built))
        found.setdefault((value.site, value.part), new).values.append(value.array)
    return list(found.values())


def first_unknown(
    every: Sequence[Evaluated], right: Sequence[Waypoint], series: Sequence[tuple[str, ...]]
) -> Evaluated | None:
    """The first array that no right run has, after the last that one has."""
    unknown: Evaluated | None = None
    for one in every:
        if any(value.size < 2 or value.dtype.kind != "f" for value in one.values):
            continue
        if _known(one, right, series):
            unknown = None
        elif unknown is None:
            unknown = one
    return unknown


class Before(IntEnum):
    """What a site's own value was, seen from the right value that it is given. Guiltiest first."""

    WRONG = 0
    """none that a right run has had by then"""
    EMPTY = 1
    """one number throughout: a buffer, a mask that hides nothing"""
    RIGHT = 2
    """one of a right run, which should have gone through a further step"""
    PARTLY = 3
    """right as far as it is filled"""


@dataclass(frozen=True)
class Replacement:
    """A site and the right values that it is given."""

    one: Evaluated
    rule: Rule
    waypoint: Waypoint
    before: Before


class Shapes(Enum):
    """Which right values are tried."""

    SAME = auto()
    """those of the value's own shape, or of its axes in another order"""
    OTHER = auto()


def replacements(
    every: Sequence[Evaluated],
    right: Sequence[Waypoint],
    series: Sequence[tuple[str, ...]],
    shapes: Shapes,
) -> list[Replacement]:
    """Those that change something; what was evaluated last comes first among other shapes."""
    if shapes is Shapes.SAME:
        return [each for one in every for each in _of_site(one, right, series)][:MOST_TRIED]
    found: list[Replacement] = []
    for one in reversed(every):  # the nearer to what raised, the likelier
        if one.values[0].size == 0 and one.site.whole is Whole.PART and one.part < 0:
            continue  # a module, an object: what is taken from it is seen for itself
        known = _known(one, right, series)
        for rule, waypoint in loose_rules(one.values, right):
            found.append(Replacement(one, rule, waypoint, _before(one, waypoint, known)))
    return found[:MOST_TRIED]


def _known(
    one: Evaluated, right: Sequence[Waypoint], series: Sequence[tuple[str, ...]]
) -> list[Waypoint]:
    """What a right run calls the values of a site."""
    by_name = {waypoint.name: waypoint for waypoint in right}
    found = []
    for rule, waypoint in rules(one.values, right, series):
        pairs = zip(one.values, rule.values(by_name), strict=False)
        if all(alike(value, new, waypoint.allowed) for value, new in pairs):
            found.append(waypoint)
    return found


def _of_site(
    one: Evaluated, right: Sequence[Waypoint], series: Sequence[tuple[str, ...]]
) -> Iterator[Replacement]:
    if one.in_constructor and one.values[0].size > 1:
        return  # matrices get their numbers afterwards
    known: list[Waypoint] = []
    open_ones: list[tuple[Rule, Waypoint]] = []
    by_name = {waypoint.name: waypoint for waypoint in right}
    for rule, waypoint in rules(one.values, right, series):
        pairs = zip(one.values, rule.values(by_name), strict=False)
        same = [alike(value, new, waypoint.allowed) for value, new in pairs]
        if all(same):
            known.append(waypoint)
        elif waypoint.given and not (len(rule.names) > 1 and same.count(False) == 1):
            open_ones.append((rule, waypoint))  # of one wrong call the call is wrong
    for rule, waypoint in open_ones:
        yield Replacement(one, rule, waypoint, _before(one, waypoint, known))


def _before(one: Evaluated, waypoint: Waypoint, known: Sequence[Waypoint]) -> Before:
    if any(earlier.position < waypoint.position for earlier in known):
        return Before.RIGHT
    if len(one.values) == 1 and _is_filled_partly(one.values[0], waypoint):
        return Before.PARTLY
    if all(value.size > 1 and bool((value == value.flat[0]).all()) for value in one.values):
        return Before.EMPTY
    return Before.WRONG


def _is_filled_partly(value: Array, waypoint: Waypoint) -> bool:
    right = waypoint.array
    filled = value != 0
    if value.shape != right.shape or not right.all() or filled.all() or not filled.any():
        return False
    return alike(value[filled], right[filled], waypoint.allowed)


def guiltiest(mending: Sequence[Replacement]) -> list[Replacement]:
    """The same, the best place first.

    The earliest step whose right result mends all that follows; of its values the first wrong one.
    """
    ordered = sorted(
        mending, key=lambda each: (each.waypoint.position, each.before, each.one.order)
    )
    if any(each.before is Before.PARTLY for each in ordered):
        partly = [each for each in reversed(ordered) if each.before is Before.PARTLY]
        return [*partly, *ordered]  # it was used before it was full
    if ordered and ordered[0].one.is_condition:
        block = ordered[0].one.site.block
        inside = [each for each in ordered if _is_made_in(each, block)]
        return [*inside, *(each for each in ordered if each not in inside)]
    if not ordered or ordered[0].before is not Before.RIGHT:
        return ordered
    step = [each for each in ordered if each.waypoint.position == ordered[0].waypoint.position]
    last = _last_made(step)
    return [last, *(each for each in ordered if each is not last)]


def may_be_inside(ordered: Sequence[Replacement], every: Sequence[Evaluated]) -> list[Evaluated]:
    """What a condition lets happen, where nothing of it is known to mend but the condition."""
    if not ordered or not ordered[0].one.is_condition:
        return []
    block = ordered[0].one.site.block
    inside = [one for one in every if block.holds(one.site.span) and one.values[0].size > 1]
    return [one for one in inside if one.order > ordered[0].one.order]


def _is_made_in(each: Replacement, block: Span) -> bool:
    """Whether it is a wrong value of what a condition lets happen."""
    made = each.one.values[0].size > 1 and each.before is Before.WRONG
    return made and block.holds(each.one.site.span)


def _last_made(right: Sequence[Replacement]) -> Replacement:
    """Of a value on its way: where it was last assigned or returned, no deeper than it was made."""
    last = right[0]
    for each in right[1:]:
        if (
            each.one.site.whole in (Whole.ASSIGNED, Whole.RETURNED)
            and each.one.depth <= last.one.depth
        ):
            last = each
    return last


def used_without(chosen: Replacement, mending: Sequence[Replacement]) -> Site | None:
    """Where a value that lacks a step was used as if it had gone through it."""
    if chosen.before is not Before.RIGHT:
        return None
    later = [each.one for each in mending if each.one.order > chosen.one.order]
    later = [one for one in later if one.site.kind is Kind.EVALUATED]
    return later[-1].site if later else None
