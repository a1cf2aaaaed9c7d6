# exercise: MultiHeadAttention
# bugs: heads-projection-shared, heads-only-first

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        assert d_model % num_heads == 0
        self.num_heads, self.causal = num_heads, causal
        for name in ("W_q", "W_k", "W_v", "W_o"):
            rows = [[Value(random.uniform(-1, 1)) for _ in range(d_model)] for _ in range(d_model)]
            setattr(self, name, rows)

    def forward(self, x):
        q, k, v = (apply_attention(x, W) for W in (self.W_q, self.W_k, self.W_v))
        mask = [[j <= i for j in range(len(x))] for i in range(len(x))] if self.causal else None
        d_k = len(x[0]) // self.num_heads
        joined = [[] for _ in x]
        for h in range(self.num_heads):
            part = slice(0, d_k)  # <-
            head, _ = scaled_dot_product_attention(
                [r[part] for r in q], [r[part] for r in k], [r[part] for r in v], mask
            )
            joined = [row + more for row, more in zip(joined, head)]
        return apply_attention(joined, self.W_o)
