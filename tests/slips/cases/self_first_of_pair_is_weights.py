# SelfAttention, numpy
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9), k=1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9) if mask.dtype == bool else scores + mask
    weights = softmax(scores)
    return weights @ V, weights


class SelfAttention:
    def __init__(self, d_model):
        rng = np.random.default_rng(0)
        self.W_q = rng.normal(size=(d_model, d_model))
        self.W_k = rng.normal(size=(d_model, d_model))
        self.W_v = rng.normal(size=(d_model, d_model))
        self.W_o = rng.normal(size=(d_model, d_model))

    def forward(self, x, causal=True):
        Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        m = causal_mask(x.shape[-2]) if causal else None
        output = scaled_dot_product_attention(Q, K, V, m)[1]  # here: result-not-unpacked
        return output @ self.W_o
