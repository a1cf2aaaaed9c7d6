"""Attention: score, mask, softmax, mix."""

import numpy as np

from apply_attention import apply_attention
from attention_scores import attention_scores
from softmax import softmax

BLOCKED = -1e9


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Output (..., T_q, d_v) and weights (..., T_q, T_k).

    The mask broadcasts to the scores. It is additive (0 and a huge negative number), or
    boolean with True where a query may look.
    """
    scores = attention_scores(Q, K, Q.shape[-1])  # (..., T_q, T_k)
    if mask is not None:
        scores = scores + as_additive(mask)  # (..., T_q, T_k)
    weights = softmax(scores)  # (..., T_q, T_k)
    output = apply_attention(weights, V)  # (..., T_q, d_v)
    return output, weights


def as_additive(mask):
    """The mask as numbers to add to scores; same shape."""
    if mask.dtype == bool:
        return np.where(mask, 0.0, BLOCKED)
    return mask
