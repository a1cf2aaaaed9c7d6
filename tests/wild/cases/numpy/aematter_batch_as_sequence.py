# exercise: MultiHeadAttention
# bugs: attention-across-batch
# source: aipixel/AEMatter#3

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads")
        self.num_heads, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        S, N, E = x.shape  # <-
        q, k, v = (
            np.moveaxis((x @ W).reshape(S, N, self.num_heads, -1), 0, 2)  # <-
            for W in (self.W_q, self.W_k, self.W_v)
        )
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(S) if self.causal else None)
        return np.moveaxis(out, 2, 0).reshape(S, N, E) @ self.W_o
