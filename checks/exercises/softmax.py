"""`softmax`: scores become weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind
from attnpack.terms import Backend

from .. import stages
from ..draft import Draft, Tag, again, draft, spoken_shape
from ..exercise import Exercise, Signature, Traced
from ..steps import right
from ..traits import Trait
from . import reading
from .lazily import attending, designed, np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draw import Draw


def _shapes(draw: Draw) -> Iterator[Draft]:
    for shape in draw.with_stacks([(5, 7), (4, 1), (1, 6)], [(2, 5, 7), (2, 3, 5, 7)]):
        yield draft(spoken_shape(shape), {"scores": draw.normal(*shape)})


def _row_sums(draw: Draw) -> Iterator[Draft]:
    rising = np.sort(1500.0 * draw.normal(4, 1), axis=0)  # (T, 1)
    tables = {
        **designed.hard_scores(draw, 4, 4),
        "wide": 2.0 * draw.normal(3, 5),
        "square rows far apart, rising": rising + draw.normal(4, 4),
        "from end to end": designed.end_to_end_scores(draw, 4, 5),
    }
    if draw.stacked:
        tables |= {
            "stack": draw.normal(3, 4, 5),
            "stack far apart": 1500.0 * draw.normal(2, 3, 1) + draw.normal(2, 3, 5),
            "heads far apart": 1500.0 * draw.normal(2, 3, 4, 1) + draw.normal(2, 3, 4, 5),
            "cube": draw.normal(4, 4, 4),
        }
    for name, scores in tables.items():
        yield draft(name, {"scores": scores})
    yield from _integers(draw, (3, 5), (2, 3, 4))


def _integers(draw: Draw, *shapes: tuple[int, ...]) -> Iterator[Draft]:
    for shape in shapes if draw.backend is Backend.NUMPY else ():
        call = {"scores": draw.integers(*shape)}
        yield draft(f"integers {spoken_shape(shape)}", call, tags={Tag.INTEGER})


def _values(draw: Draw) -> Iterator[Draft]:
    for shape in draw.with_stacks([(6, 6), (3, 5)], [(3, 5, 7), (2, 3, 4, 5)]):
        yield draft(str(shape), {"scores": 3.0 * draw.normal(*shape)})
    yield _again(draw)


def _again(draw: Draw) -> Draft:
    return again({"scores": draw.normal(4, 5)}, {"scores": draw.normal(4, 5)})


def _short_form(draw: Draw) -> Iterator[Draft]:
    batch, heads, queries, keys = draw.different(4)
    size = draw.size(3, 5)
    tables = {
        "square": designed.levelled_scores(draw, 5, 5) + draw.normal(5, 5),
        "wide": designed.end_to_end_scores(draw, 4, 5),
        "all negative": -800.0 - 3.0 * np.abs(draw.normal(size, size)),
        "near -1e4": -1e4 + draw.normal(size, size),
        "one row": draw.normal(1, keys) - 5.0,
        "one key": draw.normal(queries, 1),
    }
    if draw.stacked:
        tables |= {
            "batch": 2.0 * draw.normal(batch, queries, keys),
            "batch far apart": designed.levelled_scores(draw, size, 3, keys),
            "cube": draw.normal(size, size, size),
            "heads": 2.0 * draw.normal(batch, heads, queries, keys),
            "heads far apart": designed.levelled_scores(draw, 2, 3, 5, 7),
        }
    yield _again(draw)
    for name, scores in tables.items():
        yield draft(name, {"scores": scores})
    yield from _integers(draw, (3, 5), (2, 3, 4))


def _traced(draw: Draw) -> Traced:
    return attending.traced(draw, lambda draw, sizes: {"scores": draw.normal(*sizes.table)})


EXERCISE = Exercise(
    name="softmax",
    file="softmax.py",
    kind=Kind.FUNCTION,
    title="Scores become weights",
    equation="softmax(s)_j = exp(s_j) / sum_k exp(s_k), over the keys (the last axis)",
    needs=(),
    chapter="attention",
    hints=(
        (
            "A score table has one row per query and one column per key. Along which axis "
            "must the weights of one query add up to 1, and what is exp(1000)?"
        ),
        (
            "A softmax does not change when the same number is added to every score of a row."
            " Choose that number, row by row, so that the largest exponent is 0. Keep the "
            "reduced axis, so that one number per row lines up with its row."
        ),
        (
            "The first of the three steps is `largest = scores.max(axis=-1, keepdims=True)` "
            "(torch: `scores.amax(dim=-1, keepdim=True)`; Value: `largest = max(row)`)."
        ),
    ),
    read=(reading.STABLE_SOFTMAX, reading.VASWANI, reading.BROADCASTING),
    traits=frozenset(
        {
            Trait.GIVEN_SCORES,
            Trait.HAS_SOFTMAX,
            Trait.RETURNS_WEIGHTS,
            Trait.HEADS_AXIS,
            Trait.ANY_AXES,
        }
    ),
    takes=Signature(("scores",)),
    results=("weights",),
    steps=(("take", right.take_scores), *right.SOFTMAX),
    probes={
        stages.SHAPES: _shapes,
        stages.ROW_SUMS: _row_sums,
        stages.VALUES: _values,
        stages.GRADIENTS: lambda draw: [draft("random", {"scores": draw.normal(3, 4)})],
    },
    short_form=_short_form,
    traced=_traced,
)
