# exercise: MultiHeadAttention
# bugs: parameters-unregistered

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        assert d_model % num_heads == 0
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal
        self.layers = [nn.Linear(d_model, d_model) for _ in range(4)]  # <-

    W_q = property(lambda self: self.layers[0])
    W_k = property(lambda self: self.layers[1])
    W_v = property(lambda self: self.layers[2])
    W_o = property(lambda self: self.layers[3])

    def forward(self, x):
        B, T, D = x.shape
        Q, K, V = (W(x).view(B, T, self.h, self.d_k).transpose(1, 2) for W in self.layers[:3])
        out, _ = scaled_dot_product_attention(Q, K, V, causal_mask(T) if self.causal else None)
        return self.W_o(out.transpose(1, 2).reshape(B, T, D))
