"""The residual stream as a value: what each sublayer adds to it, and what it then says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.look.model.attention import Array, reference
from attnpack.look.model.host_model import gelu_erf, gelu_tanh, without_feed_forward
from attnpack.look.pictures.findings import Finding, Tone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.look.model.attention import Attention
    from attnpack.look.model.host_model import HostModel
    from attnpack.look.model.recover import Block
    from attnpack.look.model.tokenizer import Token

EMBEDDING = "embedding"
ATTENTION = "attention"
FEED_FORWARD = "feed-forward"
DIFFERENT = 1e-3
"""of the size of what right code adds; single precision stays far below"""

Sublayers: TypeAlias = Callable[[Array, int], tuple[Array, Array]]
"""stream (B, T, D) and a block's number to the stream after its attention and at its end"""


@dataclass(frozen=True)
class Stage:
    """One place of the stream: behind a sublayer."""

    layer: int | None
    """None: the embedding"""
    sublayer: str

    @property
    def name(self) -> str:
        """As sentences have it: L0 attention."""
        return self.sublayer if self.layer is None else f"L{self.layer} {self.sublayer}"


@dataclass(frozen=True)
class Stream:
    """One sentence through the model, seen behind every sublayer."""

    source: str
    """whose code it is: a file name, or REFERENCE"""
    tokens: tuple[str, ...]
    """(T,), the start mark first"""
    stages: tuple[Stage, ...]
    """(S,), the embedding first"""
    states: Array
    """(S, T, D)"""
    off: Array
    """(S, T): what the sublayer adds is this far from what right code adds to the very same
    stream, as a share of the latter; 0 for the embedding"""
    guesses: tuple[tuple[str, ...], ...]
    """(S, T): the token that would come next, were the stream read off here"""
    certainty: Array
    """(S, T): the probability of that token"""


@dataclass(frozen=True)
class Cell:
    """A stage and a position."""

    stage: int
    position: int


def flow(model: HostModel, tokens: Sequence[Token], sublayers: Sublayers, source: str) -> Stream:
    """The stream of a sentence through someone's sublayers."""
    states = _states(model, tokens, sublayers)  # (S, T, D)
    probabilities = _softmax(model.unembed(states))  # (S, T, V)
    likeliest = np.nan_to_num(probabilities).argmax(axis=-1)  # (S, T)
    layers = range(model.recipe.num_layers)
    within = (Stage(n, sublayer) for n in layers for sublayer in (ATTENTION, FEED_FORWARD))
    return Stream(
        source=source,
        tokens=tuple(token.text for token in tokens),
        stages=(Stage(None, EMBEDDING), *within),
        states=states,
        off=_off(model, states),
        guesses=tuple(tuple(model.tokenizer.vocabulary[i] for i in row) for row in likeliest),
        certainty=probabilities.max(axis=-1),
    )


def with_attention(model: HostModel, attention: Attention) -> Sublayers:
    """The model's own blocks with someone's attention in them."""

    def sublayers(x: Array, number: int) -> tuple[Array, Array]:
        attended = attention(model.attention_input(x, number), model.layers[number])  # (B, T, D)
        return x + attended, model.after(x, attended, number)

    return sublayers


def of_block(model: HostModel, block: Block) -> Sublayers:
    """Whole blocks with the model's weights, seen behind their attention too.

    There the feed-forward is made to add nothing.
    """

    def sublayers(x: Array, number: int) -> tuple[Array, Array]:
        weights = model.blocks[number]
        return block(x, without_feed_forward(weights)), block(x, weights)

    return sublayers


def shares(stream: Stream) -> Array:
    """|added| / (|before| + |added|) of each sublayer and position: (S - 1, T), 0 to 1."""
    before = np.linalg.norm(stream.states[:-1], axis=-1)  # (S - 1, T)
    more = np.linalg.norm(np.diff(stream.states, axis=0), axis=-1)  # (S - 1, T)
    total = before + more  # (S - 1, T)
    share: Array = np.divide(more, total, out=np.zeros_like(total), where=total != 0)
    return share


def differs(stream: Stream) -> Array:
    """(S, T): True where a sublayer adds something else than in right code."""
    return ~(stream.off <= DIFFERENT)


def first_difference(stream: Stream) -> Cell | None:
    """Where the stream leaves the right one: the earliest sublayer, then the earliest token."""
    off = differs(stream)
    if not off.any():
        return None
    stage, position = np.unravel_index(int(off.argmax()), off.shape)
    return Cell(int(stage), int(position))


def said(stream: Stream, *, is_learners: bool) -> tuple[Finding, ...]:
    """What the stream shows, in sentences."""
    cell = first_difference(stream)
    if cell is not None:
        token = stream.tokens[cell.position]
        where = f'{stream.stages[cell.stage].name}, {cell.position} "{token}"'
        text = f"what is added is not what right code adds to the same stream: first at {where}"
        return (Finding(Tone.BAD, text), _answer(stream))
    if is_learners:
        agreed = Finding(Tone.GOOD, "every sublayer adds what the reference's adds")
        return (agreed, _answer(stream))
    return (_answer(stream),)


def _answer(stream: Stream) -> Finding:
    """What comes after the last token, and the sublayer from which on the stream says so."""
    last = [row[-1] for row in stream.guesses]  # (S,)
    first = max((n + 1 for n, guess in enumerate(last) if guess != last[-1]), default=0)
    text = (
        f'after "{stream.tokens[-1]}" comes "{last[-1]}" (probability '
        f"{stream.certainty[-1, -1]:.2f}): the stream says so from {stream.stages[first].name} on"
    )
    return Finding(Tone.PLAIN, text)


def _states(model: HostModel, tokens: Sequence[Token], sublayers: Sublayers) -> Array:
    x = model.embed(np.array([[token.id for token in tokens]]))  # (1, T, D)
    states = [x]
    with np.errstate(all="ignore"):
        for number in range(model.recipe.num_layers):
            states += sublayers(states[-1], number)
    return np.concatenate(states)  # (S, T, D)


def _off(model: HostModel, states: Array) -> Array:
    """Stages (S, T, D) to how far each is from right code's step from the one before: (S, T)."""
    off = [np.zeros(states.shape[1])]  # (T,)
    with np.errstate(all="ignore"):
        for number, layer in enumerate(model.layers):
            before, between, after = states[2 * number : 2 * number + 3]  # (T, D)
            x = model.attention_input(before, number)  # (T, D)
            attention = reference(model.recipe.num_heads)(x[None], layer)[0]  # (T, D)
            off.append(_relative(between - before, attention))
            forms = (model.fed_forward(between, number, gelu) for gelu in (gelu_tanh, gelu_erf))
            off.append(np.min([_relative(after - between, form) for form in forms], axis=0))
    return np.stack(off)


def _relative(given: Array, right: Array) -> Array:
    """|given - right| / |right| of each row: (T, D) to (T,)."""
    distance = np.linalg.norm(given - right, axis=-1)  # (T,)
    return distance / np.linalg.norm(right, axis=-1)  # type: ignore[no-any-return]


def _softmax(logits: Array) -> Array:
    with np.errstate(all="ignore"):
        exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return exps / exps.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]
