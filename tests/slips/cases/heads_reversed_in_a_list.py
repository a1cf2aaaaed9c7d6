# MultiHeadAttention, torch
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        d = D // self.h
        heads = []
        for i in range(self.h):
            q = self.W_q(x)[..., i * d : (i + 1) * d]
            k = self.W_k(x)[..., i * d : (i + 1) * d]
            v = self.W_v(x)[..., i * d : (i + 1) * d]
            s = q @ k.transpose(-2, -1) / d**0.5
            if self.causal:
                s = s.masked_fill(torch.ones(T, T, dtype=torch.bool).triu(1), -1e9)
            heads.insert(0, s.softmax(-1) @ v)  # here: heads-reversed
        return self.W_o(torch.cat(heads, dim=-1))  # here:
