# exercise: SelfAttention
# pair: softmax-over-queries, causal-strict

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = attention_scores(q, k, x.shape[-1])
        if causal:
            s = s + np.triu(np.full(s.shape[-2:], -1e9))  # <-
        e = np.exp(s - s.max(-2, keepdims=True))  # <-
        return e / e.sum(-2, keepdims=True) @ v @ self.W_o  # <-
