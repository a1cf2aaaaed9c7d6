"""Attention: score, mask, softmax, mix."""

from apply_attention import apply_attention
from attention_scores import attention_scores
from softmax import softmax

BLOCKED = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Output, T_q rows of d_v, and weights, T_q rows of T_k.

    The mask is T_q rows of T_k. It is additive (0 and a huge negative number), or boolean
    with True where a query may look.
    """
    scores = attention_scores(Q, K, len(Q[0]))  # T_q rows of T_k
    if mask is not None:
        scores = add_mask(scores, mask)  # T_q rows of T_k
    weights = softmax(scores)  # T_q rows of T_k
    output = apply_attention(weights, V)  # T_q rows of d_v
    return output, weights


def add_mask(scores, mask):
    """Scores with the mask added; same shape."""
    return [
        [score + as_additive(cell) for score, cell in zip(row, mask_row, strict=True)]
        for row, mask_row in zip(scores, mask, strict=True)
    ]


def as_additive(cell):
    """One cell of the mask as a number to add to a score."""
    if isinstance(cell, bool):
        return 0.0 if cell else BLOCKED
    return cell
