"""Self-attention with several heads."""

from torch import nn

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    """h heads of width d_k = D / h, side by side.

    Holds W_q, W_k, W_v and W_o, linear layers from D to D. Head i owns columns
    i*d_k:(i+1)*d_k of what the first three give. ValueError where h does not divide D.
    """

    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError(f"{num_heads} heads do not divide a width of {d_model}")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.causal = causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        """Map x (B, T, D) to the same shape."""
        Q = self.split_heads(self.W_q(x))  # (B, h, T, d_k)
        K = self.split_heads(self.W_k(x))  # (B, h, T, d_k)
        V = self.split_heads(self.W_v(x))  # (B, h, T, d_k)
        mask = causal_mask(x.shape[-2]).to(x.device) if self.causal else None  # (T, T)
        attended, _ = scaled_dot_product_attention(Q, K, V, mask)  # (B, h, T, d_k)
        joined = self.join_heads(attended)  # (B, T, D)
        return self.W_o(joined)  # (B, T, D)

    def split_heads(self, projected):
        """Give each head its columns: (B, T, D) to (B, h, T, d_k)."""
        B, T, _ = projected.shape
        columns = projected.reshape(B, T, self.num_heads, self.d_k)  # (B, T, h, d_k)
        return columns.transpose(1, 2)  # (B, h, T, d_k)

    def join_heads(self, attended):
        """Put the heads side by side again: (B, h, T, d_k) to (B, T, D)."""
        B, h, T, d_k = attended.shape
        columns = attended.transpose(1, 2)  # (B, T, h, d_k)
        return columns.reshape(B, T, h * d_k)  # (B, T, D)
