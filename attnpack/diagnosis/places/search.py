"""Which replacements to try, and which of those that mend everything shows the guilty expression.

> An expression is guilty if giving it its right value, and changing nothing else, makes every
> answer right, and what it was made from was right already.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from typing import TYPE_CHECKING

from attnpack.diagnosis.places.waypoints import Array, Rule, Waypoint, alike, loose_rules, rules
from attnpack.guest.seeing.sites import Kind, Site, Span, Whole

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

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
    def is_written(self) -> bool:
        """Whether it is a name after a statement that wrote into what it holds."""
        return self.site.kind is Kind.WRITTEN

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
        if known_as(one, right, series):
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
    ALIKE = 4
    """a right value in another of its forms, or one that was further on: that is not wrong"""


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
    concerned: Callable[[Waypoint], bool],
) -> list[Replacement]:
    """Those that change something; what was evaluated last comes first among other shapes.

    `concerned` says of a right value whether it is worth a try.
    """
    filled = {(one.site.function, one.site.text) for one in every if one.is_written}
    if shapes is Shapes.SAME:
        found = [each for one in every for each in _of_site(one, right, series, filled)]
        return [each for each in found if concerned(each.waypoint)][:MOST_TRIED]
    loose: list[Replacement] = []
    for one in reversed(every):  # the nearer to what raised, the likelier
        if one.values[0].size == 0 and one.site.whole is Whole.PART and one.part < 0:
            continue  # a module, an object: what is taken from it is seen for itself
        known = known_as(one, right, series)
        wanted = [pair for pair in loose_rules(one.values, right) if concerned(pair[1])]
        for rule, waypoint in wanted:
            loose.append(Replacement(one, rule, waypoint, _before(one, waypoint, known, filled)))
    return loose[:MOST_TRIED]


def known_as(
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
    one: Evaluated,
    right: Sequence[Waypoint],
    series: Sequence[tuple[str, ...]],
    filled: Collection[tuple[str, str]],
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
    fixed = len(one.values) > 1 and _is_fixed(one.site.text)
    for rule, waypoint in open_ones:
        if fixed and len({value.tobytes() for value in rule.values(by_name)}) > 1:
            continue  # constants alone give the same each time
        yield Replacement(one, rule, waypoint, _before(one, waypoint, known, filled))


def _is_fixed(text: str) -> bool:
    """Whether an expression is made of constants alone."""
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return all(id(node) in called for node in names)


def _before(
    one: Evaluated,
    waypoint: Waypoint,
    known: Sequence[Waypoint],
    filled: Collection[tuple[str, str]],
) -> Before:
    if one.is_condition:
        return Before.WRONG
    if any(each.form_of and each.form_of == waypoint.form_of for each in known):
        return Before.ALIKE
    if any(each.position < waypoint.position or each.name == waypoint.name for each in known):
        return Before.RIGHT
    if known:
        return Before.ALIKE
    is_filled = (one.site.function, one.site.text) in filled
    if is_filled and len(one.values) == 1 and _is_filled_partly(one.values[0], waypoint):
        return Before.PARTLY
    if all(value.size > 1 and bool((value == value.flat[0]).all()) for value in one.values):
        return Before.EMPTY
    return Before.WRONG


def _is_filled_partly(value: Array, waypoint: Waypoint) -> bool:
    right = waypoint.array
    written = value != 0
    if value.shape != right.shape or not right.all() or written.all() or not written.any():
        return False
    return alike(value[written], right[written], waypoint.allowed)


def guiltiest(
    mending: Sequence[Replacement], innocent: Callable[[Replacement], bool]
) -> list[Replacement]:
    """The same, the best place first.

    The earliest step whose right result mends all that follows; of its values the first wrong one.
    What is innocent comes last: nothing is wrong with it, it is only used in a wrong way.
    """
    ordered = sorted(
        mending,
        key=lambda each: (
            innocent(each),
            each.waypoint.position,
            each.before not in (Before.WRONG, Before.EMPTY),
            each.before,
            each.one.order,
        ),
    )
    if any(each.before is Before.PARTLY for each in ordered):
        partly = [each for each in reversed(ordered) if each.before is Before.PARTLY]
        return [*partly, *ordered]  # it was used before it was full
    deciding = condition_of(ordered)
    if deciding is not None:
        inside = [each for each in ordered if _is_made_in(each, deciding.site.block)]
        return [*inside, *(each for each in ordered if each not in inside)]
    if not ordered or ordered[0].before is not Before.RIGHT:
        return ordered
    step = [each for each in ordered if each.waypoint.position == ordered[0].waypoint.position]
    last = _last_made(step)
    return [last, *(each for each in ordered if each is not last)]


def operands_first(ordered: Sequence[Replacement], raised: Span) -> list[Replacement]:
    """The same, of what raised the operands first, the innermost before what it is part of."""
    inside = [each for each in ordered if raised.holds(each.one.site.span)]
    inside.sort(key=lambda each: len(each.one.site.text))
    return [*inside, *(each for each in ordered if each not in inside)]


def condition_of(ordered: Sequence[Replacement]) -> Evaluated | None:
    """The condition that the best replacement changes, as a whole or in a part."""
    if not ordered:
        return None
    best = ordered[0].one
    conditions = (each.one for each in ordered if each.one.is_condition)
    return next((one for one in conditions if one.site.span.holds(best.site.span)), None)


def may_be_inside(ordered: Sequence[Replacement], every: Sequence[Evaluated]) -> list[Evaluated]:
    """What a condition lets happen, where nothing of it is known to mend but the condition."""
    deciding = condition_of(ordered)
    if deciding is None:
        return []
    block = deciding.site.block
    inside = [one for one in every if block.holds(one.site.span) and one.values[0].size > 1]
    return [one for one in inside if one.order > deciding.order]


def _is_made_in(each: Replacement, block: Span) -> bool:
    """Whether it is made by what a condition lets happen, and should be something else."""
    made = each.one.values[0].size > 1 and each.before in (Before.WRONG, Before.ALIKE)
    made = made and not issubclass(each.one.site.form, ast.Name)
    return made and block.holds(each.one.site.span)


def _last_made(right: Sequence[Replacement]) -> Replacement:
    """Of a value on its way: where it was last assigned, or returned by its name.

    But a name that is given to another comes first: nothing is done there that it would be for.
    """
    near = [each for each in right if each.one.depth <= right[0].one.depth]
    assigned = [each for each in near if each.one.site.whole is Whole.ASSIGNED]
    returned = [each for each in near if each.one.site.whole is Whole.RETURNED]
    aliases = [each for each in assigned if _is_name(each)]
    named = [each for each in returned if _is_name(each)]
    return next(iter([*aliases, *reversed([*assigned, *named]), *reversed(returned)]), right[0])


def _is_name(each: Replacement) -> bool:
    return issubclass(each.one.site.form, ast.Name)


def operand_within(best: Replacement, mending: Sequence[Replacement]) -> Replacement:
    """The innermost operand of a wrong expression that mends as well: a number, another array.

    Of a mask the sense is not its own but that in which it is used.
    """
    if best.one.is_condition or best.before is Before.RIGHT:
        return best
    inside = [
        each
        for each in mending
        if each.one.site is not best.one.site
        and best.one.site.span.holds(each.one.site.span)
        and (_is_number(each) or (each.before is Before.ALIKE and each.waypoint.form_of != "mask"))
    ]
    return min(inside, key=lambda each: len(each.one.site.text), default=best)


def _is_another(each: Replacement) -> bool:
    """Whether an operand is not what it should be."""
    if each.before is Before.ALIKE:
        return each.waypoint.form_of != "mask"
    return each.before in (Before.WRONG, Before.EMPTY)


def _is_number(each: Replacement) -> bool:
    return each.one.values[0].ndim == 0 and each.one.values[0].dtype.kind != "b"


def used_without(chosen: Replacement, mending: Sequence[Replacement]) -> Site | None:
    """Where a value that lacks a step was used as if it had gone through it."""
    if chosen.before is not Before.RIGHT:
        return None
    later = [each.one for each in mending if each.one.order > chosen.one.order]
    later = [one for one in later if one.site.kind is Kind.EVALUATED]
    return later[-1].site if later else None
