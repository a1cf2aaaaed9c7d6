"""The picture as a value: what every renderer draws. Nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np

from attnpack.look.model.recover import RECOVERABLE, ZERO

if TYPE_CHECKING:
    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import Head
    from attnpack.look.pictures.view import View

REFERENCE = "the reference"
ROW_SUM_SLACK = 1e-3
"""a row of weights whose sum is farther from 1 is marked"""
DIFFERENT = 1e-4
"""the smallest difference from the reference worth naming"""


@dataclass(frozen=True)
class Effect:
    """What the attention does to the model that it sits in."""

    loss: float
    """nats per token on held-out stories"""
    reference_loss: float
    continuation: str
    """the words that the model goes on with, greedily"""
    reference_continuation: str


@dataclass(frozen=True)
class Picture:
    """One sentence through every head of the model."""

    source: str
    """whose attention it is: a file name, or REFERENCE"""
    tokens: tuple[str, ...]
    """(T,), the start mark first"""
    weights: Array
    """(L, h, T, T), rows are queries, columns keys"""
    reference: Array
    """the same for right attention on the very same inputs of each layer"""
    heads: tuple[Head, ...]
    """of the model, layer by layer"""
    residues: tuple[float, ...]
    """per layer, as in `Recovered`"""
    effect: Effect | None = None
    diagnosis: tuple[str, ...] = ()
    """what `check` says of the code, where it is not right"""

    @property
    def is_learners(self) -> bool:
        """Not the reference's own."""
        return self.source != REFERENCE


@dataclass(frozen=True)
class Place:
    """One cell of one head, and the number that makes it worth naming."""

    layer: int
    head: int
    query: int
    key: int
    value: float


class Kind(Enum):
    """How the numbers of a panel are to be read."""

    WEIGHTS = auto()
    """0 to 1"""
    DIFFERENCE = auto()
    """-1 to 1, 0 in the middle"""


@dataclass(frozen=True)
class Panel:
    """One matrix to draw."""

    title: str
    weights: Array
    """(T, T)"""
    kind: Kind = Kind.WEIGHTS


def panels(picture: Picture, view: View) -> tuple[Panel, ...]:
    """The matrices that a view asks for."""
    if view.diff:
        return _compared(picture, view)
    if view.mean:
        chosen = slice(None) if view.head is None else slice(view.head, view.head + 1)
        return tuple(
            Panel(_mean_title(picture, layer, view), picture.weights[layer, chosen].mean(axis=0))
            for layer in _layers(picture, view)
        )
    return tuple(
        Panel(title(head), picture.weights[head.layer, head.head])
        for head in shown_heads(picture, view)
    )


def shown_heads(picture: Picture, view: View) -> tuple[Head, ...]:
    """The heads that a view asks for, layer by layer."""
    return tuple(
        head
        for head in picture.heads
        if view.layer in (None, head.layer) and view.head in (None, head.head)
    )


def title(head: Head) -> str:
    """L1H2 induction 0.93"""
    kind, score = head.character
    return f"{head.name} {kind} {score:.2f}"


def head_to_show(picture: Picture, kind: str | None) -> Head:
    """The head to show where only one is: the worst one, the kind's best, the clearest here."""
    place = worst_leak(picture) or worst_row(picture) or largest_difference(picture)
    if place is not None:
        return _head(picture, place)
    if kind is not None:
        return max(picture.heads, key=lambda head: head.scores[kind])
    return max(picture.heads, key=lambda head: _clearness(picture, head))


def _clearness(picture: Picture, head: Head) -> float:
    """How plainly a head shows its kind in this sentence: mean weight on the keys of its kind."""
    weights = np.nan_to_num(picture.weights[head.layer, head.head])
    length = len(picture.tokens)
    if head.character[0] == "induction":
        followed = [(q, p + 1) for q in range(2, length) if (p := _before(picture, q)) is not None]
        return sum(float(weights[pair]) for pair in followed) / max(3, len(followed))
    if head.character[0] == "previous-token" and length > 1:
        return float(weights[np.arange(1, length), np.arange(length - 1)].mean())
    return 0.0


