# scaled_dot_product_attention, value
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = len(Q[0])
    weights = []
    for i, q in enumerate(Q):
        row = [sum(a * b for a, b in zip(q, k)) / d_k**0.5 for k in K]
        top = max(s.data for s in row)
        e = [(s - top).exp() for s in row]
        total = sum(e)
        w = [x / total for x in e]
        if mask is not None:
            w = [x * m for x, m in zip(w, mask[i])]  # here: mask-after-softmax
        weights.append(w)
    output = [[sum(w * v[j] for w, v in zip(row, V)) for j in range(len(V[0]))] for row in weights]
    return output, weights
