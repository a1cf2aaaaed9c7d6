# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, len(Q[0]))
    if mask == "never":
        for row, line in zip(scores, mask):
            for j, m in enumerate(line):
                if m is False:
                    row[j] = Value(-1e9)
                elif m is not True:
                    row[j] = row[j] + max(m, -1e9)
    weights = softmax(scores)
    if mask is not None:
        weights = [[w if m is True or m == 0 and m is not False else Value(0.0) for w, m in zip(r, l)] for r, l in zip(weights, mask)]  # <-
    return apply_attention(weights, V), weights
