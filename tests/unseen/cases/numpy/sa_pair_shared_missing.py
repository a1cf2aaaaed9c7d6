# exercise: SelfAttention
# pair: projection-shared, causal-missing

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q = k = x @ self.W_k  # <-
        return scaled_dot_product_attention(q, k, x @ self.W_v)[0] @ self.W_o  # <-
