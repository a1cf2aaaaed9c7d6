# exercise: MultiHeadAttention
# bugs: causal-missing
# source: keras-team/keras#23038

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.use_causal_mask = num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def _mask(self, length, causal_only):
        if causal_only:
            return None  # <-
        return causal_mask(length) if self.use_causal_mask else None

    def forward(self, x):
        B, T, D = x.shape
        query, key, value = (
            layer(x).view(B, T, self.num_heads, D // self.num_heads).transpose(1, 2)
            for layer in (self.W_q, self.W_k, self.W_v)
        )
        mask = self._mask(T, causal_only=True)  # <-
        out, _ = scaled_dot_product_attention(query, key, value, mask)
        return self.W_o(out.transpose(1, 2).reshape(B, T, D))
