# exercise: SelfAttention
# bugs: output-projection-missing

class SelfAttention:
    def __init__(self, d_model):
        self.weights = {n: np.random.randn(d_model, d_model) * 0.1 for n in ("q", "k", "v", "o")}

    W_q = property(lambda self: self.weights["q"], lambda self, w: self.weights.update(q=w))
    W_k = property(lambda self: self.weights["k"], lambda self, w: self.weights.update(k=w))
    W_v = property(lambda self: self.weights["v"], lambda self, w: self.weights.update(v=w))
    W_o = property(lambda self: self.weights["o"], lambda self, w: self.weights.update(o=w))

    def forward(self, x, causal=True):
        q, k, v = (x @ self.weights[n] for n in ("q", "k", "v"))
        mask = causal_mask(x.shape[-2]) if causal else None
        context, _ = scaled_dot_product_attention(q, k, v, mask)
        return context  # <-
