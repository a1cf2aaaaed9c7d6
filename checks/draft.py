"""What an exercise asks, before it is known of which exercise and stage it is. No numpy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

Inputs: TypeAlias = Mapping[str, Any]
"""One call: arguments by name, and for a class what its object is built and filled with.

Beside the names of the exercise's own signatures a call may hold

- `matrices`: name -> numbers that are put into the object before it (`None`: it keeps its own);
- `method`: which of the object's methods is called, where there is more than one;
- `left out`: names that are not handed over, because their default is what is meant;
- `refused`: why an object with these sizes must be refused, as the middle of a sentence;
- `form`: which of several right forms the answers show (see `Exercise.settle`);
- `flipped`: (start, stop), the tokens that are negated against the last call without it.
"""


class Tag(StrEnum):
    """What is special about a probe, for whoever asks, judges, fits, traces or notes."""

    INTEGER = "integer"
    UNDERFLOW = "underflow"
    """mask-then-renormalise cannot be right here: noted, not failed"""
    EXTREME = "extreme"
    """scores so extreme that weights are one-hot: little is seen in a trace"""
    READ_OFF = "read off"
    """weights are read off the outputs of a class, in several passes"""
    FACTOR = "factor"
    """moderate scores: the one factor that is wrong with them can be read off"""
    MASKING = "masking"
    """calls without and with a mask: what masked keys are filled with can be read off"""
    FLIP = "flip"
    ONE_POSITION = "one position"
    """gradients of position 1 alone: those of later tokens are 0"""
    REFUSED = "refused"
    """sizes that must be refused with an exception"""
    REPEAT = "repeat"
    """the first two calls are equal, the third has other numbers of the same shape"""
    CANCELLING = "cancelling"
    """right in single precision but for formulas that take large numbers from each other"""
    BLOCKED_ROW = "blocked row"
    """one row with every key masked: anything is right, it may be noted"""
    STRIDED = "strided"
    """arguments are transposed views: an array is one all the same, so it is noted"""
    HALF = "half"
    """the same masks in float16 and float32: what they do is noted"""
    TRAIN = "train"
    """in train mode dropout acts: only finite numbers and closed masks are asked for"""


FOR_NOTES = frozenset({Tag.BLOCKED_ROW, Tag.HALF, Tag.STRIDED})
"""probes with these tags are noted and never judged, by no stage"""
OWN_RULES = FOR_NOTES | {Tag.REFUSED, Tag.TRAIN}
"""probes with these tags have other right answers than the oracle's"""


@dataclass(frozen=True)
class Draft:
    """Calls that belong together: of a function, or in a row on one object of a class."""

    name: str
    """in the words of a reader, unlike that of any other of its stage"""
    calls: tuple[Inputs, ...]
    tags: frozenset[Tag] = frozenset()
    precision: str = ""
    """what float arguments are lifted to, where it is not the usual"""
    cotangents: tuple[tuple[Any, ...], ...] = ()
    """per call, per result; drawn by stage `gradients` where they are left out"""
    beside: str = ""
    """a name that drafts share whose answers are held against each other"""


def draft(name: str, *calls: Inputs, tags: Iterable[Tag] = (), beside: str = "") -> Draft:
    """The usual one: `draft("one query", {"scores": ...}, tags={Tag.INTEGER})`."""
    return Draft(name, calls, frozenset(tags), beside=beside)


def again(first: Inputs, other: Inputs, *further: Inputs) -> Draft:
    """The same call twice, then other numbers of the same shape: state and chance show."""
    return draft("again", first, first, other, *further, tags={Tag.REPEAT})


def spoken_shape(shape: Iterable[int]) -> str:
    """A shape as a name: "2x5x7"."""
    return "x".join(map(str, shape))
