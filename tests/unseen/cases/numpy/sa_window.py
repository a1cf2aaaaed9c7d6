# exercise: SelfAttention
# bugs: causal-horizon, unrecognised

class SelfAttention:
    def __init__(self, d_model, block_size=8):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2
        self.bias = np.zeros((64, 64))  # <-
        self.bias[:block_size, :block_size] = np.triu(np.full((block_size, block_size), -1e9), 1)  # <-

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(x.shape[-1])
        if causal:
            s = s + self.bias[: x.shape[-2], : x.shape[-2]]  # <-
        return softmax(s) @ v @ self.W_o
