# exercise: SelfAttention
# bugs: causal-always

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        rows = []
        for t in range(1, x.shape[-2] + 1):  # <-
            o, _ = scaled_dot_product_attention(q[..., t - 1 : t, :], k[..., :t, :], v[..., :t, :])  # <-
            rows.append(o)
        return np.concatenate(rows, axis=-2) @ self.W_o
