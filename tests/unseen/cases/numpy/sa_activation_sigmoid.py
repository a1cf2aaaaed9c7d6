# exercise: SelfAttention
# bugs: projection-activation

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        act = lambda z: 1 / (1 + np.exp(-z))
        q, k, v = act(x @ self.W_q), act(x @ self.W_k), act(x @ self.W_v)  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        return scaled_dot_product_attention(q, k, v, mask)[0] @ self.W_o
