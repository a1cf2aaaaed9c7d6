# exercise: MultiHeadAttention
# bugs: attention-across-heads
# source: kyegomez/FlashMHA#1

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.num_heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, s, d = x.shape
        q = self.W_q(x).view(b, s, self.num_heads, self.head_dim)  # <-
        k = self.W_k(x).view(b, s, self.num_heads, self.head_dim)  # <-
        v = self.W_v(x).view(b, s, self.num_heads, self.head_dim)  # <-
        mask = causal_mask(q.size(-2)) if self.causal else None
        context, _ = scaled_dot_product_attention(q, k, v, mask)  # <-
        return self.W_o(context.reshape(b, s, d))
