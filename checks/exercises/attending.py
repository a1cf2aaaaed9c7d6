"""What is asked alike of everything that takes queries, keys, values or their weights.

Each exercise says by `inputs` which arguments it takes, and gets them in the sizes drawn here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from attnpack.terms import Backend

from .. import designed
from ..draft import Draft, Inputs, Tag, again, draft
from ..exercise import Traced
from ..reach import within_reach

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..draw import Draw
    from ..steps.recorded import Array


class Sizes(NamedTuple):
    """Of queries (..., T_q, d_k), keys (..., T_k, d_k) and values (..., T_k, d_v)."""

    lead: tuple[int, ...]
    queries: int
    keys: int
    d_k: int
    d_v: int

    @property
    def table(self) -> tuple[int, ...]:
        """The shape of scores, weights and masks: (..., T_q, T_k)."""
        return (*self.lead, self.queries, self.keys)


MakeInputs: TypeAlias = Callable[["Draw", Sizes], dict[str, Any]]

USUAL = Sizes((), 4, 5, 3, 2)
HEADS = Sizes((2, 3), 5, 7, 4, 6)
ONE_SAMPLE = Sizes((1,), 5, 7, 3, 4)
ONE_QUERY = Sizes((), 1, 5, 3, 4)
ONE_KEY = Sizes((), 4, 1, 9, 2)
SQUARE = Sizes((), 3, 3, 3, 3)


def queries_and_keys(draw: Draw, sizes: Sizes) -> dict[str, Array]:
    """Q and K."""
    return {
        "Q": draw.normal(*sizes.lead, sizes.queries, sizes.d_k),
        "K": draw.normal(*sizes.lead, sizes.keys, sizes.d_k),
    }


def attention_inputs(draw: Draw, sizes: Sizes) -> dict[str, Any]:
    """Q, K and V, and no mask."""
    values = draw.normal(*sizes.lead, sizes.keys, sizes.d_v)
    return {**queries_and_keys(draw, sizes), "V": values, "mask": None}


def shapes(draw: Draw, inputs: MakeInputs) -> Iterator[Draft]:
    """Sizes that are all different, and sizes of one."""
    named = {
        "plain": Sizes((), 5, 7, 3, 2),
        "one query": ONE_QUERY,
        "one key": ONE_KEY,
    }
    if draw.stacked:
        named |= {
            "batch": Sizes((2,), 5, 7, 3, 4),
            "one sample": ONE_SAMPLE,
            "heads": HEADS,
            "one query of a batch": Sizes((3,), 1, 5, 4, 2),
        }
    for name, sizes in named.items():
        yield draft(name, inputs(draw, sizes))


def values(draw: Draw, inputs: MakeInputs) -> Iterator[Draft]:
    """Random numbers, sizes that coincide, the same call again."""
    for lead in draw.with_stacks([()], [(2,), (2, 3)]):
        yield draft(f"random {lead}", inputs(draw, Sizes(lead, 5, 4, 3, 6)))
    yield draft("square", inputs(draw, Sizes((), 4, 4, 4, 4)))
    yield draft("square weights", inputs(draw, Sizes((), 4, 4, 3, 2)))
    yield draft("one query", inputs(draw, Sizes((), 1, 4, 3, 2)))
    if draw.stacked:
        yield draft("cube", inputs(draw, Sizes((4,), 4, 4, 4, 4)))
    yield again(inputs(draw, USUAL), inputs(draw, USUAL))


def short_form(draw: Draw, inputs: MakeInputs) -> Iterator[Draft]:
    """State, sizes that differ, are one, or coincide; with each number of axes. Most are drawn."""
    fewer, more = 4, 6 + 2 * draw.size(0, 1)
    small, large = draw.size(2, 3), 5 + 2 * draw.size(0, 1)  # d_k: unlike T_k
    size = 3 + 2 * draw.size(0, 1)
    wide, tall = Sizes((), fewer, more, small, large), Sizes((), large, large - 1, large, small)
    even = Sizes((), fewer, fewer, small, large)
    same = Sizes((), size, size, size, size)
    yield again(inputs(draw, wide), inputs(draw, wide))
    named = {
        "tall": tall,
        "one query": Sizes((), 1, fewer, large, fewer),
        "one key": Sizes((), more, 1, small, large),
        "as many queries as keys": even,
        "all sizes equal": same,
    }
    if draw.stacked:
        batch = 5 - small  # unlike d_k
        named |= {
            "batch": tall._replace(lead=(batch,)),
            "one sample": wide._replace(lead=(1,)),
            "one query of a batch": wide._replace(lead=(batch,), queries=1),
            "cube": same._replace(lead=(size,)),
            "heads": wide._replace(lead=(2, 3), d_k=large),
            "heads, tall": tall._replace(lead=(2, 3), d_k=small, d_v=large),
        }
    for name, sizes in named.items():
        yield draft(name, inputs(draw, sizes))


def integers(draw: Draw, inputs: MakeInputs) -> Iterator[Draft]:
    """Arrays of integers (numpy)."""
    if draw.backend is Backend.NUMPY:
        usual = inputs(draw, USUAL)
        drawn = {n: draw.integers(*a.shape) for n, a in usual.items() if isinstance(a, np.ndarray)}
        yield draft("integers", {**usual, **drawn}, tags={Tag.INTEGER})


def scaling(draw: Draw, inputs: MakeInputs) -> Iterator[Draft]:
    """Several d_k, so that no constant is right for all."""
    flat = [Sizes((), 4, 3, 4, 3), Sizes((), 3, 5, 9, 3)]
    stacked = [Sizes((2,), 3, 5, 2, 3), Sizes((2, 3), 4, 5, 7, 3)]
    for sizes in draw.with_stacks(flat, stacked):
        yield draft(f"d_k={sizes.d_k}", inputs(draw, sizes), tags={Tag.FACTOR})


@dataclass(frozen=True)
class MaskCase:
    """A mask, and sizes with axes that it could be confused with."""

    sizes: Sizes
    keep: Callable[[Draw], Array]
    forms: tuple[str, ...] = ("boolean", "additive")


def _both(lengths: tuple[int, ...]) -> Array:
    """(B, T, T): causal, and padded for each sample; T is 4."""
    return designed.triangle(4) & designed.padding(lengths, 4)


FORMS: dict[str, Callable[[Array], Array]] = {
    "boolean": lambda keep: keep,
    "additive": designed.additive,
    "additive -inf": lambda keep: designed.additive(keep, -np.inf),
}
FLAT_MASKS = {
    "scattered": MaskCase(USUAL, lambda draw: designed.scattered(draw, 4, 5), tuple(FORMS)),
    "causal": MaskCase(Sizes((), 4, 4, 3, 2), lambda _: designed.triangle(4)),
    "square": MaskCase(SQUARE, lambda draw: designed.scattered(draw, 3, 3)),
    "one query": MaskCase(ONE_QUERY, lambda draw: designed.scattered(draw, 1, 5), ("boolean",)),
}
STACKED_MASKS = {
    "over a batch": MaskCase(
        Sizes((2,), 4, 5, 3, 2), lambda draw: designed.scattered(draw, 4, 5), ("boolean",)
    ),
    "over heads": MaskCase(Sizes((2, 3), 4, 5, 3, 2), lambda draw: designed.scattered(draw, 4, 5)),
    "padding": MaskCase(Sizes((2,), 4, 5, 3, 2), lambda _: designed.padding((2, 4), 5)),
    "padding, one sample": MaskCase(Sizes((1,), 4, 5, 3, 2), lambda _: designed.padding((3,), 5)),
    "padding, B = T": MaskCase(Sizes((3,), 3, 3, 4, 2), lambda _: designed.padding((1, 3, 2), 3)),
    "padding over heads": MaskCase(
        Sizes((2, 3), 4, 5, 3, 2), lambda _: designed.padding((2, 4), 5)[:, None]
    ),
    "padding, B = h": MaskCase(
        Sizes((3, 3), 4, 3, 2, 2), lambda _: designed.padding((1, 3, 2), 3)[:, None]
    ),
    "padding, B = T_q": MaskCase(
        Sizes((2, 3), 2, 5, 3, 2), lambda _: designed.padding((2, 4), 5)[:, None]
    ),
    "per sample": MaskCase(Sizes((2,), 4, 5, 3, 2), lambda draw: designed.scattered(draw, 2, 4, 5)),
    "causal and padding": MaskCase(Sizes((2,), 4, 4, 3, 2), lambda _: _both((2, 3))),
    "per sample over heads": MaskCase(
        Sizes((2, 3), 4, 5, 3, 2), lambda draw: designed.scattered(draw, 2, 1, 4, 5)
    ),
    "per sample, B = h": MaskCase(
        Sizes((3, 3), 4, 5, 3, 2), lambda draw: designed.scattered(draw, 3, 1, 4, 5)
    ),
    "causal and padding over heads": MaskCase(
        Sizes((2, 3), 4, 4, 3, 2), lambda _: _both((2, 3))[:, None]
    ),
}


def _but_a_key(draw: Draw, sizes: Sizes) -> Array:
    """(T_q, T_k): a key of each query is masked, not the same one; the others' weights show."""
    masked_keys = draw.rng.permutation(sizes.keys)[np.arange(sizes.queries) % sizes.keys]
    keep: Array = np.arange(sizes.keys) != masked_keys[:, None]
    return keep


