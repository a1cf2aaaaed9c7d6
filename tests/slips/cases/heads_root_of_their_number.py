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
        self.W_q, self.W_k, self.W_v, self.W_o = (
            rng.normal(size=(d_model, d_model)) for _ in range(4)
        )

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (
            (x @ w).reshape(B, T, self.h, -1).swapaxes(1, 2) for w in (self.W_q, self.W_k, self.W_v)
        )
        s = q @ k.swapaxes(-1, -2) / np.sqrt(self.h)  # here: scale-by-num-heads
        if self.causal:
            s = np.where(np.tri(T, dtype=bool), s, -1e9)
        w = softmax(s)
        return (w @ v).swapaxes(1, 2).reshape(B, T, D) @ self.W_o
