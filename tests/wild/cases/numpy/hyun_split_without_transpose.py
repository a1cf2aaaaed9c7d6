# exercise: MultiHeadAttention
# bugs: heads-split-by-reshape
# source: hyunwoongko/transformer#15

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("n_head")
        self.n_head, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def split(self, tensor):
        batch_size, length, d_model = tensor.shape
        return tensor.reshape(batch_size, self.n_head, length, d_model // self.n_head)  # <-

    def concat(self, tensor):
        batch_size, head, length, d_tensor = tensor.shape
        return tensor.transpose(0, 2, 1, 3).reshape(batch_size, length, head * d_tensor)

    def forward(self, x):
        q, k, v = self.split(x @ self.W_q), self.split(x @ self.W_k), self.split(x @ self.W_v)
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(x.shape[1]) if self.causal else None)
        return self.concat(out) @ self.W_o
