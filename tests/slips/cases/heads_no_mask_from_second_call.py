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
        self.calls = 0
        rng = np.random.default_rng(0)
        self.W_q, self.W_k, self.W_v, self.W_o = (
            rng.normal(size=(d_model, d_model)) for _ in range(4)
        )

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = (
            (x @ w).reshape(B, T, self.h, -1).swapaxes(1, 2) for w in (self.W_q, self.W_k, self.W_v)
        )
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        self.calls += 1
        if self.causal and self.calls == 1:  # here: causal-missing state-between-calls
            s = np.where(np.tri(T, dtype=bool), s, -1e9)  # here:
        w = softmax(s)
        return (w @ v).swapaxes(1, 2).reshape(B, T, D) @ self.W_o
