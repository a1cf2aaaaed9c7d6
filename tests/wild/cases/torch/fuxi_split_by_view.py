# exercise: MultiHeadAttention
# bugs: heads-split-by-reshape
# source: reczoo/FuxiCTR#30

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("attention_dim must divide")
        self.num_heads, self.attention_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        batch, fields, width = x.shape
        query, key, value = self.W_q(x), self.W_k(x), self.W_v(x)
        query = query.view(batch * self.num_heads, -1, self.attention_dim)  # <-
        key = key.view(batch * self.num_heads, -1, self.attention_dim)  # <-
        value = value.view(batch * self.num_heads, -1, self.attention_dim)  # <-
        mask = causal_mask(fields) if self.causal else None
        out, _ = scaled_dot_product_attention(query, key, value, mask)
        out = out.view(batch, self.num_heads, fields, self.attention_dim).transpose(1, 2)
        return self.W_o(out.reshape(batch, fields, width))
