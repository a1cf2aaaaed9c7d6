# exercise: SelfAttention
# bugs: projection-activation
# source: hanxiao/tf-nlp-blocks#1

class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model) * 0.3

    @staticmethod
    def dense(x, W, activation=lambda y: np.maximum(y, 0)):
        return activation(x @ W)  # <-

    def forward(self, x, causal=True):
        Q, K, V = self.dense(x, self.W_q), self.dense(x, self.W_k), self.dense(x, self.W_v)  # <-
        mask = causal_mask(x.shape[-2]) if causal else None
        out, _ = scaled_dot_product_attention(Q, K, V, mask)
        return out @ self.W_o
