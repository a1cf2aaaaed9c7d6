# exercise: SelfAttention
# bugs: scale-constant

class SelfAttention:
    d_k = 64

    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(self.d_k)  # <-
        if causal:
            scores = scores + causal_mask(x.shape[-2])
        return softmax(scores) @ v @ self.W_o
