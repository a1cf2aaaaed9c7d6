# exercise: SelfAttention
# pair: projection-transposed, residual-inside

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q.T, x @ self.W_k.T, x @ self.W_v.T  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        return scaled_dot_product_attention(q, k, v, mask)[0] @ self.W_o + x  # <-