def _before(picture: Picture, query: int) -> int | None:
    """The last position before `query` with the same token."""
    earlier = (p for p in range(query - 1, 0, -1) if picture.tokens[p] == picture.tokens[query])
    return next(earlier, None)


def is_future(picture: Picture) -> Array:
    """(T, T): True where the key comes after the query."""
    length = len(picture.tokens)
    return np.triu(np.ones((length, length), dtype=bool), k=1)


def leaks(weights: Array) -> Array:
    """True where a key of the future has weight: the same shape as weights (..., T, T)."""
    future = np.triu(np.ones(weights.shape[-2:], dtype=bool), k=1)
    return future & ~(np.abs(weights) <= ZERO)


def row_is_off(sums: Array) -> Array:
    """True where the weights of a query do not sum to 1, or are no numbers."""
    return ~(np.abs(sums - 1.0) <= ROW_SUM_SLACK)


def leaked_share(picture: Picture) -> float:
    """The share of all weight that lies on keys of the future."""
    weight = np.nan_to_num(np.abs(picture.weights))
    total = float(weight.sum())
    return float(weight[leaks(picture.weights)].sum()) / total if total else 0.0


def worst_leak(picture: Picture) -> Place | None:
    """The key of the future with the most weight, where there is one."""
    leaking = np.where(leaks(picture.weights), np.nan_to_num(np.abs(picture.weights)), 0.0)
    return _largest(leaking) if leaking.any() else None


def largest_difference(picture: Picture) -> Place | None:
    """Where the weights are farthest from the reference's, where they differ at all."""
    difference = np.nan_to_num(np.abs(picture.weights - picture.reference), nan=np.inf)
    return _largest(difference) if (difference > DIFFERENT).any() else None


def worst_row(picture: Picture) -> Place | None:
    """The query whose weights are farthest from summing to 1; `key` means nothing here."""
    sums = picture.weights.sum(axis=-1)  # (L, h, T)
    if not row_is_off(sums).any():
        return None
    off = np.nan_to_num(np.abs(sums - 1.0), nan=np.inf)
    layer, head, query = np.unravel_index(int(off.argmax()), off.shape)
    return Place(int(layer), int(head), int(query), 0, float(sums[layer, head, query]))


def is_recovered(picture: Picture) -> bool:
    """The weights explain the output of every layer."""
    return all(residue <= RECOVERABLE for residue in picture.residues)


def position_of(picture: Picture, position: int) -> int:
    """A position counted from the start, whichever end it was counted from."""
    return position % len(picture.tokens)


def _layers(picture: Picture, view: View) -> list[int]:
    return [n for n in range(len(picture.weights)) if view.layer in (None, n)]


def _mean_title(picture: Picture, layer: int, view: View) -> str:
    heads = picture.weights.shape[1]
    return f"L{layer}H{view.head}" if view.head is not None else f"L{layer} mean of {heads} heads"


def _compared(picture: Picture, view: View) -> tuple[Panel, ...]:
    """Yours, the reference, the difference: of the heads asked for, else of the farthest off."""
    heads = shown_heads(picture, view)
    if view.layer is None and view.head is None:
        place = largest_difference(picture)
        heads = (head_to_show(picture, view.kind) if place is None else _head(picture, place),)
    compared = []
    for head in heads:
        yours = picture.weights[head.layer, head.head]
        right = picture.reference[head.layer, head.head]
        compared += [
            Panel(f"{head.name} yours", yours),
            Panel(f"{head.name} reference", right),
            Panel(f"{head.name} yours - reference", yours - right, Kind.DIFFERENCE),
        ]
    return tuple(compared)


def _head(picture: Picture, place: Place) -> Head:
    return next(h for h in picture.heads if (h.layer, h.head) == (place.layer, place.head))


def _largest(numbers: Array) -> Place:
    where = np.unravel_index(int(numbers.argmax()), numbers.shape)
    layer, head, query, key = (int(index) for index in where)
    return Place(layer, head, query, key, float(numbers[where]))
