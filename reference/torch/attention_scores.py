"""Scaled dot products of queries and keys."""

import math


def attention_scores(Q, K, d_k):
    """Scores of every query against every key.

    Q is (..., T_q, d_k), K is (..., T_k, d_k); the result is (..., T_q, T_k). A dot product
    of d_k unit-variance terms has variance d_k; the root brings it back to 1.
    """
    keys_as_columns = K.transpose(-2, -1)  # (..., d_k, T_k)
    products = Q @ keys_as_columns  # (..., T_q, T_k)
    return products / math.sqrt(d_k)  # (..., T_q, T_k)
