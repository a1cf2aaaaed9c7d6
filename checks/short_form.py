"""The short form: few questions, each dense, that only right code answers rightly.

Grading asks it first. Who passes it passes; for everyone else it says nothing, and the whole
plan decides. So it may be short as long as no known bug gets through: what fails the plan must
fail the short form (tests/checks/test_short_form.py, bench/mutants).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.pack.kinds import Plan
from attnpack.terms import Backend

from . import gradients, oracle, stages, train_mode
from .draw import Draw
from .mask import additive, cliff_scores, for_notes, ladder_scores, padding, scattered
from .probe import Inputs, Probe, Tag
from .reach import tokens_within_reach, within_reach
from .shapes import class_inputs, not_dividing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .oracle import Array

LONG = 33
LEVELS = (0.0, 1e4, -1e4, -2000.0, 1500.0)
"""where the rows of one table of scores lie"""


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of one exercise."""
    made = _ASK[exercise](draw)
    probes = [replace(probe, exercise=exercise, key=f"short/{probe.key}") for probe in made]
    if draw.backend is not Backend.NUMPY:
        probes += gradients.ask(exercise, draw)
    if exercise == "scaled_dot_product_attention":
        probes += for_notes(draw)
    return probes


def plan(exercise: str, backend: Backend, rng: np.random.Generator) -> Plan:
    """Fresh probes of the short form; its keys are unlike those of other exercises."""
    asked = ask(exercise, Draw(rng, backend))
    probes = tuple(replace(probe, key=f"{exercise}/{probe.key}") for probe in asked)
    questions = tuple(question for probe in probes for question in probe.questions())
    return Plan(exercise, backend, questions, probes)


def _probe(name: str, *calls: Inputs, tags: Iterable[Tag] = ()) -> Probe:
    """Of stage `shapes`, which asks for the form of every answer; `values` asks for the rest."""
    return Probe(name, "", stages.SHAPES, calls, frozenset(tags))


def _again(first: Inputs, other: Inputs, *further: Inputs) -> Probe:
    """The same call twice, then other numbers of the same shape."""
    return _probe("again", first, first, other, *further, tags={Tag.REPEAT})


def _softmax(draw: Draw) -> Iterator[Probe]:
    levels = np.array(LEVELS)[:, None]  # (5, 1)
    yield _again({"scores": draw.normal(4, 5)}, {"scores": draw.normal(4, 5)})
    yield _probe("square", {"scores": levels + 2.0 * draw.normal(5, 5)})
    yield _probe("wide", {"scores": 1e4 * draw.rng.choice([-1.0, 1.0], (4, 5)) + draw.normal(4, 5)})
    yield _probe("one row", {"scores": draw.normal(1, 6)})
    if draw.stacked:
        yield _probe("stack", {"scores": levels + draw.normal(2, 3, 5, 7)})
    if draw.backend is Backend.NUMPY:
        yield _probe("integers", {"scores": draw.integers(3, 5)}, tags={Tag.INTEGER})


def _attention_scores(draw: Draw) -> Iterator[Probe]:
    def inputs(lead: tuple[int, ...], queries: int, keys: int, d_k: int) -> Inputs:
        arrays = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
        return {**arrays, "d_k": d_k}

    yield _again(inputs((), 4, 5, 3), inputs((), 4, 5, 3))
    large = inputs((), 3, 4, 7)
    yield _probe("large", {**large, "Q": 1e3 * large["Q"]})
    yield _probe("one key", inputs((), 4, 1, 9))
    if not draw.stacked:
        yield _probe("one query", inputs((), 1, 5, 3))
    if draw.stacked:
        yield _probe("heads", inputs((2, 3), 5, 7, 4))
        yield _probe("one sample", inputs((1,), 5, 7, 3))
    if draw.backend is Backend.NUMPY:
        integers = {"Q": draw.integers(4, 3), "K": draw.integers(5, 3), "d_k": 3}
        yield _probe("integers", integers, tags={Tag.INTEGER})


def _causal_mask(_: Draw) -> Iterator[Probe]:
    yield _again(*({"seq_len": length} for length in (5, 3, 5)))
    yield _probe("one token", {"seq_len": 1})
    yield _probe("long", {"seq_len": LONG})


