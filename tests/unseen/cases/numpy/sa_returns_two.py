# exercise: SelfAttention
# bugs: unrecognised, returns-swapped, returns-one-thing

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        mask = causal_mask(x.shape[-2]) if causal else None
        out, w = scaled_dot_product_attention(q, k, v, mask)
        return out @ self.W_o, w  # <-
