# exercise: SelfAttention
# bugs: projection-activation

def gelu(z):
    return 0.5 * z * (1 + np.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z**3)))


class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.2

    def forward(self, x, causal=True):
        q, k, v = gelu(x @ self.W_q), gelu(x @ self.W_k), x @ self.W_v  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        return scaled_dot_product_attention(q, k, v, mask)[0] @ self.W_o
