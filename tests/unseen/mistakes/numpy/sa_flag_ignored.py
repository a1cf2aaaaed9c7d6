# exercise: SelfAttention
# bugs: causal-always

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) for _ in range(4))

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2])  # <-
        out, _ = scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, mask)
        return out @ self.W_o
