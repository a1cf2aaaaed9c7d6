# exercise: scaled_dot_product_attention
# bugs: unrecognised, mask-of-first-sample, mask-on-query-rows

def scaled_dot_product_attention(Q, K, V, mask=None):
    d = len(Q[0])
    weights, output = [], []
    for i, q in enumerate(Q):
        row = [sum((a * b for a, b in zip(q, k)), Value(0.0)) / math.sqrt(d) for k in K]
        if mask is not None:
            fills = [(0.0 if m else -1e9) if isinstance(m, bool) else m for m in mask[0]]  # <-
            row = [s + f for s, f in zip(row, fills)]
        top = max(s.data for s in row)
        exps = [(s - top).exp() for s in row]
        total = sum(exps, Value(0.0))
        w = [e / total for e in exps]
        weights.append(w)
        output.append([sum((a * v[c] for a, v in zip(w, V)), Value(0.0)) for c in range(len(V[0]))])
    return output, weights
