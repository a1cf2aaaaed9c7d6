# exercise: SelfAttention
# bugs: softmax-over-queries

class SelfAttention:
    def __init__(self, d_model):
        self.d = d_model
        self.W_q, self.W_k, self.W_v, self.W_o = [np.random.randn(d_model, d_model) * 0.1 for _ in range(4)]

    def forward(self, x, causal=True):
        q, k, v = x.dot(self.W_q), x.dot(self.W_k), x.dot(self.W_v)
        att = q @ k.swapaxes(-2, -1) / np.sqrt(self.d)
        if causal:
            att = att + np.triu(np.ones(att.shape[-2:]), 1) * -1e9
        att = np.exp(att - att.max(-2, keepdims=True))  # <-
        att = att / att.sum(-2, keepdims=True)  # <-
        return (att @ v) @ self.W_o
