"""Numbers for the cards of the family causal: three tokens, all scores 0."""

from __future__ import annotations

import numpy as np

from . import Value, error_of, example, exp_shares

SCORES = np.zeros((3, 3))
SAID = "all 0, three tokens"
QUERY, KEY = np.indices((3, 3))


def shared_out(visible: np.ndarray) -> np.ndarray:
    """Weights where equal scores are shared among the visible keys."""
    return exp_shares(np.where(visible, SCORES, -np.inf))


RIGHT = shared_out(KEY <= QUERY)


def beside_right(visible: np.ndarray) -> dict[str, Value]:
    return {"scores": SAID, "right": RIGHT, "this bug": shared_out(visible)}


@example
def causal_missing() -> dict[str, Value]:
    return beside_right(np.full((3, 3), True))


@example
def causal_always() -> dict[str, Value]:
    return {"scores": SAID, "asked": "causal=False", "right": exp_shares(SCORES), "this bug": RIGHT}


@example
def causal_inverted() -> dict[str, Value]:
    return beside_right(KEY >= QUERY)


@example
def causal_strict() -> dict[str, Value]:
    return beside_right(KEY < QUERY)


@example
def causal_one_ahead() -> dict[str, Value]:
    return beside_right(KEY <= QUERY + 1)


@example
def causal_first_row() -> dict[str, Value]:
    first = KEY[:1] <= QUERY[:1]
    return beside_right(np.broadcast_to(first, (3, 3)))


@example
def causal_only_with_mask() -> dict[str, Value]:
    return {"scores": SAID, "right": RIGHT, "with mask": RIGHT, "mask=None": exp_shares(SCORES)}


@example
def causal_buffer_broadcasts() -> dict[str, Value]:
    stored = np.zeros((1, 1))
    return {
        "scores": SAID,
        "stored": stored,
        "right": RIGHT,
        "this bug": exp_shares(SCORES + stored),
    }


@example
def causal_horizon() -> dict[str, Value]:
    built_for = 2
    beyond = np.maximum(QUERY, KEY) >= built_for
    return {
        "scores": SAID,
        "built for": built_for,
        "right": RIGHT,
        "this bug": shared_out((KEY <= QUERY) | beyond),
    }


@example
def causal_length_frozen() -> dict[str, Value]:
    kept = np.zeros((2, 2))
    return {
        "mask kept from call 1": kept.shape,
        "scores of call 2": SCORES.shape,
        "their sum": error_of(lambda: SCORES + kept),
    }
