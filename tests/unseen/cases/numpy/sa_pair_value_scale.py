# exercise: SelfAttention
# pair: value-from-keys, scale-missing

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k = x @ self.W_q, x @ self.W_k
        s = q @ np.swapaxes(k, -1, -2)  # <-
        if causal:
            s = s + causal_mask(x.shape[-2])
        return softmax(s) @ k @ self.W_o  # <-
