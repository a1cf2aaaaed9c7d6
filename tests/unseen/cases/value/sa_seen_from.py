# exercise: SelfAttention
# bugs: causal-inverted

class SelfAttention:
    def __init__(self, d_model):
        new = lambda: [[Value(random.gauss(0, 0.3)) for _ in range(d_model)] for _ in range(d_model)]
        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def times(self, A, B):
        return [[sum((a * b for a, b in zip(row, col)), Value(0)) for col in zip(*B)] for row in A]

    def forward(self, x, causal=True):
        q, k, v = self.times(x, self.W_q), self.times(x, self.W_k), self.times(x, self.W_v)
        out = []
        for i in range(len(x)):
            first = i if causal else 0  # <-
            mixed, _ = scaled_dot_product_attention([q[i]], k[first:], v[first:])
            out += mixed
        return self.times(out, self.W_o)
