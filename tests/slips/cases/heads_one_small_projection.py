# MultiHeadAttention, numpy
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        rng = np.random.default_rng(0)
        d_k = d_model // num_heads
        self.W_q, self.W_k, self.W_v = (rng.normal(size=(d_model, d_k)) for _ in range(3))  # here: heads-projection-shared
        self.W_o = rng.normal(size=(d_model, d_model))

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        if self.causal:
            s = np.where(np.tri(T, dtype=bool), s, -1e9)
        w = softmax(s)
        return np.concatenate([w @ v] * self.h, axis=-1) @ self.W_o
