# exercise: MultiHeadAttention
# pair: output-projection-missing, scale-missing

class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("num_heads must divide d_model")
        self.h, self.d_k, self.causal = num_heads, d_model // num_heads, causal

        def new():
            return [[Value(random.gauss(0, 0.5)) for _ in range(d_model)] for _ in range(d_model)]

        self.W_q, self.W_k, self.W_v, self.W_o = new(), new(), new(), new()

    def matmul(self, A, B):
        return [[sum((a * b for a, b in zip(row, col)), Value(0.0)) for col in zip(*B)] for row in A]

    def forward(self, x):
        q, k, v = self.matmul(x, self.W_q), self.matmul(x, self.W_k), self.matmul(x, self.W_v)
        joined = [[] for _ in x]
        for h in range(self.h):
            cols = slice(h * self.d_k, (h + 1) * self.d_k)
            for i in range(len(x)):
                seen = i + 1 if self.causal else len(x)
                s = [
                    sum((a * b for a, b in zip(q[i][cols], k[j][cols])), Value(0.0))  # <-
                    for j in range(seen)
                ]
                top = max(t.data for t in s)
                e = [(t - top).exp() for t in s]
                z = sum(e, Value(0.0))
                w = [t / z for t in e]
                vs = [v[j][cols] for j in range(seen)]
                joined[i] += [sum((a * b for a, b in zip(w, col)), Value(0.0)) for col in zip(*vs)]
        return joined  # <-