def _apply_attention(draw: Draw) -> Iterator[Probe]:
    def inputs(lead: tuple[int, ...], queries: int, keys: int, d_v: int) -> Inputs:
        weights = draw.weights(*lead, queries, keys)
        return {"weights": weights, "V": draw.normal(*lead, keys, d_v)}

    yield _again(inputs((), 4, 5, 3), inputs((), 4, 5, 3))
    yield _probe("one key", inputs((), 4, 1, 2))
    if not draw.stacked:
        yield _probe("one query", inputs((), 1, 5, 3))
    if draw.stacked:
        yield _probe("heads", inputs((2, 3), 5, 7, 6))
        yield _probe("one sample", inputs((1,), 5, 7, 3))


def _scaled_dot_product_attention(draw: Draw) -> Iterator[Probe]:
    def inputs(lead: tuple[int, ...], queries: int, keys: int, d_k: int, d_v: int) -> Inputs:
        arrays = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
        return {**arrays, "V": draw.normal(*lead, keys, d_v), "mask": None}

    def masked(name: str, arrays: Inputs, mask: Array) -> Probe:
        return _probe(name, {**within_reach(arrays, mask), "mask": mask})

    yield _again(inputs((), 4, 5, 3, 2), inputs((), 4, 5, 3, 2))
    yield masked("one query", inputs((), 1, 5, 3, 4), scattered(draw, 1, 5))
    yield _probe("one key", inputs((), 4, 1, 9, 2))
    keep = scattered(draw, 4, 5)
    yield masked("boolean", inputs((), 4, 5, 3, 2), keep)
    yield masked("additive", inputs((), 4, 5, 3, 2), additive(keep, -np.inf))
    yield masked("causal", inputs((), 4, 4, 4, 4), additive(oracle.causal_visible(4)))
    yield from _designed(draw, inputs((), 4, 4, 5, 3))
    if draw.stacked:
        yield _probe("heads", inputs((2, 3), 5, 7, 4, 6))
        yield _probe("one sample", inputs((1,), 4, 5, 3, 2))
        for name, arrays, mask in _spread(draw, inputs):
            yield masked(name, arrays, mask)
    if draw.backend is Backend.NUMPY:
        integers = {"Q": draw.integers(4, 3), "K": draw.integers(5, 3), "V": draw.integers(5, 2)}
        yield _probe("integers", {**integers, "mask": None}, tags={Tag.INTEGER})


def _designed(draw: Draw, arrays: Inputs) -> Iterator[Probe]:
    """Scores that a shaky softmax or a weak mask does not survive."""
    keep = scattered(draw, 4, 4)
    apart = np.array(LEVELS)[:4, None] + draw.normal(4, 4)
    underflow = {Tag.UNDERFLOW}
    for name, scores, mask, tags in (
        ("far apart", apart, None, ()),
        ("ladder boolean", ladder_scores(draw), keep, ()),
        ("ladder additive", ladder_scores(draw), additive(keep), ()),
        ("cliff boolean", cliff_scores(draw, keep), keep, underflow),
        ("cliff additive", cliff_scores(draw, keep), additive(keep), underflow),
    ):
        queries, keys = draw.with_scores(scores, 5)
        yield _probe(name, {**arrays, "Q": queries, "K": keys, "mask": mask}, tags=tags)


def _spread(draw: Draw, inputs: Callable[..., Inputs]) -> Iterator[tuple[str, Inputs, Array]]:
    """Masks that are spread over leading axes."""
    yield "over heads", inputs((2, 3), 4, 5, 3, 2), scattered(draw, 4, 5)
    cube = scattered(draw, 3, 1, 4, 5)
    yield "per sample, B = h", inputs((3, 3), 4, 5, 3, 2), additive(cube)
    both = oracle.causal_visible(4) & padding((2, 3), 4)  # (B, T, T)
    yield "causal and padding", inputs((2,), 4, 4, 3, 2), both
    padded = padding((1, 3, 2), 3)  # (B, 1, T_k)
    yield "padding, B = T", inputs((3,), 3, 3, 4, 2), padded
    yield "padding, B = h", inputs((3, 3), 4, 3, 2, 2), padded[:, None]
    tall = padding((2, 4), 5)[:, None]  # (B, 1, 1, T_k)
    yield "padding, B = T_q", inputs((2, 3), 2, 5, 3, 2), additive(tall)


