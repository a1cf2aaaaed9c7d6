# exercise: MultiHeadAttention
# bugs: heads-projection-shared

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        assert d_model % num_heads == 0
        self.h = num_heads
        self.d_model = d_model
        self.size = d_model // num_heads
        self.causal = causal
        self.W_q, self.W_k, self.W_v = np.random.randn(3, self.size, self.size)  # <-
        self.W_o = np.random.randn(d_model, d_model)

    def forward(self, x):
        T = x.shape[1]
        heads = []
        for i in range(self.h):
            cols = slice(i * self.size, (i + 1) * self.size)
            qi, ki, vi = (x[:, :, cols] @ W for W in (self.W_q, self.W_k, self.W_v))  # <-
            s = qi @ ki.transpose(0, 2, 1) / math.sqrt(self.size)
            if self.causal:
                s = np.where(np.tri(T, dtype=bool), s, -np.inf)
            e = np.exp(s - s.max(axis=2, keepdims=True))
            w = e / e.sum(axis=2, keepdims=True)
            heads.append(w @ vi)
        joined = np.concatenate(heads, axis=-1)
        return joined @ self.W_o
