# exercise: MultiHeadAttention
# bugs: heads-merged-wrong-order, unrecognised, heads-merged-by-reshape

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x):
        B, T, D = x.shape
        mask = causal_mask(T) if self.causal else None
        parts = []
        for q, k, v in zip(*(np.split(x @ W, self.h, axis=2) for W in (self.W_q, self.W_k, self.W_v))):
            parts.append(scaled_dot_product_attention(q, k, v, mask)[0])
        return np.stack(parts, axis=1).reshape(B, T, D) @ self.W_o  # <-
