"""Self-attention with several heads."""

import numpy as np

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class MultiHeadAttention:
    """h heads of width d_k = D / h, side by side.

    Holds W_q, W_k, W_v and W_o, each (D, D), used as x @ W. Head i owns columns
    i*d_k:(i+1)*d_k of the first three. ValueError where h does not divide D.
    """

    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide a width of {d_model}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.causal = causal
        self.W_q = random_matrix(d_model)  # (D, D)
        self.W_k = random_matrix(d_model)  # (D, D)
        self.W_v = random_matrix(d_model)  # (D, D)
        self.W_o = random_matrix(d_model)  # (D, D)

    def forward(self, x):
        """Map x (B, T, D) to the same shape."""
        Q = self.split_heads(x @ self.W_q)  # (B, h, T, d_k)
        K = self.split_heads(x @ self.W_k)  # (B, h, T, d_k)
        V = self.split_heads(x @ self.W_v)  # (B, h, T, d_k)
        mask = causal_mask(x.shape[-2]) if self.causal else None  # (T, T)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)  # (B, h, T, d_k)
        joined = self.join_heads(attended)  # (B, T, D)
        return joined @ self.W_o  # (B, T, D)

    def split_heads(self, projected):
        """Give each head its columns: (B, T, D) to (B, h, T, d_k)."""
        B, T, _ = projected.shape
        columns = projected.reshape(B, T, self.num_heads, self.d_k)  # (B, T, h, d_k)
        return columns.swapaxes(1, 2)  # (B, h, T, d_k)

    def join_heads(self, attended):
        """Put the heads side by side again: (B, h, T, d_k) to (B, T, D)."""
        B, h, T, d_k = attended.shape
        columns = attended.swapaxes(1, 2)  # (B, T, h, d_k)
        return columns.reshape(B, T, h * d_k)  # (B, T, D)


def random_matrix(d_model):
    """(D, D), scaled so that x @ W has about the variance of x."""
    rng = np.random.default_rng()
    return rng.normal(0.0, 1.0 / np.sqrt(d_model), size=(d_model, d_model))