def _self_attention(draw: Draw) -> Iterator[Probe]:
    lead: tuple[int, ...] = (2,) if draw.stacked else ()
    first = _first_call(draw, draw.normal(*lead, 5, 3), 1)  # sqrt(3) is no round number
    shapes = [(*lead, 5, 3), (*lead[1:], _long(draw), 3), (*lead, 4, 3), (1, 3)]
    shapes += [(3, 3, 3), (2, 4, 3, 3), (1, 5, 3)] if draw.stacked else []
    others = [_other_tokens(first, draw.normal(*shape)) for shape in shapes]
    opened = {**first, "causal": False, "by_default": False}
    yield replace(_again(first, *others, opened), precision=draw.precision)
    calls = [_designed_call(draw, 1, name) for name in ("far apart", "ladder")]
    yield _of_class(draw, "designed", calls)
    yield _of_class(draw, "cliff", [_designed_call(draw, 1, "cliff")], {Tag.UNDERFLOW})
    if draw.backend is Backend.TORCH:
        yield train_mode.ask("SelfAttention", draw)


def _multi_head_attention(draw: Draw) -> Iterator[Probe]:
    lead: tuple[int, ...] = (2,) if draw.stacked else ()
    first = _first_call(draw, draw.normal(*lead, 5, 6), 2)
    shapes = [(*lead, 5, 6), (*lead[:1], _long(draw), 6), (*lead, 3, 6)]
    others = [_other_tokens(first, draw.normal(*shape)) for shape in shapes]
    yield replace(_again(first, *others), precision=draw.precision)
    opened = {**first, "causal": False, "by_default": False}
    yield _of_class(draw, "open", [opened, _designed_call(draw, 2, "far apart")])
    yield _of_class(draw, "ladder", [_designed_call(draw, 2, "ladder")])
    yield _of_class(draw, "cliff", [_designed_call(draw, 2, "cliff")], {Tag.UNDERFLOW})
    sizes: list[tuple[tuple[int, ...], int]] = [((*lead, 1, 6), 3)]
    if draw.stacked:
        sizes += [((4, 4, 4), 4), ((3, 2, 8), 2), ((1, 3, 4), 1)]
    for shape, heads in sizes:
        call = class_inputs(draw, draw.normal(*shape), heads)
        yield _of_class(draw, f"{shape}, {heads} heads", [call])
    yield not_dividing(draw)
    if draw.backend is Backend.TORCH:
        yield train_mode.ask("MultiHeadAttention", draw)


def _long(draw: Draw) -> int:
    return LONG if draw.stacked else LONG // 4


def _first_call(draw: Draw, x: Array, heads: int) -> Inputs:
    """A causal call, the flag left out, which means True."""
    return {**class_inputs(draw, x, heads), "by_default": True}


def _other_tokens(first: Inputs, x: Array) -> Inputs:
    x = tokens_within_reach(x, first["matrices"], first["num_heads"])
    return {**first, "x": x, "by_default": False}


def _designed_call(draw: Draw, heads: int, name: str) -> Inputs:
    """Scores that a shaky softmax or a weak mask does not survive, a table per head."""
    tables = np.stack([_table(draw, name) for _ in range(heads)])  # (h, 3, 3)
    x = draw.tokens(3, 3 * heads)
    matrices = draw.matrices_with_scores(x, tables)
    if name == "cliff":  # a head that renormalising loses must be seen alone
        matrices = {**matrices, "W_o": np.eye(3 * heads)}
    if heads > 1 and draw.stacked:
        x = x[None]  # (1, T, D)
    sizes = {"d_model": x.shape[-1], "num_heads": heads}
    return {**sizes, "causal": name != "far apart", "x": x, "matrices": matrices}


def _table(draw: Draw, name: str) -> Array:
    if name == "ladder":
        return ladder_scores(draw)[:3, :3]
    if name == "cliff":
        return cliff_scores(draw, oracle.causal_visible(3))
    levels = np.array([[1e4], [-1e4], [0.0]])  # (3, 1)
    wide = np.array([[1.0], [1.0], [1500.0]])  # (3, 1)
    table: Array = levels + wide * draw.normal(3, 3)
    return table


def _of_class(draw: Draw, name: str, calls: Sequence[Inputs], tags: Iterable[Tag] = ()) -> Probe:
    return replace(_probe(name, *calls, tags=tags), precision=draw.precision)


_ASK = {
    "softmax": _softmax,
    "attention_scores": _attention_scores,
    "causal_mask": _causal_mask,
    "apply_attention": _apply_attention,
    "scaled_dot_product_attention": _scaled_dot_product_attention,
    "SelfAttention": _self_attention,
    "MultiHeadAttention": _multi_head_attention,
}
