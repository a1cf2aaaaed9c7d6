# Every later exercise calls the earlier ones.


def softmax(scores):
    def one(row):
        top = max(row, key=lambda v: v.data)
        exps = [(v - top.data).exp() for v in row]
        total = exps[0]
        for e in exps[1:]:
            total = total + e
        return [e * total**-1 for e in exps]

    return [one(row) for row in scores]


def attention_scores(Q, K, d_k):
    scale = 1.0 / math.sqrt(d_k)
    scores = []
    for q in Q:
        row = []
        for k in K:
            dot = Value(0.0)
            for a, b in zip(q, k):
                dot = dot + a * b
            row.append(dot * scale)
        scores.append(row)
    return scores


def causal_mask(seq_len):
    mask = [[0.0] * seq_len for _ in range(seq_len)]
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i][j] = float("-inf")
    return mask


def apply_attention(weights, V):
    out = []
    for row in weights:
        mixed = [Value(0.0) for _ in V[0]]
        for w, v in zip(row, V):
            mixed = [m + w * c for m, c in zip(mixed, v)]
        out.append(mixed)
    return out


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, len(Q[0]))
    if mask is not None:
        for row, line in zip(scores, mask):
            for j, m in enumerate(line):
                if m is False:
                    row[j] = Value(-1e9)
                elif m is not True:
                    row[j] = row[j] + max(m, -1e9)
    weights = softmax(scores)
    return apply_attention(weights, V), weights


class SelfAttention:
    def __init__(self, d_model):
        for name in ("W_q", "W_k", "W_v", "W_o"):
            rows = [[Value(random.uniform(-1, 1)) for _ in range(d_model)] for _ in range(d_model)]
            setattr(self, name, rows)

    def forward(self, x, causal=True):
        q, k, v = (apply_attention(x, W) for W in (self.W_q, self.W_k, self.W_v))
        mask = None
        if causal:
            mask = [[j <= i for j in range(len(x))] for i in range(len(x))]
        out, _ = scaled_dot_product_attention(q, k, v, mask)
        return apply_attention(out, self.W_o)


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
            part = slice(h * d_k, h * d_k + d_k)
            head, _ = scaled_dot_product_attention(
                [r[part] for r in q], [r[part] for r in k], [r[part] for r in v], mask
            )
            joined = [row + more for row, more in zip(joined, head)]
        return apply_attention(joined, self.W_o)
