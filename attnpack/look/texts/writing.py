"""Text out of the model, one token at a time, whoever wrote its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import HostModel, Predict
    from attnpack.look.texts.sampling import Sampling


RUN: Final = 4
"""tokens in a row that are written once only"""


def write(
    model: HostModel,
    predict: Predict,
    ids: Sequence[int],
    sampling: Sampling,
    begun: Sequence[int] = (),
) -> Iterator[int]:
    """The token ids that follow a prompt, without end; ends where the logits are not finite.

    `begun` is what has been written behind the prompt already; it is not given again.

    What it has written it does not write again (`repeating`): the likeliest word alone would soon
    go round in circles.
    """
    choose = chooser(sampling)
    written = [*ids, *begun]
    while True:
        seen = np.array(written[-model.recipe.context :])  # (T,)
        logits = predict(seen[None])[0, -1]  # (V,)
        if not np.isfinite(logits).all():
            return
        allowed = _going_on(model, logits)  # (V,)
        allowed[repeating(written[len(ids) :])] = -np.inf
        written.append(choose(allowed))
        yield written[-1]


def chooser(sampling: Sampling) -> Callable[[Array], int]:
    """From logits (V,) to a token id. The same seed makes the same choices."""
    rng = np.random.default_rng(sampling.seed)

    def choose(logits: Array) -> int:
        if sampling.temperature == 0.0:
            return int(logits.argmax())
        scaled = logits / sampling.temperature  # (V,)
        if sampling.top_k is not None and sampling.top_k < len(scaled):
            least = np.partition(scaled, -sampling.top_k)[-sampling.top_k]
            scaled = np.where(scaled < least, -np.inf, scaled)  # (V,)
        likely = np.exp(scaled - scaled.max())  # (V,)
        return int(rng.choice(len(likely), p=likely / likely.sum()))

    return choose


def repeating(written: Sequence[int]) -> list[int]:
    """The tokens that would make a run of RUN tokens come a second time."""
    last = list(written[-(RUN - 1) :])
    starts = range(len(written) - RUN + 1)
    return [written[n + RUN - 1] for n in starts if list(written[n : n + RUN - 1]) == last]


def _going_on(model: HostModel, logits: Array) -> Array:
    """Logits (..., V) without the start mark: a text goes on, and no new one begins."""
    allowed = logits.copy()
    allowed[..., model.tokenizer.start.id] = -np.inf
    return allowed


def agreed(
    model: HostModel, predict: Predict, ids: Sequence[int], continuation: Sequence[int]
) -> list[int]:
    """How far `predict` goes on greedily like a given continuation, in one forward pass.

    For causal models only: what it says at a position must not depend on what follows.
    """
    whole = np.array([*ids, *continuation])[None]  # (1, T)
    allowed = _going_on(model, predict(whole)[0])  # (T, V)
    same: list[int] = []
    for place, token in enumerate(continuation, start=len(ids) - 1):
        allowed[place, repeating(same)] = -np.inf
        if allowed[place].argmax() != token:
            break
        same.append(token)
    return same
