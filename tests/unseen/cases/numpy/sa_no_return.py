# exercise: SelfAttention
# bugs: raises, unrecognised, output-never-filled, nothing-returned

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2]) if causal else None
        out = scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, mask)[0] @ self.W_o  # <-
