# exercise: SelfAttention
# bugs: causal-length-frozen

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2
        self.mask = None

    def forward(self, x, causal=True):
        if self.mask is None:  # <-
            self.mask = causal_mask(x.shape[-2])  # <-
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        return scaled_dot_product_attention(q, k, v, self.mask if causal else None)[0] @ self.W_o  # <-
