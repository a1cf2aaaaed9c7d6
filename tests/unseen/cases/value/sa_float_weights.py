# exercise: SelfAttention
# bugs: graph-detached

class SelfAttention:
    def __init__(self, d_model):
        new = lambda: [[Value(random.gauss(0, 0.3)) for _ in range(d_model)] for _ in range(d_model)]
        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def project(self, x, W):
        return [[sum(a * b.data for a, b in zip(row, col)) for col in zip(*W)] for row in x]  # <-

    def forward(self, x, causal=True):
        q, k, v = (self.project(x, W) for W in (self.W_q, self.W_k, self.W_v))
        mask = [[not causal or j <= i for j in range(len(x))] for i in range(len(x))]
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.project(out, self.W_o)
