# exercise: MultiHeadAttention
# bugs: heads-averaged, output-projection-per-head, unrecognised

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x):
        B, T, D = x.shape
        d = D // self.h
        mask = causal_mask(T) if self.causal else None
        total = np.zeros_like(x)
        for i in range(self.h):
            c = slice(i * d, i * d + d)
            out, _ = scaled_dot_product_attention(x @ self.W_q[:, c], x @ self.W_k[:, c], x @ self.W_v[:, c], mask)
            total = total + out @ self.W_o[:d]  # <-
        return total
