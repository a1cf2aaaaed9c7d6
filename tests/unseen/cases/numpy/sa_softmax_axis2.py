# exercise: SelfAttention
# bugs: softmax-axis-hard-coded

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        z = np.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.shape[-1])
        if causal:
            z = z + causal_mask(x.shape[-2])
        z = np.exp(z - np.max(z, axis=2, keepdims=True))  # <-
        z = z / np.sum(z, axis=2, keepdims=True)  # <-
        return np.einsum("...ij,...jd->...id", z, v) @ self.W_o
