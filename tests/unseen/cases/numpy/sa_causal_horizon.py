# exercise: SelfAttention
# bugs: causal-horizon

class SelfAttention:
    def __init__(self, d_model, max_len=16):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2
        self.hidden = np.triu(np.ones((max_len, max_len), dtype=bool), k=1)  # <-

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = attention_scores(q, k, x.shape[-1])
        if causal:
            n = min(x.shape[-2], len(self.hidden))  # <-
            s[..., :n, :n][..., self.hidden[:n, :n]] = -1e9  # <-
        return softmax(s) @ v @ self.W_o
