"""From an expression whose right value mends everything to the one that made its wrong value.

A name that is read is wrong because of what was assigned to it, or written into what it holds.
"""

from __future__ import annotations

import ast
import itertools
from textwrap import dedent
from typing import TYPE_CHECKING

import numpy as np

from attnpack.diagnosis.places.search import Before, known_as
from attnpack.diagnosis.places.waypoints import right_cells
from attnpack.guest.seeing.sites import Kind, Whole

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from attnpack.diagnosis.places.search import Evaluated, Replacement
    from attnpack.diagnosis.places.sites import Sites
    from attnpack.diagnosis.places.waypoints import Array, Waypoint

_READS = (ast.Name, ast.Attribute)


def origin(
    best: Replacement,
    every: Sequence[Evaluated],
    right: Sequence[Waypoint],
    series: Sequence[tuple[str, ...]],
    sites: Sites,
) -> Evaluated:
    """What made the wrong value that a replacement mends; its own expression where that did."""
    if best.before in (Before.RIGHT, Before.EMPTY):
        unused = _made_and_not_used(best, every, right, series)
        if unused is not None:
            return unused
    by_name = {waypoint.name: waypoint for waypoint in right}
    target = best.rule.values(by_name)
    if best.before in (Before.RIGHT, Before.ALIKE):
        maker = _maker(best, every, target) if issubclass(best.one.site.form, _READS) else None
        return maker if maker is not None and _is_idle(maker, every) else best.one
    writes = _writes(best, every)
    if writes and len(target) == 1:
        return _wrongly_written(writes, every, target[0], best.waypoint, sites)
    if issubclass(best.one.site.form, _READS):
        return _maker(best, every, target) or best.one
    return best.one


def _made_and_not_used(
    best: Replacement,
    every: Sequence[Evaluated],
    right: Sequence[Waypoint],
    series: Sequence[tuple[str, ...]],
) -> Evaluated | None:
    """A statement by itself that made the very value that is missing, and did not keep it."""
    for one in every:
        if one.site.whole is not Whole.BARE or one.order < best.one.order or one.values[0].size < 2:
            continue
        if any(waypoint.name == best.waypoint.name for waypoint in known_as(one, right, series)):
            return one
    return None


def last_on_its_way(
    every: Sequence[Evaluated],
    right: Sequence[Waypoint],
    names: Collection[str],
    series: Sequence[tuple[str, ...]],
) -> Evaluated | None:
    """Where a right value of one of these names was last made, in whatever layout."""
    found = None
    for one in every:
        if one.is_written or issubclass(one.site.form, _READS) or one.values[0].size < 2:
            continue
        if any(waypoint.name in names for waypoint in known_as(one, right, series)):
            found = one
    return found


def not_entered(
    best: Replacement, mending: Sequence[Replacement], every: Sequence[Evaluated], sites: Sites
) -> Evaluated | None:
    """The condition that let out a statement which would have changed the value on its way."""
    names = {
        each.one.site.text
        for each in mending
        if each.before is Before.RIGHT
        and each.waypoint is best.waypoint
        and each.one.order > best.one.order
        and issubclass(each.one.site.form, ast.Name)
    }
    for one in every:
        if one.order < best.one.order or not one.is_condition or any(map(bool, one.values)):
            continue
        if one.site.parent is None and _binds_one_of(sites.written(one.site.block), names):
            return one
    return None


