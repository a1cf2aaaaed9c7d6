"""Self-attention with several heads."""

import math
import random

from attnpack.value import Value
from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class MultiHeadAttention:
    """h heads of width d_k = D / h, side by side.

    Holds W_q, W_k, W_v and W_o, each D rows of D, used as x @ W. Head i owns columns
    i*d_k:(i+1)*d_k of the first three. ValueError where h does not divide D.
    """

    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide a width of {d_model}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.causal = causal
        self.W_q = random_matrix(d_model)  # D rows of D
        self.W_k = random_matrix(d_model)  # D rows of D
        self.W_v = random_matrix(d_model)  # D rows of D
        self.W_o = random_matrix(d_model)  # D rows of D

    def forward(self, x):
        """Map x, T rows of D, to the same shape."""
        Q = self.split_heads(product(x, self.W_q))  # h times T rows of d_k
        K = self.split_heads(product(x, self.W_k))  # h times T rows of d_k
        V = self.split_heads(product(x, self.W_v))  # h times T rows of d_k
        mask = causal_mask(len(x)) if self.causal else None  # T rows of T
        heads = []
        for q, k, v in zip(Q, K, V, strict=True):
            attended, _ = scaled_dot_product_attention(q, k, v, mask)  # T rows of d_k
            heads.append(attended)
        joined = join_heads(heads)  # T rows of D
        return product(joined, self.W_o)  # T rows of D

    def split_heads(self, projected):
        """Give each head its columns: T rows of D to h times T rows of d_k."""
        starts = range(0, self.num_heads * self.d_k, self.d_k)
        return [[row[start : start + self.d_k] for row in projected] for start in starts]


def join_heads(heads):
    """Put the heads side by side again: h times T rows of d_k to T rows of D."""
    return [[number for part in parts for number in part] for parts in zip(*heads, strict=True)]


def product(left, right):
    """The matrix product of two lists of rows."""
    columns = list(zip(*right, strict=True))
    return [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in left]


def random_matrix(d_model):
    """D rows of D, scaled so that x @ W has about the variance of x."""
    spread = 1.0 / math.sqrt(d_model)
    return [[Value(random.gauss(0.0, spread)) for _ in range(d_model)] for _ in range(d_model)]
