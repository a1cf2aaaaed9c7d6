# exercise: SelfAttention
# bugs: causal-one-ahead

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def attend(self, q, K, V):
        s = (K * q[..., None, :]).sum(-1) / np.sqrt(q.shape[-1])
        w = np.exp(s - s.max(-1, keepdims=True))
        w /= w.sum(-1, keepdims=True)
        return (w[..., None] * V).sum(-2)

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        T = x.shape[-2]
        ends = [min(t + 2, T) if causal else T for t in range(T)]  # <-
        rows = [self.attend(q[..., t, :], k[..., :n, :], v[..., :n, :]) for t, n in enumerate(ends)]
        return np.stack(rows, axis=-2) @ self.W_o
