# exercise: MultiHeadAttention
# bugs: heads-not-dividing

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):  # <-
        super().__init__()
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal  # <-
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))

    def forward(self, x):
        B, T, D = x.shape
        Q, K, V = (W(x).view(B, T, self.h, self.d_k).transpose(1, 2) for W in (self.W_q, self.W_k, self.W_v))
        out, _ = scaled_dot_product_attention(Q, K, V, causal_mask(T) if self.causal else None)
        return self.W_o(out.transpose(1, 2).reshape(B, T, D))
