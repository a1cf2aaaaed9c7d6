# exercise: SelfAttention
# bugs: softmax-whole-matrix

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        z = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
        if causal:
            z = np.where(np.tri(z.shape[-1], dtype=bool), z, -1e9)
        z = np.exp(z - np.max(z))  # <-
        z = z / np.sum(z)  # <-
        return z @ v @ self.W_o
