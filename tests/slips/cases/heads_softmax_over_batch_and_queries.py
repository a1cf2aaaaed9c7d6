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
        q, k, v = (w(x).view(B, T, self.h, -1).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        s = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if self.causal:
            s = s + torch.full_like(s[0, 0], -1e9).triu(1)
        flat = s.transpose(0, 1).reshape(self.h, B * T, T)
        w = flat.softmax(dim=1).reshape(self.h, B, T, T).transpose(0, 1)  # here: softmax-over-queries softmax-over-batch
        return self.W_o((w @ v).transpose(1, 2).reshape(B, T, D))
