# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape
# source: jadore801120/attention-is-all-you-need-pytorch#7

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("n_head")
        self.n_head, self.d_v, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        mb_size, len_q, d_model = x.shape
        by_head = lambda W: W.reshape(d_model, self.n_head, self.d_v).transpose(1, 0, 2)
        repeated = x[None]
        q, k, v = (
            (repeated @ by_head(W)[:, None]).reshape(-1, len_q, self.d_v)
            for W in (self.W_q, self.W_k, self.W_v)
        )
        outputs, _ = scaled_dot_product_attention(q, k, v, causal_mask(len_q) if self.causal else None)
        outputs = outputs.reshape(mb_size, len_q, -1)  # <-
        return outputs @ self.W_o
