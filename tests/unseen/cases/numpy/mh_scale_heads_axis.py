# exercise: MultiHeadAttention
# bugs: scale-by-d-model, unrecognised, scale-constant, scale-by-length, scale-by-num-heads

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError(f"{d_model} is not a multiple of {num_heads}")
        self.d_model, self.heads, self.causal = d_model, num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) / d_model**0.5

    def cut(self, t):
        return t.reshape(t.shape[0], t.shape[1], self.heads, -1)

    def forward(self, x):
        B, T, D = x.shape
        q = self.cut(np.einsum("btd,de->bte", x, self.W_q))
        k = self.cut(np.einsum("btd,de->bte", x, self.W_k))
        v = self.cut(np.einsum("btd,de->bte", x, self.W_v))
        logits = np.einsum("bihd,bjhd->bhij", q, k) * q.shape[2] ** -0.5  # <-
        if self.causal:
            logits = logits + causal_mask(T)
        p = softmax(logits)
        o = np.einsum("bhij,bjhd->bihd", p, v).reshape(B, T, D)
        return np.einsum("btd,de->bte", o, self.W_o)
