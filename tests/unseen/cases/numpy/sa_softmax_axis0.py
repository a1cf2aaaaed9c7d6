# exercise: SelfAttention
# bugs: softmax-over-batch

class SelfAttention:
    def __init__(self, d_model):
        for n in "qkvo":
            setattr(self, "W_" + n, np.random.randn(d_model, d_model) / d_model)

    def softmax(self, z):
        e = np.exp(z - np.max(z, axis=0))  # <-
        return e / np.sum(e, axis=0)  # <-

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        z = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
        if causal:
            z = np.where(np.tri(z.shape[-1], dtype=bool), z, -1e9)
        return self.softmax(z) @ v @ self.W_o
