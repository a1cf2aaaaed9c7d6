# exercise: MultiHeadAttention
# bugs: heads-split-by-reshape, heads-interleaved, unrecognised

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x):
        B, T, D = x.shape
        wq, wk, wv = (W.reshape(self.h, D, -1) for W in (self.W_q, self.W_k, self.W_v))  # <-
        q, k, v = (np.einsum("btd,hdk->bhtk", x, w) for w in (wq, wk, wv))
        out, _ = scaled_dot_product_attention(q, k, v, causal_mask(T) if self.causal else None)
        return np.concatenate(list(out.swapaxes(0, 1)), axis=-1) @ self.W_o
