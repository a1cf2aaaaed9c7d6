"""Self-attention with one head."""

import math
import random

from attnpack.value import Value
from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    """One head of width D over one sequence.

    Holds W_q, W_k, W_v and W_o, each D rows of D, used as x @ W.
    """

    def __init__(self, d_model):
        self.W_q = random_matrix(d_model)  # D rows of D
        self.W_k = random_matrix(d_model)  # D rows of D
        self.W_v = random_matrix(d_model)  # D rows of D
        self.W_o = random_matrix(d_model)  # D rows of D

    def forward(self, x, causal=True):
        """Map x, T rows of D, to the same shape."""
        Q = product(x, self.W_q)  # T rows of D
        K = product(x, self.W_k)  # T rows of D
        V = product(x, self.W_v)  # T rows of D
        mask = causal_mask(len(x)) if causal else None  # T rows of T
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)  # T rows of D
        return product(attended, self.W_o)  # T rows of D


def product(left, right):
    """The matrix product of two lists of rows."""
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in left]


def random_matrix(d_model):
    """D rows of D, scaled so that x @ W has about the variance of x."""
    spread = 1.0 / math.sqrt(d_model)
    return [[Value(random.gauss(0.0, spread)) for _ in range(d_model)] for _ in range(d_model)]
