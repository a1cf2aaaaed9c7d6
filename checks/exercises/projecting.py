"""What is asked alike of classes that project one sequence, however many heads they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from attnpack.terms import Backend

from .. import causal as flips
from .. import designed, train_mode
from ..draft import Draft, Inputs, Tag, again, draft, spoken_shape
from ..exercise import Traced
from ..reach import matrices_within_reach, scores_within_reach, tokens_within_reach
from ..readings import read_off

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..draw import Draw
    from ..steps.recorded import Array

LONG = 33
Case: TypeAlias = tuple[tuple[int, ...], int]
"""the shape of x, and how many heads"""


@dataclass(frozen=True)
class Layer:
    """What of a class decides which inputs suit it."""

    heads: int
    width: int
    """of the usual object"""
    batched: bool = False
    """x has exactly one leading axis, where there are stacks at all"""
    flag_at_call: bool = False
    """`causal` is an argument of the call, so that one object can be asked both ways"""

    def tokens(self, draw: Draw, x: Array) -> Array:
        """x (T, D) with the batch axis that it must have."""
        return x[None] if self.batched and draw.stacked else x


def lead(draw: Draw, *samples: int) -> tuple[int, ...]:
    """Axes in front of (T, D); none where arrays have none."""
    return samples if draw.stacked else ()


def inputs(draw: Draw, x: Array, heads: int = 1, *, flag: bool = True) -> dict[str, Any]:
    """One forward pass on an object of its own with drawn matrices."""
    return _given(x, heads, matrices_within_reach(draw, x, heads), flag=flag)


def _given(x: Array, heads: int, matrices: Mapping[str, Array], *, flag: bool) -> dict[str, Any]:
    width = x.shape[-1]
    return {"d_model": width, "num_heads": heads, "causal": flag, "x": x, "matrices": matrices}


def other_tokens(draw: Draw, call: Inputs, *shape: int) -> Inputs:
    """The same object with other tokens, and the flag said."""
    drawn = draw.normal(*shape)
    x = tokens_within_reach(drawn, call["matrices"], call["num_heads"])
    return {**call, "x": x, "left out": ()}


def shapes(draw: Draw, cases: Iterable[Case]) -> Iterator[Draft]:
    """An object for each."""
    for shape, heads in cases:
        call = inputs(draw, draw.normal(*shape), heads)
        yield draft(f"{spoken_shape(shape)}, {heads} heads", call)


def row_sums(draw: Draw, layer: Layer) -> Iterator[Draft]:
    """Hard tables of scores, one per head, read off the outputs."""
    tables = [
        {**designed.hard_scores(draw, 3, 3), "keys far apart": 1500.0 * draw.normal(3, 3)}
        for _ in range(layer.heads)
    ]
    for name in tables[0]:
        scores = np.stack([table[name] for table in tables])  # (h, T, T)
        yield read_off(draw, draft(name, _with_scores(draw, layer, scores, flag=False)))


def scaling(draw: Draw, layer: Layer, cases: Iterable[tuple[int, int]]) -> Iterator[Draft]:
    """Several d_k, so that no constant is right for all: D and h of each."""
    for width, heads in cases:
        x = layer.tokens(draw, draw.tokens(width // heads, width))
        call = _given(x, heads, draw.matrices(width), flag=False)
        yield read_off(draw, draft(f"D={width}, h={heads}", call, tags={Tag.FACTOR}))


def _with_scores(
    draw: Draw, layer: Layer, scores: Array, *, flag: bool, wider: int = 0
) -> dict[str, Any]:
    """Matrices whose head i scores x as scores[i] (h, T, T); d_k is T, or wider than that."""
    heads, length, _ = scores.shape
    x = draw.tokens(length, (length + wider) * heads)
    matrices = draw.matrices_with_scores(x, scores)
    return _given(layer.tokens(draw, x), heads, matrices, flag=flag)


def _table(draw: Draw, name: str) -> Array:
    keep = designed.triangle(3)
    if name == "ladder":
        return designed.ladder_scores(draw, 3)
    if name == "cliff":
        return designed.cliff_scores(draw, keep)
    if name == "apart":
        return designed.hard_scores(draw, 3, 3)["rows far apart"]
    if name == "far apart":
        levels, spreads = [[1e4], [-1e4], [0.0]], [[1.0], [1.0], [1500.0]]
        table: Array = np.array(levels) + np.array(spreads) * draw.normal(3, 3)
        return table
    return scores_within_reach(1.5 * draw.normal(3, 3), keep)


TAGS = {"ladder": {Tag.EXTREME}, "cliff": {Tag.EXTREME, Tag.UNDERFLOW}}


def designed_call(
    draw: Draw, layer: Layer, name: str, *, flag: bool = True, wider: int = 0
) -> Inputs:
    """Scores that a shaky softmax or a weak mask does not survive, a table per head."""
    scores = np.stack([_table(draw, name) for _ in range(layer.heads)])  # (h, 3, 3)
    call = _with_scores(draw, layer, scores, flag=flag, wider=wider)
    if name == "cliff":  # a head that renormalising loses must be seen alone
        call["matrices"] = {**call["matrices"], "W_o": np.eye(call["d_model"])}
    return call


def designed_in_short(draw: Draw, layer: Layer) -> Iterator[Draft]:
    """Designed scores, open and causal, on as few objects as can be asked both."""
    apart = _shown(designed_call(draw, layer, "apart"))
    opened = [
        _shown(designed_call(draw, layer, "far apart", flag=False)),
        {**apart, "causal": False},
    ]
    closed = [apart, _shown(designed_call(draw, layer, "ladder"))]
    if layer.flag_at_call:
        yield draft("designed", *opened, *closed)
    else:
        yield draft("designed, open", *opened)
        yield draft("designed, causal", *closed)
    cliff = designed_call(draw, layer, "cliff")
    yield draft("cliff", cliff, tags=TAGS["cliff"])


def _shown(call: Inputs) -> Inputs:
    """The same call with weights for its output, the columns of each head in another order.

    Ordinary W_v and W_o add to the tolerance, which would hide a wrong scale of large scores.
    """
    x, heads = call["x"], call["num_heads"]
    length, width = x.shape[-2:]
    identities = [np.roll(np.eye(length, width // heads), head, axis=1) for head in range(heads)]
    values = np.linalg.pinv(x.reshape(length, width)) @ np.concatenate(identities, axis=1)
    return {**call, "matrices": {**call["matrices"], "W_v": values, "W_o": np.eye(width)}}


def mask(draw: Draw, layer: Layer) -> Iterator[Draft]:
    """The same scores open and causal."""
    for name in ("moderate", "ladder", "cliff"):
        call = designed_call(draw, layer, name)
        yield from _open_and_causal(draw, layer, name, call)
    if draw.stacked:
        x = draw.tokens(6, 6 if layer.heads > 1 else 8).reshape(2, 3, -1)
        yield from _open_and_causal(draw, layer, "batch", inputs(draw, x, layer.heads))


def _open_and_causal(draw: Draw, layer: Layer, name: str, call: Inputs) -> Iterator[Draft]:
    """On one object, or on two where the constructor takes the flag."""
    opened, closed = {**call, "causal": False}, {**call, "causal": True}
    tags = {Tag.MASKING, *TAGS.get(name, ())}
    if layer.flag_at_call:
        yield read_off(draw, draft(name, opened, closed, tags=tags))
        return
    for how, each in (("open", opened), ("causal", closed)):
        yield read_off(draw, draft(f"{name}, {how}", each, tags=tags, beside=name))


def causal(draw: Draw, layer: Layer) -> Iterator[Draft]:
    """One object at several lengths, the shortest first and last; and one that is open."""
    short, long = (4, 5) if draw.backend is Backend.VALUE else (5, LONG)
    width, heads = layer.width, layer.heads

    def base(length: int, *, flag: bool, matrices: Mapping[str, Array]) -> dict[str, Any]:
        x = 0.7 * draw.normal(*lead(draw, 1), length, width)
        return {**_given(x, heads, matrices, flag=flag), "flipped": None}

    for name, lengths, left_out in (
        ("grows", (1, short), ("causal",)),
        ("long", (short, long, short), ()),
    ):
        matrices = draw.matrices(width)
        bases = [base(length, flag=True, matrices=matrices) for length in lengths]
        calls = [call for each in bases for call in flips.flipped_calls(each)]
        yield draft(name, *({**c, "left out": left_out} for c in calls), tags={Tag.FLIP})
    opened = base(4, flag=False, matrices=draw.matrices(width))
    yield draft("open", opened, flips.flipped(opened, "x", 3, 4), tags={Tag.FLIP})


def values(draw: Draw, layer: Layer, cases: Mapping[str, Case]) -> Iterator[Draft]:
    """Each case causal and open, the same call again, and train mode."""
    for name, (shape, heads) in cases.items():
        for flag in (True, False):
            call = inputs(draw, draw.normal(*shape), heads, flag=flag)
            yield draft(f"{name}, {'causal' if flag else 'open'}", call)
    shape = (*lead(draw, 2), 5, layer.width)
    first = inputs(draw, draw.normal(*shape), layer.heads)
    yield again(first, other_tokens(draw, first, *shape))
    yield from train_mode.ask(draw, layer.heads)


def gradients(draw: Draw, heads: int, width: int) -> Iterator[Draft]:
    """Of everything, and of position 1 alone, which later tokens must not reach."""
    shape = (*lead(draw, 1), 4, width)
    call = inputs(draw, draw.normal(*shape), heads)
    yield draft("causal", call)
    early = np.zeros(shape)  # (..., T, D)
    early[..., 1, :] = 1.0 + np.abs(draw.normal(width))
    tags = frozenset({Tag.ONE_POSITION})
    yield Draft("position 1 alone", (call,), tags, cotangents=((early,),))
    if draw.backend is Backend.TORCH:  # which frees a graph when it has gone back through it
        yield draft("twice", call, other_tokens(draw, call, *shape))


def first_call(draw: Draw, layer: Layer) -> Inputs:
    """The usual object, causal because the flag is left out."""
    call = inputs(draw, draw.normal(*lead(draw, 2), 5, layer.width), layer.heads)
    return {**call, "left out": ("causal",)}


def opened(call: Inputs) -> Inputs:
    """The same call with `causal=False`."""
    return {**call, "causal": False, "left out": ()}


def long(draw: Draw) -> int:
    """A length beyond any buffer that was made for a few tokens."""
    return LONG if draw.stacked else LONG // 4


def traced(draw: Draw, sizes: Mapping[str, int]) -> Traced:
    """One causal pass on sizes that are all different."""
    kept = {name: size for name, size in sizes.items() if name != "B" or draw.stacked}
    x = draw.normal(*lead(draw, sizes["B"]), sizes["T"], sizes["D"])
    return Traced(kept, inputs(draw, x, sizes.get("h", 1)))
