# exercise: SelfAttention
# bugs: output-never-filled

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        w = softmax(attention_scores(q, k, x.shape[-1]) + (causal_mask(x.shape[-2]) if causal else 0))
        out = np.zeros_like(v)  # <-
        for i in range(x.shape[-2]):
            mixed = w[..., i : i + 1, :] @ v  # <-
        return out @ self.W_o  # <-
