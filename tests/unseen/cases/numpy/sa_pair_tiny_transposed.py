# exercise: SelfAttention
# pair: mask-fill-tiny, output-projection-transposed

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        s = attention_scores(q, k, x.shape[-1])
        if causal:
            s = s + np.triu(np.full(s.shape[-2:], -1e-9), 1)  # <-
        return softmax(s) @ v @ self.W_o.T  # <-
