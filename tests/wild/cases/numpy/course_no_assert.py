# exercise: MultiHeadAttention
# bugs: heads-not-dividing
# source: yandexdataschool/nlp_course#131

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):  # <-
        self.num_heads, self.causal = num_heads, causal
        self.head_dim = d_model // num_heads  # <-
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        T = x.shape[1]
        mask = causal_mask(T) if self.causal else None
        out = np.zeros_like(x)
        for i in range(self.num_heads):
            c = slice(i * self.head_dim, (i + 1) * self.head_dim)
            q, k, v = x @ self.W_q[:, c], x @ self.W_k[:, c], x @ self.W_v[:, c]
            out[..., c] = scaled_dot_product_attention(q, k, v, mask)[0]
        return out @ self.W_o
