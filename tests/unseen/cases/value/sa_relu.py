# exercise: SelfAttention
# bugs: projection-activation

class SelfAttention:
    def __init__(self, d_model):
        for name in ("W_q", "W_k", "W_v", "W_o"):
            rows = [[Value(random.uniform(-1, 1)) for _ in range(d_model)] for _ in range(d_model)]
            setattr(self, name, rows)

    def forward(self, x, causal=True):
        q, k, v = (apply_attention(x, W) for W in (self.W_q, self.W_k, self.W_v))
        v = [[e.relu() if hasattr(e, "relu") else (e if e.data > 0 else e * 0.0) for e in row] for row in v]  # <-
        mask = None
        if causal:
            mask = [[j <= i for j in range(len(x))] for i in range(len(x))]
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return apply_attention(out, self.W_o)
