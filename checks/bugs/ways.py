"""How the catalogue writes down the ways a bug is made: models, and models with a number to fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import permutations
from typing import TYPE_CHECKING, Any

from attnpack.diagnosis.models import Model, Step
from attnpack.terms import Backend

from ..steps import blocking, seeing
from ..traits import Trait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..steps.seeing import Change, When

INFINITE = float("inf")
ARRAYS = frozenset({Backend.NUMPY, Backend.TORCH})
"""lists of Values have no axes to name"""

GIVEN_SCORES = frozenset({Trait.GIVEN_SCORES})
GIVEN_WEIGHTS = frozenset({Trait.GIVEN_WEIGHTS})
GIVEN_KEYS = frozenset({Trait.GIVEN_KEYS})
GIVEN_VALUES = frozenset({Trait.GIVEN_VALUES})
GIVEN_KEYS_AND_VALUES = GIVEN_KEYS | GIVEN_VALUES
GIVEN_MASK = frozenset({Trait.GIVEN_MASK})
RETURNS_SCORES = frozenset({Trait.RETURNS_SCORES})
RETURNS_WEIGHTS = frozenset({Trait.RETURNS_WEIGHTS})
RETURNS_ATTENDED = frozenset({Trait.RETURNS_ATTENDED})
RETURNS_BOTH = RETURNS_ATTENDED | RETURNS_WEIGHTS
RETURNS_MASK = frozenset({Trait.RETURNS_MASK})
HAS_SOFTMAX = frozenset({Trait.HAS_SOFTMAX})
HAS_SCORES = frozenset({Trait.HAS_SCORES})
ATTENDS = frozenset({Trait.ATTENDS})
ATTENDS_ON_ANY_AXES = frozenset({Trait.ATTENDS, Trait.ANY_AXES})
SOFTMAX_ON_ANY_AXES = frozenset({Trait.HAS_SOFTMAX, Trait.ANY_AXES})
HEADS_AXIS = frozenset({Trait.HAS_SOFTMAX, Trait.HEADS_AXIS})
ATTENDS_WITH_HEADS = frozenset({Trait.ATTENDS, Trait.HEADS_AXIS})
PROJECTS = frozenset({Trait.PROJECTS})
SINGLE_HEAD = frozenset({Trait.SINGLE_HEAD})
HEADED = frozenset({Trait.HEADED})
MAKES_CAUSAL_MASK = frozenset({Trait.MAKES_CAUSAL_MASK})
ATTENDS_CAUSALLY = ATTENDS | MAKES_CAUSAL_MASK
CAUSAL_FLAG = frozenset({Trait.CAUSAL_FLAG})


class Quantity(StrEnum):
    """A number that a model needs and the learner's answers give (checks/fitting.py)."""

    DIVISOR = "divisor"
    LARGEST_SCORE = "largest score"
    LARGEST_EXPONENT = "largest score whose exponential is finite"
    DENOMINATOR = "denominator"
    TINY_FILL = "tiny fill"
    SMALL_FILL = "small fill"
    TINY_CLOSED = "tiny closed cell"
    SMALL_CLOSED = "small closed cell"
    POSITIVE_CLOSED = "positive closed cell"
    HORIZON = "horizon"
    DECIMALS = "decimals"
    BASE = "base"


@dataclass(frozen=True)
class Fitted:
    """A model with a parameter: estimated on some answers, it must then hold on all."""

    quantity: Quantity
    make: Callable[[float], Model]


def way(
    replaces: Mapping[str, Step],
    label: str = "",
    *,
    rank: int = 0,
    paired: bool = True,
    needs: frozenset[Trait] = frozenset(),
    stateful: bool = False,
    also: str = "",
    tags: frozenset[str] = frozenset(),
) -> Model:
    """One way to write a bug; the catalogue puts the bug's id on it.

    `also` names a second bug that this way holds: both are named.
    """
    return Model("", replaces, label, rank, paired, needs, stateful, also, tags)


def rare(
    replaces: Mapping[str, Step],
    label: str = "",
    *,
    rank: int = 1,
    needs: frozenset[Trait] = frozenset(),
    stateful: bool = False,
    also: str = "",
    tags: frozenset[str] = frozenset(),
) -> Model:
    """A rarer way: tried after the common ones, and not in pairs with other bugs."""
    return way(
        replaces,
        label,
        rank=rank,
        paired=False,
        needs=needs,
        stateful=stateful,
        also=also,
        tags=tags,
    )


def needing(entry: Model | Fitted, needs: frozenset[Trait]) -> Model | Fitted:
    """The same way, in exercises that have these traits too."""
    if isinstance(entry, Model):
        return replace(entry, needs=entry.needs | needs)
    made = entry.make
    return replace(entry, make=lambda value: replace(made(value), needs=made(value).needs | needs))


def when_given(
    make: Callable[[When], Mapping[str, Step]],
    label: str = "",
    *,
    rank: int = 0,
    paired: bool = True,
) -> Iterator[Model]:
    """For every mask (also the causal one of a class), for boolean ones, for additive ones."""
    yield way(make(seeing.always), label, rank=rank, paired=paired)
    for when, kind in _KINDS:
        named = f"{label}, {kind}" if label else kind
        yield way(make(when), named, rank=rank, paired=paired, needs=GIVEN_MASK)


def given(
    change: Change, label: str = "", *, rank: int = 0, paired: bool = True
) -> Iterator[Model]:
    """Another reading of which keys the given mask shows: every mask, boolean, additive ones."""
    yield way({"see": seeing.given(change)}, label, rank=rank, paired=paired, needs=GIVEN_MASK)
    for when, kind in _KINDS:
        named = f"{label}, {kind}" if label else kind
        step = seeing.given(change, when)
        yield way({"see": step}, named, rank=rank, paired=paired, needs=GIVEN_MASK)


def where_rows_see_nothing(
    keep_of: Callable[[int], Any], label: str = "", *, rank: int = 0
) -> Iterator[Model]:
    """A causal mask that leaves rows empty, where they come out other than as NaN."""
    for filled, how in _EMPTY_ROWS:
        named = f"{label}, {how}" if label else how
        yield way(
            {"see": seeing.causal(keep_of), **filled}, named, rank=rank, needs=ATTENDS_CAUSALLY
        )


_EMPTY_ROWS: tuple[tuple[Mapping[str, Step], str], ...] = (
    ({"block": blocking.filled(-1e9)}, "filled with -1e9"),
    ({"block": blocking.added(-1e9)}, "-1e9 is added"),
    ({"after": blocking.empty_rows_zeroed}, "empty rows are 0"),
)
_KINDS = (
    (seeing.is_boolean, "boolean masks only"),
    (seeing.is_additive, "additive masks only"),
)


def every_order() -> Iterator[tuple[tuple[int, ...], int]]:
    """Every order of (B, h, T, d_k) but the right one and the plain reshape, with a rank."""
    common = {(2, 1, 0, 3), (0, 2, 3, 1), (1, 2, 0, 3), (2, 0, 1, 3), (1, 0, 2, 3)}
    for order in permutations(range(4)):
        if order not in ((0, 1, 2, 3), (0, 2, 1, 3)):
            yield order, 0 if order in common else 1
