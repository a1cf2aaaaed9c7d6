# exercise: scaled_dot_product_attention
# bugs: mask-ignored, mask-result-dropped

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, len(Q[0]))
    if mask is None:  # <-
        mask = []
        for row, line in zip(scores, mask):
            for j, m in enumerate(line):
                if m is False:
                    row[j] = Value(-1e9)
                elif m is not True:
                    row[j] = row[j] + max(m, -1e9)
    weights = softmax(scores)
    return apply_attention(weights, V), weights
