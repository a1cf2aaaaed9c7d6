# exercise: MultiHeadAttention
# bugs: heads-split-by-reshape, unrecognised, heads-interleaved

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x):
        B, T, D = x.shape
        fused = x @ np.concatenate([self.W_q, self.W_k, self.W_v], axis=1)
        q, k, v = (np.stack(np.split(part, self.h, axis=1), axis=1) if T % self.h == 0 else part.reshape(B, self.h, T, -1) for part in np.split(fused, 3, axis=-1))  # <-
        q, k, v = (t.reshape(B, self.h, T, D // self.h) for t in (q, k, v))  # <-
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(T) if self.causal else None)
        return out.transpose(0, 2, 1, 3).reshape(B, T, D) @ self.W_o
