# exercise: SelfAttention
# bugs: scale-no-sqrt, scale-twice

class SelfAttention:
    def __init__(self, d_model):
        self.d_model = d_model
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        T = x.shape[-2]
        q, k, v = x @ self.W_q / self.d_model, x @ self.W_k, x @ self.W_v  # <-
        out = np.zeros(v.shape)
        for t in range(T):
            n = t + 1 if causal else T
            s = np.einsum("...d,...jd->...j", q[..., t, :], k[..., :n, :])
            p = np.exp(s - s.max(-1, keepdims=True))
            p /= p.sum(-1, keepdims=True)
            out[..., t, :] = np.einsum("...j,...jd->...d", p, v[..., :n, :])
        return out @ self.W_o
