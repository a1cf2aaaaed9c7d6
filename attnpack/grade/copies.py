"""Whom a submission equals, or is like: the reference, and others of its cohort."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnpack.grade.alike import Group, alike
from attnpack.grade.fingerprints import fingerprints
from attnpack.grade.similar import equal_to_reference, groups, shapes_of
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.pack import Pack

REFERENCE = "equals the reference"
_NAMED = 3


@dataclass(frozen=True)
class Copied:
    """What is known of one submission."""

    of_reference: bool = False
    equal: tuple[str, ...] = ()
    """the submissions that equal it, and itself; empty where none does"""
    like: Group | None = None
    """the submissions that share much of their code, this one among them"""
    own: str = ""

    @property
    def flags(self) -> tuple[str, ...]:
        """In words, for tables."""
        return tuple(self._flags())

    def _flags(self) -> Iterator[str]:
        if self.of_reference:
            yield REFERENCE
        if self.equal:
            yield f"equals {self._others(self.equal)}"
        if self.like:
            yield f"like {self._others(self.like.members)}: {in_percent(self.like)}"

    def _others(self, members: tuple[str, ...]) -> str:
        others = [other for other in members if other != self.own]
        more = f" and {len(others) - _NAMED} more" if others[_NAMED:] else ""
        return ", ".join(others[:_NAMED]) + more


@dataclass(frozen=True)
class Given:
    """What the pack's own texts are known by."""

    shapes: Mapping[str, Mapping[str, str]]
    """backend -> exercise -> hash of the reference's definition"""
    prints: frozenset[int] = frozenset()
    """of references and stubs"""


def given_by(pack: Pack) -> Given:
    """The references and stubs of a pack."""
    shapes = {}
    prints: set[int] = set()
    for backend in Backend:
        exercises = [e for e in pack.exercises if backend in e.backends]
        texts = [pack.reference_path(backend, e.file).read_text("utf-8") for e in exercises]
        stubs = [pack.stub_path(backend, e.file).read_text("utf-8") for e in exercises]
        shapes[backend.value] = shapes_of(texts, [e.name for e in exercises])
        for text in (*texts, *stubs):
            prints.update(fingerprints([text]))
    return Given(shapes, frozenset(prints))


def copied(judged: Mapping[str, Mapping[str, Any]], given: Given) -> dict[str, Copied]:
    """Of each submission of a cohort, from what its judgement kept: a `Judged` as plain data."""
    shapes = {one: kept["shapes"] for one, kept in judged.items()}
    equal = groups(shapes)
    equal_to = {one: tuple(group) for group in equal for one in group}
    prints = {one: kept.get("fingerprints", ()) for one, kept in judged.items()}
    like = {one: each for each in alike(prints, given.prints, equal) for one in each.members}
    return {
        one: Copied(
            equal_to_reference(shapes[one], given.shapes.get(kept["report"]["backend"], {})),
            equal_to.get(one, ()),
            like.get(one),
            one,
        )
        for one, kept in judged.items()
    }


def in_percent(group: Group) -> str:
    """How much those of a group share."""
    least, most = (f"{100 * share:.0f}" for share in (group.least, group.most))
    return f"{least} %" if least == most else f"{least} to {most} %"
