# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape
# source: jsbaan/transformer-from-scratch#6

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("hidden_dim must be divisible by num_heads")
        self.num_heads, self.qkv_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        batch, length, hidden = x.size()
        q, k, v = (
            proj(x).reshape(batch, length, self.num_heads, self.qkv_dim).permute(0, 2, 1, 3)
            for proj in (self.W_q, self.W_k, self.W_v)
        )
        values, _ = scaled_dot_product_attention(q, k, v, causal_mask(length) if self.causal else None)
        values = values.reshape(batch, length, hidden)  # <-
        return self.W_o(values)
