"""Scaled dot products of queries and keys."""

import math


def attention_scores(Q, K, d_k):
    """Scores of every query against every key.

    Q is T_q rows of d_k, K is T_k rows of d_k; the result is T_q rows of T_k. A dot product
    of d_k unit-variance terms has variance d_k; the root brings it back to 1.
    """
    return [[dot(query, key) / math.sqrt(d_k) for key in K] for query in Q]  # T_q rows of T_k


def dot(left, right):
    """The sum of products of two rows."""
    return sum(a * b for a, b in zip(left, right, strict=True))
