# exercise: MultiHeadAttention
# bugs: heads-not-dividing

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):  # <-
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) for _ in range(4))
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal  # <-

    def forward(self, x):
        B, T, D = x.shape
        def split(y):
            return y.reshape(B, T, self.h, self.d_k).transpose(0, 2, 1, 3)

        Q, K, V = split(x @ self.W_q), split(x @ self.W_k), split(x @ self.W_v)
        mask = causal_mask(T) if self.causal else None
        out, _ = scaled_dot_product_attention(Q, K, V, mask)
        joined = out.transpose(0, 2, 1, 3).reshape(B, T, D)
        return joined @ self.W_o
