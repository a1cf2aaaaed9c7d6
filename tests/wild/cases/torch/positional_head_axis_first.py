# exercise: MultiHeadAttention
# bugs: heads-merged-wrong-order
# source: gazelle93/Transformer-Various-Positional-Encoding#1

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def heads_first(self, t):
        batch, length, _ = t.shape
        t = t.view(batch, length, self.num_heads, self.head_dim).permute(2, 0, 1, 3)
        return t.reshape(self.num_heads * batch, length, self.head_dim)

    def concat(self, batch, t):
        t = t.permute(0, 2, 1, 3)  # <-
        return t.contiguous().view(batch, -1, self.num_heads * self.head_dim)  # <-

    def forward(self, x):
        batch, length, _ = x.shape
        q, k, v = (self.heads_first(w(x)) for w in (self.W_q, self.W_k, self.W_v))
        output, _ = scaled_dot_product_attention(q, k, v, causal_mask(length) if self.causal else None)
        output = output.view(self.num_heads, batch, -1, self.head_dim)  # <-
        return self.W_o(self.concat(batch, output))
