# SelfAttention, torch
import torch
from torch import nn


def causal_mask(seq_len):
    return torch.triu(torch.full((seq_len, seq_len), -1e9), diagonal=1)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights


class SelfAttention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, causal=True):
        Q, K, V = self.W_q(x), self.W_k(x.detach()), self.W_v(x)  # here: graph-detached
        m = causal_mask(x.shape[-2]) if causal else None
        output, _ = scaled_dot_product_attention(Q, K, V, m)
        return self.W_o(output)
