# exercise: SelfAttention
# pair: projection-missing, mask-after-softmax

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        w = softmax(attention_scores(x @ self.W_q, x @ self.W_k, x.shape[-1]))
        if causal:
            w = np.tril(w)  # <-
        return w @ x @ self.W_o  # <-
