# exercise: MultiHeadAttention
# bugs: scale-by-d-model, unrecognised, scale-constant, scale-by-num-heads

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        assert d_model % num_heads == 0
        self.h = num_heads
        self.d_model = d_model
        self.size = d_model // num_heads
        self.causal = causal
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, np.random.uniform(-0.5, 0.5, (d_model, d_model)))

    def forward(self, x):
        q, k, v = x @ self.W_q, x @ self.W_k, x @ self.W_v
        T = x.shape[1]
        heads = []
        for i in range(self.h):
            cols = slice(i * self.size, (i + 1) * self.size)
            qi, ki, vi = q[:, :, cols], k[:, :, cols], v[:, :, cols]
            s = qi @ ki.transpose(0, 2, 1) / math.sqrt(self.h)  # <-
            if self.causal:
                s = np.where(np.tri(T, dtype=bool), s, -np.inf)
            e = np.exp(s - s.max(axis=2, keepdims=True))
            w = e / e.sum(axis=2, keepdims=True)
            heads.append(w @ vi)
        joined = np.concatenate(heads, axis=-1)
        return joined @ self.W_o
