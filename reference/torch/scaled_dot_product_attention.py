"""Attention: score, mask, softmax, mix."""

import torch

from apply_attention import apply_attention
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Output (..., T_q, d_v) and weights (..., T_q, T_k).

    The mask broadcasts to the scores. It is additive (0 and a huge negative number), or
    boolean with True where a query may look.
    """
    scores = attention_scores(Q, K, Q.shape[-1])  # (..., T_q, T_k)
    if mask is not None:
        scores = apply_mask(scores, mask)  # (..., T_q, T_k)
    weights = softmax(scores)  # (..., T_q, T_k)
    output = apply_attention(weights, V)  # (..., T_q, d_v)
    return output, weights


def apply_mask(scores, mask):
    """Scores that are hugely negative where the mask is closed; same shape and dtype."""
    if mask.dtype == torch.bool:
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(~mask, lowest)
    return scores + mask.to(scores.dtype)
