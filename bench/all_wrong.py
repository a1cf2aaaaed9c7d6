"""An attempt in which every exercise is wrong, each by a bug of its own."""

import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / d_k


def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=0)


def apply_attention(weights, V):
    return weights @ V / V.shape[-2]


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = scores + mask
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


class SelfAttention:
    def __init__(self, d_model):
        shape = (d_model, d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.normal(size=(4, *shape)) / d_model**0.5

    def forward(self, x, causal=True):
        Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
        if causal:
            scores = np.where(np.tri(x.shape[-2], dtype=bool), -1e9, scores)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return (e / e.sum(axis=-1, keepdims=True)) @ V @ self.W_o


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("the heads do not divide the width")
        self.num_heads = num_heads
        self.causal = causal
        shape = (d_model, d_model)
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.normal(size=(4, *shape)) / d_model**0.5

    def forward(self, x):
        B, T, D = x.shape
        heads = (B, T, self.num_heads, D // self.num_heads)
        Q, K, V = ((x @ W).reshape(heads).swapaxes(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
        if self.causal:
            scores = np.where(np.tri(T, dtype=bool), scores, -1e9)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return ((e / e.sum(axis=-1, keepdims=True)) @ V).reshape(B, T, D) @ self.W_o
