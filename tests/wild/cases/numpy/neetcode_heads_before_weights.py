# exercise: MultiHeadAttention
# bugs: heads-projection-shared
# source: neetcode-gh/leetcode#5130

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads")
        self.num_heads, self.causal = num_heads, causal
        d_k = d_model // num_heads
        self.W_q = np.random.randn(d_k, d_k) * 0.3  # <-
        self.W_k = np.random.randn(d_k, d_k) * 0.3  # <-
        self.W_v = np.random.randn(d_k, d_k) * 0.3  # <-
        self.W_o = np.random.randn(d_model, d_model) * 0.3

    def forward(self, x):
        outs = []
        for part in np.split(x, self.num_heads, axis=-1):
            q, k, v = part @ self.W_q, part @ self.W_k, part @ self.W_v  # <-
            mask = causal_mask(x.shape[1]) if self.causal else None
            outs.append(scaled_dot_product_attention(q, k, v, mask)[0])
        return np.concatenate(outs, axis=-1) @ self.W_o
