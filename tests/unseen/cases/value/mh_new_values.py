# exercise: MultiHeadAttention
# bugs: graph-detached

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.causal = num_heads, causal
        new = lambda: [[Value(random.gauss(0, 0.3)) for _ in range(d_model)] for _ in range(d_model)]
        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def times(self, A, B):
        return [[sum((a * b for a, b in zip(row, col)), Value(0)) for col in zip(*B)] for row in A]

    def forward(self, x):
        q, k, v = self.times(x, self.W_q), self.times(x, self.W_k), self.times(x, self.W_v)
        d = len(x[0]) // self.h
        joined = [[] for _ in x]
        mask = [[not self.causal or j <= i for j in range(len(x))] for i in range(len(x))]
        for h in range(self.h):
            a, b = h * d, h * d + d
            out, _ = scaled_dot_product_attention([r[a:b] for r in q], [r[a:b] for r in k], [r[a:b] for r in v], mask)
            joined = [row + [Value(c.data) for c in more] for row, more in zip(joined, out)]  # <-
        return self.times(joined, self.W_o)
