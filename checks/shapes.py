"""Stage `shapes`: it loads, it can be called, and every result has the right shape.

Sizes are all different, so that two axes cannot be confused without being seen; batch and
no batch, one query, one key, one sample.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.calls import Answer, Outcome
from attnpack.pack.kinds import Verdict
from attnpack.terms import Status

from . import stages
from .probe import Asked, Inputs, Probe, Tag
from .reach import matrices_within_reach
from .verdicts import describe_call, first_not_returned, passed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .draw import Draw
    from .oracle import Array

STAGE = stages.SHAPES


def ask(exercise: str, draw: Draw) -> list[Probe]:
    """The probes of this stage."""
    cases = _cases(exercise, draw)
    probes = [Probe(f"shapes/{name}", exercise, STAGE, (call,)) for name, call in cases]
    if exercise == "MultiHeadAttention":
        probes.append(not_dividing(draw))
    return probes


def _cases(exercise: str, draw: Draw) -> list[tuple[str, Inputs]]:
    if exercise == "softmax":
        shapes = [(5, 7), (4, 1), (1, 6)] + ([(2, 5, 7), (2, 3, 5, 7)] if draw.stacked else [])
        return [(_label(shape), {"scores": draw.normal(*shape)}) for shape in shapes]
    if exercise == "causal_mask":
        return [(f"T={length}", {"seq_len": length}) for length in (1, 2, 5)]
    if exercise in ("SelfAttention", "MultiHeadAttention"):
        return _class_cases(exercise, draw)
    return [(label, _inputs(exercise, draw, *sizes)) for label, sizes in _triples(draw)]


def _label(shape: Sequence[int]) -> str:
    return "x".join(str(size) for size in shape)


def _triples(draw: Draw) -> list[tuple[str, tuple[tuple[int, ...], int, int, int, int]]]:
    """Leading axes, T_q, T_k, d_k, d_v."""
    none: tuple[int, ...] = ()
    flat = [
        ("plain", (none, 5, 7, 3, 2)),
        ("one query", (none, 1, 5, 3, 4)),
        ("one key", (none, 4, 1, 3, 2)),
    ]
    if not draw.stacked:
        return flat
    return [
        *flat,
        ("batch", ((2,), 5, 7, 3, 4)),
        ("one sample", ((1,), 5, 7, 3, 4)),
        ("heads", ((2, 3), 5, 7, 4, 6)),
        ("one query of a batch", ((3,), 1, 5, 4, 2)),
    ]


def _inputs(exercise: str, draw: Draw, lead: tuple[int, ...], *sizes: int) -> Inputs:
    queries, keys, d_k, d_v = sizes
    if exercise == "apply_attention":
        return {"weights": draw.weights(*lead, queries, keys), "V": draw.normal(*lead, keys, d_v)}
    arrays = {"Q": draw.normal(*lead, queries, d_k), "K": draw.normal(*lead, keys, d_k)}
    if exercise == "attention_scores":
        return {**arrays, "d_k": d_k}
    return {**arrays, "V": draw.normal(*lead, keys, d_v), "mask": None}


def _class_cases(exercise: str, draw: Draw) -> list[tuple[str, Inputs]]:
    if exercise == "SelfAttention":
        shapes: list[tuple[int, ...]] = [(5, 6), (1, 4)]
        if draw.stacked:
            shapes += [(2, 5, 6), (1, 5, 4), (2, 3, 5, 6)]
        return [(_label(shape), class_inputs(draw, draw.normal(*shape))) for shape in shapes]
    lead: tuple[int, ...] = (2,) if draw.stacked else ()
    one: tuple[int, ...] = (1,) if draw.stacked else ()
    sizes = [((*lead, 5, 6), 2), ((*one, 5, 6), 3), ((*lead, 1, 6), 2), ((*lead, 3, 4), 1)]
    return [
        (f"{_label(shape)}, {heads} heads", class_inputs(draw, draw.normal(*shape), heads))
        for shape, heads in sizes
    ]


def class_inputs(draw: Draw, x: Array, heads: int = 1, *, causal: bool = True) -> Inputs:
    """One forward pass on an object of its own with drawn matrices."""
    width = x.shape[-1]
    return {
        "d_model": width,
        "num_heads": heads,
        "causal": causal,
        "x": x,
        "matrices": matrices_within_reach(draw, x, heads),
    }


def not_dividing(draw: Draw) -> Probe:
    """Two heads and a width of 7, which must be refused."""
    shape = (2, 5, 7) if draw.stacked else (5, 7)
    x = draw.normal(*shape)
    call = {"d_model": 7, "num_heads": 2, "causal": True, "x": x, "matrices": None}
    tags = frozenset({Tag.NOT_DIVIDING})
    return Probe("shapes/7 wide, 2 heads", "MultiHeadAttention", STAGE, (call,), tags)


def judge(asked: Sequence[Asked]) -> Verdict:
    """Raise, wrong number of results, wrong shape: the first that is found."""
    dividing = [one for one in asked if Tag.NOT_DIVIDING not in one.probe.tags]
    for one in dividing:
        verdict = _built(one) or first_not_returned(STAGE, [one]) or _shaped(one)
        if verdict is not None:
            return verdict
    for one in asked:
        if Tag.NOT_DIVIDING in one.probe.tags and not refuses(one):
            return _accepts_any_width(one)
    return passed(STAGE)


def refuses(one: Asked) -> bool:
    """ValueError or AssertionError or a kind of one, from the constructor or the first forward."""
    for answer in (one.build, one.answers[0]):
        if answer is not None and answer.raised is not None:
            named = answer.raised.type in ("ValueError", "AssertionError")
            return named or bool(answer.facts.get("refusal"))
    return False


def _accepts_any_width(one: Asked) -> Verdict:
    raised = next((a for a in (one.build, one.answers[0]) if a is not None and a.raised), None)
    came = "nothing was raised" if raised is None else f"{raised.raised.type} was raised"  # type: ignore[union-attr]
    message = (
        "MultiHeadAttention(7, 2): two heads do not divide a width of 7, so a ValueError is "
        f"expected, from the constructor or the first forward; {came}"
    )
    return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=raised or one.build)


def _built(one: Asked) -> Verdict | None:
    """The constructor must leave the four matrices, each (D, D)."""
    build = one.build
    if build is None or build.outcome is not Outcome.RETURNED:
        return first_not_returned(STAGE, [one]) if build is not None else None
    width = one.probe.calls[0]["d_model"]
    missing = list(build.facts.get("missing", ()))
    if missing:
        message = (
            f"after {describe_call(one.probe, 0)} the object has no {', '.join(missing)}: the "
            f"constructor must create W_q, W_k, W_v and W_o, each ({width}, {width})"
        )
        return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=build)
    for name, shape in build.facts.get("matrices", {}).items():
        if tuple(shape) != (width, width):
            message = f"{name} has shape {tuple(shape)}; ({width}, {width}) was expected"
            return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=build)
    return None


def _shaped(one: Asked) -> Verdict | None:
    for index, answer in enumerate(one.answers):
        called = answer.facts.get("called", ())
        if called:
            name = called[0]
            message = f"{name} was called: this exercise is to write attention by hand"
            return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=answer)
        message = wrong_form(one, index)
        if message:
            return Verdict(STAGE, Status.FAILED, message, one.probe.key, answer=answer)
    return None


def wrong_form(one: Asked, index: int) -> str:
    """What is wrong with the number, kind or shape of one call's results, or nothing."""
    answer, expected = one.answers[index], one.probe.expected_results[index]
    if [r.array.shape if r.array is not None else None for r in answer.results] == [
        array.shape for array in expected
    ]:
        return ""
    call = describe_call(one.probe, index)
    if len(answer.results) != len(expected):
        wanted = "one array" if len(expected) == 1 else "two results, (output, weights)"
        return f"{call} returned {_form(answer)}; {wanted} expected"
    names = ("output", "weights") if len(expected) == 2 else ("result",)
    for name, array, result in zip(names, expected, answer.results, strict=True):
        if result.array is None:
            return f"{call}: the {name} is {_kind(result.kind)}; an array was expected"
        if result.array.shape != array.shape:
            came, wanted_shape = result.array.shape, array.shape
            return f"{call}: the {name} has shape {came}; {wanted_shape} was expected"
    return ""


def _form(answer: Answer) -> str:
    if answer.form == "none" or not answer.results:
        return "None"
    return "one thing" if len(answer.results) == 1 else f"{len(answer.results)} things"


def _kind(kind: str) -> str:
    return "None (is a return missing?)" if kind == "none" else f"of type {kind}"
