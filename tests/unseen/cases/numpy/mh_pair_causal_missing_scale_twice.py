# exercise: MultiHeadAttention
# pair: causal-missing, scale-twice | scale-no-sqrt

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
        q = (x @ self.W_q).reshape(b, t, self.n_heads, hd).swapaxes(1, 2)
        k = (x @ self.W_k).reshape(b, t, self.n_heads, hd).swapaxes(1, 2)
        v = (x @ self.W_v).reshape(b, t, self.n_heads, hd).swapaxes(1, 2)
        mask = causal_mask(t) if self.is_causal else None
        q = q / np.sqrt(hd)  # <-
        y, att = scaled_dot_product_attention(q, k, v)  # <-
        y = y.swapaxes(1, 2).reshape(b, t, d)
        return y @ self.W_o
