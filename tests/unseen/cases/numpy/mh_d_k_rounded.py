# exercise: MultiHeadAttention
# bugs: scale-by-d-model

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal, self.d_k = num_heads, causal, d_model
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = ((x @ W).reshape(B, T, self.h, -1).swapaxes(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        s = attention_scores(q, k, self.d_k)  # <-
        if self.causal:
            s = s + causal_mask(T)
        return apply_attention(softmax(s), v).swapaxes(1, 2).reshape(B, T, D) @ self.W_o
