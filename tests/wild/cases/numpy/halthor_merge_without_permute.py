# exercise: MultiHeadAttention
# bugs: heads-merged-by-reshape
# source: ajhalthor/Transformer-Neural-Network#4

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("d_model must be a multiple of num_heads")
        self.num_heads, self.head_dim, self.causal = num_heads, d_model // num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    def forward(self, x):
        batch_size, sequence_length, _ = x.shape
        qkv = x @ np.concatenate([self.W_q, self.W_k, self.W_v], axis=1)
        qkv = qkv.reshape(batch_size, sequence_length, 3, self.num_heads, self.head_dim)
        q, k, v = qkv.transpose(2, 0, 3, 1, 4)
        mask = causal_mask(sequence_length) if self.causal else None
        values, _ = scaled_dot_product_attention(q, k, v, mask)
        values = values.reshape(batch_size, sequence_length, self.num_heads * self.head_dim)  # <-
        return values @ self.W_o
