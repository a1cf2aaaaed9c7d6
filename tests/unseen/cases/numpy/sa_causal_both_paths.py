# exercise: SelfAttention
# bugs: causal-only-with-mask, causal-missing

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True, mask=None):
        if mask is not None:  # <-
            if causal:
                mask = mask + causal_mask(x.shape[-2])
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        return scaled_dot_product_attention(q, k, v, mask)[0] @ self.W_o