def _binds_one_of(block: str, names: Collection[str]) -> bool:
    """Whether what stands below a condition gives one of some names another value."""
    try:
        found = ast.parse(dedent(block)).body
    except SyntaxError:
        return False
    inside = found[0].body if found and isinstance(found[0], ast.If) else []
    targets = [
        target
        for statement in inside
        for node in ast.walk(statement)
        if isinstance(node, ast.Assign | ast.AugAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return any(isinstance(target, ast.Name) and target.id in names for target in targets)


def _writes(best: Replacement, every: Sequence[Evaluated]) -> list[Evaluated]:
    """Where what a name holds is written into: before it is read, or after it is made empty."""
    own = best.one
    here = [one for one in every if one.is_written and one.site.function == own.site.function]
    here = [one for one in here if one.values[0].shape == own.values[0].shape]
    if own.site.kind is Kind.EVALUATED and issubclass(own.site.form, _READS):
        return [one for one in here if one.site.text == own.site.text and one.order < own.order]
    holds = best.waypoint.array.dtype.kind == own.values[0].dtype.kind
    if best.before is Before.EMPTY and own.site.whole is Whole.ASSIGNED and holds:
        later = [one for one in here if one.order > own.order]
        return later if len({one.site.text for one in later}) == 1 else []
    return []


def _wrongly_written(
    writes: Sequence[Evaluated],
    every: Sequence[Evaluated],
    right: Array,
    waypoint: Waypoint,
    sites: Sites,
) -> Evaluated:
    """The first that put a wrong number somewhere; else the one that left something out."""
    for write in writes:
        made = [one for one in every if one.order < write.order and not one.is_written]
        same = [one.values[0] for one in made if one.values[0].shape == right.shape]
        before = same[-1:] if write is writes[0] else []
        if any(_is_wrong(*pair, right, waypoint) for pair in _in_turn([*before, *write.values])):
            return write
    last = writes[-1]
    return last if _is_cut(sites.text(last.site.statement)) else _lets(last, every) or last


def _in_turn(values: Sequence[Array]) -> Iterator[tuple[Array, Array]]:
    return itertools.pairwise(values)


def _is_wrong(before: Array, after: Array, right: Array, waypoint: Waypoint) -> bool:
    """Whether a cell was changed to what it should not be."""
    if right.shape != after.shape:
        return False
    changed = before != after
    return bool((changed & ~right_cells(after, right, waypoint.allowed)).any())


def _is_cut(statement: str) -> bool:
    """Whether a statement says by a slice's bound how much it writes."""
    try:
        tree = ast.parse(statement)
    except SyntaxError:
        return False
    slices = [node for node in ast.walk(tree) if isinstance(node, ast.Slice)]
    return any(one.lower is not None or one.upper is not None for one in slices)


def _lets(write: Evaluated, every: Sequence[Evaluated]) -> Evaluated | None:
    """The condition or loop in which a statement stands; the innermost one."""
    around = [
        one
        for one in every
        if one.site.block.holds(write.site.span) and not one.site.statement.holds(write.site.span)
    ]
    return max(around, key=lambda one: (one.site.block.line, -one.order), default=None)


def _maker(
    best: Replacement, every: Sequence[Evaluated], target: Sequence[Array]
) -> Evaluated | None:
    """The first expression that had the value which a name was read with."""
    pairs = zip(best.one.values, target, strict=False)
    differing = [value for value, new in pairs if not _equal(value, new)]
    wrong = differing[0] if differing else best.one.values[0]
    for one in every:
        if one.order >= best.one.order:
            return None
        if one.is_written or issubclass(one.site.form, _READS) or one.in_constructor:
            continue
        if wrong.size < 2 and not _binds(one, best.one):
            continue
        if any(_equal(value, wrong) for value in one.values):
            return one
    return None


def _is_idle(maker: Evaluated, every: Sequence[Evaluated]) -> bool:
    """Whether an operation gave what it was given."""
    parts = [one for one in every if one.site.number in maker.site.parts]
    return any(_equal(one.values[0], maker.values[0]) for one in parts)


def _binds(one: Evaluated, read: Evaluated) -> bool:
    """Whether a number is assigned in the function that reads it."""
    return one.site.whole is Whole.ASSIGNED and one.site.function == read.site.function


def _equal(value: Array, other: Array) -> bool:
    if value.shape != other.shape:
        return False
    return np.array_equal(value, other, equal_nan=value.dtype.kind == other.dtype.kind == "f")


def first_having(
    every: Sequence[Evaluated], values: Sequence[Waypoint], series: Sequence[tuple[str, ...]]
) -> Evaluated | None:
    """The first expression that makes one of some values."""
    for one in every:
        if one.is_written or issubclass(one.site.form, _READS) or one.values[0].size < 2:
            continue
        if known_as(one, values, series):
            return one
    return None
