# exercise: MultiHeadAttention
# bugs: output-projection-missing
# source: Kyubyong/transformer#117

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads")
        self.num_heads, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
        Q_, K_, V_ = (np.concatenate(np.split(t, self.num_heads, axis=2), axis=0) for t in (Q, K, V))
        mask = causal_mask(x.shape[1]) if self.causal else None
        outputs, _ = scaled_dot_product_attention(Q_, K_, V_, mask)
        return np.concatenate(np.split(outputs, self.num_heads, axis=0), axis=2)  # <-
