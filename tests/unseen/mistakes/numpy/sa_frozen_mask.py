# exercise: SelfAttention
# bugs: causal-length-frozen

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) for _ in range(4))
        self.mask = None

    def forward(self, x, causal=True):
        if causal and self.mask is None:  # <-
            self.mask = causal_mask(x.shape[-2])  # <-
        out, _ = scaled_dot_product_attention(
            x @ self.W_q, x @ self.W_k, x @ self.W_v, self.mask if causal else None  # <-
        )
        return out @ self.W_o
