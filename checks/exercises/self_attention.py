"""`SelfAttention`: one sequence attends to itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind

from .. import projections, stages
from ..draft import Draft, again, draft, spoken_shape
from ..exercise import Built, Exercise, Signature
from ..steps import right
from ..traits import PROJECTING, Trait
from . import reading
from .lazily import projecting, train_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draw import Draw
    from .projecting import Case, Layer


def _layer() -> Layer:
    return projecting.Layer(heads=1, width=4, flag_at_call=True)


def _shapes(draw: Draw) -> Iterator[Draft]:
    flat: list[tuple[int, ...]] = [(5, 6), (1, 4)]
    for shape in draw.with_stacks(flat, [(2, 5, 6), (1, 5, 4), (2, 3, 5, 6)]):
        yield draft(spoken_shape(shape), projecting.inputs(draw, draw.normal(*shape)))


def _values(draw: Draw) -> Iterator[Draft]:
    lead = projecting.lead(draw, 2)
    cases: dict[str, Case] = {"random": ((*lead, 5, 4), 1), "two tokens": ((*lead, 2, 4), 1)}
    if draw.stacked:
        cases["cube"] = ((4, 4, 4), 1)
        cases["one sample"] = ((1, 5, 4), 1)
        cases["four axes"] = ((2, 3, 4, 5), 1)
    yield from projecting.values(draw, _layer(), cases)


def _short_form(draw: Draw) -> Iterator[Draft]:
    narrow = projecting.Layer(heads=1, width=5, flag_at_call=True)  # sqrt(5) is no round number
    first, lead = projecting.first_call(draw, narrow), projecting.lead(draw, 2)
    flat: list[tuple[int, ...]] = [(*lead, draw.size(6, 8), 5), (2, 5), (7, 5)]
    both = draw.with_stacks(flat, [(5, 5, 5), (2, 4, 3, 5), (1, 7, 5), (2, 2, 5), (1, 1, 5)])
    long = (*projecting.lead(draw, 1), projecting.long(draw), 5)
    causal = [(*lead, 5, 5), long, (1, 5), *both]
    others = [projecting.other_tokens(draw, first, *shape) for shape in causal]
    opened = [projecting.opened(call) for call in (first, *others[3:])]
    yield again(first, *others, *opened)
    yield draft("two tokens first", projecting.inputs(draw, draw.normal(*lead, 2, 5)))
    yield from projecting.designed_in_short(draw, _layer())
    if draw.stacked:
        yield _stacked_ladders(draw)
    yield from train_mode.ask(draw, 1)


def _stacked_ladders(draw: Draw) -> Draft:
    """A weak fill shows here alone, so this is asked with each number of axes, T < D."""
    call = projecting.designed_call(draw, _layer(), "ladder", wider=2)
    x = call["x"]  # (T, D)
    calls = [{**call, "x": each} for each in (x, x[None], x[None, None])]
    return draft("ladders", *calls, tags=projecting.TAGS["ladder"])


EXERCISE = Exercise(
    name="SelfAttention",
    file="self_attention.py",
    kind=Kind.CLASS,
    title="One sequence attends to itself",
    equation="Q = x W_q, K = x W_k, V = x W_v;  result = attention(Q, K, V) W_o",
    needs=(
        "softmax",
        "attention_scores",
        "causal_mask",
        "apply_attention",
        "scaled_dot_product_attention",
    ),
    chapter="attention",
    hints=(
        (
            "Queries, keys and values all come from the same x. What makes them differ, and "
            "what is still to be done with the mixed values at the end?"
        ),
        (
            "Four matrices, all (D, D), made once in the constructor and never in forward. "
            "The length of the mask comes from x at each call, and only where causal is True."
        ),
        (
            "The length is the axis before the last, with or without a batch: `T = "
            "x.shape[-2]` (Value: `T = len(x)`)."
        ),
    ),
    read=(reading.VASWANI, reading.MINGPT, reading.ANNOTATED),
    traits=PROJECTING | {Trait.SINGLE_HEAD, Trait.ANY_AXES},
    takes=Signature(),
    built=Built(
        Signature(("d_model",)),
        {"forward": Signature(("x",), ("causal",))},
        projections.square,
        projections.BIASES,
    ),
    results=("output",),
    steps=(
        ("project", right.project),
        ("activate", right.nothing),
        *right.ATTEND_CAUSALLY,
        ("join", right.one_head),
        *right.PROJECT_OUT,
    ),
    probes={
        stages.SHAPES: _shapes,
        stages.ROW_SUMS: lambda draw: projecting.row_sums(draw, _layer()),
        stages.MASK: lambda draw: projecting.mask(draw, _layer()),
        stages.SCALING: lambda draw: projecting.scaling(draw, _layer(), ((3, 1), (5, 1))),
        stages.CAUSAL: lambda draw: projecting.causal(draw, _layer()),
        stages.VALUES: _values,
        stages.GRADIENTS: lambda draw: projecting.gradients(draw, 1, 3),
    },
    short_form=_short_form,
    traced=lambda draw: projecting.traced(draw, {"B": 2, "T": 5, "D": 7}),
)
