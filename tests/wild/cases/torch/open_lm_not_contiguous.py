# exercise: MultiHeadAttention
# bugs: view-on-transposed
# source: mlfoundations/open_lm#188

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.n_heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def attn(self, q, k, v, length):
        y, _ = scaled_dot_product_attention(q, k, v, causal_mask(length) if self.causal else None)
        return y.transpose(1, 2)

    def forward(self, x):
        batch, length, width = x.shape
        shape = (batch, length, self.n_heads, self.head_dim)
        q, k, v = (w(x).view(shape).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        output = self.attn(q, k, v, length)
        output = output.view(batch, length, width)  # <-
        return self.W_o(output)
