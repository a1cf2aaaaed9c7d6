"""`layer_norm`: every token with mean 0 and variance 1, then stretched and moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.texts import Kind
from attnpack.terms import Backend

from .. import stages
from ..draft import Draft, Tag, again, draft, spoken_shape
from ..exercise import Exercise, Signature, Traced
from ..steps import norming
from ..traits import Trait
from . import reading
from .lazily import np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draft import Inputs
    from ..draw import Draw
    from ..steps.recorded import Array, Named

DEFAULT = 1e-5


def _call(draw: Draw, x: Array, eps: float | None = None) -> Inputs:
    """x with a gain and a bias of its width; `eps` None leaves it out."""
    width = x.shape[-1]
    gain = 1.0 + 0.5 * draw.normal(width)  # (D,)
    given: dict[str, Any] = {"x": x, "gain": gain, "bias": draw.normal(width)}
    return given | ({"eps": DEFAULT, "left out": ("eps",)} if eps is None else {"eps": eps})


def _plain(x: Array, eps: float | None = None) -> Inputs:
    """The same with gain 1 and bias 0."""
    width = x.shape[-1]
    given: dict[str, Any] = {"x": x, "gain": np.ones(width), "bias": np.zeros(width)}
    return given | ({"eps": DEFAULT, "left out": ("eps",)} if eps is None else {"eps": eps})


def _tokens(draw: Draw, *shape: int) -> Array:
    """Tokens whose means and spreads are all different (..., D)."""
    means = 2.0 * draw.normal(*shape[:-1], 1)
    spreads = np.exp(draw.normal(*shape[:-1], 1))
    tokens: Array = means + spreads * draw.normal(*shape)
    return tokens


def _single(numbers: Array) -> Array:
    """Numbers that single precision holds exactly."""
    return numbers.astype(np.float32).astype(np.float64)


def _shapes(draw: Draw) -> Iterator[Draft]:
    for shape in ((5, 7), (2, 5, 7), (1, 6), (2, 3, 5, 4), (7,)):
        yield draft(spoken_shape(shape), _call(draw, _tokens(draw, *shape)))


def _large_mean(draw: Draw) -> Draft:
    """In single precision the mean of squares less the square of the mean has no digits left."""
    x = _single(1e4 + draw.normal(3, 8))
    return Draft("large mean", (_plain(x),), frozenset({Tag.CANCELLING}), "float32")


def _statistics(draw: Draw) -> Iterator[Draft]:
    first, other = _tokens(draw, 4, 6), _tokens(draw, 4, 6)
    other[1:3] = first[1:3]
    yield draft("a table, and two of its tokens among others", _plain(first), _plain(other))
    yield draft("eps given", _plain(_tokens(draw, 3, 5), eps=0.5))
    yield draft("tiny spread", _plain(0.01 * draw.normal(3, 7)))
    yield draft("one token", _plain(_tokens(draw, 6)))
    yield draft("a constant token", _plain(np.vstack([np.full(5, 3.0), draw.normal(5)])))
    yield _large_mean(draw)


def _values(draw: Draw) -> Iterator[Draft]:
    for shape in ((6, 5), (2, 3, 5), (5, 5), (4, 4, 4), (1, 3, 7)):
        yield draft(str(shape), _call(draw, _tokens(draw, *shape)))
    yield draft("eps given", _call(draw, _tokens(draw, 4, 6), eps=0.1))
    yield draft("a small eps given", _call(draw, 0.003 * draw.normal(3, 6), eps=1e-6))
    yield draft("a constant token", _call(draw, np.full((2, 4), 2.0)))
    yield _again(draw)


def _again(draw: Draw) -> Draft:
    first = _call(draw, _tokens(draw, 4, 5))
    return again(first, {**first, "x": _tokens(draw, 4, 5)})


def _short_form(draw: Draw) -> Iterator[Draft]:
    size = draw.size(3, 5)
    batch, tokens, width = draw.different(3, 3)
    yield _again(draw)
    shapes = ((tokens, width), (batch, tokens, width), (size, size), (size,) * 3, (width,), (1, 6))
    for shape in (*shapes, (1, tokens, width), (2, 3, tokens, width)):
        yield draft(spoken_shape(shape), _call(draw, _tokens(draw, *shape)))
    yield draft("eps given", _call(draw, _tokens(draw, tokens, width), eps=0.3))
    yield draft("a small eps given", _call(draw, 0.003 * draw.normal(3, 6), eps=1e-6))
    yield draft("tiny spread", _call(draw, 0.01 * draw.normal(4, 7)))
    yield draft("a constant token", _call(draw, np.vstack([np.full(5, 3.0), draw.normal(5)])))
    yield _large_mean(draw)


def _condition(named: Named) -> float:
    """Rounding grows by how large a token is beside its deviation, and by its length."""
    largest = np.abs(named["x"]).max(axis=-1, keepdims=True)  # (..., 1)
    grown = float((largest / named["deviation"]).max())
    return grown + float(named["x"].shape[-1])


def _traced(draw: Draw) -> Traced:
    sizes = {"B": 2, "T": 5, "D": 7}
    return Traced(sizes, _call(draw, _tokens(draw, *sizes.values())))


EXERCISE = Exercise(
    name="layer_norm",
    file="layer_norm.py",
    kind=Kind.FUNCTION,
    title="Every token on one scale",
    equation="layer_norm(x) = gain (x - mean) / sqrt(variance + eps) + bias, token by token",
    needs=(),
    chapter="block",
    backends=(Backend.NUMPY, Backend.TORCH),
    hints=(
        (
            "Which numbers belong to one token, and what are their mean and variance once the "
            "norm is done, with gain 1 and bias 0?"
        ),
        (
            "Mean and variance are over the features (the last axis), each kept as an axis of "
            "size 1. The variance divides by D, and eps goes under the root."
        ),
        (
            "The variance: `centred = x - mean`, then the mean of `centred**2` along the last "
            "axis, with `keepdims=True` (torch: `keepdim=True`)."
        ),
    ),
    read=(reading.LAYER_NORM, reading.PRE_NORM, reading.BROADCASTING),
    traits=frozenset({Trait.NORMS, Trait.RETURNS_NORMED, Trait.ANY_AXES}),
    takes=Signature(("x", "gain", "bias", "eps")),
    results=("normed",),
    steps=norming.NORM,
    probes={
        stages.SHAPES: _shapes,
        stages.STATISTICS: _statistics,
        stages.VALUES: _values,
        stages.GRADIENTS: lambda draw: [draft("random", _call(draw, _tokens(draw, 3, 4)))],
    },
    short_form=_short_form,
    traced=_traced,
    condition=_condition,
)
