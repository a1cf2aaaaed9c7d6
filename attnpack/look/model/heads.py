"""What each head of a model does, in numbers, measured on random ids u_0 .. u_{P-1} told twice.

As in Olsson et al., "In-context Learning and Induction Heads" (2022).
"""

from __future__ import annotations

import numpy as np

from attnpack.look.model.attention import Array, attended, attention_weights
from attnpack.look.model.host_model import Head, HostModel
from attnpack.look.model.tokenizer import FOREIGN, START

SEQUENCES = 20
PERIOD = 25
SEED = 5


def measure(model: HostModel) -> tuple[Head, ...]:
    """The heads of a model with their scores, each the mean weight on one kind of key.

    previous-token: the token before; induction: the one after the query's last occurrence;
    duplicate: that occurrence itself; self: the query's own position; first: the first position.
    """
    weights = reference_weights(model, repeated_ids(model))  # (L, n, h, 2P, 2P)
    return tuple(
        Head(layer, head, _scores(weights[layer, :, head]))
        for layer in range(model.recipe.num_layers)
        for head in range(model.recipe.num_heads)
    )


def repeated_ids(model: HostModel) -> Array:
    """Random ids (n, 2P) whose second half repeats the first."""
    rng = np.random.default_rng(SEED)
    marks = {START, FOREIGN}
    ordinary = [i for i, word in enumerate(model.tokenizer.vocabulary) if word not in marks]
    once = rng.choice(ordinary, (SEQUENCES, PERIOD))  # (n, P)
    return np.concatenate([once, once], axis=1)  # (n, 2P)


def reference_weights(model: HostModel, ids: Array) -> Array:
    """The weights of every head (L, B, h, T, T) for ids (B, T) under right attention."""
    stream = model.embed(ids)  # (B, T, D)
    weights = []
    for number, layer in enumerate(model.layers):
        x = model.attention_input(stream, number)  # (B, T, D)
        weights.append(attention_weights(x, layer, model.recipe.num_heads))  # (B, h, T, T)
        stream = model.after(stream, attended(weights[-1], x, layer), number)  # (B, T, D)
    return np.stack(weights)


def _scores(weights: Array) -> dict[str, float]:
    """Mean weights of one head (n, 2P, 2P) on the keys that name its kind."""
    query = np.arange(2 * PERIOD)
    later = query[PERIOD:]
    scores = {
        "previous-token": weights[:, query[1:], query[1:] - 1].mean(),
        "induction": weights[:, later, later - PERIOD + 1].mean(),
        "duplicate": weights[:, later, later - PERIOD].mean(),
        "self": weights[:, query, query].mean(),
        "first": weights[:, 1:, 0].mean(),
    }
    return {kind: round(float(score), 4) for kind, score in scores.items()}
