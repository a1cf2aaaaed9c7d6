# exercise: MultiHeadAttention
# right: projected, split and turned in one comprehension
# source: harvardnlp/annotated-transformer#118

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.d_k, self.h, self.causal = d_model // num_heads, num_heads, causal
        self.linears = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))

    W_q = property(lambda self: self.linears[0])
    W_k = property(lambda self: self.linears[1])
    W_v = property(lambda self: self.linears[2])
    W_o = property(lambda self: self.linears[3])

    def forward(self, x):
        n = x.size(0)
        query, key, value = [
            lin(t).view(n, -1, self.h, self.d_k).transpose(1, 2) for lin, t in zip(self.linears, (x, x, x))
        ]
        mask = causal_mask(x.size(1)) if self.causal else None
        y, _ = scaled_dot_product_attention(query, key, value, mask)
        return self.linears[-1](y.transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k))
