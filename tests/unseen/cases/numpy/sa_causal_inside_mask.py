# exercise: SelfAttention
# bugs: causal-only-with-mask, causal-missing

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True, padding=None):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = q @ np.swapaxes(k, -1, -2) / np.sqrt(x.shape[-1])
        if padding is not None:
            if causal:  # <-
                padding = padding & np.tri(x.shape[-2], dtype=bool)
            s = np.where(padding, s, -1e9)
        return softmax(s) @ v @ self.W_o
