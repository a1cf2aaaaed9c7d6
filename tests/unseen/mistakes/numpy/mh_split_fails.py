# exercise: MultiHeadAttention
# bugs: heads-not-dividing

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):  # <-
        self.heads, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = (np.random.randn(d_model, d_model) for _ in range(4))

    def forward(self, x):
        outputs = []
        parts = (np.split(x @ W, self.heads, axis=-1) for W in (self.W_q, self.W_k, self.W_v))
        for q, k, v in zip(*parts):
            scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
            if self.causal:
                scores += np.triu(np.full((x.shape[1], x.shape[1]), -np.inf), k=1)
            outputs.append(softmax(scores) @ v)
        return np.concatenate(outputs, axis=-1) @ self.W_o
