# exercise: MultiHeadAttention
# bugs: value-from-keys
# source: yflyzhang/AnnotatedTransformer#1

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        n = x.size(0)
        query = self.W_q(x).view(n, -1, self.h, self.d_k).transpose(1, 2)
        key = self.W_k(x).view(n, -1, self.h, self.d_k).transpose(1, 2)
        value = self.W_k(x).view(n, -1, self.h, self.d_k).transpose(1, 2)  # <-
        mask = causal_mask(x.size(1)) if self.causal else None
        out, _ = scaled_dot_product_attention(query, key, value, mask)
        return self.W_o(out.transpose(1, 2).contiguous().view(n, -1, self.h * self.d_k))
