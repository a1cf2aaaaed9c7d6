# exercise: MultiHeadAttention
# bugs: projection-shared
# source: Khaliladib11/Transformer-from-scratch#1

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.heads, self.head, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        batch, length, width = x.shape
        shape = (batch, length, self.heads, self.head)
        key = self.W_k(x).reshape(shape).transpose(1, 2)
        query = self.W_k(x).reshape(shape).transpose(1, 2)  # <-
        value = self.W_k(x).reshape(shape).transpose(1, 2)  # <-
        mask = causal_mask(length) if self.causal else None
        out, _ = scaled_dot_product_attention(query, key, value, mask)
        return self.W_o(out.transpose(1, 2).reshape(batch, length, width))
