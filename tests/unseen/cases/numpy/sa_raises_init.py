# exercise: SelfAttention
# bugs: raises

class SelfAttention:
    def __init__(self, d_model):
        self.W_q = self.init(d_model)  # <-
        self.W_k = self.init(d_model)
        self.W_v = self.init(d_model)
        self.W_o = self.init(d_model)

    def init(d_model):
        return np.random.randn(d_model, d_model)

    def forward(self, x, causal=True):
        mask = causal_mask(x.shape[-2]) if causal else None
        return scaled_dot_product_attention(x @ self.W_q, x @ self.W_k, x @ self.W_v, mask)[0] @ self.W_o
