# exercise: SelfAttention
# bugs: causal-length-frozen

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = attention_scores(q, k, x.shape[-1])
        if causal:
            if not hasattr(self, "tri"):  # <-
                self.tri = np.tri(x.shape[-2], dtype=bool)  # <-
            n = min(len(self.tri), x.shape[-2])
            s[..., :n, :n] = np.where(self.tri[:n, :n], s[..., :n, :n], -1e9)  # <-
        return softmax(s) @ v @ self.W_o