OPEN_MASKS = {
    "one query": MaskCase(ONE_QUERY, lambda draw: _but_a_key(draw, ONE_QUERY)),
    "square": MaskCase(SQUARE, lambda draw: _but_a_key(draw, SQUARE)),
}
"""for the short form, which asks each once"""


def masked(draw: Draw, case: MaskCase, form: str) -> tuple[Inputs, Array]:
    """Arrays whose visible keys count for something without the mask too, and the mask."""
    mask = FORMS[form](case.keep(draw))
    return within_reach(attention_inputs(draw, case.sizes), mask), mask


def mask_pairs(draw: Draw) -> Iterator[Draft]:
    """Each case in its forms, without the mask and with it."""
    cases = {**FLAT_MASKS, **(STACKED_MASKS if draw.stacked else {})}
    for name, case in cases.items():
        for form in case.forms:
            arrays, mask = masked(draw, case, form)
            yield _pair(f"{name}, {form}", arrays, mask)
    yield from _ladders(draw)


def _pair(name: str, arrays: Inputs, mask: Array, *tags: Tag) -> Draft:
    opened, closed = {**arrays, "mask": None}, {**arrays, "mask": mask}
    return draft(name, opened, closed, tags={Tag.MASKING, *tags})


def with_scores(draw: Draw, scores: Array, mask: Array | None = None) -> dict[str, Any]:
    """Q, K and V, the scores being these (..., T_q, T_k)."""
    *lead, _, keys = scores.shape
    queries, keys_drawn = draw.with_scores(scores, keys + 1)
    return {"Q": queries, "K": keys_drawn, "V": draw.normal(*lead, keys, 3), "mask": mask}


