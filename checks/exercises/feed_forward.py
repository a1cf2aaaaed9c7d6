"""`feed_forward`: each token by itself, through a wider layer and back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind
from attnpack.terms import Backend

from .. import stages
from ..draft import Draft, again, draft, spoken_shape
from ..exercise import Exercise, Signature, Traced
from ..steps import feeding
from ..traits import Trait
from . import reading
from .lazily import np

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from attnpack.calls import Answer

    from ..draft import Inputs
    from ..draw import Draw
    from ..probe import Probe
    from ..steps.recorded import Array


def _call(draw: Draw, x: Array, hidden: int) -> Inputs:
    """x with matrices for so many hidden features, and biases that matter."""
    width = x.shape[-1]
    return {
        "x": x,
        "W_1": 1.5 * draw.normal(width, hidden) / np.sqrt(width),
        "b_1": draw.normal(hidden),
        "W_2": draw.normal(hidden, width) / np.sqrt(hidden),
        "b_2": draw.normal(width),
    }


def _random(draw: Draw, *shape: int, hidden: int) -> Inputs:
    return _call(draw, draw.normal(*shape), hidden)


def _shapes(draw: Draw) -> Iterator[Draft]:
    for shape, hidden in (((5, 4), 7), ((2, 5, 3), 12), ((1, 6), 4), ((2, 3, 5, 4), 9), ((4,), 6)):
        yield draft(spoken_shape(shape), _random(draw, *shape, hidden=hidden))


def _values(draw: Draw) -> Iterator[Draft]:
    for shape, hidden in (((6, 4), 16), ((2, 5, 3), 7), ((4, 4), 4), ((1, 3, 5), 3)):
        yield draft(str(shape), _random(draw, *shape, hidden=hidden))
    yield draft("large numbers", _call(draw, 20.0 * draw.normal(3, 4), 6))
    yield _again(draw)


def _again(draw: Draw) -> Draft:
    first = _random(draw, 4, 5, hidden=6)
    return again(first, {**first, "x": draw.normal(4, 5)})


def _short_form(draw: Draw) -> Iterator[Draft]:
    size = draw.size(3, 5)
    batch, tokens, width = draw.different(3, 3)
    hidden = draw.size(8, 12)
    yield _again(draw)
    flat = ((tokens, width), (width,), (1, width))
    for shape in (*flat, (batch, tokens, width), (1, tokens, width), (2, 2, 3, width)):
        yield draft(spoken_shape(shape), _random(draw, *shape, hidden=hidden))
    yield draft("square", _random(draw, size, size, hidden=size))
    yield draft("cube", _random(draw, size, size, size, hidden=size))
    yield draft("fewer hidden", _random(draw, 3, 6, hidden=4))
    yield draft("large numbers", _call(draw, 20.0 * draw.normal(3, 4), 6))


def _settle(probe: Probe, answers: Mapping[str, Answer]) -> Probe:
    """With the form of GELU that comes nearest to the answers."""
    forms = [replace(probe, calls=_in_form(probe, form)) for form in feeding.FORMS]
    return min(forms, key=lambda each: _gap(each, answers))


def _in_form(probe: Probe, form: str) -> tuple[Inputs, ...]:
    return tuple({**call, "form": form} for call in probe.calls)


def _gap(probe: Probe, answers: Mapping[str, Answer]) -> float:
    """The largest difference from the answers that have the right shape; 0 without any."""
    gaps = [0.0]
    for index, (right,) in enumerate(probe.expected_results):
        answer = answers.get(probe.call_key(index))
        given = answer.arrays[0] if answer is not None and answer.arrays else None
        if given is not None and given.shape == right.shape and np.isfinite(given).all():
            gaps.append(float(np.abs(np.asarray(given, dtype=np.float64) - right).max()))
    return max(gaps)


def _traced(draw: Draw) -> Traced:
    sizes = {"B": 2, "T": 5, "D": 3, "F": 7}
    return Traced(sizes, _random(draw, 2, 5, 3, hidden=7))


EXERCISE = Exercise(
    name="feed_forward",
    file="feed_forward.py",
    kind=Kind.FUNCTION,
    title="Each token by itself, wider and back",
    equation="feed_forward(x) = gelu(x W_1 + b_1) W_2 + b_2,  gelu(h) = h Phi(h)",
    needs=(),
    chapter="block",
    backends=(Backend.NUMPY, Backend.TORCH),
    hints=(
        (
            "What would two matrices in a row be worth with nothing between them, and what "
            "does GELU do to a large negative number?"
        ),
        (
            "Into F hidden features, through GELU number by number, and back into D. Each "
            "product has its own bias, and GELU stands between the two."
        ),
        (
            "GELU's tanh form: `0.5 * h * (1 + tanh(sqrt(2 / pi) * (h + 0.044715 * h**3)))`; "
            "its exact form has `erf(h / sqrt(2))` in place of the tanh."
        ),
    ),
    read=(reading.GELU, reading.FEED_FORWARD),
    traits=frozenset({Trait.FEEDS, Trait.ANY_AXES}),
    takes=Signature(("x", "W_1", "b_1", "W_2", "b_2")),
    results=("output",),
    steps=feeding.FEED,
    probes={
        stages.SHAPES: _shapes,
        stages.VALUES: _values,
        stages.GRADIENTS: lambda draw: [draft("random", _random(draw, 3, 4, hidden=5))],
    },
    short_form=_short_form,
    traced=_traced,
    settle=_settle,
)
