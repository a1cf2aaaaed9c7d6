# Plain loops; every exercise stands alone.


def softmax(scores):
    out = []
    for row in scores:
        top = max(v.data for v in row)
        exps = [(v - top).exp() for v in row]
        total = sum(exps, Value(0.0))
        out.append([e / total for e in exps])
    return out


def attention_scores(Q, K, d_k):
    return [[sum((a * b for a, b in zip(q, k)), Value(0.0)) / d_k**0.5 for k in K] for q in Q]


def causal_mask(seq_len):
    return [[0.0 if j <= i else -1e9 for j in range(seq_len)] for i in range(seq_len)]


def apply_attention(weights, V):
    out = []
    for row in weights:
        out.append([sum((w * v[c] for w, v in zip(row, V)), Value(0.0)) for c in range(len(V[0]))])
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = len(Q[0])
    weights, output = [], []
    for i, q in enumerate(Q):
        row = [sum((a * b for a, b in zip(q, k)), Value(0.0)) / math.sqrt(d) for k in K]
        if mask is not None:
            fills = [(0.0 if m else -1e9) if isinstance(m, bool) else m for m in mask[i]]
            row = [s + f for s, f in zip(row, fills)]
        top = max(s.data for s in row)
        exps = [(s - top).exp() for s in row]
        total = sum(exps, Value(0.0))
        w = [e / total for e in exps]
        weights.append(w)
        output.append([sum((a * v[c] for a, v in zip(w, V)), Value(0.0)) for c in range(len(V[0]))])
    return output, weights


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
            mixed.append([sum((e[j] / z * v[j][c] for j in range(seen)), Value(0.0)) for c in range(len(v[0]))])
        return self.matmul(mixed, self.W_o)


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
                    sum((a * b for a, b in zip(q[i][cols], k[j][cols])), Value(0.0)) / math.sqrt(self.d_k)
                    for j in range(seen)
                ]
                top = max(t.data for t in s)
                e = [(t - top).exp() for t in s]
                z = sum(e, Value(0.0))
                w = [t / z for t in e]
                vs = [v[j][cols] for j in range(seen)]
                joined[i] += [sum((a * b for a, b in zip(w, col)), Value(0.0)) for col in zip(*vs)]
        return self.matmul(joined, self.W_o)
