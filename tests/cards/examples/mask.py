"""Numbers for the cards of the family mask."""

from __future__ import annotations

import numpy as np

from . import Value, error_of, example, exp_shares

SCORES = np.array([[0, 2]])
KEEP = np.array([[True, False]])  # the second key is masked
ADDITIVE = np.where(KEEP, 0, -1e9)
RIGHT = exp_shares(SCORES + ADDITIVE)


def filled(fill: float, scores: np.ndarray = SCORES) -> dict[str, Value]:
    """What becomes of the weights where masked scores are replaced by this number."""
    replaced = np.where(KEEP, scores, fill)
    return {
        "scores": scores,
        "may attend": KEEP,
        "after the fill": replaced,
        "right": exp_shares(np.where(KEEP, scores, -np.inf)),
        "this bug": exp_shares(replaced),
    }


@example
def mask_after_softmax() -> dict[str, Value]:
    bug = exp_shares(SCORES) * KEEP
    return {
        "scores": SCORES,
        "may attend": KEEP,
        "right": RIGHT,
        "this bug": bug,
        "its row sum": bug.sum(axis=-1),
    }


@example
def mask_renormalised() -> dict[str, Value]:
    def renormalised(scores: np.ndarray) -> np.ndarray:
        zeroed = exp_shares(scores) * KEEP
        with np.errstate(invalid="ignore"):
            kept: np.ndarray = zeroed / zeroed.sum(axis=-1, keepdims=True)
        return kept

    large = np.array([[0, 1000]])
    return {
        "scores": SCORES,
        "weights": renormalised(SCORES),
        "large scores": large,
        "right": exp_shares(large + ADDITIVE),
        "this way": renormalised(large),
    }


@example
def mask_multiplied() -> dict[str, Value]:
    scores = np.array([[2, 3]])
    return {
        "scores": scores,
        "may attend": KEEP,
        "scores * mask": scores * KEEP,
        "right": exp_shares(scores + ADDITIVE),
        "this bug": exp_shares(scores * KEEP),
    }


@example
def mask_fill_tiny() -> dict[str, Value]:
    return filled(1e-9)


@example
def mask_fill_too_small() -> dict[str, Value]:
    return filled(-10, np.array([[-12, 2]]))


@example
def mask_fill_positive() -> dict[str, Value]:
    return filled(1e9)


@example
def mask_added_as_boolean() -> dict[str, Value]:
    return {
        "scores": SCORES,
        "may attend": KEEP,
        "scores + mask": SCORES + KEEP,
        "right": RIGHT,
        "this bug": exp_shares(SCORES + KEEP),
    }


@example
def mask_zero_times_inf() -> dict[str, Value]:
    with np.errstate(invalid="ignore"):
        mask = (1 - KEEP.astype(float)) * -np.inf
    return {
        "may attend": KEEP,
        "(1 - mask) * -inf": mask,
        "right": RIGHT,
        "this bug": exp_shares(SCORES + mask),
    }


@example
def mask_inverted() -> dict[str, Value]:
    return {
        "scores": SCORES,
        "may attend": KEEP,
        "right": RIGHT,
        "this bug": exp_shares(np.where(KEEP, -1e9, SCORES)),
    }


@example
def mask_bitwise_not() -> dict[str, Value]:
    keep = KEEP.astype(int)
    blocked = ~keep
    return {
        "mask": keep,
        "~mask": blocked,
        "as booleans": blocked.astype(bool),
        "right": RIGHT,
        "this bug": exp_shares(np.where(blocked, -1e9, SCORES)),
    }


@example
def mask_result_dropped() -> dict[str, Value]:
    scores = SCORES.astype(float)
    np.where(KEEP, scores, -1e9)
    return {
        "scores": SCORES,
        "after the lost fill": scores,
        "right": RIGHT,
        "this bug": exp_shares(scores),
    }


@example
def mask_argument_overwritten() -> dict[str, Value]:
    scores = np.array([[0, 1, 2]])
    mask = np.array([[0, 0, -1e9]])
    seen: dict[str, Value] = {"scores": scores, "mask": mask.copy()}
    mask += scores
    seen["weights, call 1"] = exp_shares(mask)
    seen["mask after it"] = mask.copy()
    mask += scores
    seen["weights, call 2"] = exp_shares(mask)
    return seen


