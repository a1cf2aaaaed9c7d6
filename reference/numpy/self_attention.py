"""Self-attention with one head."""

import numpy as np

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    """One head of width D over one sequence, or any stack of them.

    Holds W_q, W_k, W_v and W_o, each (D, D), used as x @ W.
    """

    def __init__(self, d_model):
        self.W_q = random_matrix(d_model)  # (D, D)
        self.W_k = random_matrix(d_model)  # (D, D)
        self.W_v = random_matrix(d_model)  # (D, D)
        self.W_o = random_matrix(d_model)  # (D, D)

    def forward(self, x, causal=True):
        """Map x (..., T, D) to the same shape."""
        Q = x @ self.W_q  # (..., T, D)
        K = x @ self.W_k  # (..., T, D)
        V = x @ self.W_v  # (..., T, D)
        mask = causal_mask(x.shape[-2]) if causal else None  # (T, T)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)  # (..., T, D)
        return attended @ self.W_o  # (..., T, D)


def random_matrix(d_model):
    """(D, D), scaled so that x @ W has about the variance of x."""
    rng = np.random.default_rng()
    return rng.normal(0.0, 1.0 / np.sqrt(d_model), size=(d_model, d_model))
