"""`MultiHeadAttention`: several heads side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.texts import Kind

from .. import projections, stages
from ..draft import Draft, Tag, again, draft, spoken_shape
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
    return projecting.Layer(heads=2, width=6, batched=True)


def _shapes(draw: Draw) -> Iterator[Draft]:
    lead, one = projecting.lead(draw, 2), projecting.lead(draw, 1)
    cases = [((*lead, 5, 6), 2), ((*one, 5, 6), 3), ((*lead, 1, 6), 2), ((*lead, 3, 4), 1)]
    yield from projecting.shapes(draw, cases)
    yield _not_dividing(draw)


def _not_dividing(draw: Draw) -> Draft:
    x = draw.normal(*projecting.lead(draw, 2), 5, 7)
    sizes = {"d_model": 7, "num_heads": 2, "refused": "two heads do not divide a width of 7"}
    call = {**sizes, "causal": True, "x": x, "matrices": None}
    return draft("7 wide, 2 heads", call, tags={Tag.REFUSED})


def _values(draw: Draw) -> Iterator[Draft]:
    lead = projecting.lead(draw, 2)
    cases: dict[str, Case] = {"random": ((*lead, 5, 6), 2), "two tokens": ((*lead, 2, 6), 2)}
    if draw.stacked:
        cases |= {
            "cube": ((4, 4, 4), 4),
            "one sample": ((1, 5, 6), 2),
            "B = T = h = d_k": ((2, 2, 4), 2),
            "B = h": ((2, 3, 6), 2),
            "T = h": ((3, 2, 8), 2),
            "T = d_k": ((2, 3, 6), 2),
            "three heads": ((2, 5, 6), 3),
        }
    yield from projecting.values(draw, _layer(), cases)


def _short_form(draw: Draw) -> Iterator[Draft]:
    first, lead = projecting.first_call(draw, _layer()), projecting.lead(draw, 2)
    one = projecting.lead(draw, 1)
    both = [(*lead, draw.size(4, 7), 6), (*lead, 3, 6), (*lead, 2, 6), (*one, 5, 6)]
    causal = [(*lead, 5, 6), *both, (*lead, projecting.long(draw), 6), (*lead, 1, 6)]
    yield again(first, *(projecting.other_tokens(draw, first, *shape) for shape in causal))
    opened = projecting.opened(first)
    others = [projecting.other_tokens(draw, opened, *shape) for shape in both]
    yield draft("open", opened, *others)
    yield from projecting.designed_in_short(draw, _layer())
    yield from _coinciding(draw)
    yield _not_dividing(draw)
    yield from train_mode.ask(draw, 2)


def _coinciding(draw: Draw) -> Iterator[Draft]:
    """Sizes that are equal or one, causal and open: objects of their own."""
    lead, one = projecting.lead(draw, 2), projecting.lead(draw, 1)
    yield draft("one head", projecting.inputs(draw, draw.normal(*lead, 3, 4), 1))
    for heads in (1, 3, 4):
        layer = projecting.Layer(heads=heads, width=3 * heads, batched=True)
        ladder = projecting.designed_call(draw, layer, "ladder")
        yield draft(f"ladder, {heads} heads", ladder, tags=projecting.TAGS["ladder"])
    cases: list[list[Case]] = [[((*lead, 5, 6), 3), ((*one, 2, 6), 3), ((*one, 5, 6), 3)]]
    stacked: list[list[Case]] = [
        [((4, 4, 4), 4)],
        [((2, 2, 4), 2), ((2, 2, 4), 2)],
        [((3, 2, 8), 2)],
    ]
    for (shape, heads), *others in draw.with_stacks(cases, stacked):
        for flag in (True, False):
            call = projecting.inputs(draw, draw.normal(*shape), heads, flag=flag)
            more = [projecting.other_tokens(draw, call, *each) for each, _ in others]
            name = f"{spoken_shape(shape)}, {heads} heads, {'causal' if flag else 'open'}"
            yield draft(name, call, *more)


EXERCISE = Exercise(
    name="MultiHeadAttention",
    file="multi_head_attention.py",
    kind=Kind.CLASS,
    title="Several heads side by side",
    equation="head_i = attention(Q_i, K_i, V_i), columns i*d_k:(i+1)*d_k;  "
    "result = [head_1 ... head_h] W_o",
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
            "Head i owns columns i*d_k to (i+1)*d_k of Q. Which axis must be cut in two for "
            "that, and where must the head axis go so that heads do not attend to each other?"
        ),
        (
            "Cut the last axis (T, D) to (T, h, d_k), then exchange the axes T and h. On the "
            "way out do the same two steps backwards, in the opposite order. The scale is the"
            " head's: sqrt(d_k), with d_k = D / h."
        ),
        (
            "Cutting the columns is `Q.reshape(B, T, h, d_k)`; it is not yet `(B, h, T, d_k)`"
            " (Value: head i of a row is `row[i * d_k : (i + 1) * d_k]`)."
        ),
    ),
    read=(reading.VASWANI, reading.MINGPT, reading.ANNOTATED),
    traits=PROJECTING | {Trait.HEADED, Trait.HEADS_AXIS},
    takes=Signature(),
    built=Built(
        Signature(("d_model", "num_heads"), ("causal",)),
        {"forward": Signature(("x",))},
        projections.square,
        projections.BIASES,
    ),
    results=("output",),
    steps=(
        ("project", right.project),
        ("activate", right.nothing),
        ("split", right.split),
        *right.ATTEND_CAUSALLY,
        ("join", right.join),
        *right.PROJECT_OUT,
    ),
    probes={
        stages.SHAPES: _shapes,
        stages.ROW_SUMS: lambda draw: projecting.row_sums(draw, _layer()),
        stages.MASK: lambda draw: projecting.mask(draw, _layer()),
        stages.SCALING: lambda draw: projecting.scaling(draw, _layer(), ((6, 2), (6, 3))),
        stages.CAUSAL: lambda draw: projecting.causal(draw, _layer()),
        stages.VALUES: _values,
        stages.GRADIENTS: lambda draw: projecting.gradients(draw, 2, 4),
    },
    short_form=_short_form,
    traced=lambda draw: projecting.traced(draw, {"B": 2, "T": 5, "h": 3, "d_k": 4, "D": 12}),
)