def _ladders(draw: Draw) -> Iterator[Draft]:
    for form in ("boolean", "additive"):
        keep = designed.scattered(draw, 4, 4)
        mask = FORMS[form](keep)
        arrays = with_scores(draw, designed.ladder_scores(draw, 4))
        yield _pair(f"ladder, {form}", arrays, mask, Tag.EXTREME)
        arrays = with_scores(draw, designed.cliff_scores(draw, keep))
        yield _pair(f"cliff, {form}", arrays, mask, Tag.EXTREME, Tag.UNDERFLOW)


def masks_in_short(draw: Draw) -> Iterator[Draft]:
    """Those of the cases that no known bug passes, each once, and designed scores."""
    for name, form in (
        ("one query", "boolean"),
        ("scattered", "boolean"),
        ("scattered", "additive -inf"),
        ("causal", "additive"),
        ("square", "boolean"),
        ("square", "additive"),
    ):
        yield _in_short(draw, (FLAT_MASKS | OPEN_MASKS)[name], name, form)
    for name, form in (
        ("over heads", "boolean"),
        ("over heads", "additive"),
        ("over a batch", "boolean"),
        ("per sample", "additive"),
        ("padding", "boolean"),
        ("padding, one sample", "boolean"),
        ("padding, one sample", "additive"),
        ("per sample, B = h", "additive"),
        ("causal and padding", "boolean"),
        ("causal and padding", "additive"),
        ("causal and padding over heads", "boolean"),
        ("causal and padding over heads", "additive"),
        ("padding, B = T", "boolean"),
        ("padding, B = T", "additive"),
        ("padding, B = h", "boolean"),
        ("padding, B = h", "additive"),
        ("padding, B = T_q", "boolean"),
        ("padding, B = T_q", "additive"),
    ):
        if draw.stacked:
            yield _in_short(draw, STACKED_MASKS[name], name, form)
    yield draft("far apart", with_scores(draw, designed.levelled_scores(draw, 4, 4)))
    if draw.stacked:
        levelled = designed.levelled_scores(draw, 2, 3, 4, 4)
        yield draft("heads far apart", with_scores(draw, levelled))
    for pair in _ladders(draw):
        yield draft(pair.name, pair.calls[1], tags=pair.tags)
    row = designed.ladder_scores(draw, 4)[:1]  # (1, T_k)
    arrays = with_scores(draw, row, designed.scattered(draw, 1, 4))
    yield draft("ladder, one query", arrays, tags={Tag.EXTREME})


def _in_short(draw: Draw, case: MaskCase, name: str, form: str) -> Draft:
    arrays, mask = masked(draw, case, form)
    return draft(f"{name}, {form}", {**arrays, "mask": mask})


def masked_inputs(draw: Draw, sizes: Sizes) -> dict[str, Any]:
    """Q, K and V, and a boolean mask that shows about two keys of three."""
    keep = draw.rng.random((sizes.queries, sizes.keys)) < 0.7
    keep[:, 0] = True
    return {**attention_inputs(draw, sizes), "mask": keep}


def traced(draw: Draw, inputs: MakeInputs) -> Traced:
    """One call on sizes that are all different."""
    if draw.stacked:
        symbols = {"B": 2, "h": 3, "T_q": 5, "T_k": 7, "d_k": 4, "d_v": 6}
    else:
        symbols = {"T_q": 5, "T_k": 7, "d_k": 3, "d_v": 4}
    *lead, queries, keys, d_k, d_v = symbols.values()
    return Traced(symbols, inputs(draw, Sizes(tuple(lead), queries, keys, d_k, d_v)))