@example
def mask_ignored() -> dict[str, Value]:
    return {
        "scores": SCORES,
        "may attend": KEEP,
        "right": RIGHT,
        "this bug": exp_shares(SCORES),
    }


@example
def mask_combined_with_or() -> dict[str, Value]:
    causal = np.array([[True, False, False]])
    padding = np.array([[True, True, False]])
    scores = np.zeros((1, 3))
    return {
        "causal allows": causal,
        "padding allows": padding,
        "right": exp_shares(np.where(causal & padding, scores, -np.inf)),
        "this bug": exp_shares(np.where(causal | padding, scores, -np.inf)),
    }


@example
def mask_on_query_rows() -> dict[str, Value]:
    scores = np.repeat(SCORES, 2, axis=0)
    real = np.array([True, False])
    return {
        "scores": scores,
        "real tokens": real,
        "right": exp_shares(np.where(real[None, :], scores, -1e9)),
        "this bug": exp_shares(np.where(real[:, None], scores, -1e9)),
    }


@example
def mask_missing_query_axis() -> dict[str, Value]:
    scores = np.zeros((2, 2, 2))  # (B, T_q, T_k)
    padding = np.array([[True, True], [True, False]])  # (B, T_k)
    right = exp_shares(np.where(padding[:, None, :], scores, -np.inf))
    bug = exp_shares(np.where(padding, scores, -np.inf))
    return {
        "real tokens": padding,
        "right, sample 0": right[0],
        "right, sample 1": right[1],
        "bug, sample 0": bug[0],
        "bug, sample 1": bug[1],
    }


@example
def mask_assumes_square() -> dict[str, Value]:
    scores = np.zeros((1, 3))
    mask = np.zeros((1, 3))
    t_q = scores.shape[0]
    return {
        "scores, shape": scores.shape,
        "mask, shape": mask.shape,
        "reshaped to": (t_q, t_q),
        "this bug": error_of(lambda: mask.reshape(t_q, t_q)),
    }


@example
def mask_tiled_across_heads() -> dict[str, Value]:
    samples, heads = np.arange(2), 2
    folded = np.broadcast_to(samples[:, None], (2, heads)).reshape(-1)
    return {
        "slices of sample": folded,
        "right mask from": np.repeat(samples, heads),
        "this bug's from": np.tile(samples, heads),
    }


@example
def mask_batch_axis_on_heads() -> dict[str, Value]:
    scores = np.zeros((2, 2, 1, 1))  # (B, h, T_q, T_k)
    mask_of = np.arange(2).reshape(2, 1, 1)  # (B, T_q, T_k): each mask holds its sample's number
    right = scores + mask_of[:, None]
    bug = scores + mask_of
    return {
        "right, sample 0": right[0, :, 0, 0],
        "right, sample 1": right[1, :, 0, 0],
        "bug, sample 0": bug[0, :, 0, 0],
        "bug, sample 1": bug[1, :, 0, 0],
    }


@example
def mask_of_first_sample() -> dict[str, Value]:
    scores = np.zeros((2, 2))  # one query for each of two samples
    padding = np.array([[True, True], [True, False]])
    return {
        "real tokens": padding,
        "right": exp_shares(np.where(padding, scores, -np.inf)),
        "this bug": exp_shares(np.where(padding[0], scores, -np.inf)),
    }


@example
def mask_off_by_one() -> dict[str, Value]:
    scores = np.zeros((1, 3))
    length, key = 2, np.arange(3)
    return {
        "tokens": length,
        "keys": key,
        "right": exp_shares(np.where(key < length, scores, -np.inf)),
        "this bug": exp_shares(np.where(key <= length, scores, -np.inf)),
    }


@example
def mask_wrong_form() -> dict[str, Value]:
    wrong = np.tril(np.ones((2, 2)))
    scores = np.repeat(SCORES, 2, axis=0)
    return {
        "right mask": np.where(wrong == 1, 0, -1e9),
        "this bug's": wrong,
        "scores": scores,
        "right weights": exp_shares(np.where(wrong == 1, scores, -np.inf)),
        "scores + bug": exp_shares(scores + wrong),
    }
