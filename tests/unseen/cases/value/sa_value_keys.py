# exercise: SelfAttention
# bugs: value-from-keys

class SelfAttention:
    def __init__(self, d_model):
        def new():
            return [[Value(random.gauss(0, 0.5)) for _ in range(d_model)] for _ in range(d_model)]

        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def matmul(self, A, B):
        return [[sum((a * b for a, b in zip(row, col)), Value(0.0)) for col in zip(*B)] for row in A]

    def forward(self, x, causal=True):
        q, k, v = self.matmul(x, self.W_q), self.matmul(x, self.W_k), self.matmul(x, self.W_v)
        mixed = []
        for i in range(len(x)):
            seen = i + 1 if causal else len(x)
            s = [sum((a * b for a, b in zip(q[i], k[j])), Value(0.0)) / len(q[i]) ** 0.5 for j in range(seen)]
            top = max(t.data for t in s)
            e = [(t - top).exp() for t in s]
            z = sum(e, Value(0.0))
            mixed.append([sum((e[j] / z * k[j][c] for j in range(seen)), Value(0.0)) for c in range(len(v[0]))])  # <-
        return self.matmul(mixed, self.W_o)
