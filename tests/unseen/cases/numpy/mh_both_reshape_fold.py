# exercise: MultiHeadAttention
# bugs: heads-split-and-merged-by-reshape

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads != 0:
            raise ValueError("heads must divide the width")
        self.n_heads = num_heads
        self.is_causal = causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        b, t, d = x.shape
        hd = d // self.n_heads
        q = np.reshape(x @ self.W_q, (b, self.n_heads, t, hd))  # <-
        k = np.reshape(x @ self.W_k, (b, self.n_heads, t, hd))  # <-
        v = np.reshape(x @ self.W_v, (b, self.n_heads, t, hd))  # <-
        mask = causal_mask(t) if self.is_causal else None
        y, att = scaled_dot_product_attention(q, k, v, mask)
        y = np.reshape(y, (b, t, d))  # <-
        return y @ self.W_o
