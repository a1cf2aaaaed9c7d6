# exercise: SelfAttention
# bugs: causal-strict

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(x.shape[-1])
        e = np.exp(s - s.max(-1, keepdims=True))
        if causal:
            e = e * np.tri(s.shape[-1], k=-1)  # <-
        return e / (e.sum(-1, keepdims=True) + 1e-9) @ v @ self.W_o
