"""Self-attention with one head."""

from torch import nn

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention(nn.Module):
    """One head of width D over one sequence, or any stack of them.

    Holds W_q, W_k, W_v and W_o, linear layers from D to D.
    """

    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, causal=True):
        """Map x (..., T, D) to the same shape."""
        Q = self.W_q(x)  # (..., T, D)
        K = self.W_k(x)  # (..., T, D)
        V = self.W_v(x)  # (..., T, D)
        mask = causal_mask(x.shape[-2]).to(x.device) if causal else None  # (T, T)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)  # (..., T, D)
        return self.W_o(attended)  # (..., T, D)
